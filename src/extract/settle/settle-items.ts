// Settles the items of a session: merges repeated ones, and ends earlier facts by later words, as the `updates` of the packs
// say: what was taken back, dropped, or set to another value.
import { type FactPlace, type Item, type Kind, placeKey } from "../../model.js";
import type { RuleSet } from "../../rules/rule-set.js";
import { type Late, STAGES, type Steps } from "../../steps.js";
import { addTo } from "../../text/lists.js";
import { type IsPlain, plainWords, topicOf } from "../../text/topic.js";
import type { SaidTexts, Weighed } from "../facts/find-facts.js";
import type { Tracer } from "../facts/to-item.js";
import { evidenceOf, placeKeyOf, placeOf, type Subject } from "../segments/subject.js";
import { type Claim, claimsBefore, claimsOf, isOpenClaim } from "./claims.js";
import { createMeantFinder, mayEnd } from "./find-meant.js";
import { inOrder, placeText, type Rank, type Reduced, reduceItems } from "./reduce-items.js";
import { isSameUnit, valuesOf } from "./values.js";

export interface Updated {
  readonly items: readonly Item[];
  /** Place of an ended text → place of the text that ended it. */
  readonly ended: ReadonlyMap<string, string>;
  /** Places of the texts that ended something. */
  readonly renewing: ReadonlySet<string>;
  /** Sentences in which the assistant only repeats a fact that was ended later. */
  readonly repeated: ReadonlySet<Subject>;
}

/** An ended fact: its terms, and the part of the session in which it held. */
type Ended = { readonly terms: ReadonlySet<string>; readonly from: number; readonly to: number; readonly by: string };

/** Fewer terms do not show what a text is about. */
const LEAST_TERMS = 2;
/** Kinds that a later text can replace. */
const RENEWED: ReadonlySet<Kind> = new Set<Kind>(["decision", "constraint", "rejection"]);
/** The newest texts that are compared even if time is up. */
const LATE_UPDATES = 200;
/** Fewer words only say that something is over. */
const LEAST_WORDS = 4;
/** A repetition has at least this share of a fact's terms. */
const REPEATED_SHARE = 0.5;
const REPEATED: ReadonlySet<Kind | "statement"> = new Set<Kind>(["decision", "constraint", "done"]);

interface SettleOptions {
  readonly trace?: Tracer | undefined;
  readonly late?: Late | undefined;
  /** Gets the messages that were not compared in time. */
  readonly unread?: Set<string>;
}

export function* settleItems(
  items: readonly Item[],
  texts: SaidTexts,
  rank: Rank,
  rules: RuleSet,
  { trace, ...deadline }: SettleOptions = {},
): Steps<Updated> {
  const isPlain = plainWords(rules);
  const reduced = reduceItems(items, rank, isPlain, trace);
  const updated = yield* applyUpdates(reduced, texts, rank, isPlain, deadline);
  if (trace) tellEnded(reduced.items, updated, trace);
  return { ...updated, items: inOrder(updated.items, rank) };
}

function tellEnded(before: readonly Item[], { items, ended }: Updated, trace: Tracer): void {
  for (const [index, item] of items.entries()) {
    const { rule } = item.evidence;
    const earlier = before[index];
    if (!earlier) trace({ rule, outcome: "fired", why: "in place of what it ends", evidence: item.evidence });
    else if (earlier.status !== item.status) {
      const why = ended.get(placeKey(item.evidence));
      trace({ rule, outcome: "superseded", ...(why !== undefined && { why }), evidence: item.evidence });
    }
  }
}

