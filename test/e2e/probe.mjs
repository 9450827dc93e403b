// A plugin that notes when the compacting hook reaches it: once before and once behind the plugin that is measured.
import { appendFileSync } from "node:fs";

export default {
  id: "probe",
  server: async ({ client }, { log, id, reads = false }) => ({
    "experimental.session.compacting": async ({ sessionID }) => {
      let reading;
      // The first reading warms the host's caches; the second is what the hook is compared with.
      for (let time = 0; reads && time < 2; time++) {
        const start = performance.now();
        await client.session.messages({ path: { id: sessionID } });
        reading = performance.now() - start;
      }
      appendFileSync(log, `${JSON.stringify({ id, reading, time: performance.now() })}\n`);
    },
  }),
};
