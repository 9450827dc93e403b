// Verifies what a model answered to an offer. What cannot be verified is dropped and counted: the model adds no words, names only
// what it was offered, and ends a fact only by later words.

import { ownWordsBy, sentencesOf } from "../extract/signals/own-words.js";
import { FIELD_CODE_POINTS } from "../limits.js";
import type { ChosenLines, Item, Session, Source } from "../model.js";
import { isInstruction } from "../render/statements.js";
import type { AskedSignal } from "../rules/condition.js";
import type { RuleSet } from "../rules/rule-set.js";
import { messageNames } from "../source/session/messages.js";
import { oneLine } from "../text/forms.js";
import { defined } from "../text/json.js";
import { plainWords, termsIn, topicOf } from "../text/topic.js";
import { createWordFinder, withoutColours } from "./find-words.js";
import { binds, isJudged, isSaidAt, type Judged, type JudgedFact, kindByRules, MODEL, placesOf } from "./judged.js";
import { type Candidate, type Offer, tellsSame } from "./offer.js";
import { type Quote, readAnswer, type Witness } from "./read-answer.js";
import { readLine } from "./read-line.js";

/** Quotes that are accepted: more than the request asks for. */
const QUOTES = 20;
/** A shorter quote says nothing on its own. */
const QUOTE_CHARACTERS = 8;
/** How often a verified quote of a strong model is a fact. */
const QUOTE_SCORE = 0.64;
/** Who names all of a longer list has not chosen. */
const FEW_LINES = 3;
/** If more of the ids in an answer were not offered, it says nothing about those that it leaves out. */
const UNKNOWN_SHARE = 0.25;

/** How many candidates were offered, how they were judged, how many quotes were added, and what was dropped as unverified. */
export interface JudgedCounts {
  readonly offered: number;
  readonly holds: number;
  /** Facts and quotes that the model marked as those that matter. */
  readonly marked: number;
  readonly stale: number;
  readonly noise: number;
  readonly quotes: number;
  readonly rejected: number;
  /** Lines that the model chose among, and those that it wants carried. */
  readonly lines: number;
  readonly needed: number;
}

const NO_LINES = { lines: 0, needed: 0 };
export const NO_COUNTS = { offered: 0, holds: 0, marked: 0, stale: 0, noise: 0, quotes: 0, rejected: 0, ...NO_LINES };

interface Judging {
  readonly session: Session;
  readonly sources: readonly Source[];
  readonly rules: RuleSet;
  /** The facts that the offer was made from. */
  readonly items: readonly Item[];
}

type Applied = { readonly judged?: Judged; readonly chosen?: ChosenLines; readonly counts: JudgedCounts };

