// Offers candidates to the model that writes the summary: short ids, kinds and quotes, within a token budget.
import { estimateTokenCount } from "tokenx";
import type { Extraction, Item, Session } from "../model.js";
import { shortenerOf } from "../render/shorten.js";
import type { RuleSet, Template } from "../rules/rule-set.js";
import { fillTemplate } from "../rules/template/fill-template.js";
import { messageNames } from "../source/session/sources.js";
import { oneLine } from "../text/forms.js";
import { binds, createVerdicts, isJudged, type Judged } from "./judged.js";

/** Longest quote of a candidate: the model reads the whole text in the conversation. */
const QUOTE_CHARACTERS = 110;

/** A fact under the id by which the model names it. */
export interface Candidate {
  readonly id: string;
  readonly item: Item;
  /** Only the model can assert it. */
  readonly proposed?: true;
}

export interface Offer {
  readonly round: number;
  readonly candidates: readonly Candidate[];
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
  readonly session: Session;
  readonly named: boolean;
  readonly line?: boolean;
}

/** A line stays in the summary, so each round has its own ids: the model may repeat an earlier one. */
const IDS_OF_ROUND = 100;

/** @param extraction the facts, with what was judged in earlier rounds */
export function toOffer({ continuation }: Extraction, template: Template, offering: Offering): Offer {
  const { rules, round, judged, proposals, session, named, line = false } = offering;
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
  const filled = (candidates: readonly Candidate[]) =>
    fillTemplate(template.text, { named, candidates: candidates.map(lineOf) }).trim();

  const all: readonly Candidate[] = [
    ...found.map((item) => ({ id: "", item })),
    ...proposed.map((item) => ({ id: "", item, proposed: true as const })),
  ];
  const likeliest = [...all].sort((a, b) => rankOf(b) - rankOf(a));
  const chosen = new Set<Candidate>();
  let left = template.tokens - estimateTokenCount(filled([]));
  for (const candidate of likeliest) {
    const { kind, at, text } = lineOf(candidate);
    left -= estimateTokenCount(`f99 ${kind} ${at}: ${text}\n`);
    if (left < 0) break;
    chosen.add(candidate);
  }
  const inOrder = all.filter((candidate) => chosen.has(candidate)).sort(bySaid(session));
  const first = line ? IDS_OF_ROUND * (round - 1) + 1 : 1;
  const candidates = inOrder.map((candidate, index) => ({ ...candidate, id: `f${first + index}` }));
  return { round, candidates, text: candidates.length === 0 ? "" : filled(candidates), named, line };
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
const harmless = (text: string) => text.replace(/[<＜](?=\s{0,9}[/／]?\s{0,9}(?:candidates|facts)\b)/giu, "&lt;");
