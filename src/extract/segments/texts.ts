// The texts of a session: each message split into segments when it is first asked for, and the messages around it.

import type { Notice, Segment, Source } from "../../model.js";
import type { RuleSet } from "../../rules/rule-set.js";
import { noticesOf, type ReadSourceOptions, readSource } from "./read-source.js";
import { isStatement, type Subject, toSubject } from "./subject.js";

export interface SessionTexts {
  readonly said: readonly Source[];
  /** The texts of a message, built once. Files are not part of the conversation. */
  readonly subjects: (source: Source) => readonly Subject[];
  readonly opening: (source: Source) => readonly Subject[];
  /** The last message of the other speaker. */
  readonly before: (source: Source) => Source | undefined;
  readonly reply: (source: Source) => Source | undefined;
  /** Notes that a message is not read from here on. */
  readonly cut: (source: Source, from: number) => void;
  /** Frees the texts of a message. They are rebuilt on demand. */
  readonly release: (source: Source) => void;
  /** What was not read normally. */
  readonly notices: () => readonly Notice[];
  /** The sources that were not read in time, or only in part. */
  readonly unread: Set<string>;
}

/** How many sentences may say yes or no before a message goes on. */
const OPENING_SENTENCES = 2;

export function toTexts(sources: readonly Source[], rules: RuleSet, options: ReadSourceOptions): SessionTexts {
  const said = sources.filter(({ role }) => role === "user" || role === "assistant");
  const { before, reply } = toNeighbours(said);
  const subjects = new Map<Source, readonly Subject[]>();
  const openings = new Map<Source, readonly Subject[]>();
  const notices = new Map<Source, readonly Notice[]>();
  const scanned = new Map<Source, number>();
  const unread = new Set<string>();

  function split(source: Source): readonly Subject[] {
    const found = readSource(source, rules, options);
    if (found.notices.length > 0) notices.set(source, found.notices);
    if (found.scanned > 0) scanned.set(source, found.scanned);
    if (found.unread > 0) unread.add(source.id);
    const all = found.segments.map((segment, index) => toSubject(source, segment, found.memos?.[index]));
    subjects.set(source, all);
    return all;
  }

  const subjectsOf = (source: Source) => (source.role === "file" ? NO_TEXTS : (subjects.get(source) ?? split(source)));

  function toOpening(source: Source): readonly Subject[] {
    const first: Subject[] = [];
    for (const subject of subjectsOf(source)) {
      if (first.length === OPENING_SENTENCES) break;
      if (isStatement(subject.segment)) first.push(subject);
    }
    const isMark = first.length === 0 && source.role !== "file" && source.text.length <= MARK_CHARACTERS;
    const opening = isMark ? [toSubject(source, wholeOf(source))] : first;
    openings.set(source, opening);
    return opening;
  }

  return {
    said,
    subjects: subjectsOf,
    opening: (source) => openings.get(source) ?? toOpening(source),
    before: (source) => before.get(source),
    reply: (source) => reply.get(source),
    cut(source, from) {
      unread.add(source.id);
      notices.set(source, noticesOf(source, { scanned: scanned.get(source) ?? 0, unread: source.text.length - from }));
    },
    release(source) {
      subjects.delete(source);
      openings.delete(source);
    },
    notices: () => sources.flatMap((source) => notices.get(source) ?? []),
    unread,
  };
}

const NO_TEXTS: readonly Subject[] = [];

/** For each message, the last one of the other speaker and the user's next one. */
function toNeighbours(said: readonly Source[]) {
  const before = new Map<Source, Source>();
  const reply = new Map<Source, Source>();
  const last: { user?: Source; assistant?: Source } = {};
  for (const source of said) {
    const role = source.role as "user" | "assistant";
    const other = last[role === "user" ? "assistant" : "user"];
    if (other) before.set(source, other);
    last[role] = source;
  }
  let next: Source | undefined;
  for (const source of [...said].reverse()) {
    if (next) reply.set(source, next);
    if (source.role === "user") next = source;
  }
  return { before, reply };
}

/** In Markdown, "2." is a list mark without an item; as an answer, it is a word. */
const MARK_CHARACTERS = 4;
function wholeOf({ text }: Source): Segment {
  const end = text.length;
  return { node: "sentence", text, runs: [{ at: 0, source: 0 }], start: 0, end, headings: [], question: false };
}
