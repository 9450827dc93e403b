// Which earlier claims a later text is about, by the ways of matching that an update can name.
import type { Update } from "../../rules/rule-set.js";
import { rememberFor } from "../../text/remember.js";
import { firstPhrase } from "../match/condition.js";
import { says } from "../match/selector.js";
import type { Subject } from "../match/subject.js";
import type { Claim } from "./claims.js";
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
export function mayEnd({ kind, by, quote, last }: Claim, update: Update, { source }: Subject, rank: Rank): boolean {
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

export function createFinder(rank: Rank, isPlain: IsPlain) {
  const termsOf = rememberFor((claim: Claim): ReadonlySet<string> => new Set(topicOf(claim.text, isPlain).terms));
  const quantitiesOf = rememberFor(({ quote }: Claim) => valuesOf(quote, isPlain));

  /** The claims that a text is about; none if that is unclear. */
  function findMeant(update: Update, subject: Subject, before: readonly Claim[], near: readonly Claim[]): readonly Claim[] {
    const { text } = subject.segment;
    switch (update.match) {
      case "all":
        return before;
      case "earlier":
        return before.slice(-1);
      case "previous":
        return previousOf(subject, before, near);
      case "frame": {
        const frame = wordsAroundValues(text);
        const same = frame === undefined ? undefined : before.findLast(({ quote }) => wordsAroundValues(quote) === frame);
        return same && same.quote !== text ? [same] : [];
      }
      case "value":
        return otherValue(text, whatOf(update, subject), before, update.share);
      case "terms":
        return sharing(text, whatOf(update, subject), before, update);
    }
  }

  /** The terms of what a phrase of the update names. */
  function whatOf({ phrases }: Update, { segment, words }: Subject): readonly string[] | undefined {
    const slot = firstPhrase(phrases, words)?.slots.find(({ name }) => name === "what");
    return slot && topicOf(segment.text.slice(slot.start, slot.end), isPlain).terms;
  }

  const countShared = (terms: readonly string[], own: ReadonlySet<string>) => terms.filter((term) => own.has(term)).length;

  /**
   * What words that name nothing take back: the last fact in reach that shares the most terms with what follows them;
   * otherwise the last fact, if it is in the speaker's last message: "never mind" may be about a question asked since.
   */
  function previousOf({ source, segment }: Subject, before: readonly Claim[], near: readonly Claim[]): readonly Claim[] {
    const said = topicOf(source.text.slice(segment.start, segment.start + NEW_CHOICE_CHARACTERS), isPlain).terms;
    const shared = before.map((claim) => countShared(said, termsOf(claim)));
    const most = Math.max(0, ...shared);
    if (most > 0) return before.slice(shared.lastIndexOf(most)).slice(0, 1);
    const here = rank(source.id);
    const lastMessage = near.findLast(({ by, last }) => by === source.by && last.rank < here)?.last.rank ?? here;
    return before.slice(-1).filter(({ last }) => last.rank >= lastMessage);
  }

  /** The last fact about the same thing that has another number of the same unit. */
  function otherValue(text: string, what: readonly string[] | undefined, before: readonly Claim[], share: number) {
    const wordsOf = (one: string) => topicOf(one, isPlain).terms.filter((term) => !hasDigit(term));
    const values = valuesOf(text, isPlain);
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
        isOfThis(wordsOf(claim.text)),
    );
    return found ? [found] : [];
  }

  function sharing(later: string, what: readonly string[] | undefined, before: readonly Claim[], update: Update) {
    const { share, about, nearest } = update;
    const named = what ?? topicOf(later, isPlain).terms;
    const matches = before.filter((claim) => {
      const own = termsOf(claim);
      const shared = countShared(named, own);
      if (shared === 0 || !isSameNames(claim.quote, later)) return false;
      return what ? shared >= share * named.length && shared >= about * own.size : shared >= share * own.size;
    });
    return matches.length > MOST_MATCHES ? [] : matches.slice(-nearest);
  }

  return { findMeant, termsOf };
}
