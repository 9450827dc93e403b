// The entry point for pi. It never throws: pi exits when an extension throws while it is loaded.
import { type PiApi, piHooks } from "./hosts/pi/pi.js";

/** The extension of pi. */
export default function compactionRules(pi: PiApi): void {
  try {
    piHooks(pi);
  } catch {
    // This version of pi does not have these events.
  }
}
