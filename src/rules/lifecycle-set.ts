// What is known of a session's lifecycle.

export type TokenCount = "input" | "output" | "reasoning" | "cache-read" | "cache-write";

/** When a session is compacted, what is pruned and what stays in view. Counts are in tokens. */
export interface Lifecycle {
  readonly id: string;
  readonly auto: boolean;
  readonly prune: boolean;
  readonly counted: ReadonlySet<TokenCount>;
  readonly total: boolean;
  readonly full: "above" | "at";
  readonly answer: number;
  readonly reserve: number;
  /** What the caller wants kept free, whatever an answer may take. */
  readonly reserved?: number;
  readonly protect: number;
  readonly minimum: number;
  readonly turns: number;
  readonly keep: ReadonlySet<string>;
  /** Characters for one token in an estimate. */
  readonly characters: number;
  readonly cleared: string;
  readonly continue: string;
  readonly faultless: boolean;
  readonly tail?: Tail;
  readonly environment: { readonly auto?: string; readonly prune?: string; readonly answer?: string };
}

export interface Tail {
  readonly share: number;
  readonly min: number;
  readonly max: number;
  /** What the caller wants kept, in the place of a share. */
  readonly tokens?: number;
  readonly turns?: number;
}
