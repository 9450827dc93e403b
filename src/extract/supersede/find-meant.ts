// Which earlier claims a later text is about, by the ways of matching that an update can name.
import type { Update } from "../../rules/rule-set.js";
import { firstPhrase } from "../match/condition.js";
import { says } from "../match/selector.js";
import type { Subject } from "../match/subject.js";
import { type Claim, quantitiesOf, termsOf } from "./claims.js";
import type { Rank } from "./reduce-items.js";
import { type IsPlain, topicOf } from "./topic.js";
import { hasDigit, isSameNames, isSameUnit, valuesOf, wordsAroundValues } from "./values.js";

/** A longer text is not a single statement that a later one can end. */
const MOST_CHARACTERS = 1_000;
/** If more facts match, they are what the session is about: it is unclear which of them is meant. */
const MOST_MATCHES = 8;
/** Characters from the start of a text that takes something back, in which the new choice may follow. */
const NEW_CHOICE_CHARACTERS = 300;

/** Can an update of this kind end the claim at all? */
export function mayEnd(claim: Claim, update: Update, { source }: Subject, rank: Rank): boolean {
  const { kind, by, quote, last } = claim;
  return (
    update.ends.has(kind) &&
    quote.length <= MOST_CHARACTERS &&
    (update.by === "anyone" || by === (update.by === "same-speaker" ? source.by : update.by)) &&
    rank(source.id) - last.rank <= update.within &&
    (update.match !== "earlier" || last.rank < rank(source.id)) &&
    (!update.if || says(update.if, quote)) &&
    !(update.unless && says(update.unless, quote))
  );
}

/** The claims that a text is about; none if that is unclear. */
export function findMeant(
  update: Update,
  subject: Subject,
  before: readonly Claim[],
  near: readonly Claim[],
  rank: Rank,
  isPlain: IsPlain,
): readonly Claim[] {
  const { text } = subject.segment;
  switch (update.match) {
    case "earlier":
      return before.slice(-1);
    case "previous":
      return previousOf(subject, before, near, rank, isPlain);
    case "frame": {
      const frame = wordsAroundValues(text);
      const same = frame === undefined ? undefined : before.findLast(({ quote }) => wordsAroundValues(quote) === frame);
      return same && same.quote !== text ? [same] : [];
    }
    case "value":
      return otherValue(text, whatOf(update, subject, isPlain), before, update.share, isPlain);
    case "terms":
      return sharing(text, whatOf(update, subject, isPlain), before, update, isPlain);
  }
}

/** The terms of what a phrase of the update names. */
function whatOf({ phrases }: Update, { segment, words }: Subject, isPlain: IsPlain): readonly string[] | undefined {
  const slot = firstPhrase(phrases, words)?.slots.find(({ name }) => name === "what");
  return slot && topicOf(segment.text.slice(slot.start, slot.end), isPlain).terms;
}

/** How many of the terms a claim has too. */
function countShared(terms: readonly string[], claim: Claim, isPlain: IsPlain): number {
  const own = termsOf(claim, isPlain);
  let count = 0;
  for (const term of terms) if (own.has(term)) count++;
  return count;
}

/**
 * What words that name nothing take back: the last fact in reach that shares the most terms with what follows them;
 * otherwise the last fact, if it is in the speaker's last message: "never mind" may be about a question asked since.
 */
function previousOf(
  { source, segment }: Subject,
  before: readonly Claim[],
  near: readonly Claim[],
  rank: Rank,
  isPlain: IsPlain,
): readonly Claim[] {
  const said = topicOf(source.text.slice(segment.start, segment.start + NEW_CHOICE_CHARACTERS), isPlain).terms;
  const shared = before.map((claim) => countShared(said, claim, isPlain));
  const most = Math.max(0, ...shared);
  if (most > 0) return before.slice(shared.lastIndexOf(most)).slice(0, 1);
  const here = rank(source.id);
  const lastMessage = near.findLast(({ by, last }) => by === source.by && last.rank < here)?.last.rank ?? here;
  return before.slice(-1).filter(({ last }) => last.rank >= lastMessage);
}

/** The last fact about the same thing that has another number of the same unit. */
function otherValue(
  text: string,
  what: readonly string[] | undefined,
  before: readonly Claim[],
  share: number,
  isPlain: IsPlain,
): readonly Claim[] {
  const wordsOf = (one: string) => topicOf(one, isPlain).terms.filter((term) => !hasDigit(term));
  const values = valuesOf(text, isPlain);
  const said = what ?? wordsOf(text);
  const isOfThis = (terms: readonly string[]) => {
    const shared = said.filter((term) => terms.includes(term)).length;
    return what
      ? shared === what.length
      : said.length === 0 || (shared > 0 && shared >= share * Math.min(said.length, terms.length));
  };
  const found = before.findLast(
    (claim) =>
      quantitiesOf(claim, isPlain).some((old) => values.some((one) => isSameUnit(one, old) && one.number !== old.number)) &&
      isSameNames(claim.quote, text) &&
      isOfThis(wordsOf(claim.text)),
  );
  return found ? [found] : [];
}

function sharing(
  later: string,
  what: readonly string[] | undefined,
  before: readonly Claim[],
  { share, about, nearest }: Update,
  isPlain: IsPlain,
): readonly Claim[] {
  const named = what ?? topicOf(later, isPlain).terms;
  const matches = before.filter((claim) => {
    const shared = countShared(named, claim, isPlain);
    if (shared === 0 || !isSameNames(claim.quote, later)) return false;
    const { size } = termsOf(claim, isPlain);
    return what ? shared >= share * named.length && shared >= about * size : shared >= share * size;
  });
  return matches.length > MOST_MATCHES ? [] : matches.slice(-nearest);
}
