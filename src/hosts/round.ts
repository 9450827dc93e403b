// A compaction that this program carries out by itself: nothing is stored until it is completed.

import { atOnce } from "../extract/steps.js";
import { NotStoredError, storeRound } from "../keep/compaction-state.js";
import { type Memory, toMemory, withMemory } from "../keep/memory.js";
import type { Repair } from "../keep/repair.js";
import { expireState } from "../keep/state.js";
import type { Extraction, Session } from "../model.js";
import type { Found } from "./finder.js";
import { kept } from "./kept.js";
import type { Mender } from "./mender.js";

export interface Round {
  readonly extraction: Extraction;
  /** What the model is given; undefined when there is nothing. */
  readonly injection: string | undefined;
  /** Audits the summary, puts behind it what it lost and stores the round; `unstored` says why it could not be. */
  readonly complete: (summary: string, written?: Written) => Repair & { readonly round: number; readonly unstored?: string };
}

/** Of a summary that a model wrote: the mark of the last message that it covers. */
interface Written {
  readonly through?: string;
}

/** What is compacted. */
interface Begun extends Pick<Round, "injection"> {
  readonly session: Session;
  readonly found: Found;
  /** The session may be another project's. */
  readonly alone: boolean;
}

/** Where the rest of the keeper's work is done. */
interface Rim extends Pick<Mender, "audited" | "masked"> {
  readonly note: (session: Session, extraction: Extraction, round: number, last: string | undefined) => void;
  /** What fails is told in the log. */
  readonly quietly: (work: () => void) => void;
  /** Keeps the rules that the user gave for other sessions. */
  readonly remember: () => void;
  readonly keepDays: number | undefined;
  readonly stateFolder: string | undefined;
}

export function toRound({ session, found, alone, injection }: Begun, rim: Rim): Round {
  const { now, ids, extraction, memory } = found;
  const { keepDays, stateFolder, quietly } = rim;
  return {
    extraction,
    injection,
    complete(summary, written) {
      const { mended, counts } = atOnce(rim.audited(extraction, summary));
      const next = (before?: Memory) => {
        const stored = rim.masked(mended.summary);
        const told = written ? { summary: stored, ...written } : before?.told;
        const more = { ...kept(before), verdicts: counts, block: mended.block, summary: stored, ...(told && { told }) };
        // Of a session that may be another project's, this one does not say how long it is kept.
        const days = alone || keepDays === undefined ? {} : { keepDays };
        return toMemory(session.id, (before?.round ?? 0) + 1, withMemory(now, before, ids), { ...more, ...days });
      };
      let round = (memory?.round ?? 0) + 1;
      try {
        round = storeRound(session.id, stateFolder, next)?.round ?? round;
      } catch (error) {
        // The summary was paid for, or a host waits for it.
        if (error instanceof NotStoredError) return { ...mended, round, unstored: error.message };
        throw error;
      }
      if (!alone) quietly(rim.remember);
      rim.note(session, extraction, round, memory?.noted);
      quietly(() => void expireState(keepDays, stateFolder));
      return { ...mended, round };
    },
  };
}
