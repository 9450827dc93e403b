// Offers candidates to the model that writes the summary: short ids, kinds and quotes, within a token budget.
import { estimateTokenCount } from "tokenx";
import type { Extraction, Item, Session } from "../model.js";
import type { ChoosableLine } from "../render/entry.js";
import { shortenerOf } from "../render/shorten.js";
import type { RuleSet, Template } from "../rules/rule-set.js";
import { fillTemplate } from "../rules/template/fill-template.js";
import { messageNames } from "../source/session/messages.js";
import { oneLine } from "../text/forms.js";
import { sameText } from "../text/words.js";
import { binds, createVerdicts, isJudged, type Judged, placesOf } from "./judged.js";

/** Longest quote of a candidate: the model reads the whole text in the conversation. */
const QUOTE_CHARACTERS = 110;
/** The share of the budget that is kept for lines, if there are so many. */
const LINES_SHARE = 0.25;

/** A fact under the id by which the model names it. */
export interface Candidate {
  readonly id: string;
  readonly item: Item;
  /** Only the model can assert it. */
  readonly proposed?: true;
}

/** A line that can be carried, under the id by which the model names it. */
export interface OfferedLine extends ChoosableLine {
  readonly id: string;
}

export interface Offer {
  readonly round: number;
  readonly candidates: readonly Candidate[];
  readonly lines?: readonly OfferedLine[];
  readonly text: string;
  /** The model sees the names of messages. */
  readonly named: boolean;
  /** The answer is one line, which may stay in the summary. */
  readonly line: boolean;
}

interface Offering {
  readonly rules: RuleSet;
  readonly round: number;
  readonly judged?: Judged | undefined;
  readonly proposals: readonly Item[];
  /** The lines that would be carried, the best first. */
  readonly lines?: readonly ChoosableLine[];
  readonly session: Session;
  readonly named: boolean;
  readonly line?: boolean;
}

/** A line stays in the summary, so each round has its own ids: the model may repeat an earlier one. */
const IDS_OF_ROUND = 100;

/** @param extraction the facts, with what was judged in earlier rounds */
export function toOffer({ continuation }: Extraction, template: Template, offering: Offering): Offer {
  const { rules, round, judged, proposals, lines: given = [], session, named, line = false } = offering;
  const names = messageNames(session);
  const verdictOf = createVerdicts(judged ?? { facts: [], added: [] });
  const found = continuation.items.filter((item) => item.status === "active" && isJudged(item));
  const texts = new Set(found.map(({ evidence }) => evidence.quote));
  const proposed = proposals.filter(
    (item) => item.status === "active" && isJudged(item) && !verdictOf(item) && !texts.has(item.evidence.quote),
  );
  const shorten = shortenerOf(rules.restrictions);
  const lineOf = ({ id, item }: Candidate) => ({
    id,
    kind: item.kind,
    user: item.by === "user",
    at: named ? oneLine(names.get(item.evidence.source) ?? "") : "",
    text: harmless(shorten(oneLine(item.evidence.quote), QUOTE_CHARACTERS)),
  });
  const shownOf = ({ id, text, place }: OfferedLine) => ({
    id,
    at: named ? oneLine(names.get(place?.source ?? "") ?? "") : "",
    text: harmless(shorten(oneLine(text).replace(/^[-*+] /, ""), QUOTE_CHARACTERS)),
  });
  const filled = (candidates: readonly Candidate[], lines: readonly OfferedLine[], hasLines = lines.length > 0) => {
    const view = { named, candidates: candidates.map(lineOf), lines: lines.map(shownOf), hasLines };
    return fillTemplate(template.text, view).trim();
  };
  const all: readonly Candidate[] = [
    ...found.map((item) => ({ id: "", item })),
    ...proposed.map((item) => ({ id: "", item, proposed: true as const })),
  ];
  const likeliest = [...all].sort((a, b) => rankOf(b) - rankOf(a));
  const costOf = (shown: object) => estimateTokenCount(`${Object.values(shown).join(" ")}:\n`);
  const lineCost = (one: ChoosableLine) => costOf(shownOf({ ...one, id: "l99" }));
  const room = template.tokens - estimateTokenCount(filled([], [], given.length > 0));
  const kept = Math.min(LINES_SHARE * template.tokens, template.tokens - firstThatFit(given, lineCost, template.tokens).left);
  const likely = firstThatFit(likeliest, (one) => costOf({ ...lineOf(one), id: "f99" }), room - kept);
  const chosen = new Set(likely.taken);
  const inOrder = all.filter((candidate) => chosen.has(candidate)).sort(bySaid(session));
  const others = given.filter((one) => !inOrder.some(({ item }) => tellsSame(one, item)));
  const lines = firstThatFit(others, lineCost, kept + likely.left).taken.map((one, index) => ({ ...one, id: `l${index + 1}` }));
  const first = line ? IDS_OF_ROUND * (round - 1) + 1 : 1;
  const candidates = inOrder.map((candidate, index) => ({ ...candidate, id: `f${first + index}` }));
  return { round, candidates, lines, text: candidates.length === 0 ? "" : filled(candidates, lines), named, line };
}

/** The first ones for which there is room, and what is left of it. */
function firstThatFit<T>(all: readonly T[], costOf: (one: T) => number, room: number) {
  let left = room;
  const taken: T[] = [];
  for (const one of all) {
    const cost = costOf(one);
    if (cost > left) break;
    left -= cost;
    taken.push(one);
  }
  return { taken, left };
}

/** Is the one a part of the other? */
export function tellsSame({ place, tells }: ChoosableLine, item: Item): boolean {
  const said = sameText(tells);
  return placesOf(item).some(({ source, quote }) => {
    const words = sameText(quote);
    return source === place?.source && (said.includes(words) || words.includes(said));
  });
}

/** Rules of the user's first, then what the user said, then by probability. */
function rankOf({ item, proposed }: Candidate): number {
  if (proposed) return item.score - 1;
  return item.score + (binds(item) ? 2 : item.by === "user" ? 1 : 0);
}

/** Facts of messages that are gone come first. */
function bySaid({ messages }: Session) {
  const order = new Map(messages.map(({ id }, index) => [id, index]));
  const place = ({ item }: Candidate) => order.get(item.evidence.source) ?? -1;
  return (a: Candidate, b: Candidate) => place(a) - place(b) || a.item.evidence.start - b.item.evidence.start;
}

/** Escapes the tags of the offer and of the answer inside a quote. */
const harmless = (text: string) => text.replace(/[<＜](?=\s{0,9}[/／]?\s{0,9}(?:candidates|lines|facts)\b)/giu, "&lt;");
