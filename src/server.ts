// The entry for OpenCode. Reserved: the plugin is not built yet, and loading it changes nothing.

export default {
  id: "compaction-rules",
  /** OpenCode breaks when a plugin gives it anything but an object of hooks. */
  server: async () => ({}),
};
