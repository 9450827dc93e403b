// The entry for pi, which ends at once where an extension throws while it is loaded.
import { type PiApi, piHooks } from "./hosts/pi.js";

export default function compactionRules(pi: PiApi): void {
  try {
    piHooks(pi);
  } catch {
    // A pi that knows no such events.
  }
}
