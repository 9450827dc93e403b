// Text as a reader sees it, with the way back to where it stands in the source.

import { SEGMENT_CHARACTERS } from "../limits.js";
import type { NodeType, Run, Segment } from "../model.js";
import { isPoint, isPrinted } from "./own-lines.js";
import { splitSentences } from "./sentences.js";

export interface Visible {
  text: string;
  readonly runs: Run[];
}

export function append(visible: Visible, text: string, source: number): void {
  if (text === "") return;
  const last = visible.runs.at(-1);
  const at = visible.text.length;
  if (!last || last.source + (at - last.at) !== source) visible.runs.push({ at, source });
  visible.text += text;
}

/** Blanks for the ends of lines, but for those that part a point of its own, or what a program printed, from what is beside it. */
export function oneLine(visible: Visible): Visible {
  if (!/[\n\r\t]/.test(visible.text)) return visible;
  const [first = "", ...others] = visible.text.replace(/[\r\t]/g, " ").split("\n");
  let text = first;
  let wasPrinted = others.length > 0 && isPrinted(first);
  for (const line of others) {
    const printed = isPrinted(line);
    text += (printed !== wasPrinted || isPoint(line) ? "\n" : " ") + line;
    wasPrinted = printed;
  }
  return { runs: visible.runs, text };
}

/** Where a character of the visible text stands in the source. */
export function toSource(runs: readonly Run[], at: number): number {
  let low = 0;
  let high = runs.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((runs[middle] as Run).at <= at) low = middle;
    else high = middle - 1;
  }
  const run = runs[low] as Run;
  return run.source + (at - run.at);
}

/** The place in the source of a stretch of visible text. */
function toSpan(runs: readonly Run[], start: number, end: number): { start: number; end: number } {
  return { start: toSource(runs, start), end: toSource(runs, end - 1) + 1 };
}

export interface Context {
  readonly headings: readonly string[];
  readonly lead?: string | undefined;
  readonly task?: "open" | "done" | undefined;
  readonly leaf?: boolean | undefined;
  readonly depth?: number | undefined;
}

export const isQuestion = (text: string) => /[?？؟]["'”’)\]*_`]*$/u.test(text);

/** Cuts nothing: a paragraph or an item is one segment. */
export const WHOLE = "whole";
/** How texts are cut into segments: into sentences, minding abbreviations, or not at all. */
export type Cutting = readonly string[] | typeof WHOLE;

/** A segment in the making. Copies with a change would each have a hidden class of its own, which costs room and time. */
export type Draft = { -readonly [key in keyof Segment]: Segment[key] };

/** One segment for each sentence; a heading, a cell and a link are not cut. */
export function toSegments(visible: Visible, node: NodeType, context: Context, cutting: Cutting): readonly Draft[] {
  const whole = cutting === WHOLE || node === "heading" || node === "cell";
  const stretches = splitSentences(visible.text, whole ? [] : cutting, SEGMENT_CHARACTERS);
  const joined = whole && stretches.length > 1 ? [{ start: stretches[0]?.start ?? 0, end: wholeEnd(stretches) }] : stretches;
  let first = 0;
  return joined.map(({ start, end }) => {
    const said = visible.text.slice(start, end);
    const text = whole && said.includes("\n") ? said.replaceAll("\n", " ") : said;
    // Sentences come in order, so the runs before this one are behind us.
    while (first + 1 < visible.runs.length && (visible.runs[first + 1] as Run).at <= start) first++;
    const span = toSpan(visible.runs, start, end);
    const segment: Draft = {
      node,
      text,
      runs: slice(visible.runs, first, start, end),
      start: span.start,
      end: span.end,
      headings: context.headings,
      question: isQuestion(text),
    };
    if (context.lead !== undefined) segment.lead = context.lead;
    if (context.task) segment.task = context.task;
    if (context.leaf !== undefined) segment.leaf = context.leaf;
    if (context.depth !== undefined) segment.depth = context.depth;
    return segment;
  });
}

/** A paragraph or an item that was read as a whole, sentence by sentence. */
export function toSentences(segment: Segment, abbreviations: readonly string[]): readonly Segment[] {
  const { text, runs, node, ...rest } = segment;
  if (node === "heading" || node === "cell" || node === "link") return [segment];
  const sentences = toSegments({ text, runs: [...runs] }, node, rest, abbreviations);
  return sentences.map((sentence, index) => ({
    ...rest,
    ...sentence,
    // Marks around the whole belong to its first and last sentence.
    start: index === 0 ? Math.min(segment.start, sentence.start) : sentence.start,
    end: index === sentences.length - 1 ? Math.max(segment.end, sentence.end) : sentence.end,
  }));
}

/** Nothing that is said in one piece is longer than a bounded number of characters. */
function wholeEnd(stretches: readonly { readonly start: number; readonly end: number }[]): number {
  const start = stretches[0]?.start ?? 0;
  return stretches.findLast(({ end }) => end - start <= SEGMENT_CHARACTERS)?.end ?? stretches[0]?.end ?? 0;
}

function slice(runs: readonly Run[], first: number, start: number, end: number): readonly Run[] {
  const own: Run[] = [{ at: 0, source: toSource(runs, start) }];
  for (let index = first + 1; index < runs.length; index++) {
    const run = runs[index] as Run;
    if (run.at >= end) break;
    if (run.at > start) own.push({ at: run.at - start, source: run.source });
  }
  return own;
}
