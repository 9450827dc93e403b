// Verifies what a model answered to an offer. What cannot be verified is dropped and counted: the model adds no words, names only
// what it was offered, and ends a fact only by later words.

import { FIELD_CODE_POINTS } from "../limits.js";
import type { Item, Session, Source } from "../model.js";
import { isInstruction } from "../render/statements.js";
import { redact } from "../rules/redact/redact.js";
import type { RuleSet } from "../rules/rule-set.js";
import { messageNames } from "../source/session/sources.js";
import { binds, isJudged, isSaidAt, type Judged, type JudgedFact, kindByRules, MODEL, placesOf } from "./judged.js";
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

export const NO_COUNTS: JudgedCounts = { offered: 0, holds: 0, stale: 0, noise: 0, quotes: 0, rejected: 0 };

interface Judging {
  readonly session: Session;
  readonly sources: readonly Source[];
  readonly rules: RuleSet;
  /** The facts that the offer was made from. */
  readonly items: readonly Item[];
}

interface Applied {
  readonly judged?: Judged;
  readonly counts: JudgedCounts;
}

/** The verdicts of an answer; undefined without a block that can be read. */
export function applyAnswer(answer: string, offer: Offer, judging: Judging): Applied {
  const { candidates, round } = offer;
  const read = candidates.length === 0 ? undefined : readAnswer(answer, offer.text);
  const none = { ...NO_COUNTS, offered: candidates.length };
  if (!read) return { counts: none };
  const said = createSaid(judging);
  const quotes = read.quotes.flatMap((quote) => said.itemOf(quote, round) ?? []);
  const ids = new Map(candidates.map((candidate) => [candidate.id, candidate]));
  const named = [...new Set([...read.holds.keys(), ...read.stale.keys(), ...read.noise])];
  const isAnyNamed = named.some((id) => ids.has(id));
  const facts: JudgedFact[] = [];
  let rejected = read.unread + read.quotes.length - quotes.length + named.filter((id) => !ids.has(id)).length;
  const judge = (item: Item, verdict: JudgedFact["verdict"], more: Partial<JudgedFact> = {}) => {
    const sources = [...new Set(placesOf(item).map(({ source }) => source))];
    facts.push({ kind: kindByRules(item), text: item.text, sources, verdict, round, ...more });
  };
  const hold = (item: Item, kind = item.kind) => {
    const isOther = kind !== kindByRules(item) && !isInstruction(item) && mayBe(kind, item.by);
    judge(item, "holds", isOther ? { as: kind } : {});
  };

  const confirmed: Item[] = [];
  for (const { id, item, proposed } of candidates) {
    const quoted = quotes.find(({ evidence }) => isSaidAt(item, evidence));
    const isHeld = read.holds.has(id) || quoted !== undefined;
    const isStale = read.stale.has(id);
    const isNoise = item.by !== "user" || (read.noise.has(id) && !binds(item));
    const witness = isStale && !isHeld ? said.witnessOf(read.stale.get(id), item, ids) : undefined;
    if (witness !== undefined) judge(item, "stale", { witness });
    else if (isStale) rejected++;
    else if (isHeld) {
      hold(item, read.holds.get(id) ?? quoted?.kind);
      if (proposed) confirmed.push({ ...item, judged: { round } });
    } else if (isNoise && read.closed && isAnyNamed) judge(item, "noise");
  }

  // A quote of a fact that is already there only confirms it.
  const others = judging.items.filter((item) => item.status === "active" && isJudged(item));
  const fresh: Item[] = [];
  for (const quote of quotes) {
    const isThere = (item: Item) => isSaidAt(item, quote.evidence);
    if (candidates.some(({ item }) => isThere(item))) continue;
    const known = others.find(isThere);
    if (known) hold(known, quote.kind);
    else if (fresh.length < QUOTES && !fresh.some(isThere)) fresh.push(quote);
    else rejected++;
  }
  const count = (verdict: JudgedFact["verdict"]) => facts.filter((fact) => fact.verdict === verdict).length;
  const counts = { ...none, holds: count("holds"), stale: count("stale"), noise: count("noise"), quotes: fresh.length, rejected };
  return { judged: { facts, added: [...confirmed, ...fresh] }, counts };
}

/** A summary lists constraints as the user's words, so a quote of the assistant's cannot be one. */
const mayBe = (kind: Item["kind"], by: Item["by"]) => kind !== "constraint" || by === "user";

