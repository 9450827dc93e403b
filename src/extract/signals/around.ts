// The surroundings of a text in the session: the opening of its message, the message before, the user's reply, and what tools did
// before and after.
import type { Segment, Source } from "../../model.js";
import { DISPUTED, PASTED, QUOTED } from "../../rules/condition.js";
import type { RuleSet } from "../../rules/rule-set.js";
import { rememberEach } from "../../text/remember.js";
import type { ReadSource } from "../match/read-source.js";
import { type Around, isStatement, PICK_STATES, type SessionTexts, type Subject, toSubject } from "../match/subject.js";
import { createPicks } from "../picks/options.js";
import { DEEDS, type Deeds } from "./deeds.js";
import { createPasted } from "./pasted.js";
import { createQuotes } from "./quotes.js";

/** How many sentences may say yes or no before a message goes on. */
const OPENING_SENTENCES = 2;

export function createAround(
  sources: readonly Source[],
  rules: RuleSet,
  deeds: Deeds,
  read: (source: Source) => Pick<ReadSource, "segments" | "memos">,
): Around {
  const said = sources.filter(({ role }) => role === "user" || role === "assistant");
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
  const subjects = rememberEach((source: Source) => {
    const { segments, memos } = read(source);
    return segments.map((segment, index) => toSubject(source, segment, around, memos?.[index]));
  });
  const opening = rememberEach((source: Source) => {
    const first: Subject[] = [];
    for (const subject of subjects(source)) {
      if (first.length === OPENING_SENTENCES) break;
      if (isStatement(subject.segment)) first.push(subject);
    }
    const isMark = first.length === 0 && source.text.length <= MARK_CHARACTERS;
    return isMark ? [toSubject(source, wholeOf(source), around)] : first;
  });
  const texts: SessionTexts = {
    subjects,
    opening,
    before: (source) => before.get(source),
    reply: (source) => reply.get(source),
  };
  // The second pass of signals. They ask for declared signals only, not for each other.
  const picks = createPicks(rules, texts);
  const quotes = createQuotes(rules, said, texts);
  const isPasted = createPasted(rules, texts);
  const degrees = new Map<string, (subject: Subject) => number | boolean>([
    ...DEEDS.map((deed) => [deed, (subject: Subject) => deeds.of(subject, deed)] as const),
    [PASTED, isPasted],
    [QUOTED, quotes.isQuoted],
    [DISPUTED, quotes.isDisputed],
    ...PICK_STATES.map((state) => [state, (subject: Subject) => picks.of(subject)?.state === state] as const),
  ]);
  const around: Around = {
    ...texts,
    picks,
    isPasted,
    degree: (subject, signal) => Number(degrees.get(signal)?.(subject) ?? 0),
    answers: [[], [], []],
    release(source) {
      subjects.forget(source);
      opening.forget(source);
    },
  };
  return around;
}

/** In Markdown, "2." is a list mark without an item; as an answer, it is a word. */
const MARK_CHARACTERS = 4;
function wholeOf({ text }: Source): Segment {
  const end = text.length;
  return { node: "sentence", text, runs: [{ at: 0, source: 0 }], start: 0, end, headings: [], question: false };
}
