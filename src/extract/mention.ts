// Names of stages and folders in notes, as whole names: "fix" is not in "fixes-2" nor in "feature/fix".
import { toSource } from "../source/visible.js";
import type { Note } from "./reads.js";
import type { Subject } from "./subject.js";

export interface Mention {
  readonly source: string;
  readonly start: number;
  readonly end: number;
  readonly quote: string;
  /** How many entries are newer. */
  readonly entry: number;
  /** Where the name itself stands. */
  readonly at: number;
}

/** Does the name at this place of the text count? */
export type Fits = (subject: Subject, at: number) => boolean;

/** In the first file that has one, and there in the newest entry that has one, the last mention. */
export function lastMention(notes: readonly Note[], name: string, fits: Fits = isWhole(name)): Mention | undefined {
  for (const { source, subjects } of notes) {
    let best: Mention | undefined;
    for (const subject of subjects) {
      const { segment } = subject;
      const { node, text, start, end, entry = 0 } = segment;
      if (node === "link" || (best && entry > best.entry)) continue;
      for (const found of occurrences(text, name)) {
        const at = toSource(segment.runs, found);
        if (best && entry === best.entry && at <= best.at) continue;
        if (fits(subject, found)) best = { source: source.id, start, end, quote: source.text.slice(start, end), entry, at };
      }
    }
    if (best) return best;
  }
  return undefined;
}

/** The first file, there the newest entry, there the last mention comes first. */
export function byPlace(a: Mention, b: Mention, notes: readonly Note[]): number {
  const file = ({ source }: Mention) => notes.findIndex((note) => note.source.id === source);
  return file(a) - file(b) || a.entry - b.entry || b.at - a.at;
}

function* occurrences(text: string, name: string): Iterable<number> {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) yield at;
}

const PART = /[\p{L}\p{N}_-]/u;

/** Is the name no part of a longer one, or of a path? A command's slash makes no path. */
function isWhole(name: string): Fits {
  return ({ segment: { text } }, at) => {
    const before = text[at - 1] ?? " ";
    const command = before === "/" && !/[\p{L}\p{N}_./\\-]/u.test(text[at - 2] ?? " ");
    return !PART.test(before) && (command || !/[/.\\]/.test(before)) && endsThere(text, at + name.length, false);
  };
}

/** A stop may follow a name, but a file's ending belongs to it. */
export function endsThere(text: string, end: number, inPath: boolean): boolean {
  const next = text[end] ?? " ";
  if (PART.test(next) || (next === "/" && !inPath)) return false;
  return next !== "." || !/[\p{L}\p{N}_]/u.test(text[end + 1] ?? " ");
}
