// Visible text, as a reader sees it, with its offsets in the source, and how it becomes segments.
import { SEGMENT_CHARACTERS } from "../../limits.js";
import type { NodeType, Run, Segment } from "../../model.js";
import { countBefore } from "../../text/lists.js";
import { splitSentences } from "./sentences.js";

export type Visible = { text: string; readonly runs: Run[] };

export function append(visible: Visible, text: string, source: number): void {
  if (text === "") return;
  const last = visible.runs.at(-1);
  const at = visible.text.length;
  if (!last || last.source + (at - last.at) !== source) visible.runs.push({ at, source });
  visible.text += text;
}

/** Replaces line ends with blanks, except before bullet lines and around program output. */
export function joinLines(visible: Visible): Visible {
  if (!/[\n\r\t]/.test(visible.text)) return visible;
  const [first = "", ...others] = visible.text.replace(/[\r\t]/g, " ").split("\n");
  let text = first;
  let wasPrinted = others.length > 0 && isPrinted(first);
  for (const line of others) {
    const printed = isPrinted(line);
    text += (printed !== wasPrinted || isPoint(line) || isLettered(line) ? "\n" : " ") + line;
    wasPrinted = printed;
  }
  return { runs: visible.runs, text };
}

export function toSource(runs: readonly Run[], at: number): number {
  const run = runs[Math.max(0, countBefore(runs, (one) => one.at <= at) - 1)] as Run;
  return run.source + (at - run.at);
}

export interface Context {
  readonly headings: readonly string[];
  readonly lead?: string | undefined;
  readonly task?: "open" | "done" | undefined;
  readonly leaf?: boolean | undefined;
  readonly depth?: number | undefined;
}

export const isQuestion = (text: string) => /[?？؟]["'”’)\]*_`]*$/u.test(text);

/** No splitting: a paragraph or an item is one segment. */
export const WHOLE = "whole";
/** How texts become segments: split into sentences with these abbreviations, or not at all. */
export type Cutting = readonly string[] | typeof WHOLE;

/** A mutable segment. Changed copies would each get their own hidden class, which costs memory and time. */
export type Draft = { -readonly [key in keyof Segment]: Segment[key] };

/** Makes one segment per sentence; headings and cells are not split. */
export function toSegments(visible: Visible, node: NodeType, context: Context, cutting: Cutting): readonly Draft[] {
  const whole = cutting === WHOLE || node === "heading" || node === "cell";
  const stretches = splitSentences(visible.text, whole ? [] : cutting, SEGMENT_CHARACTERS);
  const [opening] = stretches;
  // A segment that is not split has a limit too.
  const last = opening && stretches.findLast(({ end }) => end - opening.start <= SEGMENT_CHARACTERS);
  const joined = whole && opening ? [{ start: opening.start, end: (last ?? opening).end }] : stretches;
  let first = 0;
  return joined.map(({ start, end }) => {
    const said = visible.text.slice(start, end);
    const text = whole && said.includes("\n") ? said.replaceAll("\n", " ") : said;
    // Sentences come in order, so earlier runs can be skipped.
    while (first + 1 < visible.runs.length && (visible.runs[first + 1] as Run).at <= start) first++;
    const segment: Draft = {
      node,
      text,
      runs: slice(visible.runs, first, start, end),
      start: toSource(visible.runs, start),
      end: toSource(visible.runs, end - 1) + 1,
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

/** @param start the offset of `[[` */
export const linkSegment = (text: string, start: number, end: number, headings: readonly string[]): Segment => ({
  node: "link",
  text,
  runs: [{ at: 0, source: start + 2 }],
  start,
  end,
  headings,
  question: false,
});

/** Splits a paragraph or an item that was read as a whole into sentences. */
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

function slice(runs: readonly Run[], first: number, start: number, end: number): readonly Run[] {
  const own: Run[] = [{ at: 0, source: toSource(runs, start) }];
  for (let index = first + 1; index < runs.length; index++) {
    const run = runs[index] as Run;
    if (run.at >= end) break;
    if (run.at > start) own.push({ at: run.at - start, source: run.source });
  }
  return own;
}

// What the blocks of a text pass on to the blocks below them.

export interface Outline {
  readonly headings: { readonly depth: number; readonly text: string }[];
  /** The last paragraph or heading: the lead of a list or table. */
  lead: string | undefined;
  /** The cached result of `pathOf`. */
  path?: readonly string[];
}

/** The headings above. All segments below them share one list, so conditions on it are tested once. */
export function pathOf(outline: Outline): readonly string[] {
  const { headings, path } = outline;
  if (path?.length === headings.length && headings.every(({ text }, place) => text === path[place])) return path;
  outline.path = headings.map(({ text }) => text);
  return outline.path;
}

// Lines of a paragraph that are separate, although Markdown joins them with the lines around them.

/** People write lists with signs that Markdown does not know: "❌ no tabs", "• no tabs". */
const POINT = /^(?:\p{Extended_Pictographic}|[✓✗✘•●◦‣])\ufe0f? ?\S/u;

/** Unicode expressions are slow to start, and most lines begin with an ASCII letter, so that is checked first. */
export const isPoint = (line: string): boolean => line.charCodeAt(0) > 0x7f && POINT.test(line);

/** An option with a letter, which is no list in Markdown: "A) by mail". */
const isLettered = (line: string): boolean => /^\(?(?:[A-Ha-h]\)|[A-H]\.) \S/.test(line);

// Pasted program output, recognised by the start of a line.
const OUTPUTS = [
  // Compilers and linters: a file with a line and a column.
  /^\S{1,300}?(?::\d{1,7}:\d{1,5}|\(\d{1,7},\d{1,5}\)): /,
  // Stack traces.
  /^at (?:async |new )?\S{1,300} ?\(\S{1,300}:\d/,
  /^File "[^"]{1,300}", line \d/,
  /^Traceback \(most recent call last\)/,
  /^Uncaught (?:\(in promise\) )?\w{0,60}(?:Error|Exception): /,
  // Logs and shell prompts.
  /^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d/,
  /^\[?\d\d:\d\d:\d\d[\].,Z ]/,
  /^npm (?:ERR!|error|warn|WARN) /,
  /^(?:PS )?[A-Z]:\\[^>]{0,300}> ?/,
  /^[\w.-]{1,60}@[\w.-]{1,60}:[~/]\S{0,300}[$#] /,
  /^[➜❯] /,
  // Elements passed on by Cursor's browser.
  /^(?:DOM Path|React Component|HTML Element): /,
  /^Position: top=/,
];
// One expression starts faster than many.
const PRINTED = new RegExp(OUTPUTS.map(({ source }) => source).join("|"));

export const isPrinted = (line: string): boolean => PRINTED.test(line);
