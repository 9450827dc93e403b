// Reads the texts of all sources one by one, and collects from each: items, statements to weigh, and later words that may end
// earlier facts. Stops at the deadline, reports what was not read, and frees memory early.
import { LATE_CHARACTERS } from "../limits.js";
import type { Item, Kind, Notice, Source } from "../model.js";
import { OPTIONS_PREFIX } from "../rules/compile/signals.js";
import { type AskedSignal, PASTED, QUOTED } from "../rules/condition.js";
import type { RuleSet } from "../rules/rule-set.js";
import { readMarkdown } from "../source/markdown/read-markdown.js";
import { toSentences } from "../source/markdown/visible.js";
import { firstAndNewest, type Late, STAGES, type Steps } from "../steps.js";
import { findItems } from "./match/find-items.js";
import { matcherFor } from "./match/matcher.js";
import { noticesOf, readSource, type SegmentReader } from "./match/read-source.js";
import { type Around, isStatement, type Subject, toSubject } from "./match/subject.js";
import type { Tracer } from "./match/to-item.js";
import { createAround } from "./signals/around.js";
import type { Deeds } from "./signals/deeds.js";
import type { Weighed } from "./signals/salience.js";
import type { SaidTexts, UpdatingText } from "./supersede/settle-items.js";
import type { ProjectNote } from "./workflow/continue-project.js";

interface FindOptions {
  readonly late?: Late;
  /** false: nothing is collected in `weighed`. */
  readonly statements?: boolean;
  readonly progress?: (done: number, total: number) => void;
  readonly read?: SegmentReader;
  readonly trace?: Tracer;
}

export interface FoundFacts extends SaidTexts {
  readonly items: readonly Item[];
  readonly weighed: readonly Weighed[];
  readonly around: Around;
  readonly notices: readonly Notice[];
  /** The sources that were not read in time, or only in part. */
  readonly unread: ReadonlySet<string>;
}

/** Characters of texts between two pauses: those of a few sentences. */
const STEP_CHARACTERS = 400;

const HAS_STATE: AskedSignal = "has-state";

/** A heading may be the option that the user picked. */
const isPick = ({ evidence }: Item) => evidence.rule.startsWith(OPTIONS_PREFIX);

