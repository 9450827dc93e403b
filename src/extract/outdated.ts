// Which of the user's statements a later one brings up to date: the last word counts.
import { UPDATED_STATEMENTS } from "../limits.js";
import { remember } from "../rules/remember.js";
import type { RuleSet } from "../rules/rule-set.js";
import { sameText } from "../rules/words.js";
import type { Matcher } from "./matcher.js";
import type { Subject } from "./subject.js";
import { type IsPlain, plainWords, topicOf } from "./topic.js";
import { areOfOthers, frameOf, hasNumber, shapeOf } from "./values.js";

/** The signals by which packs say what an update looks like, and what states a value. */
const UPDATES = "updates";
const STATES = "states-value";
export const UPDATE_SIGNALS: readonly string[] = [UPDATES, STATES];

/** A word in more of the user's statements than this is about everything. */
const SHARED_STATEMENTS = 6;
/** Two updates share the words with which one says that something is new. */
const SHARED_TERMS = 2;
/** So many rare words in common, and a fact is surely meant. */
const SURE_TERMS = 2;

interface Said {
  readonly subject: Subject;
  readonly key: string;
  readonly terms: readonly string[];
  readonly isUpdate: boolean;
  readonly shapes: () => ReadonlySet<string>;
}

export interface Updates {
  /** What nobody stands by any more. */
  readonly outdated: ReadonlySet<Subject>;
  /** What took its place. */
  readonly renewing: ReadonlySet<Subject>;
  /** Where it is sure which statement is meant: the earlier one, and what took its place. */
  readonly sure: ReadonlyMap<Subject, Subject>;
}

export function findUpdates(subjects: readonly Subject[], rules: RuleSet, matcher: Matcher): Updates {
  const isPlain = plainWords(rules);
  const outdated = new Set<Subject>();
  const renewing = new Set<Subject>();
  const sure = new Map<Subject, Subject>();
  const renew = (earlier: Said, by: Subject, isSure: boolean) => {
    outdated.add(earlier.subject);
    renewing.add(by);
    if (isSure) sure.set(earlier.subject, by);
  };
  const said = subjects.filter(({ source }) => source.role === "user" && source.tool === undefined).slice(-UPDATED_STATEMENTS);
  const byFrame = new Map<string, Said>();
  const byTerm = new Map<string, Set<Said>>();
  const first = new Map<string, Said>();
  for (const subject of said) {
    const one = toSaid(subject, matcher.holds(subject, UPDATES), isPlain);
    const frame = matcher.holds(subject, STATES) ? frameOf(subject.segment.text) : undefined;
    const before = frame === undefined ? undefined : byFrame.get(frame);
    if (frame !== undefined) byFrame.set(frame, one);
    if (before && before.key !== one.key) renew(before, subject, true);
    else if (one.isUpdate) {
      const earlier = nearest(one, byTerm, outdated);
      if (earlier) renew(earlier.said, subject, earlier.terms >= SURE_TERMS);
    }
    // What is said again in the same words is one statement.
    if (first.has(one.key)) continue;
    first.set(one.key, one);
    for (const term of one.terms) byTerm.set(term, (byTerm.get(term) ?? new Set()).add(one));
  }
  let all: ReadonlySet<Subject> | undefined;
  return {
    // Only statements are asked for it.
    get outdated() {
      all ??= inTheSameWords(outdated, said);
      return all;
    },
    renewing,
    sure,
  };
}

function inTheSameWords(some: ReadonlySet<Subject>, all: readonly Subject[]): ReadonlySet<Subject> {
  const keys = new Set([...some].map(({ segment }) => sameText(segment.text)));
  return new Set(all.filter(({ segment }) => keys.has(sameText(segment.text))));
}

/** The earlier statement of another message that shares most: rare words, and values of the same shape. */
function nearest(
  { terms, shapes, subject }: Said,
  byTerm: ReadonlyMap<string, ReadonlySet<Said>>,
  outdated: ReadonlySet<Subject>,
): { readonly said: Said; readonly terms: number } | undefined {
  const shared = new Map<Said, { weight: number; terms: number }>();
  for (const term of terms) {
    const others = byTerm.get(term);
    if (!others || others.size > SHARED_STATEMENTS) continue;
    for (const other of others) {
      if (other.subject.source === subject.source || outdated.has(other.subject)) continue;
      // Where no other number is given, the one in the name may be what is new: node18, node20.
      if (hasNumber(subject.segment.text) && areOfOthers(terms, other.terms)) continue;
      const sum = shared.get(other) ?? { weight: 0, terms: 0 };
      shared.set(other, { weight: sum.weight + 1 / others.size, terms: sum.terms + 1 });
    }
  }
  const ranked = [...shared]
    .filter(([said, sum]) => !said.isUpdate || sum.terms >= SHARED_TERMS)
    .map(([said, { weight, terms: count }]) => ({
      said,
      terms: count,
      weight: [...said.shapes()].some((shape) => shapes().has(shape)) ? weight + 1 : weight,
    }))
    .sort((a, b) => b.weight - a.weight);
  // Where two come as near, nobody can tell which of them is meant.
  return ranked[0] && ranked[0].weight > (ranked[1]?.weight ?? 0) ? ranked[0] : undefined;
}

function toSaid(subject: Subject, isUpdate: boolean, isPlain: IsPlain): Said {
  const { text } = subject.segment;
  const terms = subject.known?.terms() ?? topicOf(text, isPlain).terms;
  return { subject, key: sameText(text), terms, shapes: () => shapesOf(text), isUpdate };
}

const shapesOf = remember(
  (text: string): ReadonlySet<string> => new Set((text.match(/\S+/g) ?? []).filter((run) => /\p{N}/u.test(run)).map(shapeOf)),
);
