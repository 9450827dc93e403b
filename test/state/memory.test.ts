import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { builtInRules, extract, type Message, type Session } from "../../src/index.js";
import { changeMemory, type Memory, memoryName, readMemory, toMemory, withMemory } from "../../src/state/memory.js";

const { rules } = builtInRules();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-memory-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const session = (...messages: readonly Partial<Message>[]): Session => ({
  id: "ses_1",
  format: "test",
  messages: messages.map((message, index) => ({ id: `m${index}`, role: "user", text: "", toolCalls: [], ...message })),
});
const run = (command: string, status: string) => ({ name: "bash", input: { command }, output: "", status });
const edit = (path: string, name = "edit") => ({ name, input: { filePath: path }, output: "", status: "completed" });

/** One round: what the host still has, and what is remembered. */
function round(now: Session) {
  const found = extract(now, rules);
  const stored = changeMemory(
    now.id,
    (memory) => toMemory(now.id, (memory?.round ?? 0) + 1, withMemory(found, memory, now)),
    folder,
  );
  return (stored as Memory).continuation;
}

test("nothing is lost over ten rounds in which the host keeps only the last message", () => {
  let last: ReturnType<typeof round> | undefined;
  for (let index = 0; index < 10; index++)
    last = round(
      session({ id: `r${index}`, text: `We decided to use library ${index}.`, toolCalls: [edit(`src/file${index}.ts`)] }),
    );
  expect(last?.items.filter(({ kind }) => kind === "decision")).toHaveLength(10);
  expect(last?.files.modified).toEqual(Array.from({ length: 10 }, (_, index) => `src/file${index}.ts`));
  expect(readMemory("ses_1", folder).memory?.round).toBe(10);
});

test("a later choice replaces an earlier one over the gap", () => {
  round(session({ id: "a", text: "Decision: use Redis for the sessions." }));
  const { items } = round(session({ id: "b", text: "Actually don't use Redis, use SQLite for the sessions." }));
  expect(items.filter(({ kind }) => kind === "decision").map(({ text, status }) => `${status} ${text}`)).toEqual([
    "superseded use Redis for the sessions",
    "active use SQLite for the sessions",
  ]);
});

test.each([
  ["Never push to main.", "You may push to main now.", "constraint", "Never push to main"],
  [
    "We decided to use Redis for the queue.",
    "Forget about Redis, we use Postgres instead.",
    "decision",
    "use Redis for the queue",
  ],
  ["Keep the timeout at 30 seconds.", "Raise the timeout to 60 seconds.", "decision", "Keep the timeout at 30 seconds"],
])("later words take back what is only remembered: %s %s", (before, after, kind, text) => {
  round(session({ id: "a", text: before }));
  const { items } = round(session({ id: "b", text: after }));
  expect(items.find((one) => one.kind === kind && one.text === text)).toMatchObject({ status: "superseded" });
  expect(
    round(session({ id: "c", text: "Now run the tests." })).items.filter((one) => one.text === text && one.kind === kind),
  ).toMatchObject([{ status: "superseded" }]);
});

test("what is taken back once is taken back once: what was remembered before it stays", () => {
  round(session({ id: "a", text: "We decided to use Redis for the queue." }));
  const { items } = round(session({ id: "b", text: "We decided to use Bun." }, { id: "c", text: "Scratch that." }));
  const decisions = items.filter(({ kind }) => kind === "decision").map(({ text, status }) => `${status} ${text}`);
  expect(decisions).toEqual(["active use Redis for the queue", "superseded use Bun"]);
});

test("what the host still has is read anew, not remembered", () => {
  const same = session({ id: "a", text: "We decided to use SQLite." });
  round(same);
  expect(round(same).items.filter(({ kind }) => kind === "decision")).toHaveLength(1);
});

test("files are a union in which the later effect counts", () => {
  round(session({ id: "a", toolCalls: [edit("x.ts", "read"), edit("y.ts", "read"), edit("z.ts", "write")] }));
  const { files } = round(
    session({ id: "b", toolCalls: [edit("x.ts"), edit("z.ts", "read"), { ...edit("z.ts"), name: "delete" }] }),
  );
  expect(files).toEqual({ read: ["y.ts"], created: [], modified: ["x.ts"], deleted: ["z.ts"] });
});

test("a failure is over when a later round runs the same job in other words, and the last of its failures tells", () => {
  round(session({ id: "a", toolCalls: [run("cd /repo && npm test", "error"), run("pytest tests/a.py", "error")] }));
  const { errors } = round(
    session({ id: "b", toolCalls: [run("CI=1 npm test 2>&1", "completed"), run("pytest tests/a.py -x", "error")] }),
  );
  expect(errors).toMatchObject([
    { command: "cd /repo && npm test", resolved: true, passed: { source: "b", tool: 0 } },
    { command: "pytest tests/a.py", resolved: false, minor: true },
    { command: "pytest tests/a.py -x", resolved: false },
  ]);
});

test("a failure is over when the command passes in a later round; open work is over when it is done", () => {
  round(session({ id: "a", text: "- [ ] wire the cache", toolCalls: [run("npm test", "error")] }));
  const { errors, items } = round(session({ id: "b", text: "- [x] wire the cache", toolCalls: [run("npm test", "completed")] }));
  expect(errors).toMatchObject([{ command: "npm test", resolved: true }]);
  expect(
    items.filter(({ status, kind }) => status === "active" && kind !== "goal").map(({ kind, text }) => `${kind} ${text}`),
  ).toEqual(["done wire the cache"]);
});

test("a truncated or newer file is set aside, and the round goes on", () => {
  round(session({ id: "a", text: "We decided to use SQLite." }));
  const file = join(folder, `${memoryName("ses_1")}.json`);
  writeFileSync(file, readFileSync(file, "utf8").slice(0, 40));
  expect(readMemory("ses_1", folder).broken).toContain("cannot be read");
  round(session({ id: "b", text: "We decided to use Bun." }));
  expect(readMemory("ses_1", folder).memory?.continuation.items.some(({ text }) => text === "use Bun")).toBe(true);
  writeFileSync(file, '{"version":9}');
  expect(readMemory("ses_1", folder).broken).toContain("version 9");
});

test("a session's id names one file, whatever it holds", () => {
  for (const id of ["../../etc/passwd", "a/b", "ses 1", ".", "x".repeat(300)])
    expect(memoryName(id)).toMatch(/^session-[\w.-]{0,80}$/);
  chmodSync(folder, 0o700);
});
