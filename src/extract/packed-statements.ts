// The statements of a source as few numbers each, and back.
import type { Kind, NodeType, Segment, Source } from "../model.js";
import type { Around } from "./around.js";
import type { Near, Weighed } from "./salience.js";
import { type KnownText, type Subject, toKnownSubject } from "./subject.js";

/**
 * For each text its marks; for a statement then how far it begins behind the one before, its length, what its signals add up
 * to, and what its marks announce.
 */
export type PackedStatements = readonly (number | string | readonly number[])[];

const NODES: readonly NodeType[] = ["sentence", "item", "task", "heading", "cell", "quote", "link"];
/** The bits of the marks. A heading or a link is an aside: no statement. */
const NODE = 7;
export const ASIDE = 8;
const OPEN = 16;
const DONE = 32;
const NAMED = 64;
/** Its text is not what stands in the source: it follows. */
const OTHER = 128;
/** Shares follow. */
const SHARES = 256;
const QUESTION = 512;
const FILLS = 1024;

export interface ToPack {
  readonly subject: Subject;
  /** Undefined where it is no statement. */
  readonly near: Near | undefined;
}

export function packStatements(source: Source, texts: readonly ToPack[]): PackedStatements {
  const packed: (number | string | readonly number[])[] = [];
  let last = 0;
  for (const { subject, near } of texts) {
    if (!near) {
      packed.push(ASIDE);
      continue;
    }
    const { text, start, end } = subject.segment;
    const isOther = source.text.slice(start, end) !== text;
    const marks =
      marksOf(subject.segment) |
      (near.isNamed ? NAMED : 0) |
      (near.fills ? FILLS : 0) |
      (isOther ? OTHER : 0) |
      (near.shares.length > 0 ? SHARES : 0);
    packed.push(marks, start - last, end - start, near.sum);
    if (isOther) packed.push(text);
    if (near.shares.length > 0) packed.push(near.shares);
    last = end;
  }
  return packed;
}

/**
 * @param told the subjects of the statements, where they are made already
 * @param kindsAt what was found in a text, by its number
 */
export function unpackStatements(
  source: Source,
  packed: PackedStatements,
  around: Around,
  told: readonly Subject[],
  kindsAt: (number: number) => readonly Kind[],
): readonly Weighed[] {
  const weighed: Weighed[] = [];
  let last = 0;
  let number = 0;
  for (let at = 0; at < packed.length; number++) {
    const marks = packed[at++] as number;
    if (marks === ASIDE) continue;
    const start = last + (packed[at++] as number);
    const end = start + (packed[at++] as number);
    const sum = packed[at++] as number;
    const text = marks & OTHER ? (packed[at++] as string) : source.text.slice(start, end);
    const shares = marks & SHARES ? (packed[at++] as readonly number[]) : NONE;
    last = end;
    const subject = told[weighed.length] ?? toKnownSubject(source, toSegment(marks, text, start, end), NOTHING_KNOWN, around);
    const near = { sum, shares, isNamed: (marks & NAMED) !== 0, fills: (marks & FILLS) !== 0 };
    weighed.push({ subject, kinds: kindsAt(number), near });
  }
  return weighed;
}

const NONE: readonly never[] = [];
/** Nobody asks more of what the assistant said. */
const NOTHING_KNOWN: KnownText = { held: new Set(), terms: () => NONE };

export const isStatement = ({ node }: Segment) => node !== "link" && node !== "heading";

export const marksOf = (segment: Segment): number =>
  NODES.indexOf(segment.node) |
  (isStatement(segment) ? 0 : ASIDE) |
  (segment.task === "open" ? OPEN : segment.task === "done" ? DONE : 0) |
  (segment.question ? QUESTION : 0);

/** As much of a segment as is asked for afterwards. */
export function toSegment(marks: number, text: string, start: number, end: number): Segment {
  const node = NODES[marks & NODE] as NodeType;
  const task = marks & OPEN ? "open" : marks & DONE ? "done" : undefined;
  return { node, text, runs: NONE, start, end, headings: NONE, question: (marks & QUESTION) !== 0, ...(task && { task }) };
}
