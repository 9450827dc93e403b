// Which earlier claims a later text is about, by the ways of matching that an update can name.

import type { Item } from "../../model.js";
import { firstPhrase } from "../../rules/phrase/match-phrase.js";
import type { Update } from "../../rules/rule-set.js";
import { rememberFor } from "../../text/remember.js";
import { type IsPlain, topicOf } from "../../text/topic.js";
import { sameText } from "../../text/words.js";
import type { Subject } from "../segments/subject.js";
import { says } from "../signals/condition.js";
import type { Claim } from "./claims.js";
import type { Rank } from "./reduce-items.js";
import { hasDigit, isSameNames, isSameUnit, valuesOf, withoutValues, wordsAroundValues } from "./values.js";

/** A longer text is not a single statement that a later one can end. */
const MOST_CHARACTERS = 1_000;
/** If more facts match, they are what the session is about: it is unclear which of them is meant. */
const MOST_MATCHES = 8;
/** A longer place is another statement, and not another choice in the same one. */
const MOST_SWAPPED_WORDS = 2;
/** Characters from the start of a text that takes something back, in which the new choice may follow. */
const NEW_CHOICE_CHARACTERS = 300;

/** "FACT: …", "USER PREFERENCE: …": says what sort of statement follows, not what it is about. */
const LABEL = /^(?:[^\s:]+ ){0,2}[^\s:]+: /;

/** Says which claims an update of this kind can end at all. */
export function mayEnd(update: Update, { source }: Subject, rank: Rank): (claim: Claim) => boolean {
  const by = update.by === "same-speaker" ? source.by : update.by;
  const here = rank(source.id);
  // "The code was rotated. Use the new code 12.": the first sentence says why the second one holds.
  const isEarlier = ({ kind }: Claim) => update.match === "earlier" || (update.match === "terms" && kind === "statement");
  return (claim) =>
    update.ends.has(claim.kind) &&
    claim.quote.length <= MOST_CHARACTERS &&
    (by === "anyone" || claim.by === by) &&
    here - claim.last.rank <= update.within &&
    (claim.last.rank < here || !isEarlier(claim)) &&
    (!update.if || says(update.if, claim.quote)) &&
    !(update.unless && says(update.unless, claim.quote));
}

type Word = { readonly text: string; readonly at: number };

/** Do the same words stand around one place, and others in it? */
function isSwap(a: readonly Word[], b: readonly Word[]): boolean {
  const least = Math.min(a.length, b.length);
  let before = 0;
  while (before < least && a[before]?.text === b[before]?.text) before++;
  let behind = 0;
  while (behind < least - before && a.at(-behind - 1)?.text === b.at(-behind - 1)?.text) behind++;
  return before + behind > 0 && [a, b].every((words) => isOnePlace(words.slice(before, words.length - behind)));
}

/** "avatars for an hour" is two places. */
const isOnePlace = (words: readonly Word[]) =>
  words.length > 0 && words.length <= MOST_SWAPPED_WORDS && words.every(({ at }, index) => at === (words[0]?.at ?? 0) + index);

/** Do two choices name the same thing? The first word is mostly what is done with it. */
function isSameThing(a: readonly Word[], b: readonly Word[]): boolean {
  const [few, many] = [a, b]
    .map((words) => (words.length > 1 ? words.filter(({ at }) => at > 0) : words))
    .sort((one, other) => one.length - other.length);
  const shared = few?.filter(({ text }) => many?.some((other) => isSameNoun(text, other.text))).length ?? 0;
  return shared > 0 && shared >= (few?.length ?? 0) / 2;
}

/** "repo" and "repos" are one thing, a "monorepo" is a kind of it, and "date-fns" is for dates. */
const isSameNoun = (a: string, b: string): boolean =>
  a.split(" ").some((part) => b.split(" ").some((other) => isSameWord(singular(part), singular(other))));
const isSameWord = (a: string, b: string) =>
  a === b || (Math.min(a.length, b.length) >= LEAST_NOUN_LETTERS && (a.endsWith(b) || b.endsWith(a)));
const singular = (word: string) => word.replace(/ies$/, "y").replace(/(?<=[^s])s$/, "");
const LEAST_NOUN_LETTERS = 4;

