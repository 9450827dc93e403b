// The texts of a session: each message split into segments, and the messages around it. A message is split when it is first asked
// for: the reply to a message is needed before its own turn comes, and a long session does not keep all its texts.

import { SOURCE_CHARACTERS } from "../../limits.js";
import type { Notice, Segment, Source } from "../../model.js";
import type { RuleSet } from "../../rules/rule-set.js";
import { type Reading, readMarkdown } from "../../source/markdown/read-markdown.js";
import { type Late, STAGES } from "../../steps.js";
import { rememberFor, rememberWithin } from "../../text/remember.js";
import { isStatement, type Memo, type Subject, toSubject } from "./subject.js";

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
  /** Frees the texts of a message whose facts are found, as far as they are not needed again. */
  readonly free: (source: Source) => void;
  /** What was not read normally. */
  readonly notices: () => readonly Notice[];
  /** The sources that were not read in time, or only in part. */
  readonly unread: Set<string>;
}

export interface TextOptions {
  readonly late?: Late | undefined;
  /** Nobody looks at the texts of a session once its facts are found. They are not cached, and the assistant's are freed early. */
  readonly isPassing?: boolean;
}

/** How many sentences may say yes or no before a message goes on. */
const OPENING_SENTENCES = 2;

export function toTexts(sources: readonly Source[], rules: RuleSet, options: TextOptions): SessionTexts {
  const said = sources.filter(({ role }) => role === "user" || role === "assistant");
  const { before, reply } = toNeighbours(said);
  const subjects = new Map<Source, readonly Subject[]>();
  const openings = new Map<Source, readonly Subject[]>();
  /** What was read of the sources that were not read normally. */
  const partly = new Map<Source, Partly>();
  const unread = new Set<string>();
  let freed: Source | undefined;

  function split(source: Source): readonly Subject[] {
    const found = readSource(source, rules, options);
    if (noticesOf(source, found).length > 0) partly.set(source, { scanned: found.scanned, unread: found.unread });
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
      partly.set(source, { scanned: partly.get(source)?.scanned ?? 0, unread: source.text.length - from });
    },
    free(source) {
      for (const subject of subjects.get(source) ?? []) subject.free();
      if (!options.isPassing || source.role === "user") return;
      // The next message may still look at this one.
      if (freed) for (const texts of [subjects, openings]) texts.delete(freed);
      freed = source;
    },
    notices: () =>
      sources.flatMap((source) => {
        const read = partly.get(source);
        return read ? noticesOf(source, read) : [];
      }),
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

// Splits one source.

/** Characters of texts whose segments are cached: a long session, at about twenty bytes per character. */
const CACHED_CHARACTERS = 2_000_000;

type Partly = Pick<Reading, "scanned" | "unread">;

/** With a memo of each segment, if they are cached. */
type ReadSource = Reading & { readonly memos?: readonly Memo[] };

export function readSource({ text }: Source, { abbreviations }: RuleSet, { late, isPassing }: TextOptions = {}): ReadSource {
  const whole = text.slice(0, SOURCE_CHARACTERS);
  return isPassing ? readMarkdown(whole, abbreviations) : readers(abbreviations)(whole, late && (() => late(STAGES.facts)));
}

function noticesOf({ id, text }: Source, { scanned, unread }: Partly): readonly Notice[] {
  const isCut = text.length > SOURCE_CHARACTERS;
  if (!isCut && scanned === 0 && unread === 0) return NO_NOTICES;
  const notice = (code: string, message: string, count: number) => ({ code, message, source: id, count });
  return [
    ...(isCut ? [notice("source-cut", `only the first ${SOURCE_CHARACTERS} characters are read`, 1)] : []),
    ...(scanned > 0 ? [notice("block-scanned", "blocks that would take the parser down were read line by line", scanned)] : []),
    ...(unread > 0 ? [notice("message-cut", "time was up in the middle: the last characters are not read", unread)] : []),
  ];
}

const NO_NOTICES: readonly Notice[] = [];

/** Cache of texts that were split before: a long-running host compacts the same session again and again. Keyed by the
 * abbreviations, which a rule set keeps for its whole life. */
const readers = rememberFor((abbreviations: readonly string[]) =>
  rememberWithin(
    CACHED_CHARACTERS,
    (text, late?: () => boolean): ReadSource => {
      const { segments, scanned, unread } = readMarkdown(text, abbreviations, { late });
      return { segments, scanned, unread, memos: segments.map(() => ({ local: undefined })) };
    },
    ({ unread }) => unread === 0,
  ),
);
