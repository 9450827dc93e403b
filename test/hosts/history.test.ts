import fc from "fast-check";
import { expect, test } from "vitest";
import { createHistory } from "../../src/hosts/opencode/history.js";
import { HISTORY_TAIL } from "../../src/limits.js";
import type { Session } from "../../src/model.js";
import { runs } from "../runs.js";

interface Stored {
  id: string;
  role: "user" | "assistant";
  text: string;
}

/** A host with one session: what it holds, what it was asked for, and a reader of it. */
function hostOf(count: number) {
  const stored: Stored[] = [];
  const limits: (number | undefined)[] = [];
  let named = 0;
  const append = (role: Stored["role"] = named % 3 === 0 ? "user" : "assistant") => {
    const message = { id: `m${named++}`, role, text: `said ${named}` };
    stored.push(message);
    return message;
  };
  for (let index = 0; index < count; index++) append();
  const history = createHistory(
    async (_, limit) => {
      limits.push(limit);
      return structuredClone(limit === undefined ? stored : stored.slice(-limit));
    },
    (id, messages) =>
      ({ id, format: "opencode", messages: messages.map((one) => ({ ...(one as Stored), toolCalls: [] })) }) as Session,
  );
  const read = async () => (await history.read("ses"))?.messages.map(({ id, text }) => `${id} ${text}`);
  const tell = (type: string, message: Stored) =>
    history.onEvent({ type, properties: { sessionID: "ses", info: { id: message.id } } });
  return { stored, limits, append, history, read, tell, all: () => stored.map(({ id, text }) => `${id} ${text}`) };
}

test("of a session that was read before only the newest messages are asked for", async () => {
  const { append, read, tell, all, limits } = hostOf(1_000);
  expect(await read()).toEqual(all());
  for (let index = 0; index < 30; index++) tell("message.updated", append());
  expect(await read()).toEqual(all());
  expect(await read()).toEqual(all());
  expect(limits).toEqual([undefined, 30 + HISTORY_TAIL, HISTORY_TAIL]);
});

test("all are asked for when an old message changed, and when there is too much news", async () => {
  const { stored, append, read, tell, all, limits } = hostOf(500);
  await read();
  const [old] = stored as [Stored];
  old.text = "other words";
  tell("message.updated", old);
  expect(await read()).toEqual(all());
  // Another process goes on with the session: nobody tells of it.
  for (let index = 0; index < 2 * HISTORY_TAIL; index++) append();
  expect(await read()).toEqual(all());
  expect(limits.filter((limit) => limit === undefined)).toHaveLength(3);
});

test("tool output that the host only hides is no change", async () => {
  const { read, history, limits } = hostOf(500);
  await read();
  const part = { messageID: "m0", state: { time: { compacted: 1 } } };
  history.onEvent({ type: "message.part.updated", properties: { sessionID: "ses", part } });
  await read();
  expect(limits).toEqual([undefined, HISTORY_TAIL]);
});

test("a reading that fails leaves nothing half known", async () => {
  const asked: (number | undefined)[] = [];
  const history = createHistory(
    async (_, limit) => {
      asked.push(limit);
      if (asked.length === 2) throw new Error("down");
      return Array.from({ length: 300 }, (_, index) => ({ id: `m${index}`, text: "", toolCalls: [] })).slice(-(limit ?? 300));
    },
    (id, messages) => ({ id, format: "opencode", messages: messages as Session["messages"] }),
  );
  expect((await history.read("ses"))?.messages).toHaveLength(300);
  await expect(history.read("ses")).rejects.toThrow("down");
  expect((await history.read("ses"))?.messages).toHaveLength(300);
  expect(asked).toEqual([undefined, HISTORY_TAIL, undefined]);
});

test("whatever happens between two readings, what is read is what there is", async () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant("append" as const), count: fc.integer({ min: 1, max: 60 }) }) },
    fc.record({ do: fc.constant("append unseen" as const), count: fc.integer({ min: 1, max: 60 }) }),
    fc.record({ do: fc.constantFrom("edit", "remove"), at: fc.nat() }),
    fc.record({ do: fc.constant("undo unseen" as const), count: fc.integer({ min: 1, max: 60 }) }),
    { weight: 4, arbitrary: fc.record({ do: fc.constant("read" as const) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 200 }), fc.array(step, { maxLength: 12 }), async (count, steps) => {
      const { stored, append, read, tell, all } = hostOf(count);
      for (const one of [...steps, { do: "read" as const }]) {
        const at = "at" in one && stored.length > 0 ? one.at % stored.length : 0;
        const message = stored[at];
        if (one.do === "read") expect(await read()).toEqual(all());
        else if (one.do === "append" && "count" in one)
          for (let index = 0; index < one.count; index++) tell("message.updated", append());
        else if (one.do === "append unseen" && "count" in one) for (let index = 0; index < one.count; index++) append();
        else if (one.do === "undo unseen" && "count" in one) stored.splice(-one.count);
        else if (one.do === "edit" && message) {
          message.text = "other words";
          tell("message.part.updated", message);
        } else if (one.do === "remove" && message) {
          stored.splice(at, 1);
          tell("message.removed", message);
        }
      }
    }),
    { numRuns: runs(300) },
  );
});