/** The verdicts of an answer; undefined without a block that can be read. */
export function applyAnswer(answer: string, offer: Offer, judging: Judging): Applied {
  const { candidates, lines = [], round } = offer;
  const ids = new Map(candidates.map((candidate) => [candidate.id, candidate]));
  const answered = () => (offer.line ? readLine(answer, (id) => ids.has(id)) : readAnswer(answer, offer.text));
  const read = candidates.length === 0 ? undefined : answered();
  const none = { ...NO_COUNTS, offered: candidates.length };
  if (!read) return { counts: none };
  const verifier = createVerifier(judging, offer.named);
  const quotes = read.quotes.flatMap((quote) => {
    const item = verifier.itemOf(quote);
    // What is a question stays one, also where it confirms a candidate.
    return item ? [{ item, kind: item.kind === "question" ? item.kind : quote.kind, marked: quote.marked }] : [];
  });
  const named = [...new Set([...read.holds.keys(), ...read.stale.keys(), ...read.noise])];
  const unknown = named.filter((id) => !ids.has(id)).length;
  // Only an answer that is whole and names what was offered calls a fact noise by leaving it out.
  const isWhole = read.closed && read.clear && unknown < named.length && unknown <= UNKNOWN_SHARE * named.length;
  const isNamedNoise = (id: string) => read.closed && read.noise.has(id);
  // Who says yes to everything has judged nothing, so what the rules only suspect is not asserted.
  const isAllHeld = candidates.length > 1 && candidates.every(({ id }) => read.holds.has(id));
  const isAllTheSame = isAllHeld && candidates.every(({ id }) => read.marked.has(id) === read.marked.size > 0);
  const isMarked = read.marked.size > 0 || read.quotes.some(({ marked }) => marked);
  const facts: JudgedFact[] = [];
  let rejected = read.unread + read.quotes.length - quotes.length + unknown;
  const judge = (item: Item, verdict: JudgedFact["verdict"], more: Partial<JudgedFact> = {}) => {
    const sources = [...new Set(placesOf(item).map(({ source }) => source))];
    facts.push({ kind: kindByRules(item), text: item.text, sources, verdict, round, ...more });
  };
  const hold = (item: Item, kind = item.kind, marked = false) => {
    const isOther = kind !== kindByRules(item) && !isInstruction(item) && mayBe(kind, item);
    judge(item, "holds", { ...(isOther && { as: kind }), ...levelOf(item, marked) });
  };
  /** A rule of the user's always matters. What calls say is seldom what a reader wants named, so only a mark does it. */
  const levelOf = (item: Item, marked: boolean) => (isMarked || item.by === "tool") && !binds(item) && { marked };

  const confirmed: Item[] = [];
  for (const { id, item, proposed } of candidates) {
    const quoted = quotes.find((quote) => isQuoted(item, quote.item));
    const isHeld = read.holds.has(id) || quoted !== undefined;
    const isStale = read.stale.has(id);
    const isNoise = item.by !== "user" || (read.noise.has(id) && !binds(item));
    const witness = isStale && !isHeld ? verifier.witnessOf(read.stale.get(id), item, ids) : undefined;
    if (witness !== undefined) judge(item, "stale", { witness });
    else if (isStale) rejected++;
    else if (isHeld) {
      if (proposed && isAllTheSame) continue;
      hold(item, read.holds.get(id) ?? quoted?.kind, read.marked.has(id) || quoted?.marked);
      if (proposed) confirmed.push({ ...item, judged: { round } });
    } else if (isNoise && (isWhole || isNamedNoise(id))) judge(item, "noise");
  }

  // A quote of a fact that is already there only confirms it.
  const others = judging.items.filter((item) => item.status === "active" && isJudged(item));
  const fresh: Item[] = [];
  for (const { item: quote, kind, marked } of quotes) {
    const isThere = (item: Item) => isQuoted(item, quote);
    if (candidates.some(({ item }) => isThere(item))) continue;
    const known = others.find(isThere);
    if (known) hold(known, kind, marked);
    else if (fresh.length < QUOTES && !fresh.some(isThere))
      fresh.push({ ...quote, judged: { round, ...levelOf(quote, marked) } });
    else rejected++;
  }
  const count = (verdict: JudgedFact["verdict"]) => facts.filter((fact) => fact.verdict === verdict).length;
  const marked = [...facts, ...fresh.map(({ judged }) => judged)].filter((one) => one?.marked).length;
  const verdicts = { holds: count("holds"), marked, stale: count("stale"), noise: count("noise") };
  const known = read.needed?.filter((id) => lines.some((one) => one.id === id)) ?? [];
  const unknownLines = (read.needed?.length ?? 0) - known.length;
  const isAllNeeded = lines.length > FEW_LINES && known.length === lines.length;
  const isChosen = isWhole && read.needed && lines.length > 0 && !isAllNeeded;
  const counts = { ...none, ...verdicts, quotes: fresh.length, rejected: rejected + unknownLines };
  const result = { judged: { facts, added: [...confirmed, ...fresh] }, counts };
  if (!isChosen || unknownLines > UNKNOWN_SHARE * (known.length + unknownLines)) return result;
  // A line that the model quotes as a fact is told as that fact.
  const open = lines.filter((one) => !quotes.some(({ item }) => tellsSame(one, item)));
  const knownIndex = (id: string) => (known.includes(id) ? known.indexOf(id) : undefined);
  const chosen = new Map(open.flatMap(({ id, keys }) => keys.map((key) => [key, knownIndex(id)] as const)));
  return { ...result, chosen, counts: { ...counts, lines: lines.length, needed: known.length } };
}

/** A summary lists constraints as the user's words, so those of others cannot be one. What was refused is no other kind. */
const mayBe = (kind: Item["kind"], { by, fields }: Pick<Item, "by" | "fields">) =>
  (kind !== "constraint" || by === "user") && (fields.refused === undefined || kind === "rejection");

type Spoken = Pick<Item, "by" | "fields"> & { readonly isAsked: boolean };

/** The kind that the model gives a quote, if it can be of that kind. A question is no rule. */
function verifiedKind(given: Item["kind"], { isAsked, ...said }: Spoken): Item["kind"] {
  if (isAsked && given === "constraint") return "question";
  if (mayBe(given, said)) return given;
  return said.fields.refused === undefined ? "finding" : "rejection";
}

/** Hosts repeat what was said: in summaries, with the facts that this program carried. */
function isQuoted(item: Item, { text, by, evidence }: Item): boolean {
  const said = oneLine(item.evidence.quote);
  const isRepeated = by === "tool" && evidence.tool === undefined && said.length >= QUOTE_CHARACTERS && text.endsWith(said);
  return isRepeated || isSaidAt(item, evidence);
}

