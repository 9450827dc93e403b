// The entry point for OpenCode. It has no other exports, because OpenCode would take them for plugins.

import { openCodeHooks } from "./hosts/opencode/opencode.js";
import type { OpenCodeInput, OpenCodeOptions } from "./hosts/opencode/options.js";

/** Marks the clients already served. OpenCode passes one client to all plugins of a directory, and a new one on reload. */
const SERVED = Symbol.for("compaction-rules");

/** Our command line. */
const COMMAND = new URL("./cli/main.js", import.meta.url);

/** Prevents everything from happening twice if opencode.json and .opencode/plugins both load the plugin. */
function isServed({ client }: OpenCodeInput): boolean {
  const marks = globalThis as { [SERVED]?: WeakSet<object> };
  marks[SERVED] ??= new WeakSet();
  const served = marks[SERVED].has(client);
  marks[SERVED].add(client);
  return served;
}

/** The plugin of OpenCode. */
export default {
  id: "compaction-rules",
  /** OpenCode breaks if a plugin returns anything but an object of hooks. */
  server: async (input: OpenCodeInput, options?: OpenCodeOptions) => {
    try {
      return isServed(input) ? {} : openCodeHooks(input, options, COMMAND);
    } catch {
      return {};
    }
  },
};
