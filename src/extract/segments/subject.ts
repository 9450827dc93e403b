// A segment, with what is computed about it at most once.

import { type Evidence, type FactPlace, placeKey, type Segment, type Source } from "../../model.js";
import type { AskedSignal } from "../../rules/condition.js";
import { namesIn } from "../../text/topic.js";
import { toWords, type Words } from "../../text/words.js";

export interface Subject {
  readonly source: Source;
  readonly segment: Segment;
  readonly words: Words;
  /** Frees the words. They are rebuilt on demand. */
  readonly free: () => void;
  /** Of a text that is cached. */
  readonly memo?: Memo | undefined;
  /** What it says by itself, once it was asked. */
  local?: Memo["local"];
  readonly names: readonly string[];
}

/** What a text says by itself, cached with its segment, which may outlive an extraction. */
export type Memo = { local?: { readonly of: unknown; readonly place: string; readonly is: unknown } | undefined };

/** Does a signal of the packs hold for a text? */
export type Says = (subject: Subject, name: AskedSignal) => boolean;

/** Headings and links are not statements. */
export const isStatement = ({ node }: Segment): boolean => node !== "heading" && node !== "link";

export const toSubject = (source: Source, segment: Segment, memo?: Memo): Subject => new SegmentSubject(source, segment, memo);

/** There is one per sentence. Words take much memory, so they are built on demand and freed early. */
class SegmentSubject implements Subject {
  private made: Words | undefined = undefined;
  private named: readonly string[] | undefined = undefined;
  local: Memo["local"] = undefined;

  constructor(
    readonly source: Source,
    readonly segment: Segment,
    readonly memo: Memo | undefined,
  ) {}

  get names(): readonly string[] {
    this.named ??= namesIn(this.segment.text);
    return this.named;
  }

  get words(): Words {
    this.made ??= toWords(this.segment.text);
    return this.made;
  }

  free(): void {
    this.made = undefined;
  }
}

/** The place by which a text is known again. */
export const placeOf = ({ source, segment }: Subject): FactPlace => ({
  source: source.id,
  start: segment.start,
  ...(source.tool !== undefined && { tool: source.tool }),
});

export const placeKeyOf = (subject: Subject): string => placeKey(placeOf(subject));

/** The place of a text, as evidence of what a rule finds in it. */
export const evidenceOf = ({ source, segment }: Subject, rule: string): Evidence =>
  evidenceAt(source, segment.start, segment.end, rule);

export function evidenceAt(source: Source, start: number, end: number, rule: string): Evidence {
  return {
    source: source.id,
    start,
    end,
    quote: source.text.slice(start, end),
    rule,
    ...(source.tool !== undefined && { tool: source.tool }),
  };
}