/** Signals of the packs: the user takes back what was said last. */
const TAKES_BACK: readonly AskedSignal[] = ["takes-back", "takes-back-earlier"];

/** Turns what the model names into messages and facts. @param named the model saw the names of messages, and did not guess them */
function createVerifier({ session, sources, rules }: Judging, named: boolean) {
  const order = new Map(session.messages.map(({ id }, index) => [id, index]));
  const names = new Map(named ? [...messageNames(session)].map(([id, name]) => [nameKey(name), id]) : []);
  const find = createWordFinder(session, sources, rules);

  /** The message of the later words, whether the user said them, and what the user said in it. */
  function saidIn({ message, id: other, quote = "" }: Witness, ids: ReadonlyMap<string, Candidate>) {
    const id = message === undefined ? ids.get(other ?? "")?.item.evidence.source : names.get(nameKey(message));
    const found = id === undefined && quote.length >= QUOTE_CHARACTERS ? find(quote)?.source : undefined;
    const at = id ?? found?.id;
    if (at === undefined) return undefined;
    const own = sources.filter((source) => source.id === at && source.by === "user");
    return { id: at, isUsers: found ? found.by === "user" : own.length > 0, said: own.map(({ text }) => text).join("\n") };
  }

  /** Thanks end no rule: the words are about it, or take something back right behind it. */
  function isAbout(item: Item, { id, said }: { readonly id: string; readonly said: string }): boolean {
    const { terms } = topicOf(item.evidence.quote, plainWords(rules));
    const words = termsIn(said);
    if (terms.some((term) => words.has(term))) return true;
    const isUsers = ({ role, meta, summary }: Session["messages"][number]) => role === "user" && !meta && !summary;
    const last = Math.max(...placesOf(item).map(({ source }) => order.get(source) ?? -1));
    const next = session.messages.slice(last + 1).find(isUsers);
    const { holds } = ownWordsBy(rules);
    return next?.id === id && sentencesOf(said).some((one) => TAKES_BACK.some((name) => holds(name, one.said)));
  }

  return {
    witnessOf(witness: Witness | undefined, item: Item, ids: ReadonlyMap<string, Candidate>): string | undefined {
      const found = witness && saidIn(witness, ids);
      if (found === undefined) return undefined;
      const isLater = placesOf(item).every(({ source }) => (order.get(source) ?? -1) < (order.get(found.id) ?? -1));
      return isLater && (!binds(item) || (found.isUsers && isAbout(item, found))) ? found.id : undefined;
    },
    itemOf({ kind: given, message, text }: Quote): Item | undefined {
      if (text.length < QUOTE_CHARACTERS || text.length > FIELD_CODE_POINTS) return undefined;
      const found = message === undefined ? find(text) : find(text, names.get(nameKey(message)) ?? "");
      if (!found) return undefined;
      const { source } = found;
      const { id, by, tool } = source;
      const asked = by === "user" && tool === undefined ? questionAround(source.text, found) : undefined;
      const { start, end } = asked ?? found;
      const { unrun = false, input, masked } = "masked" in source ? source : {};
      const quote = withoutColours(masked?.(start, end) ?? source.text.slice(start, end));
      // Without it, the quote would read as if the call had been made.
      const fields: Item["fields"] = unrun ? { refused: "yes" } : {};
      const kind = verifiedKind(given, { by, fields, isAsked: asked !== undefined });
      const evidence = defined({ source: id, start, end, quote, rule: MODEL, tool, input });
      const fact = {
        kind,
        text: quote.replace(/\s+/g, " "),
        fields,
        score: QUOTE_SCORE,
        by,
        status: "active" as const,
      };
      return { ...fact, evidence, also: [] };
    },
  };
}

/** The question that the words were cut from: without its mark, they would read as an order. */
function questionAround(text: string, { start, end }: { readonly start: number; readonly end: number }) {
  const rest = /^(?:[^.!?\n]|[.!](?=\S)){0,500}\?/.exec(text.slice(end));
  if (!rest) return undefined;
  const before = text.slice(Math.max(0, start - FIELD_CODE_POINTS), start);
  const cut = /(?:[^.!?\n]|[.!?](?=\S)){0,500}$/.exec(before)?.[0].trimStart() ?? "";
  return { start: start - cut.length, end: end + rest[0].length };
}

/** m7 and m007 are the same message. */
const nameKey = (name: string) => name.toLowerCase().replace(/^m0+(?=\d)/, "m");
