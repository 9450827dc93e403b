// Goes through the texts of all sources, and collects from each: items, statements to weigh, and later words that may end earlier
// facts. Stops at the deadline and frees memory early.
import { LATE_CHARACTERS } from "../../limits.js";
import type { Item, Kind, Notice, Source } from "../../model.js";
import { OPTIONS_PREFIX } from "../../rules/compile/signals.js";
import { type AskedSignal, PASTED, QUOTED } from "../../rules/condition.js";
import type { RuleSet, Update } from "../../rules/rule-set.js";
import { toSentences } from "../../source/markdown/visible.js";
import { firstAndNewest, type Late, STAGES, type Steps } from "../../steps.js";
import type { ProjectNote } from "../notes/project-notes.js";
import { isStatement, type Subject, toSubject } from "../segments/subject.js";
import type { Signals } from "../signals/signals.js";
import { findItems } from "./find-items.js";
import type { Tracer } from "./to-item.js";

interface FindOptions {
  readonly late?: Late;
  /** false: nothing is collected in `weighed`. */
  readonly statements?: boolean;
  readonly progress?: (done: number, total: number) => void;
  readonly trace?: Tracer;
}

export interface Weighed {
  readonly subject: Subject;
  readonly kinds: readonly Kind[];
  /** A rule of the team's fired. */
  readonly isOwn: boolean;
}

/** A later text, and the updates whose signals hold for it. */
export type UpdatingText = { readonly subject: Subject; readonly updates: readonly Update[] };

export interface SaidTexts {
  /** What the user said, and states that the assistant told, in the order of the session. */
  readonly statements: readonly Subject[];
  readonly updating: readonly UpdatingText[];
  readonly weighed: readonly Weighed[];
}

export type SessionFacts = SaidTexts & { readonly items: readonly Item[]; readonly notices: readonly Notice[] };

/** Characters of texts between two pauses: those of a few sentences. */
const STEP_CHARACTERS = 400;

const HAS_STATE: AskedSignal = "has-state";

/** A heading may be the option that the user picked. */
const isPick = ({ evidence }: Item) => evidence.rule.startsWith(OPTIONS_PREFIX);

export function* findFacts(
  sources: readonly Source[],
  notes: readonly ProjectNote[],
  signals: Signals,
  rules: RuleSet,
  options: FindOptions,
): Steps<SessionFacts> {
  const { late } = options;
  const { texts } = signals;
  const items: Item[] = [];
  const weighed: Weighed[] = [];
  const statements: Subject[] = [];
  const updating: UpdatingText[] = [];
  const own = new Set(rules.rules.flatMap(({ id, own: isOwn }) => (isOwn ? [id] : [])));
  let readCharacters = 0;
  /** Characters until the next pause. */
  let untilPause = 0;
  const isPause = ({ text }: { readonly text: string }) => {
    untilPause -= text.length;
    if (untilPause > 0) return false;
    untilPause = STEP_CHARACTERS;
    return true;
  };
  /** Is time up, and the least done? */
  const isUp = () => readCharacters >= LATE_CHARACTERS && late?.(STAGES.facts) === true;
  function addFacts(subject: Subject): void {
    readCharacters += subject.segment.text.length;
    const found = findItems(subject, rules, signals, options.trace);
    items.push(...found);
    if (!isStatement(subject.segment) && !found.some(isPick)) return;
    const { role } = subject.source;
    // Pasted and quoted text ends no facts and does not count as said by the user.
    const isPasted = role === "user" && [PASTED, QUOTED].some((name) => signals.holds(subject, name));
    const kinds = kindsOf(found);
    const updates = isPasted
      ? []
      : rules.updates.filter(
          ({ signal, found: needed, ends }) =>
            signals.holds(subject, signal) && (!needed || kinds.some((kind) => ends.has(kind))),
        );
    if (updates.length > 0) updating.push({ subject, updates });
    if (role === "user" ? !isPasted : signals.holds(subject, HAS_STATE)) statements.push(subject);
    if (options.statements !== false)
      weighed.push({ subject, kinds, isOwn: found.some(({ evidence }) => own.has(evidence.rule)) });
  }

  function* addFactsOfNote({ segments }: ProjectNote, source: Source): Steps<void> {
    for (const segment of segments) {
      if (isPause(segment)) yield;
      if (isUp()) return void texts.unread.add(source.id);
      for (const sentence of toSentences(segment, rules.abbreviations)) addFacts(toSubject(source, sentence));
    }
  }

  /** What surrounds a text depends on all texts of its message. So first find the signals of each text by itself, with pauses.
   * Returns of how many texts they were found in time. */
  function* findSignals(subjects: readonly Subject[]): Steps<number> {
    let left = LATE_CHARACTERS;
    for (const [index, subject] of subjects.entries()) {
      if (isPause(subject.segment)) yield;
      if (left <= 0 && late?.(STAGES.signals)) return index;
      signals.localOf(subject);
      left -= subject.segment.text.length;
    }
    return subjects.length;
  }

  function* addFactsOfMessage(source: Source): Steps<void> {
    if (isPause(source)) yield;
    const subjects = texts.subjects(source);
    const ready = yield* findSignals(subjects);
    for (const [index, subject] of subjects.entries()) {
      if (isPause(subject.segment)) yield;
      if (index >= ready || isUp()) {
        // This text and the rest of its message are not read.
        texts.cut(source, subject.segment.start);
        break;
      }
      addFacts(subject);
    }
    texts.free(source);
  }

  const noteOf = new Map([...notes].reverse().map((note) => [note.file.path, note]));
  const files = sources.filter(({ role }) => role === "file");
  for (const source of late ? [...firstAndNewest(sources.slice(files.length)), ...files] : sources) {
    options.progress?.(source.ordinal, sources.length);
    const note = source.role === "file" ? noteOf.get(source.id) : undefined;
    if (isUp()) texts.unread.add(source.id);
    else yield* note ? addFactsOfNote(note, source) : addFactsOfMessage(source);
  }
  if (late) {
    // Texts were read in another order than that of the session.
    const byPlace = (a: Subject, b: Subject) => a.source.ordinal - b.source.ordinal;
    weighed.sort((a, b) => byPlace(a.subject, b.subject));
    statements.sort(byPlace);
    updating.sort((a, b) => byPlace(a.subject, b.subject));
  }
  const notices = [...notes.flatMap((note) => note.notices), ...texts.notices()];
  return { items, weighed, statements, updating, notices };
}

const NO_KINDS: readonly Kind[] = [];
const kindsOf = (items: readonly Item[]): readonly Kind[] =>
  items.length === 0 ? NO_KINDS : [...new Set(items.map(({ kind }) => kind))];
