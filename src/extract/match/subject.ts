// A segment, with what is computed about it at most once.

import { type Evidence, type FactPlace, placeKey, type Segment, type Source } from "../../model.js";
import type { Options } from "../../rules/rule-set.js";
import { namesIn } from "../../text/topic.js";
import { toWords, type Words } from "../../text/words.js";

export interface Subject {
  readonly source: Source;
  readonly segment: Segment;
  readonly words: Words;
  /** Frees the words. They are rebuilt on demand. */
  readonly free: () => void;
  /** The session around it; texts of files have none. */
  readonly around?: Around | undefined;
  /** Of a text that is cached. */
  readonly memo?: Memo | undefined;
  /** What it says by itself, once it was asked. */
  local?: Memo["local"];
  /** The names in it. */
  readonly names: readonly string[];
}

/** The texts of a session, by source. */
export interface SessionTexts {
  /** The texts of a source, built once. */
  readonly subjects: (source: Source) => readonly Subject[];
  /** The first sentences of a source. */
  readonly opening: (source: Source) => readonly Subject[];
  /** The last message of the other speaker. */
  readonly before: (source: Source) => Source | undefined;
  /** The user's next message. */
  readonly reply: (source: Source) => Source | undefined;
}

/** The session around a text: the texts of its messages, and what can be said only with them. */
export interface Around extends SessionTexts {
  readonly picks: Picks;
  /** Does the user only paste it? */
  readonly isPasted: (subject: Subject) => boolean;
  /** How far a signal of the session holds, from 0 to 1. */
  readonly degree: (subject: Subject, signal: string) => number;
  /** Frees what was built from a source. It is rebuilt on demand. */
  readonly release: (source: Source) => void;
  /** Answers that are the same for all texts of a source, by its ordinal: twice the number of a question, and one more for yes. */
  readonly answers: readonly [agreed: number[][], opening: number[][], texts: number[][]];
}

export const PICK_STATES = ["picked", "passed-over"] as const;

/** What became of an option, and the user's words that decided it. */
export interface Pick {
  readonly state: (typeof PICK_STATES)[number];
  readonly by: Subject;
  /** The options of the packs that matched. */
  readonly options: Options;
  /** Its label: a number, a letter. */
  readonly label: string;
  /** Where the option starts after its label. */
  readonly from: number;
}

export interface Picks {
  /** Did the user pick this option, or another one of the same message? */
  readonly of: (subject: Subject) => Pick | undefined;
  /** The options that these words of the user pick. */
  readonly taken: (subject: Subject) => readonly Subject[];
}

/** What a text says by itself, cached with its segment, which may outlive an extraction. */
export interface Memo {
  local?: { readonly of: unknown; readonly place: string; readonly is: unknown } | undefined;
}

/** Headings and links are not statements. */
export const isStatement = ({ node }: Segment): boolean => node !== "heading" && node !== "link";

export const toSubject = (source: Source, segment: Segment, around?: Around, memo?: Memo): Subject =>
  new SegmentSubject(source, segment, memo, around);

/** There is one per sentence. Words take much memory, so they are built on demand and freed early. */
class SegmentSubject implements Subject {
  private made: Words | undefined = undefined;
  private named: readonly string[] | undefined = undefined;
  local: Memo["local"] = undefined;

  constructor(
    readonly source: Source,
    readonly segment: Segment,
    readonly memo: Memo | undefined,
    readonly around: Around | undefined,
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
