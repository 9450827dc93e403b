// Keeps what still holds of what the entries of a log say about a topic.

import { remember, rememberEach } from "../../text/remember.js";
import { type IsPlain, topicOf } from "../../text/topic.js";
import { sameText } from "../../text/words.js";
import type { Subject } from "../segments/subject.js";
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
  const ended = endedBy(statements, isPlain);
  const doneIn = remember((file: string) =>
    doneBefore(notes.find(({ source }) => source.id === file)?.subjects ?? [], newest.get(file)),
  );
  return latest.filter((value) => !ended.has(value.subject) && !doneIn(fileOf(value))(value.text));
}

const fileOf = ({ subject }: NotedValue) => subject?.source.id ?? "";
const ageOf = ({ subject }: NotedValue) => (subject ? ageOfSubject(subject) : 0);

/** The number of newer entries; a hand-off is newer than all of them. */
const ageOfSubject = ({ segment: { handoff, entry = 0 } }: Subject) => (handoff ? -1 : entry);

/** Was it said later? In one entry, the order of the lines counts. */
function isLater(later: NotedValue, earlier: NotedValue): boolean {
  if (fileOf(later) !== fileOf(earlier)) return false;
  const newer = ageOf(earlier) - ageOf(later);
  return newer > 0 || (newer === 0 && (later.subject?.segment.start ?? 0) > (earlier.subject?.segment.start ?? 0));
}

/** An ending ends the earlier values that it shares a word with. If there is none, one with a label ends the only earlier value. */
function endedBy(statements: readonly Statement[], isPlain: IsPlain): ReadonlySet<Subject | undefined> {
  const open = statements.flatMap(({ value, ends }) => (ends || value.none ? [] : value));
  const termsOf = rememberEach((text: string) => topicOf(text, isPlain).terms);
  return new Set(
    statements.flatMap(({ value: ending, ends }) => {
      if (!ends) return [];
      const about = new Set(termsOf(ending.text));
      const before = open.filter((one) => isLater(ending, one));
      const shared = before.filter(({ text }) => termsOf(text).some((term) => about.has(term)));
      const ended = [...new Set((shared.length > 0 ? shared : before).map(({ subject }) => subject))];
      return shared.length > 0 || (ended.length === 1 && ending.fields.text !== undefined) ? ended : [];
    }),
  );
}

/** Does an entry newer than that have the same line, and not as an open box, or in a ticked one? */
function doneBefore(subjects: readonly Subject[], age = 0): (text: string) => boolean {
  const newer = subjects.filter((subject) => ageOfSubject(subject) < age && subject.segment.task !== "open");
  const said = new Set(newer.map(({ segment }) => sameText(segment.text)));
  const ticked = newer.flatMap(({ segment }) => (segment.task === "done" ? ` ${sameText(segment.text)} ` : [])).join("\n");
  return (text) => said.has(sameText(text)) || ticked.includes(` ${sameText(text)} `);
}
