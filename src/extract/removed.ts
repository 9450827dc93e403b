// What a later message says was taken out or replaced, by its name: what was said of it before tells how things were.

import { literal } from "../rules/literal.js";
import type { Phrase } from "../rules/phrase.js";
import type { RuleSet } from "../rules/rule-set.js";
import { namedThing } from "./named-thing.js";
import { says } from "./selector.js";
import type { Subject } from "./subject.js";
import { plainWords, topicOf } from "./topic.js";

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
export function findRemoved(subjects: readonly Subject[], rules: RuleSet): ReadonlySet<Subject> {
  const { match = [], unless = [] } = rules.signals.get(REMOVES) ?? {};
  const removed = new Set<Subject>();
  if (match.length === 0) return removed;
  const undoes = rules.signals.get(UNDOES)?.match ?? [];
  const mayRemove = anyOf(match);
  const removals = new Map<string, Removal>();
  const removing = new Set<Subject>();
  for (const subject of subjects) {
    const { source, segment } = subject;
    if (source.role === "file" || !mayRemove.test(segment.text) || segment.text.endsWith("?") || says(unless, segment.text))
      continue;
    removing.add(subject);
    for (const thing of thingsIn(namedThing(subject, REMOVES, rules) ?? "", rules))
      removals.set(thing, { ordinal: source.ordinal, byUser: source.role === "user" });
  }
  for (const [thing, { ordinal, byUser }] of removals) {
    const about = subjects.filter(({ segment }) => mentions(segment.text, thing));
    if (about.length > MOST_STATEMENTS) continue;
    const plain = about.filter((subject) => !removing.has(subject) && !says(undoes, subject.segment.text));
    // Who speaks of it again has it again.
    if (plain.some(({ source }) => source.ordinal > ordinal)) continue;
    for (const subject of plain)
      if (subject.source.ordinal < ordinal && (byUser || subject.source.role === "assistant")) removed.add(subject);
  }
  return removed;
}

/** A quick look for the words of which each phrase needs one. */
const anyOf = (phrases: readonly Phrase[]): RegExp =>
  new RegExp([...new Set(phrases.flatMap(({ anchors }) => anchors))].map(literal).join("|"), "i");

/** The names in it; where it is short, all of it is one. */
function thingsIn(what: string, rules: RuleSet): readonly string[] {
  const bare = what
    .replace(/[`*"'“”]/g, "")
    .trim()
    .toLowerCase();
  const { terms, names } = topicOf(bare, plainWords(rules));
  if (terms.length === 0) return [];
  const found = [...names].filter((name) => /\p{L}/u.test(name));
  if (found.length > 0) return found;
  return bare.split(/\s+/).length <= NAME_WORDS ? [bare] : [];
}

function mentions(text: string, thing: string): boolean {
  const low = text.toLowerCase();
  for (let at = low.indexOf(thing); at >= 0; at = low.indexOf(thing, at + 1))
    if (!/[\p{L}\p{N}_]$/u.test(low.slice(0, at)) && !/^[\p{L}\p{N}_]/u.test(low.slice(at + thing.length))) return true;
  return false;
}
