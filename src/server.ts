// The entry for OpenCode. It must export nothing that OpenCode would take for another plugin.
import { type OpenCodeInput, type OpenCodeOptions, openCodeHooks } from "./hosts/opencode.js";

export default {
  id: "compaction-rules",
  /** OpenCode breaks when a plugin gives it anything but an object of hooks. */
  server: async (input: OpenCodeInput, options?: OpenCodeOptions) => {
    try {
      return openCodeHooks(input, options);
    } catch {
      return {};
    }
  },
};
