// Counts what a team could write rules for: what users type in several sessions.
import { groupBy } from "../../text/lists.js";
import { type IsPlain, namesIn, topicOf } from "../../text/topic.js";
import { fold } from "../../text/words.js";
import type { TypedSentence } from "./typed.js";

/** @param typed what users typed in all sessions */
export function lessonsIn(typed: readonly TypedSentence[], isPlain: IsPlain) {
  // By time where it is known, and so in the same order on every machine.
  const sentences = [...new Map(typed.map((one) => [one.said, one])).values()].sort((a, b) => (a.said < b.said ? -1 : 1));
  // Words and ids mean the same within a project.
  const projects = [...groupBy(sentences, ({ project }) => project).values()];
  const named = projects.flatMap((own) => [...namedIn("ids", own, idsIn), ...namedIn("words", own, pairsIn(isPlain))]);
  return [...typedAgain(sentences, isPlain), ...named].sort(
    (a, b) => b.sessions - a.sessions || b.places.length - a.places.length,
  );
}

export type Lesson = ReturnType<typeof toLesson>;

const toLesson = (kind: "again" | "ids" | "words", text: string, places: readonly TypedSentence[]) => ({
  kind,
  text,
  sessions: sessionsOf(places),
  places,
});

/** In fewer sessions, it is chance. */
const SESSIONS = 2;
const PAIR_SESSIONS = 3;
const sessionsOf = (places: readonly TypedSentence[]) => new Set(places.map(({ session }) => session)).size;

/** The share of their terms that two sentences have in common if they say the same. */
const ALIKE = 0.5;
/** Terms of a sentence that says something by itself although no rule finds a fact in it. */
const TERMS = 3;
/** Of the sentences with its rarest word, the share that says the same. Otherwise the word is common here, such as "test". */
const OWN_SHARE = 0.5;

/** Rules, corrections and choices that are typed in several sessions, in similar words. */
function typedAgain(sentences: readonly TypedSentence[], isPlain: IsPlain): readonly Lesson[] {
  const all = sentences.map((one) => ({ one, terms: new Set(topicOf(one.text, isPlain).terms) }));
  const pairs = all.flatMap((entry) => [...entry.terms].map((term) => ({ term, entry })));
  const withTerm = groupBy(pairs, ({ term }) => term);
  const done = new Set<TypedSentence>();
  const isOpen = ({ one, terms }: (typeof all)[number]) => !done.has(one) && terms.size >= (one.fact === undefined ? TERMS : 1);
  return all.filter(isOpen).flatMap((first) => {
    const near = new Set([...first.terms].flatMap((term) => withTerm.get(term) ?? []).map(({ entry }) => entry));
    const same = [...near].filter((entry) => isOpen(entry) && share(first.terms, entry.terms) >= ALIKE);
    const places = same.map(({ one }) => one);
    const shared = [...first.terms].filter((term) => same.some((entry) => entry !== first && entry.terms.has(term)));
    const rarest = Math.min(...shared.map((term) => withTerm.get(term)?.length ?? 0));
    const isOwn = places.length >= OWN_SHARE * rarest && places.some(({ fact }) => fact !== undefined);
    if (done.has(first.one) || sessionsOf(places) < SESSIONS || !isOwn) return [];
    for (const one of places) done.add(one);
    return [toLesson("again", first.one.text, places)];
  });
}

function share(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const both = [...a].filter((term) => b.has(term)).length;
  return both / (a.size + b.size - both);
}

/** Names in a text that belong together if they have the same key. */
type FindNames = (text: string) => readonly { readonly key: string; readonly name: string }[];

function namedIn(kind: "ids" | "words", sentences: readonly TypedSentence[], find: FindNames): readonly Lesson[] {
  const found = sentences.flatMap((one) => find(one.text).map((name) => ({ one, ...name })));
  return [...groupBy(found, ({ key }) => key).values()].flatMap((all) => {
    const places = [...new Set(all.map(({ one }) => one))];
    const names = [...new Set(all.map(({ name }) => name))];
    const facts = places.filter(({ fact }) => fact !== undefined);
    const isPair = sessionsOf(places) >= PAIR_SESSIONS && sessionsOf(facts) >= SESSIONS;
    const isUsed = kind === "words" ? isPair : sessionsOf(places) >= SESSIONS && names.length > 1;
    return isUsed ? [toLesson(kind, names.slice(0, 3).join(", "), places)] : [];
  });
}

/** Of a ticket or a requirement: letters and a number. */
const ID = /^(\p{L}{2,8})-\d{1,6}$/gu;

const idsIn: FindNames = (text) =>
  namesIn(text).flatMap((name) => [...name.matchAll(ID)].map(([, key = ""]) => ({ key, name: name.toUpperCase() })));

/** Two words in a row that are not part of a path. They overlap. */
const PAIR = /(?<![\p{L}\p{N}./:_'’-])(?=(\p{L}{3,})[ -](\p{L}{3,})(?![\p{L}\p{N}_/:'’]))/gu;
/** Letters by which different forms of a word are recognised. */
const STEM_LETTERS = 5;

const pairsIn = (isPlain: IsPlain) => (text: string) =>
  Array.from(text.matchAll(PAIR), (match) => match.slice(1).map(fold))
    .filter((words) => !words.some(isPlain))
    .map((words) => ({ key: words.map((word) => word.slice(0, STEM_LETTERS)).join(" "), name: words.join(" ") }));
