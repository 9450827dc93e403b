// Verifies what a model answered to an offer. What cannot be verified is dropped and counted: the model adds no words, names only
// what it was offered, and ends a fact only by later words.
import { redact } from "../extract/redact.js";
import { FIELD_CODE_POINTS } from "../limits.js";
import type { Item, Session, Source } from "../model.js";
import { isInstruction } from "../render/worth.js";
import type { RuleSet } from "../rules/rule-set.js";
import { messageNames } from "../source/session/message-names.js";
import { findQuote } from "./find-quote.js";
import { binds, isJudged, isSaidAt, type Judged, type JudgedFact, MODEL, placesOf } from "./judged.js";
import type { Candidate, Offer } from "./offer.js";
import { type Quote, readAnswer, type Witness } from "./read-answer.js";

/** Quotes that are accepted: more than the request asks for. */
const QUOTES = 15;
/** A shorter quote says nothing on its own. */
const QUOTE_CHARACTERS = 8;
/** How often a verified quote of a strong model is a fact. */
const QUOTE_SCORE = 0.64;

/** How many candidates were offered, how they were judged, how many quotes were added, and what was dropped as unverified. */
export interface JudgedCounts {
  readonly offered: number;
  readonly holds: number;
  readonly stale: number;
  readonly noise: number;
  readonly quotes: number;
  readonly rejected: number;
}

export interface Judging {
  readonly session: Session;
  readonly sources: readonly Source[];
  readonly rules: RuleSet;
  /** The facts that the offer was made from. */
  readonly items: readonly Item[];
}

/** The verdicts of an answer; undefined without a block that can be read. */
export function applyAnswer(
  answer: string,
  offer: Offer,
  judging: Judging,
): { readonly judged?: Judged; readonly counts: JudgedCounts } {
  const { candidates, round } = offer;
  const read = candidates.length === 0 ? undefined : readAnswer(answer);
  const none = { offered: candidates.length, holds: 0, stale: 0, noise: 0, quotes: 0, rejected: 0 };
  if (!read) return { counts: none };
  const said = createSaid(judging);
  const quotes = read.quotes.flatMap((quote) => said.itemOf(quote, round) ?? []);
  const ids = new Map(candidates.map((candidate) => [candidate.id, candidate]));
  const facts: JudgedFact[] = [];
  const added: Item[] = [];
  let rejected = read.unread + read.quotes.length - quotes.length;
  const judge = ({ item, proposed }: Judgable, verdict: JudgedFact["verdict"], more: Partial<JudgedFact> = {}) => {
    const { kind, text } = item;
    const sources = [...new Set(placesOf(item).map(({ source }) => source))];
    facts.push({ kind, text, sources, verdict, round, ...more });
    if (proposed && verdict === "holds") added.push({ ...item, judged: { round } });
  };
  const hold = (one: Judgable, kind = one.item.kind) =>
    judge(one, "holds", kind !== one.item.kind && !isInstruction(one.item) ? { as: kind } : {});

  const isAnyNamed = [...read.holds.keys(), ...read.stale.keys(), ...read.noise].some((id) => ids.has(id));
  for (const candidate of candidates) {
    const { id, item } = candidate;
    const quoted = quotes.find(({ evidence }) => isSaidAt(item, evidence));
    const isHeld = read.holds.has(id) || quoted !== undefined;
    const isStale = read.stale.has(id);
    const isNoise = item.by !== "user" || (read.noise.has(id) && !binds(item));
    const witness = isStale && !isHeld ? said.witnessOf(read.stale.get(id), candidate, ids) : undefined;
    if (witness !== undefined) judge(candidate, "stale", { witness });
    else if (isStale) rejected++;
    else if (isHeld) hold(candidate, read.holds.get(id) ?? quoted?.kind);
    else if (isNoise && read.closed && isAnyNamed) judge(candidate, "noise");
  }
  rejected += [...new Set([...read.holds.keys(), ...read.stale.keys(), ...read.noise])].filter((id) => !ids.has(id)).length;

  // A quote of a fact that is already there only confirms it.
  const others = judging.items.filter((item) => item.status === "active" && isJudged(item));
  const fresh: Item[] = [];
  for (const quote of quotes) {
    const isThere = (item: Item) => isSaidAt(item, quote.evidence);
    if (candidates.some(({ item }) => isThere(item))) continue;
    const known = others.find(isThere);
    if (known) hold({ item: known }, quote.kind);
    else if (fresh.length < QUOTES && !fresh.some(isThere)) fresh.push(quote);
    else rejected++;
  }
  const count = (verdict: JudgedFact["verdict"]) => facts.filter((fact) => fact.verdict === verdict).length;
  const counts = { ...none, holds: count("holds"), stale: count("stale"), noise: count("noise"), quotes: fresh.length, rejected };
  return { judged: { facts, added: [...added, ...fresh] }, counts };
}

type Judgable = Pick<Candidate, "item" | "proposed">;

/** Finds witnesses and quotes in what was said. */
function createSaid({ session, sources, rules }: Judging) {
  const order = new Map(session.messages.map(({ id }, index) => [id, index]));
  const names = new Map([...messageNames(session)].map(([id, name]) => [nameKey(name), id]));
  const spoken = sources.filter(({ by }) => by === "user" || by === "assistant");
  const messageOf = (name: string) => names.get(nameKey(name));

  function find(text: string, message: string | undefined) {
    const quote = redact(text, rules.redactions);
    const where = message === undefined ? [...spoken].reverse() : spoken.filter(({ id }) => id === messageOf(message));
    for (const source of where) {
      const place = findQuote(quote, source.text);
      if (place) return { source, ...place };
    }
    return undefined;
  }

  return {
    /** The id of the later message that ends a fact. */
    witnessOf(witness: Witness | undefined, { item }: Candidate, ids: ReadonlyMap<string, Candidate>): string | undefined {
      const { message, id, quote } = witness ?? {};
      const named = message !== undefined ? messageOf(message) : id !== undefined ? ids.get(id)?.item.evidence.source : undefined;
      const found =
        named ?? (quote !== undefined && quote.length >= QUOTE_CHARACTERS ? find(quote, undefined)?.source.id : undefined);
      if (found === undefined) return undefined;
      const place = order.get(found) ?? -1;
      const isLater = placesOf(item).every(({ source }) => (order.get(source) ?? -1) < place);
      const isByUser = spoken.some(({ id: source, by }) => source === found && by === "user");
      return isLater && (!binds(item) || isByUser) ? found : undefined;
    },
    itemOf({ kind, message, text }: Quote, round: number): Item | undefined {
      const length = [...text].length;
      if (length < QUOTE_CHARACTERS || length > FIELD_CODE_POINTS) return undefined;
      const found = find(text, message);
      if (!found) return undefined;
      const { source, start, end } = found;
      const quote = source.text.slice(start, end);
      const evidence = {
        source: source.id,
        start,
        end,
        quote,
        rule: MODEL,
        ...(source.tool !== undefined && { tool: source.tool }),
      };
      const said = quote.replace(/\s+/g, " ");
      return {
        kind,
        text: said,
        fields: {},
        score: QUOTE_SCORE,
        by: source.by,
        status: "active",
        evidence,
        also: [],
        judged: { round },
      };
    },
  };
}

/** m7 and m007 are the same message. */
const nameKey = (name: string) => name.toLowerCase().replace(/^m0+(?=\d)/, "m");
