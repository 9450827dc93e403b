// A host does nothing else while a hook works at a stretch. Held in CPU time: other programs may hold up this one, too.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openCodeHooks } from "../../src/hosts/opencode/opencode.js";
import { cpuTimeSince, leastOf } from "../cpu.js";

const MOST_MILLISECONDS = 1_000;
const TICK_MILLISECONDS = 5;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-blocking-"));
  vi.stubEnv("XDG_STATE_HOME", join(folder, "state"));
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** The most CPU time between two ticks of a timer while the work is done. */
async function longestStretch(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let before = process.cpuUsage();
  const tick = () => {
    longest = Math.max(longest, cpuTimeSince(before));
    before = process.cpuUsage();
  };
  const timer = setInterval(tick, TICK_MILLISECONDS);
  await work();
  await new Promise((resolve) => setTimeout(resolve, 10 * TICK_MILLISECONDS));
  tick();
  clearInterval(timer);
  return longest;
}

const MEGABYTE = 1_000_000;
const repeat = (make: (index: number) => string, size: number) =>
  Array.from({ length: Math.ceil(size / make(0).length) }, (_, index) => make(index)).join("");

test.each([
  ["prose", (index: number) => `The worker keeps request ${index} in memory until someone reads its answer. `],
  ["rules", (index: number) => `Never use module ${index} for the tests of part ${index % 7}.\n`],
  ["secrets", (index: number) => `password=abcDEF${index}xyz123 `],
])("a compaction with 2 MB of %s in one message leaves its host free", async (what, make) => {
  const stretch = await leastOf(MOST_MILLISECONDS, async (tried) => {
    const text = `Try ${tried}.\n\n${repeat(make, 2 * MEGABYTE)}\n\nWe decided to use SQLite for the cache.`;
    const id = `ses_${what}_${tried}`;
    const say = (name: string, said: string, more = {}) => ({
      info: { id: name, sessionID: id, role: "user", ...more },
      parts: [{ type: "text", text: said }],
    });
    const messages = [say("msg_0", "Always use pnpm, never npm."), say("msg_1", text), say("msg_2", "Go on.")];
    const logged: string[] = [];
    const client = {
      session: { messages: async () => ({ data: messages }), get: async () => ({ data: { id } }) },
      app: { log: async ({ body }: { body: { message: string } }) => void logged.push(body.message) },
    };
    const hooks = openCodeHooks({ client: client as never, directory: folder }, { deadline: 60_000 });
    const output: { context: string[] } = { context: [] };
    // What is loaded and compiled the first time is not what is measured.
    await hooks["experimental.chat.messages.transform"]({}, { messages: [] });
    const compacting = await longestStretch(() => hooks["experimental.session.compacting"]({ sessionID: id }, output));
    expect(output.context.join()).toContain("pnpm");
    // Rules of the user go before it, and there are thousands.
    if (what !== "rules") expect(output.context.join()).toContain("SQLite");
    expect(logged.join("\n")).toContain("[message-cut]");

    const info = { id: "msg_3", sessionID: id, role: "assistant", summary: true };
    await hooks.event({ event: { type: "message.updated", properties: { info } } });
    const summary = { text };
    const completed = () => hooks["experimental.text.complete"]({ sessionID: id, messageID: info.id }, summary);
    const completing = await longestStretch(completed);
    expect(summary.text.startsWith(text.slice(0, 1_000))).toBe(true);
    return Math.max(compacting, completing);
  });
  expect(stretch).toBeLessThan(MOST_MILLISECONDS);
});