export function* findFacts(
  sources: readonly Source[],
  notes: readonly ProjectNote[],
  deeds: Deeds,
  rules: RuleSet,
  options: FindOptions,
): Steps<FoundFacts> {
  const { late } = options;
  const matcher = matcherFor(rules);
  const items: Item[] = [];
  const weighed: Weighed[] = [];
  const statements: Subject[] = [];
  const updating: UpdatingText[] = [];
  const own = new Set(rules.rules.flatMap(({ id, own: isOwn }) => (isOwn ? [id] : [])));
  const noticesOn = new Map<Source, readonly Notice[]>();
  const scanned = new Map<Source, number>();
  const unread = new Set<string>();
  let taken = 0;
  /** Characters until the next pause. */
  let untilPause = 0;
  const isPause = ({ text }: { readonly text: string }) => {
    untilPause -= text.length;
    if (untilPause > 0) return false;
    untilPause = STEP_CHARACTERS;
    return true;
  };
  /** Is time up, and the least done? */
  const isUp = () => taken >= LATE_CHARACTERS && late?.(STAGES.take) === true;
  // Without statements, an assistant message is not needed again after the next one is read: its memory is freed.
  const isPassing = options.statements === false && !late && !options.trace && !options.read;
  const reading = isPassing ? { read: readMarkdown } : { ...options, late: late && (() => late(STAGES.take)) };

  const around = createAround(sources, rules, deeds, (source) => {
    const found = readSource(source, rules, reading);
    if (found.notices.length > 0) noticesOn.set(source, found.notices);
    if (found.scanned > 0) scanned.set(source, found.scanned);
    if (found.unread > 0) unread.add(source.id);
    return found;
  });

  function take(subject: Subject): void {
    taken += subject.segment.text.length;
    const found = findItems(subject, rules, matcher, options.trace);
    items.push(...found);
    if (!isStatement(subject.segment) && !found.some(isPick)) return;
    const { role } = subject.source;
    // Pasted and quoted text ends no facts and does not count as said by the user.
    const isPasted = role === "user" && [PASTED, QUOTED].some((name) => matcher.holds(subject, name));
    const kinds = kindsOf(found);
    const updates = isPasted
      ? []
      : rules.updates.filter(
          ({ signal, found: needed, ends }) =>
            matcher.holds(subject, signal) && (!needed || kinds.some((kind) => ends.has(kind))),
        );
    if (updates.length > 0) updating.push({ subject, updates });
    if (role === "user" ? !isPasted : matcher.holds(subject, HAS_STATE)) statements.push(subject);
    if (options.statements !== false)
      weighed.push({ subject, kinds, isOwn: found.some(({ evidence }) => own.has(evidence.rule)) });
  }

  function* takeNote({ segments }: ProjectNote, source: Source): Steps<void> {
    for (const segment of segments) {
      if (isPause(segment)) yield;
      if (isUp()) return void unread.add(source.id);
      for (const sentence of toSentences(segment, rules.abbreviations)) take(toSubject(source, sentence));
    }
  }

  /**
   * What surrounds a text depends on all texts of its message. So first match each text by itself, with pauses. Returns how
   * many were matched in time.
   */
  function* match(subjects: readonly Subject[]): Steps<number> {
    let left = LATE_CHARACTERS;
    for (const [index, subject] of subjects.entries()) {
      if (isPause(subject.segment)) yield;
      if (left <= 0 && late?.(STAGES.match)) return index;
      matcher.localOf(subject);
      left -= subject.segment.text.length;
    }
    return subjects.length;
  }

  function* takeMessage(source: Source): Steps<void> {
    if (isPause(source)) yield;
    const subjects = around.subjects(source);
    const matched = yield* match(subjects);
    for (const [index, subject] of subjects.entries()) {
      if (isPause(subject.segment)) yield;
      if (index >= matched || isUp()) {
        // This text and the rest of its message are not read.
        unread.add(source.id);
        const left = source.text.length - subject.segment.start;
        noticesOn.set(source, noticesOf(source, { scanned: scanned.get(source) ?? 0, unread: left }));
        break;
      }
      take(subject);
    }
    for (const subject of subjects) subject.free();
  }

  const noteOf = new Map([...notes].reverse().map((note) => [note.file.path, note]));
  const files = sources.filter(({ role }) => role === "file");
  let passed: Source | undefined;
  for (const source of late ? [...firstAndNewest(sources.slice(files.length)), ...files] : sources) {
    options.progress?.(source.ordinal, sources.length);
    const note = source.role === "file" ? noteOf.get(source.id) : undefined;
    if (isUp()) unread.add(source.id);
    else yield* note ? takeNote(note, source) : takeMessage(source);
    if (!isPassing || note || source.role === "user") continue;
    if (passed) around.release(passed);
    passed = source;
  }
  if (late) {
    // Texts were read in another order than that of the session.
    const byPlace = (a: Subject, b: Subject) => a.source.ordinal - b.source.ordinal;
    weighed.sort((a, b) => byPlace(a.subject, b.subject));
    statements.sort(byPlace);
    updating.sort((a, b) => byPlace(a.subject, b.subject));
  }
  const notices = [...notes.flatMap((note) => note.notices), ...sources.flatMap((source) => noticesOn.get(source) ?? [])];
  return { items, weighed, statements, updating, around, notices, unread };
}

const NO_KINDS: readonly Kind[] = [];
const kindsOf = (items: readonly Item[]): readonly Kind[] =>
  items.length === 0 ? NO_KINDS : [...new Set(items.map(({ kind }) => kind))];
