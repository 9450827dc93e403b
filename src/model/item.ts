// A fact, with the place that proves it. extract/facts finds facts, extract/settle merges and ends them.
import type { Speaker } from "./session.js";

/** The kinds of facts. The set is closed. */
export const KINDS = [
  "goal",
  "constraint",
  "decision",
  "rejection",
  "finding",
  "done",
  "remaining",
  "blocker",
  "question",
  "concept",
  "note",
] as const;
/** The kind of a fact. */
export type Kind = (typeof KINDS)[number];

/** The place of a fact. `quote` is exactly the source text from `start` to `end`, in UTF-16 units. */
export interface Evidence {
  readonly source: string;
  readonly start: number;
  readonly end: number;
  readonly quote: string;
  readonly rule: string;
  readonly tool?: number;
  /** The quote is in the input of the call, under this key. Otherwise it is in the output. */
  readonly input?: string;
}

/** Where something was said. It identifies a fact. */
export interface FactPlace {
  readonly source: string;
  readonly start: number;
  /** Index of the tool call whose output contains it. */
  readonly tool?: number;
  /** It is in the input of that call, under this key. */
  readonly input?: string;
  /** The places of the texts that are joined to this one. */
  readonly joined?: readonly FactPlace[];
}

/** A key of the place: two facts at the same place have the same one. */
export const placeKey = ({ source, tool, input, start }: FactPlace) =>
  `${source}\n${tool ?? ""}${input === undefined ? "" : `.${input}`}\n${start}`;

/** Whether a fact still counts. `superseded`: later words replaced it. `stale`, `noise`: a model judged it so. */
export type Status = "active" | "superseded" | "stale" | "noise";

/** What a model said about a fact. */
export interface Judgement {
  /** The compaction in which it was judged. */
  readonly round: number;
  /** Of a stale fact: the later message that ends it. */
  readonly witness?: string;
  /** The kind that the rules gave it, if the model corrected it. */
  readonly was?: Kind;
  /** Of a fact that holds: does it matter? Absent if the model marked none in its answer. */
  readonly marked?: boolean;
}

/** One fact, with its evidence. */
export interface Item {
  readonly kind: Kind;
  readonly text: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly category?: string;
  readonly score: number;
  readonly by: Speaker;
  readonly status: Status;
  readonly evidence: Evidence;
  /** Other places that say the same thing. */
  readonly also: readonly Evidence[];
  readonly judged?: Judgement;
}
