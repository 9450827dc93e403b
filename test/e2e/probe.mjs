// A plugin that notes when the compacting hook reaches it; one stands before and one behind the plugin that is measured.
import { appendFileSync } from "node:fs";

export default {
  id: "probe",
  server: async (_, { log, place }) => ({
    "experimental.session.compacting": async () => appendFileSync(log, `${JSON.stringify({ place, time: performance.now() })}\n`),
  }),
};
