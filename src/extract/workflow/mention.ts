// Finds names of stages and folders in notes, as whole names: "fix" is not in "fixes-2" nor in "feature/fix".
import { toSource } from "../../source/markdown/visible.js";
import type { Subject } from "../match/subject.js";
import type { NotesText } from "./reads.js";

export interface Mention {
  readonly source: string;
  readonly start: number;
  readonly end: number;
  readonly quote: string;
  /** The number of newer entries. */
  readonly entry: number;
  /** Where the name itself is. */
  readonly at: number;
}

/** Does the name at this offset of the text count? */
export type Fits = (subject: Subject, at: number) => boolean;

/** The last mention in the newest entry that has one, in the first file that has one. */
export function lastMention(notes: readonly NotesText[], name: string, fits: Fits = isWhole(name)): Mention | undefined {
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

/** Sorts by file, then the newest entry first, then the last mention first. */
export function byPlace(a: Mention, b: Mention, notes: readonly NotesText[]): number {
  const file = ({ source }: Mention) => notes.findIndex((note) => note.source.id === source);
  return file(a) - file(b) || a.entry - b.entry || b.at - a.at;
}

function* occurrences(text: string, name: string): Iterable<number> {
  if (name === "") return;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) yield at;
}

const PART = /[\p{L}\p{N}_-]/u;

/** Is the name not part of a longer name or of a path? The slash of a command does not make a path. */
function isWhole(name: string): Fits {
  return ({ segment: { text } }, at) => {
    const before = text[at - 1] ?? " ";
    const command = before === "/" && !/[\p{L}\p{N}_./\\-]/u.test(text[at - 2] ?? " ");
    return !PART.test(before) && (command || !/[/.\\]/.test(before)) && endsThere(text, at + name.length, false);
  };
}

/** A full stop may follow a name, but a file extension belongs to it. */
export function endsThere(text: string, end: number, inPath: boolean): boolean {
  const next = text[end] ?? " ";
  if (PART.test(next) || (next === "/" && !inPath)) return false;
  return next !== "." || !/[\p{L}\p{N}_]/u.test(text[end + 1] ?? " ");
}
