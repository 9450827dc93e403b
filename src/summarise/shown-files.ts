// What of the two lists of files is shown behind a summary. They are kept whole; shown are those that were touched last.
import type { FactVerdict } from "../keep/audit.js";
import type { ListedFiles } from "../keep/compaction-state.js";
import { HOOK_CHARACTERS, INPUT_DEPTH, LISTED_CHARACTERS, NAMING_CHARACTERS } from "../limits.js";
import type { Session } from "../model.js";
import { harmless } from "../render/entries.js";
import { withFileLists } from "./file-lists.js";

export interface ShownFiles extends ListedFiles {
  /** How many of each list are not shown. */
  readonly more: { readonly read: number; readonly modified: number };
}

/** All of them where there is room beside so many characters, else the newest of each. */
export function shownFiles(files: ListedFiles, session: Session, beside: number): ShownFiles {
  const room = Math.max(LISTED_CHARACTERS, HOOK_CHARACTERS - beside);
  if (withFileLists("", files).length <= room) return { ...files, more: { read: 0, modified: 0 } };
  const newest = newestFirst(session, [...files.read, ...files.modified]);
  // What was changed tells more than what was read.
  const modified = firstOf(newest, files.modified, files.read.length > 0 ? (room * 3) / 4 : room);
  const read = firstOf(newest, files.read, room - modified.join("\n").length - FRAME_CHARACTERS);
  const more = { read: files.read.length - read.length, modified: files.modified.length - modified.length };
  return { read, modified, more };
}

interface Shown {
  readonly summary: string;
  readonly verdicts: readonly FactVerdict[];
}

/** A summary that names all files, as it is shown: a file that is not named there is not kept by it. */
export function withShownFiles(summary: string, verdicts: readonly FactVerdict[], files: ListedFiles, session: Session): Shown {
  const all = withFileLists("", files);
  const at = all === "" ? -1 : summary.lastIndexOf(all);
  if (at < 0) return { summary, verdicts };
  const { more, ...newest } = shownFiles(files, session, summary.length - all.length);
  if (more.read + more.modified === 0) return { summary, verdicts };
  const lists = withFileLists("", newest, more);
  const places = new Map<string, number>();
  for (let from = 0; from < lists.length; from = endOfLine(lists, from) + 1)
    places.set(lists.slice(from, endOfLine(lists, from)), at + from);
  const placed = ({ where, ...fact }: FactVerdict): FactVerdict => {
    if (!where || where.start < at) return { ...fact, ...(where && { where }) };
    const start = places.get(harmless(fact.text));
    if (start !== undefined) return { ...fact, where: { start, end: start + harmless(fact.text).length } };
    return fact.kind === "file" ? { ...fact, verdict: "missing", why: "among the files that are only counted" } : fact;
  };
  return { summary: summary.slice(0, at) + lists + summary.slice(at + all.length), verdicts: verdicts.map(placed) };
}

const endOfLine = (text: string, from: number) => (text.indexOf("\n", from) < 0 ? text.length : text.indexOf("\n", from));

/** The tags, the line that counts the rest, and the blank line before them. */
const FRAME_CHARACTERS = 70;

function firstOf(newest: readonly string[], list: readonly string[], room: number): readonly string[] {
  const own = new Set(list);
  let left = room - FRAME_CHARACTERS;
  const shown: string[] = [];
  for (const path of newest) {
    if (!own.has(path)) continue;
    left -= path.length + 1;
    if (left < 0) break;
    shown.push(path);
  }
  return shown;
}

/** By the last tool call that names each; those that no call of the session names any more come last, in their order. */
function newestFirst({ messages, folder }: Session, paths: readonly string[]): readonly string[] {
  const left = new Map(
    paths.flatMap((path) => [[path, path], ...(folder === undefined ? [] : [[`${folder}/${path}`, path]])]) as [string, string][],
  );
  const found = new Set<string>();
  const look = (value: unknown, depth = INPUT_DEPTH): void => {
    if (typeof value === "string") {
      for (const word of value.slice(0, NAMING_CHARACTERS).split(/[\s"'`=,;:()]+/)) {
        const path = left.get(word);
        if (path !== undefined) found.add(path);
      }
      const whole = left.get(value);
      if (whole !== undefined) found.add(whole);
    } else if (typeof value === "object" && value !== null && depth > 0)
      for (const one of Object.values(value)) look(one, depth - 1);
  };
  for (const { toolCalls } of messages.toReversed()) for (const { input } of toolCalls.toReversed()) look(input);
  return [...found, ...paths.filter((path) => !found.has(path))];
}
