// The entry point for pi. It never throws: pi exits when an extension throws while it is loaded.
import type { PiApi } from "./hosts/pi/api.js";
import { piHooks } from "./hosts/pi/pi.js";
import { hostCompact, type Load } from "./hosts/pi/summary.js";

/** The extension of pi. @param load imports pi's own package, by one of its names; without it, pi asks for its summary itself */
export default function compactionRules(pi: PiApi, load?: Load): void {
  try {
    piHooks(pi, async () => load && hostCompact(load), new URL("./cli/main.js", import.meta.url));
  } catch {
    // This version of pi does not have these events.
  }
}