function* applyUpdates(
  { items, replaced }: Reduced,
  { statements, updating, weighed }: SaidTexts,
  rank: Rank,
  isPlain: IsPlain,
  { late, unread }: Omit<SettleOptions, "trace">,
): Steps<Updated> {
  const claims = claimsOf(items, statements, rank);
  const { findMeant, termsOf } = createMeantFinder(rank, isPlain);
  const added: Item[] = [];
  const changed = new Map<Item, Item>();
  const renewing = new Set<string>();
  const gone: Ended[] = [];
  const end = (claim: Claim, by: FactPlace) => {
    claim.ended = placeText(by);
    if (claim.by === "user") gone.push({ terms: termsOf(claim), from: claim.last.rank, to: rank(by.source), by: claim.ended });
  };
  for (const claim of claims) {
    const by = claim.item && replaced.get(claim.item);
    if (by) end(claim, by.evidence);
  }
  /** A message takes back only one thing, however often it says so. */
  const takenBack = new Set<string>();
  /** Place → its first claim that is an item. Built on first use. */
  let itemClaims: ReadonlyMap<string, Claim> | undefined;
  const ownOf = (subject: Subject) => {
    itemClaims ??= new Map(claims.flatMap((claim) => (claim.item ? [[claim.key, claim] as const] : [])).reverse());
    return itemClaims.get(placeKeyOf(subject));
  };

  /** The last text that was not compared in time. It may end what was said before it. */
  let skipped: Subject | undefined;

  for (const [index, { subject, updates }] of updating.entries()) {
    yield;
    if (index < updating.length - LATE_UPDATES && late?.(STAGES.settle)) {
      skipped = subject;
      unread?.add(subject.source.id);
      continue;
    }
    let near = claimsBefore(subject, claims, rank).filter(isOpenClaim);
    for (const update of updates) {
      const isBlind = update.match === "previous" || update.match === "earlier";
      if (isBlind && takenBack.has(subject.source.id)) continue;
      const before = near.filter(mayEnd(update, subject, rank));
      const meant = findMeant(update, subject, before, near, ownOf);
      if (meant.length === 0) continue;
      if (isBlind) takenBack.add(subject.source.id);
      const places = new Set(meant.map(({ key }) => key));
      for (const claim of before) if (places.has(claim.key)) end(claim, placeOf(subject));
      near = near.filter(isOpenClaim);
      renewing.add(placeKeyOf(subject));
      const renewed = update.replaces ? meant.findLast(({ item }) => item && RENEWED.has(item.kind))?.item : undefined;
      if (renewed) renew(renewed, subject);
    }
  }

  /** Makes the later text a fact of the same kind; a fact found there gets the earlier words with the new value. */
  function renew(earlier: Item, by: Subject): void {
    const own = ownOf(by);
    const text = withValue(earlier.text, by.segment.text, isPlain);
    if (own?.item && text !== undefined) changed.set(own.item, { ...own.item, text });
    if (own || (text === undefined && by.words.folded.length < LEAST_WORDS)) return;
    const said = text ?? by.segment.text.replace(/\s+/g, " ").replace(/[.!]$/, "");
    const evidence = evidenceOf(by, earlier.evidence.rule);
    added.push({ ...earlier, text: said, fields: {}, by: by.source.by, evidence, also: [] });
  }

  const repeats = createRepeats(gone, rank, isPlain);
  for (const claim of claims) {
    if (claim.by !== "assistant" || !claim.item || !isOpenClaim(claim) || !REPEATED.has(claim.kind)) continue;
    const by = repeats(claim.place.source, claim.quote);
    if (by !== undefined) claim.ended = by;
  }
  const ended = new Map(claims.flatMap(({ key, ended: by }) => (by === undefined ? [] : [[key, by] as const])));
  const endedItems = new Set(claims.flatMap(({ item, ended: by }) => (by !== undefined && item ? [item] : [])));
  const standing = items.map((item): Item => {
    const now = changed.get(item) ?? item;
    return endedItems.has(item) ? { ...now, status: "superseded" } : now;
  });
  const isRepeated = ({ subject: { source, segment } }: Weighed) =>
    source.role === "assistant" && repeats(source.id, segment.text) !== undefined;
  const repeated = new Set(weighed.filter(isRepeated).map(({ subject }) => subject));
  const all = [...standing, ...added];
  const until = skipped ? rank(skipped.source.id) : Number.NEGATIVE_INFINITY;
  const isAfter = ({ source }: FactPlace) => rank(source) >= until;
  // What is said again holds again.
  return { items: all.filter(({ evidence, also }) => [evidence, ...also].some(isAfter)), ended, renewing, repeated };
}

/** A repetition: the ended fact has all terms of the text, and the text was said while the fact held. */
function createRepeats(gone: readonly Ended[], rank: Rank, isPlain: IsPlain) {
  const byTerm = new Map<string, Ended[]>();
  for (const one of gone) for (const term of one.terms) addTo(byTerm, term, one);
  /** The place of the text that ended what this one repeats. */
  return (source: string, text: string): string | undefined => {
    if (gone.length === 0) return undefined;
    const { terms } = topicOf(text, isPlain);
    if (terms.length < LEAST_TERMS) return undefined;
    const at = rank(source);
    const [fewest = []] = terms.map((term) => byTerm.get(term) ?? []).sort((a, b) => a.length - b.length);
    const isOf = (one: Ended) => terms.length >= REPEATED_SHARE * one.terms.size && terms.every((term) => one.terms.has(term));
    return fewest.find((one) => one.from < at && at < one.to && isOf(one))?.by;
  };
}

/** "Make it 60 s" says nothing by itself: returns the earlier text with the new number. */
function withValue(earlier: string, later: string, isPlain: IsPlain): string | undefined {
  for (const value of valuesOf(later, isPlain)) {
    const old = valuesOf(earlier, isPlain).find((one) => isSameUnit(one, value));
    if (old) return earlier.slice(0, old.start) + value.number + earlier.slice(old.start + old.number.length);
  }
  return undefined;
}
