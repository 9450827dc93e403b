// Lets the model that writes a summary judge the facts: the offer that goes into its prompt, and what its answer changes.

import { withoutProject } from "../audit/repair.js";
import { applyAnswer, type JudgedCounts } from "../judge/apply-answer.js";
import { beforeRound, mergeJudged } from "../judge/judged.js";
import { type Offer, toOffer } from "../judge/offer.js";
import { withoutAnswer } from "../judge/read-answer.js";
import type { Extraction, Item, Session, Source, Speaker, Status } from "../model.js";
import { renderInSteps } from "../render/render.js";
import type { RuleSet, Template } from "../rules/rule-set.js";
import { isSpokenMessage } from "../source/session/messages.js";
import { withoutHost } from "../source/session/spoken.js";
import { factId, isItem } from "../state/choices.js";
import type { Memory } from "../state/memory.js";
import type { Late, Steps } from "../steps.js";
import { defined } from "../text/json.js";
import type { Log } from "./catcher.js";
import type { FoundFacts } from "./finder.js";
import { neutral } from "./neutral.js";

export type Asked = { readonly session: Session; readonly found: FoundFacts; readonly offer: Offer };

type Stored = Pick<Memory, "judged">;

export interface Answered {
  readonly text: string;
  readonly extraction: Extraction;
  readonly counts: JudgedCounts;
  /** Adds the verdicts to those that are stored. */
  readonly merge: (before: Stored | undefined) => Stored;
}

/** What the model sees and may write. */
export type Way = Pick<Offer, "named" | "line">;

/** What the model is asked to judge; undefined if there is nothing. */
export function* offerFacts(
  session: Session,
  found: Pick<FoundFacts, "withVerdicts" | "memory" | "now">,
  rules: RuleSet,
  way: Way,
  late?: Late,
): Steps<Offer | undefined> {
  const { withVerdicts, memory, now } = found;
  const round = (memory?.round ?? 0) + 1;
  const judged = memory?.judged && beforeRound(memory.judged, round);
  const template = rules.templates.get(way.line ? "judge-line" : "judge-offer") as Template;
  const proposals = now.propose ? yield* now.propose() : [];
  const extraction = withVerdicts(judged);
  const lines = way.line ? [] : yield* linesToChoose(extraction, rules, late);
  const offer = toOffer(extraction, template, { rules, round, judged, proposals, lines, session, ...way });
  if (offer.candidates.length === 0) return undefined;
  // What was said is never a line of its own: each candidate begins with its id. So a tag alone on a line is the template's.
  const text = offer.text.split("\n").map((line) => (/^<\/?[a-z]+>$/.test(line) ? line : neutral(line)));
  return { ...offer, text: text.join("\n") };
}

/** How much of the carried block is offered: a summary tells some of it. */
const LINES_BUDGET = 1.5;

/** What the carried block would show to a reader without a summary. The project's files are still there after a compaction. */
function* linesToChoose(extraction: Extraction, rules: RuleSet, late?: Late) {
  const template = rules.templates.get("repair") as Template;
  const options = { tokens: LINES_BUDGET * template.tokens, lines: true, late };
  return (yield* renderInSteps(withoutProject(extraction), template, rules, options)).choosable ?? [];
}

export function answerOffer(answer: string, { session, found, offer }: Asked, rules: RuleSet, log: Log): Answered {
  const { base, withVerdicts, memory, now } = found;
  const judging = { session, sources: now.sources ?? [], rules, items: base.continuation.items };
  const { judged, chosen, counts } = applyAnswer(answer, offer, judging);
  const merge = (before: Stored = {}): Stored =>
    judged ? { judged: mergeJudged(before.judged, judged, offer.round) } : before.judged ? { judged: before.judged } : {};
  const { offered, holds, marked, stale, noise, quotes, rejected, lines, needed } = counts;
  const facts = `${holds} hold, ${marked} marked, ${stale} stale, ${noise} noise, ${quotes} quoted, ${rejected} rejected`;
  const said = lines > 0 ? `${facts}; ${needed} of ${lines} lines needed` : facts;
  log("info", judged ? `${offered} facts judged: ${said}` : `${offered} facts offered: the answer judges none`);
  const extraction = { ...withVerdicts(merge(memory).judged), ...(chosen && { chosen }) };
  return { text: withoutAnswer(answer), extraction, counts, merge };
}

/** Characters of the newest messages in which a later message is found by its words. */
const TALK_CHARACTERS = 400_000;

/** What another process offered for a line, which may end facts by words of the talk. @param found what is remembered */
export function askedBefore(session: Session, found: FoundFacts): Asked | undefined {
  const { round, candidates } = found.memory?.offered ?? {};
  if (round === undefined || !Array.isArray(candidates) || !candidates.every(isCandidate)) return undefined;
  let left = TALK_CHARACTERS;
  const sources = session.messages.toReversed().flatMap((message): Source[] => {
    const { id, role } = message;
    const text = role === "user" ? withoutHost(message.text) : message.text;
    left -= text.length;
    if (left < 0 || !isSpokenMessage(message) || text.trim() === "" || (role !== "user" && role !== "assistant")) return [];
    return [{ id, role, by: role, text, places: new Set(), ordinal: 0 }];
  });
  const now = { ...found.now, sources: sources.reverse() };
  return { session, found: { ...found, now }, offer: { round, candidates, text: "", named: false, line: true } };
}

const isCandidate = ({ id, item }: Offer["candidates"][number]) => typeof id === "string" && isItem(item);

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
