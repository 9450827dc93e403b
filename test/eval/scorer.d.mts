export interface Label {
  readonly kind: string;
  readonly m: string;
  readonly quote: string;
  readonly weight: number;
  readonly superseded?: boolean;
  readonly also?: readonly { readonly m: string; readonly quote: string }[];
}
export interface Gold {
  readonly id: string;
  readonly items: readonly Label[];
  readonly files: { readonly modified: readonly string[]; readonly read: readonly string[] };
  readonly probes: readonly { readonly q: string; readonly any: readonly (readonly string[])[] }[];
}
export interface Found {
  readonly kind: string;
  readonly m: string;
  readonly text: string;
  readonly rule?: string;
  readonly score?: number;
}
export interface Judged<F extends Found = Found> {
  readonly items: readonly (F & { readonly group: string; readonly right: boolean })[];
  readonly labels: readonly (Label & { readonly group: string; readonly found: boolean })[];
}
export interface KindRow {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  readonly labels: number;
  readonly predicted: number;
}
export interface BriefCounts {
  readonly probes: number;
  readonly kept: number;
  readonly labels: number;
  readonly held: number;
  readonly old: number;
  readonly stale: number;
}
export declare const KINDS: readonly string[];
export declare function says(text: string, label: string): boolean;
export declare function judgeItems<F extends Found>(items: readonly F[], gold: Gold): Judged<F>;
export declare function tableOfKinds(judged: readonly Judged[]): Readonly<Record<string, KindRow>>;
export declare function judgeBrief(text: string, gold: Gold): BriefCounts;
export declare function sumUp(briefs: readonly BriefCounts[]): {
  readonly kept: number;
  readonly held: number;
  readonly stale: number;
};
export declare const BASELINES: Readonly<
  Record<string, (messages: readonly { readonly text: string; readonly meta?: boolean }[], tokens: number) => string>
>;
