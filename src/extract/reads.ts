// Values that notes and artifacts hold under the names of `read`.
import { FIELD_CODE_POINTS } from "../limits.js";
import type { Segment, Source } from "../model.js";
import { oneLine } from "../one-line.js";
import type { Condition, Section, Selector } from "../rules/rule-set.js";
import { sameText, toWords } from "../rules/words.js";
import type { Read } from "../rules/workflow-set.js";
import { allMatches, firstPhrase, judge, type Match } from "./condition.js";
import { cut } from "./field.js";
import { outside, says } from "./selector.js";
import { slotValues } from "./slots.js";
import { type Subject, toSubject } from "./subject.js";

/** A file, cut into what can be read from it. */
export interface Note {
  readonly source: Source;
  readonly subjects: readonly Subject[];
  /** It holds rules rather than state: only who names it reads it. */
  readonly aside: boolean;
}

export interface Value {
  readonly text: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly task?: "open" | "done";
  /** The text it was read from; what is built in stands nowhere. */
  readonly subject?: Subject;
}

/** A file is cut only when somebody asks for what it holds. */
export function toNote(source: Source, read: () => readonly Segment[], aside = false): Note {
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

/** The texts in which a condition may hold: those of the files that it names, else of all that hold state. */
export function subjectsFor({ file }: Selector, notes: readonly Note[]): readonly Subject[] {
  return notes.filter(({ source, aside }) => (file ? file.has(source.file ?? "") : !aside)).flatMap(({ subjects }) => subjects);
}

/** `taken` are the texts that other names have taken. What one way has found, another does not find again. */
export function readValues(
  read: Read,
  notes: readonly Note[],
  nothing: ReadonlySet<string>,
  taken: ReadonlySet<Subject> = new Set(),
): readonly Value[] {
  const seen = new Set(taken);
  return read.ways.flatMap((way) => {
    const found = subjectsFor(way.in, notes).flatMap((subject) => {
      if (seen.has(subject) || outside(way.in, subject) !== undefined) return [];
      return matchesOf(way, subject).flatMap((match) => toValue(read, subject, match, nothing));
    });
    for (const { subject } of found) if (subject) seen.add(subject);
    return way.once ? lastOfEach(found) : way.in.under || way.in.lead ? withoutDetails(found) : found;
  });
}

/** A field that is said again counts as said last; one that each of several sections has is about them, not about the work. */
function lastOfEach(values: readonly Value[]): readonly Value[] {
  const byName = new Map<string, Value[]>();
  for (const value of values) {
    const name = sameText(value.subject?.segment.text.split(/[:：]/, 1)[0] ?? "");
    byName.set(name, [...(byName.get(name) ?? []), value]);
  }
  return [...byName.values()].flatMap((same) => {
    const sections = new Set(same.map(({ subject }) => JSON.stringify([subject?.source.id, subject?.segment.headings])));
    return sections.size > 1 ? [] : same.slice(-1);
  });
}

/** Items below an item that is taken only say more of it. */
function withoutDetails(values: readonly Value[]): readonly Value[] {
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
  const verdict = judge(way, subject);
  return verdict.is === "match" ? [verdict.match] : [];
}

function toValue(read: Read, subject: Subject, match: Match, nothing: ReadonlySet<string>): readonly Value[] {
  const { segment } = subject;
  const slots = slotValues(match, segment.text);
  if (match.slots.some(({ name }) => name === "text") && slots.text === undefined) return [];
  // The whole text only where no slot took a part of it: a pattern may find many.
  const whole = slots.text ?? oneLine(segment.text);
  const text = cut(whole, FIELD_CODE_POINTS);
  // A short text that ends in a colon only introduces what follows; without a letter nothing is said.
  if (slots.text === undefined && /^.{0,60}[:：]$/.test(whole)) return [];
  if (!/\p{L}/u.test(text)) return [];
  if (text === "" || [text, ...Object.values(slots)].some((value) => nothing.has(sameText(value)))) return [];
  const shaped = firstPhrase(read.shape, toWords(text));
  const group = read.group.length === 0 ? undefined : segment.headings.findLast((heading) => says(read.group, heading));
  const fields = { ...slots, ...(shaped && slotValues(shaped, text)), ...(group !== undefined && { group }) };
  return [{ text, fields, ...(segment.task && { task: segment.task }), subject }];
}

/** A ticked box is done and an open one is not, whatever heading it stands under. */
export function sectionValues(section: Section, notes: readonly Note[], nothing: ReadonlySet<string>): readonly Value[] {
  const wrong = section.holds === "done" ? "open" : OPEN_KINDS.includes(section.holds ?? "") ? "done" : undefined;
  const found = section.read ? readValues(section.read, notes, nothing) : [];
  return found.filter(({ task }) => task === undefined || task !== wrong);
}

const OPEN_KINDS: readonly string[] = ["remaining", "blocker", "question"];
