// Keeps what still holds of what the entries of a log say about a topic.

import { type IsPlain, topicOf } from "../../text/topic.js";
import { sameText } from "../../text/words.js";
import type { NotedValue, NotesText } from "./reads.js";

export interface Statement {
  readonly value: NotedValue;
  /** It ends what was said before. */
  readonly ends: boolean;
}

/** The values of the newest entry that says anything about the topic, unless they were ended or done since. */
export function lasting(
  values: readonly NotedValue[],
  statements: readonly Statement[],
  notes: readonly NotesText[],
  isPlain: IsPlain,
): readonly NotedValue[] {
  const newest = new Map<string, number>();
  for (const { value, ends } of statements) {
    const file = fileOf(value);
    if (!ends) newest.set(file, Math.min(newest.get(file) ?? Number.POSITIVE_INFINITY, ageOf(value)));
  }
  const latest = values.filter((value) => newest.get(fileOf(value)) === ageOf(value));
  const open = statements.flatMap(({ value, ends }) => (ends || value.none ? [] : value));
  const endings = statements.flatMap(({ value, ends }) => (ends ? value : []));
  return latest.filter((value) => !isDone(value, notes) && !endings.some((ending) => endsIt(ending, value, open, isPlain)));
}

const fileOf = ({ subject }: NotedValue) => subject?.source.id ?? "";

/** The number of newer entries; a hand-off is newer than all of them. */
const ageOf = ({ subject }: NotedValue) => (subject?.segment.handoff ? -1 : (subject?.segment.entry ?? 0));

/** Was it said later? In one entry, the order of the lines counts. */
function isLater(later: NotedValue, earlier: NotedValue): boolean {
  if (fileOf(later) !== fileOf(earlier)) return false;
  const newer = ageOf(earlier) - ageOf(later);
  return newer > 0 || (newer === 0 && (later.subject?.segment.start ?? 0) > (earlier.subject?.segment.start ?? 0));
}

/** The ending shares a word with the value. A labelled one that shares none with any value ends the only one. */
function endsIt(ending: NotedValue, value: NotedValue, open: readonly NotedValue[], isPlain: IsPlain): boolean {
  if (!isLater(ending, value)) return false;
  const about = new Set(topicOf(ending.text, isPlain).terms);
  const shares = ({ text }: NotedValue) => topicOf(text, isPlain).terms.some((term) => about.has(term));
  if (shares(value) || ending.fields.text === undefined) return shares(value);
  const before = new Set(open.filter((one) => isLater(ending, one)).map(({ subject }) => subject));
  return before.size === 1 && !open.some(shares);
}

/** A newer entry has the same line, and not as an open box, or in a ticked one. */
function isDone(value: NotedValue, notes: readonly NotesText[]): boolean {
  if (ageOf(value) <= 0) return false;
  const same = sameText(value.text);
  const subjects = notes.find(({ source }) => source.id === fileOf(value))?.subjects ?? [];
  return subjects.some((subject) => {
    const { task, text } = subject.segment;
    if (task === "open" || ageOf({ text, fields: {}, subject }) >= ageOf(value)) return false;
    const said = sameText(text);
    return said === same || (task === "done" && ` ${said} `.includes(` ${same} `));
  });
}