export function createMeantFinder(rank: Rank, isPlain: IsPlain) {
  const termsOf = rememberFor((claim: Claim): ReadonlySet<string> => new Set(topicOf(claim.text, isPlain).terms));
  /** What a text is about, apart from its values. */
  const subjectTerms = (text: string) => topicOf(withoutValues(text.replace(LABEL, "")), isPlain).terms;
  const subjectOf = rememberFor((claim: Claim): ReadonlySet<string> => new Set(subjectTerms(claim.text)));
  const quantitiesOf = rememberFor(({ quote }: Claim) => valuesOf(quote, isPlain));
  const wordsOf = (text: string) => topicOf(text, isPlain).terms.filter((term) => !hasDigit(term));
  const contentOfClaim = rememberFor(({ text }: Claim) => contentOf(text));
  const namedBy = rememberFor(({ text }: Claim) => wordsOf(text));

  /** The claims that a text is about; none if that is unclear. */
  function findMeant(
    update: Update,
    subject: Subject,
    before: readonly Claim[],
    near: readonly Claim[],
    ownOf: (subject: Subject) => Claim | undefined,
  ): readonly Claim[] {
    const { text } = subject.segment;
    switch (update.match) {
      case "all":
        return before;
      case "earlier":
        return before.slice(-1);
      case "previous":
        return previousOf(subject, before, near);
      case "frame":
        return otherwiseSame(text, valueStart(update, subject), before);
      case "value":
        return otherValue(text, valueStart(update, subject), whatOf(update, subject), before, update.share);
      case "swap":
        return onlyOf(slotOf(update, subject) ?? text, before, isSwap);
      case "thing":
        return sameThing(slotOf(update, subject) ?? text, before, ownOf(subject)?.item);
      case "terms":
        return sharing(text, whatOf(update, subject), before, update);
    }
  }

  const slotIn = ({ phrases }: Update, { words }: Subject, slot: string) =>
    firstPhrase(phrases, words)?.slots.find(({ name }) => name === slot);

  /** A number before it says which thing is meant: "Step 2 is done". */
  const valueStart = (update: Update, subject: Subject) => slotIn(update, subject, "value")?.start ?? 0;

  /** What a phrase of the update names. */
  function slotOf(update: Update, subject: Subject): string | undefined {
    const slot = slotIn(update, subject, "what");
    return slot && subject.segment.text.slice(slot.start, slot.end);
  }

  function whatOf(update: Update, subject: Subject): readonly string[] | undefined {
    const what = slotOf(update, subject);
    return what === undefined ? undefined : topicOf(what, isPlain).terms;
  }

  const countShared = (terms: readonly string[], own: ReadonlySet<string>) => terms.filter((term) => own.has(term)).length;

  /** What words that name nothing take back: the last fact in reach that shares the most terms with what follows them; otherwise
   * the last fact, if it is in the speaker's last message: "never mind" may be about a question asked since. */
  function previousOf({ source, segment }: Subject, before: readonly Claim[], near: readonly Claim[]): readonly Claim[] {
    const said = topicOf(source.text.slice(segment.start, segment.start + NEW_CHOICE_CHARACTERS), isPlain).terms;
    const shared = before.map((claim) => countShared(said, termsOf(claim)));
    const most = Math.max(0, ...shared);
    if (most > 0) return before.slice(shared.lastIndexOf(most)).slice(0, 1);
    const here = rank(source.id);
    const lastMessage = near.findLast(({ by, last }) => by === source.by && last.rank < here)?.last.rank ?? here;
    return before.slice(-1).filter(({ last }) => last.rank >= lastMessage);
  }

  /** The last fact in the same words with another value. */
  function otherwiseSame(text: string, start: number, before: readonly Claim[]): readonly Claim[] {
    const frame = wordsAroundValues(text);
    const lead = text.slice(0, start);
    const same = frame === undefined ? undefined : before.findLast(({ quote }) => wordsAroundValues(quote) === frame);
    return same && same.quote !== text && same.quote.startsWith(lead) ? [same] : [];
  }

  /** The last fact about the same thing that has another number of the same unit. */
  function otherValue(text: string, start: number, what: readonly string[] | undefined, before: readonly Claim[], share: number) {
    const values = valuesOf(text, isPlain).filter((one) => one.start >= start);
    if (values.length === 0) return [];
    const said = what ?? wordsOf(text);
    const isOfThis = (terms: readonly string[]) => {
      const shared = countShared(said, new Set(terms));
      return what
        ? shared === what.length
        : said.length === 0 || (shared > 0 && shared >= share * Math.min(said.length, terms.length));
    };
    const found = before.findLast(
      (claim) =>
        quantitiesOf(claim).some((old) => values.some((one) => isSameUnit(one, old) && one.number !== old.number)) &&
        isSameNames(claim.quote, text) &&
        isOfThis(namedBy(claim)),
    );
    return found ? [found] : [];
  }

  /** The facts that are to the later text as `isMeant` says; none if different facts are. */
  function onlyOf(later: string, before: readonly Claim[], isMeant: typeof isSwap) {
    const said = contentOf(later);
    const found = before.filter((claim) => isMeant(contentOfClaim(claim), said));
    return new Set(found.map(({ text }) => sameText(text))).size === 1 ? found : [];
  }

  /** The facts about the same thing. If both say what they are for, that was compared already. */
  function sameThing(later: string, before: readonly Claim[], own: Item | undefined) {
    const isFor = (item: Item | undefined) => item?.fields.about !== undefined;
    const others = before.filter(({ item }) => item && !(isFor(item) && isFor(own)));
    return onlyOf(later, others, isSameThing);
  }

  /** The words that mean something; with a capital inside the text, "Go" is a name. */
  const contentOf = (text: string): readonly Word[] =>
    text
      .split(/\s+/)
      .map((word, at) => ({ text: sameText(word), at, isName: at > 0 && word !== word.toLowerCase() }))
      .filter((word) => word.text !== "" && (word.isName || !isPlain(word.text)));

  function sharing(later: string, what: readonly string[] | undefined, before: readonly Claim[], update: Update) {
    const { share, about, nearest } = update;
    const named = what ?? subjectTerms(later);
    const matches = before.filter((claim) => {
      const own = what ? termsOf(claim) : subjectOf(claim);
      const shared = countShared(named, own);
      if (shared === 0 || !isSameNames(claim.quote, later)) return false;
      return what ? shared >= share * named.length && shared >= about * own.size : shared >= share * own.size;
    });
    return matches.length > MOST_MATCHES ? [] : matches.slice(-nearest);
  }

  return { findMeant, termsOf };
}
