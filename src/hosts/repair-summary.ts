// What a summary lost: audits it, adds the lost facts after it, and reminds the agent of them.
import { countVerdicts } from "../audit/audit.js";
import { withBlock, withoutBlocks } from "../audit/block.js";
import { type Repair, renderOwnFirst, repairInSteps } from "../audit/repair.js";
import { withoutAnswer } from "../judge/read-answer.js";
import { withoutLine } from "../judge/read-line.js";
import { STORED_SUMMARY_CHARACTERS } from "../limits.js";
import type { Extraction, Session } from "../model.js";
import { countTokens } from "../render/tokens.js";
import { redactStart } from "../rules/redact/redact.js";
import { fatesOf } from "../state/history.js";
import type { Late, Steps } from "../steps.js";
import type { FindOptions } from "./finder.js";
import { answerOffer } from "./judging.js";
import { compactingOf, countRound, type Keeper, nextMemory, plainText, store, templateOf } from "./keeper.js";
import { forModel } from "./neutral.js";

/** Tokens of the reminder after a compaction: agents accept ten thousand characters from a hook. */
const REMINDER_TOKENS = 1_400;

interface Answering {
  readonly how?: string;
  readonly session?: Session;
  /** The whole answer of the model, if its host made the summary out of it. */
  readonly answer?: string | undefined;
}

/** Returns the summary with the repair block after it. */
export function* repairSummary(
  keeper: Keeper,
  id: string,
  summary: string,
  late?: Late,
  answering: Answering = {},
): Steps<string> {
  const { how, session, answer = summary } = answering;
  const known = yield* compactingOf(keeper, id, late, session);
  if (!known) return withoutAnswer(summary);
  const judged = known.asked && answerOffer(answer, known.asked, keeper.rules, keeper.log);
  yield;
  const { extraction } = judged ?? known;
  if (judged) keeper.open.set(id, { ...known, extraction });
  const text = known.asked?.offer.line ? withoutLine(summary) : withoutAnswer(summary);
  const { repaired, counts, tally } = yield* audited(keeper, extraction, text, how, late);
  const { block } = repaired;
  yield;
  const stored = redactStart(repaired.summary, STORED_SUMMARY_CHARACTERS, keeper.mask);
  yield;
  const next = nextMemory(id, known, keeper.keepDays, (before) => ({
    ...judged?.merge(before),
    round: (before?.round ?? 0) + 1,
    verdicts: counts,
    block,
    summary: stored,
  }));
  store(keeper, id, next);
  countRound(keeper, id, tally, judged?.counts);
  return repaired.summary;
}

/** Neutralises the block, because the next compaction's prompt quotes it. */
function* repairSafely(keeper: Keeper, extraction: Extraction, summary: string, how = "repair", late?: Late): Steps<Repair> {
  const { rules } = keeper;
  const template = templateOf(keeper, how);
  const repaired = yield* repairInSteps(extraction, summary, template, { rules, late });
  if (repaired.block === "") return repaired;
  const block = forModel(template, repaired.block);
  return { ...repaired, block, summary: withBlock(withoutBlocks(summary), block) };
}

export function* audited(keeper: Keeper, extraction: Extraction, summary: string, how?: string, late?: Late) {
  const repaired = yield* repairSafely(keeper, extraction, summary, how, late);
  yield;
  const given = Object.entries(countVerdicts(repaired.verdicts)).filter(([, count]) => count > 0);
  const said = given.map(([verdict, count]) => `${count} ${verdict}`).join(", ") || "no facts";
  keeper.log("info", `summary audited: ${said}; ${repaired.hidden} not shown`);
  const { verdicts, block } = repaired;
  const tally = { kinds: fatesOf(verdicts, block), tokens: block === "" ? 0 : countTokens(block) };
  return { repaired, counts: Object.fromEntries(given), tally };
}

/** The repair block for what a text lacks; all of it unless a text is given. */
export function* blockFor(keeper: Keeper, sessionId: string, late?: Late, text = ""): Steps<string | undefined> {
  const known = yield* compactingOf(keeper, sessionId, late);
  return known && (yield* lostIn(keeper, known.extraction, text, late));
}

function* lostIn(keeper: Keeper, extraction: Extraction, text: string, late?: Late): Steps<string | undefined> {
  const { block } = yield* repairSafely(keeper, extraction, text, "repair", late);
  return block === "" ? undefined : withBlock("", block);
}

/** The text for the context after a compaction: what the summary lost, or all facts if the summary is not known. */
export function* remind(
  keeper: Keeper,
  session: Session,
  summary: string | undefined,
  options: Pick<FindOptions, "late" | "whole">,
): Steps<string | undefined> {
  const { late } = options;
  const { extraction } = yield* keeper.found(session, options);
  if (summary !== undefined) return yield* lostIn(keeper, extraction, summary, late);
  const brief = templateOf(keeper, "brief");
  const { text, entries } = renderOwnFirst(extraction, brief, keeper.rules, { tokens: REMINDER_TOKENS, late });
  if (entries === 0) return undefined;
  return withBlock("", `${plainText(keeper, "reminder")}\n\n${forModel(brief, text)}`);
}