function createSaid({ session, sources, rules }: Judging) {
  const order = new Map(session.messages.map(({ id }, index) => [id, index]));
  const names = new Map([...messageNames(session)].map(([id, name]) => [nameKey(name), id]));
  const spoken = sources.filter(({ by }) => by === "user" || by === "assistant");
  const folded = new Map<Source, Folded>();

  /** @param message its name, if the model gave one */
  function find(text: string, message?: string) {
    const quote = redact(text, rules.redactions);
    const id = message && names.get(nameKey(message));
    for (const source of message === undefined ? [...spoken].reverse() : spoken.filter((one) => one.id === id)) {
      const words = folded.get(source) ?? foldText(source.text);
      folded.set(source, words);
      const place = findQuote(quote, words);
      if (place) return { source, ...place };
    }
    return undefined;
  }

  function messageOf({ message, id, quote = "" }: Witness, ids: ReadonlyMap<string, Candidate>): string | undefined {
    const named = message === undefined ? ids.get(id ?? "")?.item.evidence.source : names.get(nameKey(message));
    return named ?? (quote.length < QUOTE_CHARACTERS ? undefined : find(quote)?.source.id);
  }

  return {
    witnessOf(witness: Witness | undefined, item: Item, ids: ReadonlyMap<string, Candidate>): string | undefined {
      const found = witness && messageOf(witness, ids);
      if (found === undefined) return undefined;
      const isLater = placesOf(item).every(({ source }) => (order.get(source) ?? -1) < (order.get(found) ?? -1));
      const isByUser = spoken.some(({ id, by }) => id === found && by === "user");
      return isLater && (!binds(item) || isByUser) ? found : undefined;
    },
    itemOf({ kind, message, text }: Quote, round: number): Item | undefined {
      if (text.length < QUOTE_CHARACTERS || text.length > FIELD_CODE_POINTS) return undefined;
      const found = find(text, message);
      if (!found) return undefined;
      const { start, end } = found;
      const { id, by, tool, text: whole } = found.source;
      if (!mayBe(kind, by)) return undefined;
      const quote = whole.slice(start, end);
      const evidence = { source: id, start, end, quote, rule: MODEL, ...(tool !== undefined && { tool }) };
      const fact = { kind, text: quote.replace(/\s+/g, " "), fields: {}, score: QUOTE_SCORE, by, status: "active" as const };
      return { ...fact, evidence, also: [], judged: { round } };
    },
  };
}

/** m7 and m007 are the same message. */
const nameKey = (name: string) => name.toLowerCase().replace(/^m0+(?=\d)/, "m");

// Finds words that a model copied from a text. White space, Markdown emphasis and the form of quotation marks may differ; every
// word and every other character must be there.

/** Characters that a copy may leave out. */
const LEFT_OUT = /[*`\u00AD\u200B-\u200F\u2060-\u2064\uFEFF]/;
const FORMS: Readonly<Record<string, string>> = { "“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "…": "..." };
const TRIES = 100;

interface Folded {
  readonly text: string;
  /** For each character, where it is in the original. */
  readonly at: readonly number[];
}

function foldText(given: string): Folded {
  const folded: string[] = [];
  const at: number[] = [];
  for (let index = 0; index < given.length; index++) {
    const character = given[index] as string;
    if (LEFT_OUT.test(character)) continue;
    const isBlank = /\s/.test(character);
    if (isBlank && (folded.length === 0 || folded.at(-1) === " ")) continue;
    for (const one of isBlank ? " " : (FORMS[character] ?? character)) {
      folded.push(one);
      at.push(index);
    }
  }
  return { text: folded.join(""), at };
}

/** The place of a quote in a text; the last one if there are several. It begins and ends with whole words. */
function findQuote(quote: string, { text, at }: Folded): { readonly start: number; readonly end: number } | undefined {
  const wanted = foldText(quote)
    .text.replace(/\.\.\.\s?$/, "")
    .trimEnd();
  if (wanted === "") return undefined;
  let from = text.length;
  for (let tries = 0; tries < TRIES && from > 0; tries++) {
    from = text.lastIndexOf(wanted, from - 1);
    if (from < 0) return undefined;
    const last = from + wanted.length - 1;
    if (!isInWord(text, from) && !isInWord(text, last + 1)) return { start: at[from] as number, end: (at[last] as number) + 1 };
  }
  return undefined;
}

const LETTER = /[\p{L}\p{N}_]/u;
/** Is the position between two letters of a word? */
const isInWord = (text: string, position: number) => LETTER.test(text[position - 1] ?? "") && LETTER.test(text[position] ?? "");
