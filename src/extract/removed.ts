// What a later message says was taken out or replaced, by its name: what was said of it before tells how things were.
import { literal } from "../rules/literal.js";
import type { Phrase } from "../rules/phrase.js";
import type { RuleSet } from "../rules/rule-set.js";
import { fold } from "../rules/words.js";
import { DROPS } from "./drop-items.js";
import type { Matcher } from "./matcher.js";
import { namedThing } from "./named-thing.js";
import { says } from "./selector.js";
import type { Subject } from "./subject.js";
import { plainWords, runsIn, topicOf } from "./topic.js";

/** The signal that is told here, and those by which packs say that {what} was removed, and that a text says the same. */
export const REMOVED = "removed";
const REMOVES = "removes";
const UNDOES = "undoes";

/** More words than these describe a thing; fewer name it. */
const NAME_WORDS = 2;
/** A thing that is spoken of so often is what the session is about. */
const MOST_STATEMENTS = 40;

interface Removal {
  readonly ordinal: number;
  readonly byUser: boolean;
}

/** Which of some statements, in the order of the session, are about things that were removed later. */
export function findRemoved(subjects: readonly Subject[], rules: RuleSet, matcher: Matcher): ReadonlySet<Subject> {
  const removed = new Set<Subject>();
  const { removals, removing } = findRemovals(subjects, rules, matcher);
  if (removals.size === 0) return removed;
  const undoes = rules.signals.get(UNDOES)?.match ?? [];
  const about = new Map<string, Subject[]>();
  for (const subject of subjects) {
    if (subject.source.role === "file" || removing.has(subject)) continue;
    const things = thingsOf(subject.segment.text).filter((thing) => removals.has(thing));
    if (things.length === 0 || says(undoes, subject.segment.text)) continue;
    for (const thing of things) {
      const list = about.get(thing);
      if (list) list.push(subject);
      else about.set(thing, [subject]);
    }
  }
  for (const [thing, plain] of about) {
    const { ordinal, byUser } = removals.get(thing) as Removal;
    // Who speaks of it again has it again.
    if (plain.length > MOST_STATEMENTS || plain.some(({ source }) => source.ordinal > ordinal)) continue;
    for (const subject of plain)
      if (subject.source.ordinal < ordinal && (byUser || subject.source.role === "assistant")) removed.add(subject);
  }
  return removed;
}

/** The last removal of each thing, and the statements that tell of one. */
function findRemovals(subjects: readonly Subject[], rules: RuleSet, matcher: Matcher) {
  const { match = [], unless = [] } = rules.signals.get(REMOVES) ?? {};
  const removals = new Map<string, Removal>();
  const removing = new Set<Subject>();
  const mayRemove = anyOf(match);
  const isRemoval = ({ source, segment: { text } }: Subject) =>
    source.role !== "file" && mayRemove.test(text) && !text.endsWith("?") && !says(unless, text);
  for (const subject of match.length === 0 ? [] : subjects) {
    const { source } = subject;
    const named = isRemoval(subject) ? namedThing(subject, REMOVES, rules) : droppedIn(subject, rules, matcher);
    if (named === undefined) continue;
    removing.add(subject);
    for (const thing of namedIn(named, rules)) removals.set(thing, { ordinal: source.ordinal, byUser: source.role === "user" });
  }
  return { removals, removing };
}

/** What the user asks to do away with. */
const droppedIn = (subject: Subject, rules: RuleSet, matcher: Matcher) =>
  subject.source.role === "user" && matcher.holds(subject, DROPS) ? namedThing(subject, DROPS, rules) : undefined;

/** A quick look for the words of which each phrase needs one. */
function anyOf(phrases: readonly Phrase[]): RegExp {
  const anchors = phrases.some((phrase) => phrase.anchors.length === 0) ? [] : phrases.flatMap((phrase) => phrase.anchors);
  return new RegExp([...new Set(anchors)].map(literal).join("|"), "i");
}

/** The names in it; where it is short, all of it is one. */
function namedIn(what: string, rules: RuleSet): readonly string[] {
  const { terms, names } = topicOf(what, plainWords(rules));
  if (terms.length === 0) return [];
  const found = [...names].filter((name) => /\p{L}/u.test(name));
  if (found.length > 0) return found;
  const runs = runsIn(what).map(fold);
  return runs.length <= NAME_WORDS ? [runs.join(" ")] : [];
}

/** All that a text might speak of: its words, and each with the one before it. */
function thingsOf(text: string): readonly string[] {
  const runs = runsIn(text).map(fold);
  return [...new Set([...runs, ...runs.slice(1).map((run, index) => `${runs[index]} ${run}`)])];
}
