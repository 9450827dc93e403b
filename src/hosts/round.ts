// A compaction that this program runs by itself. Nothing is stored until it is complete.
import type { Repair } from "../audit/repair.js";
import { NO_COUNTS } from "../judge/apply-answer.js";
import { withoutAnswer } from "../judge/read-answer.js";
import type { Session } from "../model.js";
import { NotStoredError, storeRound } from "../state/compaction-state.js";
import type { Memory } from "../state/memory.js";
import { expireState } from "../state/state.js";
import { atOnce } from "../steps.js";
import { injectionOf, type OfferOptions } from "./inject.js";
import { type Answered, answerOffer, offerFacts } from "./judging.js";
import { countRound, type Keeper, nextMemory, quietly, rememberRules } from "./keeper.js";
import { noteSession } from "./note-session.js";
import { audited } from "./repair-summary.js";

type Completed = Repair & { readonly round: number; readonly unstored?: string };

export function beginRound(keeper: Keeper, session: Session, options: OfferOptions = {}) {
  const { rules, log, keepDays, stateFolder } = keeper;
  const { id } = session;
  const found = atOnce(keeper.found(session, options));
  const offer =
    keeper.judge && options.judged ? atOnce(offerFacts(session, found, rules, { named: true, line: false })) : undefined;
  let answered: Answered | undefined;
  const extraction = () => answered?.extraction ?? found.extraction;
  const next = (more?: (before?: Memory) => Partial<Memory>) =>
    // The session may belong to another project, so this one must not decide how long it is kept.
    nextMemory(id, found, options.alone ? undefined : keepDays, (before) => ({ ...answered?.merge(before), ...more?.(before) }));
  return {
    /** The text for the model; undefined when there is nothing to say. */
    injection: () => injectionOf(keeper, found.extraction, offer !== undefined),
    ...(offer && { offer }),
    /** The facts, as far as they are judged. */
    get extraction() {
      return extraction();
    },
    get counts() {
      return answered?.counts ?? NO_COUNTS;
    },
    /** Applies the verdicts of an answer. Returns the answer without them. */
    judge(answer: string): string {
      answered = offer && answerOffer(answer, { session, found, offer }, rules, log);
      return answered?.text ?? withoutAnswer(answer);
    },
    keepVerdicts: () => storeRound(id, stateFolder, next()),
    /** Audits the summary, adds the repair block and stores the round; `unstored` says why storing failed.
     * @param written for a summary that a model wrote: the mark of the last message that it covers */
    async complete(summary: string, written?: { readonly through?: string }): Promise<Completed> {
      const { repaired, counts, tally } = atOnce(audited(keeper, extraction(), summary));
      const change = next((before) => {
        const stored = keeper.mask(repaired.summary);
        const told = written ? { summary: stored, ...written } : before?.told;
        const more = { verdicts: counts, block: repaired.block, summary: stored, ...(told && { told }) };
        return { round: (before?.round ?? 0) + 1, ...more };
      });
      let round = (found.memory?.round ?? 0) + 1;
      try {
        round = (await storeRound(id, stateFolder, change))?.round ?? round;
      } catch (error) {
        // The summary was paid for, or a host waits for it, so it is returned anyway.
        if (error instanceof NotStoredError) return { ...repaired, round, unstored: error.message };
        throw error;
      }
      if (!options.alone) {
        rememberRules(keeper, session, options.whole);
        countRound(keeper, id, tally, answered?.counts);
      }
      noteSession(keeper, session, extraction(), round, found.memory?.noted);
      quietly(keeper, () => void expireState(keepDays, stateFolder));
      return { ...repaired, round };
    },
  };
}
