// The entry for OpenCode. It must export nothing that OpenCode would take for another plugin.
import { type OpenCodeInput, openCodeHooks } from "./hosts/opencode.js";
import type { OpenCodeOptions } from "./hosts/opencode-options.js";

/** OpenCode hands one client to all plugins of a directory, and another one when it loads them anew. */
const SERVED = Symbol.for("compaction-rules");

/** An entry in opencode.json and a copy in .opencode/plugins would do and say everything twice. */
function isServed({ client }: OpenCodeInput): boolean {
  const marks = globalThis as { [SERVED]?: WeakSet<object> };
  marks[SERVED] ??= new WeakSet();
  const served = marks[SERVED].has(client);
  marks[SERVED].add(client);
  return served;
}

export default {
  id: "compaction-rules",
  /** OpenCode breaks when a plugin gives it anything but an object of hooks. */
  server: async (input: OpenCodeInput, options?: OpenCodeOptions) => {
    try {
      return isServed(input) ? {} : openCodeHooks(input, options);
    } catch {
      return {};
    }
  },
};
