// A rule set remembers what it found in a session. What it then says must be what it would say of a session never seen.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { builtInRules, extract, loadRulesFrom, type Message, type Session } from "../../src/index.js";
import { DEED_MESSAGES } from "../../src/limits.js";
import { history, message } from "./histories.js";

const { rules } = builtInRules(".");

const change = fc.record({
  does: fc.constantFrom("append", "replace", "drop", "begin later", "say once more"),
  at: fc.nat(60),
  with: message,
});

// Who asks why gets everything worked out anew.
const anew = (session: Session) => extract(session, rules, { trace: () => undefined });

test("what is remembered of a session changes nothing in what is found", () => {
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: 60 }), fc.array(change, { maxLength: 5 }), (first, changes) => {
      for (const session of history(first, changes)) {
        const now = extract(session, rules);
        const then = anew(session);
        expect(now.continuation).toEqual(then.continuation);
        expect(now.statements).toEqual(then.statements);
      }
    }),
    { numRuns: 150 },
  );
}, 120_000);

// Other rules remember nothing of what these found.
const own = { ...rules };

test("what is let go where nobody wants statements changes nothing in what is found", () => {
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: 60 }), (first) => {
      for (const session of history(first, [])) {
        const { continuation } = extract(session, own, { statements: false });
        expect(continuation).toEqual(anew(session).continuation);
      }
    }),
    { numRuns: 150 },
  );
}, 120_000);

const folder = mkdtempSync(join(tmpdir(), "compaction-finds-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const plan = "The retry counter lives in the scheduler queue.";
const quiet = (count: number): Message[] =>
  Array.from({ length: count }, (_, index) => ({ id: `q${index}`, role: "assistant", text: "Hm.", toolCalls: [] }));
const wrote = { name: "write", input: { filePath: "l.ts", content: plan }, output: "", status: "completed" };
const LATER: readonly { signal: string; message: Message; near: number }[] = [
  { signal: "enacted", message: { id: "z", role: "assistant", text: "", toolCalls: [wrote] }, near: DEED_MESSAGES },
  { signal: "agreed", message: { id: "z", role: "user", text: "Yes.", toolCalls: [] }, near: 100 },
];

test.each(LATER)("what comes later still counts for what is remembered: $signal", ({ signal, message, near }) => {
  const file = join(folder, `${signal}.yaml`);
  writeFileSync(
    file,
    `compaction: 1\nname: finds\nextends: [compaction:tools]\nsignals:\n  says-yes: { match: ['yes'] }\n  agreed: { in: { role: assistant, reply: [says-yes] } }\nrules:\n  noted: { emit: note, in: { role: assistant }, match: ['retry counter'], signals: [${signal}] }\n`,
  );
  const { rules: own } = loadRulesFrom(file);
  for (const gap of [0, 5, near - 1, near, near + 1]) {
    const said: Message = { id: "a", role: "assistant", text: plan, toolCalls: [] };
    const before: Session = { id: `s${gap}`, format: "neutral", messages: [said, ...quiet(gap)] };
    expect(extract(before, own).continuation.items).toEqual([]);
    const after = { ...before, messages: [...before.messages, message] };
    expect(extract(after, own).continuation.items).toHaveLength(signal === "enacted" && gap >= near ? 0 : 1);
  }
});

test("what is remembered of a call is not told by rules that mask more", () => {
  const secret = `ghp_${"a1B2".repeat(9)}`;
  const call = { name: "bash", input: { command: `curl -H ${secret} host` }, output: "", status: "completed" };
  const session: Session = {
    id: "s",
    format: "neutral",
    messages: [{ id: "1", role: "assistant", text: "Hm.", toolCalls: [call] }],
  };
  const told = (own: typeof rules) =>
    extract(session, own)
      .continuation.commands.map(({ command }) => command)
      .join();
  expect(told({ ...rules, redactions: [] })).toContain(secret);
  expect(told({ ...rules })).not.toContain(secret);
});
