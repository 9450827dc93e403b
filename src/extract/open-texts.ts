// Reads the texts of all sources one by one: stops at the deadline, reports what was not read, and frees memory early.
import { LATE_CHARACTERS } from "../limits.js";
import type { Notice, Session, Source } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import { readMarkdown } from "../source/markdown/read-markdown.js";
import { toSentences } from "../source/markdown/visible.js";
import { matcherFor } from "./match/matcher.js";
import { noticesOf, readSource, type SegmentReader } from "./match/read-source.js";
import { type Around, type Subject, toSubject } from "./match/subject.js";
import type { Tracer } from "./match/to-item.js";
import { createAround } from "./signals/around.js";
import { firstAndNewest, type Late, STAGES, type Steps } from "./steps.js";
import type { ProjectNote } from "./workflow/continue-project.js";

interface OpenOptions {
  readonly late?: Late;
  /** The messages that were not read so far. */
  readonly unread: ReadonlySet<string>;
  readonly statements?: boolean;
  readonly progress?: (done: number, total: number) => void;
  readonly read?: SegmentReader;
  readonly trace?: Tracer;
}

export interface OpenedTexts {
  readonly around: Around;
  /** Passes on each text. */
  readonly read: (take: (subject: Subject) => void) => Steps<void>;
  readonly notices: () => readonly Notice[];
}

export function openTexts(
  session: Session,
  sources: readonly Source[],
  notes: readonly ProjectNote[],
  rules: RuleSet,
  options: OpenOptions,
  deleted: readonly string[],
): OpenedTexts {
  const { late } = options;
  const matcher = matcherFor(rules);
  const noticesOn = new Map<Source, readonly Notice[]>();
  const scanned = new Map<Source, number>();
  const cutShort = new Set<Source>();
  let unread = 0;
  let taken = 0;
  /** Is time up, and the least done? */
  const isUp = () => taken >= LATE_CHARACTERS && late?.(STAGES.take) === true;
  // Without statements, an assistant message is not needed again after the next one is read: its memory is freed.
  const isPassing = options.statements === false && !late && !options.trace && !options.read;
  const around = createAround(session, sources, rules, deleted, (source) => {
    const reading = readSource(
      source,
      rules,
      isPassing ? { read: readMarkdown } : { ...options, late: late && (() => late(STAGES.take)) },
    );
    if (reading.notices.length > 0) noticesOn.set(source, reading.notices);
    if (reading.scanned > 0) scanned.set(source, reading.scanned);
    if (reading.unread > 0) cutShort.add(source);
    return reading.segments;
  });

  let passed: Source | undefined;
  function pass(source: Source): void {
    if (source.role === "user") return;
    if (passed) around.release(passed);
    passed = source;
  }

  /** This text and the rest of its source are not read. */
  function cut({ source, segment }: Subject): void {
    cutShort.add(source);
    const left = source.text.length - segment.start;
    noticesOn.set(source, noticesOf(source, { scanned: scanned.get(source) ?? 0, unread: left }));
  }

  /**
   * What surrounds a text depends on all texts of its message. So first match each text by itself, with pauses. Returns how
   * many were matched in time.
   */
  function* match(subjects: readonly Subject[]): Steps<number> {
    let left = LATE_CHARACTERS;
    for (const [index, subject] of subjects.entries()) {
      yield;
      if (left <= 0 && late?.(STAGES.match)) return index;
      matcher.localOf(subject);
      left -= subject.segment.text.length;
    }
    return subjects.length;
  }

  function* read(take: (subject: Subject) => void): Steps<void> {
    const files = sources.filter(({ role }) => role === "file");
    for (const source of late ? [...firstAndNewest(sources.slice(files.length)), ...files] : sources) {
      yield;
      options.progress?.(source.ordinal, sources.length);
      if (isUp()) {
        unread++;
        continue;
      }
      const note = source.role === "file" ? notes.find(({ file }) => file.path === source.id) : undefined;
      if (note) {
        for (const segment of note.segments) {
          yield;
          if (isUp()) {
            cutShort.add(source);
            break;
          }
          for (const sentence of toSentences(segment, rules.abbreviations)) take(toSubject(source, sentence));
          taken += segment.text.length;
        }
        continue;
      }
      const subjects = around.subjects(source);
      const matched = yield* match(subjects);
      for (const [index, subject] of subjects.entries()) {
        yield;
        if (index >= matched || isUp()) {
          cut(subject);
          break;
        }
        take(subject);
        taken += subject.segment.text.length;
      }
      for (const subject of subjects) subject.free();
      if (isPassing) pass(source);
    }
  }

  function notices(): readonly Notice[] {
    const count = unread + cutShort.size + options.unread.size;
    return [
      ...notes.flatMap((note) => note.notices),
      ...sources.flatMap((source) => noticesOn.get(source) ?? []),
      ...(count > 0 ? [{ code: "deadline", message: "time was up: messages in the middle are not read", count }] : []),
    ];
  }

  return { around, read, notices };
}
