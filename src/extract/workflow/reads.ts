// Reads the values in notes and artifacts that `read` declares.
import { FIELD_CODE_POINTS } from "../../limits.js";
import type { Segment, Source } from "../../model.js";
import type { Condition, Selector } from "../../rules/condition.js";
import { firstPhrase, type Match } from "../../rules/phrase/match-phrase.js";
import type { Section } from "../../rules/rule-set.js";
import type { Read } from "../../rules/workflow-set.js";
import { oneLine } from "../../text/forms.js";
import { groupBy } from "../../text/lists.js";
import { sameText, toWords } from "../../text/words.js";
import { cut, slotValues } from "../facts/field.js";
import { OPEN_KINDS } from "../facts/to-item.js";
import { type Subject, toSubject } from "../segments/subject.js";
import { allMatches, outside, says, testCondition } from "../signals/condition.js";

/** A file, split into what can be read from it. */
export interface NotesText {
  readonly source: Source;
  readonly subjects: readonly Subject[];
  /** It holds rules, not state: it is read only if a selector names it. */
  readonly aside: boolean;
}

export interface NotedValue {
  readonly text: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly task?: "open" | "done";
  /** The text it was read from; built-in values have none. */
  readonly subject?: Subject;
  /** It says that there is none. */
  readonly none?: boolean;
}

/** The file is split only on demand. */
export function toNote(source: Source, read: () => readonly Segment[], aside = false): NotesText {
  let subjects: readonly Subject[] | undefined;
  return {
    source,
    aside,
    get subjects() {
      subjects ??= read().map((segment) => toSubject(source, segment));
      return subjects;
    },
  };
}

/** The notes in which a condition may hold: those of the files that it names, else all that hold state. */
export const notesFor = ({ file }: Selector, notes: readonly NotesText[]): readonly NotesText[] =>
  notes.filter(({ source, aside }) => (file ? file.has(source.file ?? "") : !aside));

/** Texts of a file that are searched for each value even if time is up: more than a page. */
const LATE_TEXTS = 200;

/** Also the values that say that there is none. `taken` are the texts that other names used. A text that one way has found is not
 * found again by another.
 * @param late returns true when time is up before a text, and it and those after it are not searched */
export function readValues(
  read: Read,
  notes: readonly NotesText[],
  nothing: ReadonlySet<string>,
  taken: ReadonlySet<Subject> = new Set(),
  late?: (subject: Subject) => boolean,
): readonly NotedValue[] {
  const seen = new Set(taken);
  return read.ways.flatMap((way) => {
    const found: NotedValue[] = [];
    for (const { subjects } of notesFor(way.in, notes))
      for (const [index, subject] of subjects.entries()) {
        if (index >= LATE_TEXTS && late?.(subject)) break;
        if (outside(way.in, subject) !== undefined || seen.has(subject)) continue;
        for (const match of matchesOf(way, subject)) found.push(...toValue(read, subject, match, nothing));
      }
    for (const { subject, none } of found) if (subject && !none) seen.add(subject);
    return way.once ? lastOfEach(found) : way.in.under || way.in.lead ? withoutDetails(found) : found;
  });
}

/** Of a repeated field the last value counts. A field in several sections is about them, not about the work: it is dropped. */
function lastOfEach(values: readonly NotedValue[]): readonly NotedValue[] {
  const byName = groupBy(values, ({ subject }) => sameText(subject?.segment.text.split(/[:：—–]/, 1)[0] ?? ""));
  return [...byName.values()].flatMap((same) => {
    const sections = new Set(same.map(({ subject }) => JSON.stringify([subject?.source.id, subject?.segment.headings])));
    return sections.size > 1 ? [] : same.slice(-1);
  });
}

/** Drops items below an item that was found, except tasks: they only add details. */
function withoutDetails(values: readonly NotedValue[]): readonly NotedValue[] {
  let above: Segment | undefined;
  return values.filter(({ subject, task }) => {
    const segment = subject?.segment;
    const detail =
      (segment?.depth ?? 0) > (above?.depth ?? 0) &&
      above?.depth !== undefined &&
      segment?.headings.join() === above.headings.join();
    if (!detail) above = segment;
    return !detail || task !== undefined;
  });
}

function matchesOf(way: Condition, subject: Subject): readonly Match[] {
  if (way.regex.length > 0 && way.match.length === 0) return allMatches(way, subject);
  const outcome = testCondition(way, subject);
  return outcome.is === "match" ? [outcome.match] : [];
}

function toValue(read: Read, subject: Subject, match: Match, nothing: ReadonlySet<string>): readonly NotedValue[] {
  const { segment } = subject;
  const slots = slotValues(match, segment.text);
  if (match.slots.some(({ name }) => name === "text") && slots.text === undefined) return [];
  // The whole text only if no slot captured a part of it: a pattern may match many times.
  const whole = slots.text ?? oneLine(segment.text);
  const text = cut(whole, FIELD_CODE_POINTS);
  // A short text that ends in a colon only introduces what follows.
  if (slots.text === undefined && /^.{0,60}[:：]$/.test(whole)) return [];
  // A text without a letter says nothing, but a slot may ask for a number: "Last completed batch: 12".
  const isEmpty = !(slots.text === undefined ? /\p{L}/u : /[\p{L}\p{N}]/u).test(text);
  if (isEmpty || [text, ...Object.values(slots)].some((value) => nothing.has(sameText(value))))
    return [{ text, fields: {}, subject, none: true }];
  const shaped = firstPhrase(read.shape, toWords(text));
  const group = read.group.length === 0 ? undefined : segment.headings.findLast((heading) => says(read.group, heading));
  const fields = { ...slots, ...(shaped && slotValues(shaped, text)), ...(group !== undefined && { group }) };
  return [{ text, fields, ...(segment.task && { task: segment.task }), subject }];
}

/** The values of a section. A ticked box is done and an open one is not, whatever its heading says. */
export function sectionValues(
  section: Section,
  notes: readonly NotesText[],
  nothing: ReadonlySet<string>,
  late?: (subject: Subject) => boolean,
): readonly NotedValue[] {
  const wrong = section.holds === "done" ? "open" : section.holds && OPEN_KINDS.includes(section.holds) ? "done" : undefined;
  const found = section.read ? readValues(section.read, notes, nothing, new Set(), late) : [];
  return found.filter(({ task, none }) => !none && (task === undefined || task !== wrong));
}
