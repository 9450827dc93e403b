import fc from "fast-check";
import { expect, test } from "vitest";
import { builtInRules, type Lifecycle } from "../../src/index.js";
import {
  chooseLifecycle,
  cutToTokens,
  estimateTokens,
  filterCompacted,
  findPrunable,
  type HostMessage,
  type HostPart,
  isOverflow,
  messagesInView,
  prune,
  usableTokens,
} from "../../src/lifecycle/index.js";
import { memoryHost } from "./memory-host.js";

const { rules } = builtInRules();
const NAMES = ["classic", "opencode"] as const;
const lifecycles = NAMES.map((name) => chooseLifecycle(rules, { name, settings: { prune: true } }) as Lifecycle);
const anyLifecycle = fc.constantFrom(...lifecycles);
/** Small enough for generated outputs to be pruned. */
const anySmall = fc.constantFrom(...lifecycles.map((one) => ({ ...one, protect: 10, minimum: 5 })));

const count = fc.oneof(fc.nat(400_000), fc.constantFrom(0, -1, Number.NaN, 32_000));
const anyModel = fc.record({ limit: fc.record({ context: count, input: count, output: count }) });
const anyTokens = fc.record({ input: count, output: count, reasoning: count, cache: fc.record({ read: count, write: count }) });

test("usable is never below zero", () => {
  fc.assert(fc.property(anyModel, anyLifecycle, (model, one) => usableTokens(model, one) >= 0));
});

test("nothing overflows at zero tokens, nor where there is no limit or no wish", () => {
  const none = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 }, total: 0 };
  fc.assert(
    fc.property(anyModel, anyTokens, anyLifecycle, (model, tokens, one) => {
      expect(isOverflow({ tokens: none, model }, one)).toBe(false);
      expect(isOverflow({ tokens: {}, model }, one)).toBe(false);
      expect(isOverflow({ tokens, model: { limit: { ...model.limit, context: 0 } } }, one)).toBe(false);
      expect(isOverflow({ tokens, model }, { ...one, auto: false })).toBe(false);
    }),
  );
});

test("more tokens never make an overflow go away", () => {
  fc.assert(
    fc.property(anyModel, anyTokens, fc.nat(100_000), anyLifecycle, (model, tokens, more, one) => {
      const fuller = { ...tokens, input: Math.max(0, tokens.input || 0) + more };
      return !isOverflow({ tokens, model }, one) || isOverflow({ tokens: fuller, model }, one);
    }),
  );
});

const anyPart = fc.record({
  type: fc.constantFrom("tool", "tool", "tool", "text"),
  tool: fc.constantFrom("bash", "skill"),
  state: fc.record({
    status: fc.constantFrom("completed", "completed", "running", "error"),
    output: fc.nat(60).map((length) => "x".repeat(length)),
    time: fc.oneof({ weight: 8, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: fc.constant({ compacted: 1 }) }),
  }),
});
const anySession = fc
  .array(
    fc.record({
      info: fc.record({ role: fc.constantFrom("user", "assistant"), summary: fc.constantFrom(false, false, false, false, true) }),
      parts: fc.array(anyPart, { maxLength: 6 }),
    }),
    { maxLength: 16 },
  )
  .map((messages): readonly HostMessage[] =>
    messages.map(({ info, parts }, index) => ({
      info: { ...info, id: `m${index}` },
      parts: parts.map((part, at): HostPart => ({ ...part, id: `p${index}-${at}` })),
    })),
  );

test("pruning touches no protected turn, no summary, no tool that is kept and nothing that is not finished", () => {
  let marked = 0;
  fc.assert(
    fc.property(anySession, anySmall, (messages, one) => {
      const { parts } = findPrunable(messages, one);
      marked += parts.length;
      const users = messages.flatMap(({ info }, index) => (info.role === "user" ? [index] : []));
      const firstProtected = users.at(-one.turns) ?? 0;
      for (const part of parts) {
        const at = messages.findIndex((message) => message.parts.includes(part));
        const message = messages[at] as HostMessage;
        // The message of the user with which the protected turns begin holds no outputs in real sessions.
        expect(at).toBeLessThanOrEqual(firstProtected);
        expect(message.info.role === "assistant" && message.info.summary).toBe(false);
        expect([part.type, part.state?.status, part.tool]).toEqual(["tool", "completed", "bash"]);
      }
    }),
    { numRuns: 500 },
  );
  expect(marked).toBeGreaterThan(20);
});

test("prunes nothing more when it runs twice", async () => {
  await fc.assert(
    fc.asyncProperty(anySession, anySmall, async (messages, one) => {
      const host = memoryHost(messages);
      await prune(host, "session", one);
      const once = structuredClone(host.session);
      expect((await prune(host, "session", one)).parts).toEqual([]);
      expect(host.session).toEqual(once);
    }),
  );
});

// Few ids, so that parents, requests and tails often meet, also where no host would let them.
const ids = fc.constantFrom("a", "b", "c", "d");
const anyHistory = fc
  .array(
    fc.record({
      id: ids,
      role: fc.constantFrom("user", "assistant"),
      parentID: ids,
      summary: fc.boolean(),
      finish: fc.constantFrom("stop", "stop", undefined),
      error: fc.constantFrom(undefined, undefined, { name: "E" }),
      tail: fc.option(ids, { nil: undefined }),
      requests: fc.boolean(),
    }),
    { maxLength: 14 },
  )
  .map((list): readonly HostMessage[] =>
    list.map(({ tail, requests, ...info }) => ({
      info,
      parts: requests ? [{ type: "compaction", auto: true, ...(tail && { tail_start_id: tail }) }] : [{ type: "text", text: "" }],
    })),
  );

test("gives the same view when it is taken twice", async () => {
  let tails = 0;
  await fc.assert(
    fc.asyncProperty(anyHistory, anyLifecycle, async (messages, one) => {
      const view = messagesInView(messages, one);
      const [request] = view;
      if (request && view.some((message) => messages.indexOf(message) < messages.indexOf(request))) tails++;
      expect(messagesInView(view, one)).toEqual(view);
      expect(await filterCompacted(messages.toReversed(), one)).toEqual(view);
    }),
    { numRuns: 2_000 },
  );
  expect(tails).toBeGreaterThan(5);
});

test("a view is made of the session's own messages, each once, and keeps the newest", () => {
  fc.assert(
    fc.property(anyHistory, anyLifecycle, (messages, one) => {
      const view = messagesInView(messages, one);
      expect(new Set(view).size).toBe(view.length);
      expect(view.every((message) => messages.includes(message))).toBe(true);
      const newest = messages.at(-1);
      if (newest) expect(view).toContain(newest);
    }),
  );
});

test("a cut text is a beginning within its tokens and holds no half character", () => {
  const [one] = lifecycles as [Lifecycle];
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.nat(20), (text, tokens) => {
      const cut = cutToTokens(text, tokens, one);
      expect(text.startsWith(cut)).toBe(true);
      expect(estimateTokens(cut, one)).toBeLessThanOrEqual(tokens);
      expect(Buffer.from(cut).toString()).toBe(cut);
    }),
  );
  expect(cutToTokens("😀😀😀", 1, one)).toBe("😀😀");
  expect(cutToTokens("abc😀", 1, one)).toBe("abc");
});
