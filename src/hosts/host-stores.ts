// How a host stores what was found in a session: when nobody waits, and a little at a time. Whatever goes wrong, the next
// compaction reads everything itself.
import type { Stores } from "../extract/stored-finds.js";
import { residentStores } from "../keep/finds-stores.js";
import { AHEAD_PAUSE_MILLISECONDS, STEP_MILLISECONDS } from "../limits.js";

export interface HostStores {
  /** For reading that nobody waits for. */
  readonly ahead: Stores;
  /** For reading that somebody waits for. */
  readonly waited: Stores;
}

export function hostStores(stores: Stores): HostStores {
  const resident = residentStores(stores);
  const due: (() => void)[] = [];
  let isUnderWay = false;

  function storeSome(): void {
    isUnderWay = false;
    try {
      const until = performance.now() + STEP_MILLISECONDS;
      do due.shift()?.();
      while (due.length > 0 && performance.now() < until);
    } catch {
      due.length = 0;
    }
    if (due.length > 0) go();
  }

  function go(): void {
    if (isUnderWay) return;
    isUnderWay = true;
    setTimeout(storeSome, AHEAD_PAUSE_MILLISECONDS).unref?.();
  }

  return {
    ahead: { ...resident, later: (work) => work() },
    waited: {
      ...resident,
      later(work) {
        due.push(work);
        go();
      },
    },
  };
}
