// Counts what became of the facts in each compaction: for the history of the project, and for a line that the user sees.
import type { JudgedCounts } from "../judge/apply-answer.js";
import { receiptOf, type Tally } from "../state/history.js";

type Counted = Omit<Tally, "time">;

/** Counts a compaction. @param judged what the model said about the facts, if it was asked */
export type Count = (session: string, tally: Pick<Tally, "kinds" | "tokens">, judged: JudgedCounts | undefined) => void;

/** @param host the agent's name */
export function createReceipts(host: string, store: (tally: Counted) => void) {
  const counted = new Map<string, Counted>();
  const count: Count = (session, tally, judged) => {
    const whole = { session, host, ...tally, overturned: judged?.stale ?? 0 };
    counted.set(session, whole);
    store(whole);
  };
  const receipt = (session: string): string | undefined => {
    const tally = counted.get(session);
    return tally && receiptOf(tally);
  };
  return { count, receipt };
}
