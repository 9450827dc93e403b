// Lets the model that writes a summary judge the facts: the offer that goes into its prompt, and what its answer changes.
import type { Steps } from "../extract/steps.js";
import { applyAnswer, type JudgedCounts } from "../judge/apply-answer.js";
import { beforeRound, mergeJudged } from "../judge/judged.js";
import { type Offer, toOffer } from "../judge/offer.js";
import { withoutAnswer } from "../judge/read-answer.js";
import type { Extraction, Item, Session, Speaker, Status } from "../model.js";
import type { RuleSet, Template } from "../rules/rule-set.js";
import { factId } from "../state/choices.js";
import type { Memory } from "../state/memory.js";
import { defined } from "../text/defined.js";
import type { FoundFacts } from "./finder.js";
import type { Log } from "./guard.js";
import { neutral } from "./neutral.js";

/** A session whose facts are offered to a model. */
export interface Asked {
  readonly session: Session;
  readonly found: FoundFacts;
  readonly offer: Offer;
}

type Stored = Pick<Memory, "judged">;

export interface Answered {
  /** The answer without its block. */
  readonly text: string;
  readonly extraction: Extraction;
  readonly counts: JudgedCounts;
  /** Adds the verdicts to those that are stored. */
  readonly merge: (before: Stored | undefined) => Stored;
}

/** What the model is asked to judge; undefined if there is nothing. @param named the model sees the names of messages */
export function* offerFacts(session: Session, found: FoundFacts, rules: RuleSet, named: boolean): Steps<Offer | undefined> {
  const { withVerdicts, memory, now } = found;
  const round = (memory?.round ?? 0) + 1;
  const judged = memory?.judged && beforeRound(memory.judged, round);
  const template = rules.templates.get("judge-offer") as Template;
  const proposals = now.propose ? yield* now.propose() : [];
  const offer = toOffer(withVerdicts(judged), template, { rules, round, judged, proposals, session, named });
  if (offer.candidates.length === 0) return undefined;
  // What was said is never a line of its own: each candidate begins with its id. So a tag alone on a line is the template's.
  const text = offer.text.split("\n").map((line) => (/^<\/?[a-z]+>$/.test(line) ? line : neutral(line)));
  return { ...offer, text: text.join("\n") };
}

export function answerOffer(answer: string, { session, found, offer }: Asked, rules: RuleSet, log: Log): Answered {
  const { base, withVerdicts, memory, now } = found;
  const judging = { session, sources: now.sources ?? [], rules, items: base.continuation.items };
  const { judged, counts } = applyAnswer(answer, offer, judging);
  const merge = (before: Stored = {}): Stored =>
    judged ? { judged: mergeJudged(before.judged, judged, offer.round) } : before.judged ? { judged: before.judged } : {};
  const { offered, holds, marked, stale, noise, quotes, rejected } = counts;
  const said = `${holds} hold, ${marked} marked, ${stale} stale, ${noise} noise, ${quotes} quoted, ${rejected} rejected`;
  log("info", judged ? `${offered} facts judged: ${said}` : `${offered} facts offered: the answer judges none`);
  return { text: withoutAnswer(answer), extraction: withVerdicts(merge(memory).judged), counts, merge };
}

/** A fact as the commands print it. */
export interface Fact {
  readonly id: string;
  readonly kind: string;
  readonly text: string;
  readonly by: Speaker;
  readonly source: string;
  readonly quote: string;
  readonly status: Status;
  /** The rule, or the model. */
  readonly foundBy: string;
  readonly round?: number;
  readonly witness?: string;
  readonly marked?: boolean;
}

export function toFact(item: Item): Fact {
  const { kind, text, by, status, evidence, judged } = item;
  const { source, quote, rule: foundBy } = evidence;
  const fact = { id: factId(item), kind, text, by, source, quote, status, foundBy };
  return defined({ ...fact, round: judged?.round, witness: judged?.witness, marked: judged?.marked });
}
