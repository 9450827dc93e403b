// A summary does not grow with the files: it shows the newest, and what is kept names them all.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { builtInRules, compactSession, type Message, type Model, readCompactionState, splitFileLists } from "../../src/index.js";

const loaded = builtInRules();
/** What Claude Code takes from a hook. */
const HOOK = 10_000;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-files-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const call = (name: string, filePath: string) => ({ name, input: { filePath }, output: "", status: "completed" as const });
const message = (id: string, role: Message["role"], text: string, ...toolCalls: Message["toolCalls"]): Message => ({
  id,
  role,
  text,
  toolCalls,
});
const path = (part: number) => `src/module-${String(part).padStart(4, "0")}/the-part-of-the-module.ts`;
const compact = (messages: readonly Message[], model?: Model) =>
  compactSession(
    { id: "s", format: "test", messages },
    { folder, alone: true, loaded, stateFolder: folder, ...(model && { model }) },
  );

/** The newest file stands first in no order of names. */
const newestLast = (count: number) => Array.from({ length: count }, (_, index) => (index * 7) % count);

test.each([
  undefined,
  {
    name: "scripted",
    write: async function* () {
      yield "The shop is built.";
    },
  },
])("of many files the newest are shown, the rest counted, and all kept (%#)", async (model) => {
  const order = newestLast(400);
  const work = order.map((part) =>
    message(`m${part}`, "assistant", "Ok.", call("edit", path(part)), call("read", `docs/${path(part)}`)),
  );
  const { summary, state, verdicts } = await compact(
    [message("u", "user", "Build the shop. Never log the token."), ...work],
    model,
  );
  expect(summary.length).toBeLessThanOrEqual(HOOK);
  expect(state.modifiedFiles).toHaveLength(400);
  expect(readCompactionState("s", folder)?.modifiedFiles).toHaveLength(400);
  const { modified, read } = splitFileLists(summary);
  expect(modified.length).toBeGreaterThan(20);
  expect(modified).toEqual(order.toReversed().slice(0, modified.length).map(path).sort());
  expect(read).toEqual(read.toSorted());
  expect(read).toContain(`docs/${path(order.at(-1) as number)}`);
  expect(summary).toContain(`\n… and ${400 - modified.length} more\n</modified-files>`);
  expect(summary).not.toContain("- changed files");
  const files = verdicts.filter(({ kind }) => kind === "file");
  for (const { text, verdict, where } of files) {
    expect([text, verdict]).toEqual([text, [...modified, ...read].includes(text) ? "kept" : "missing"]);
    if (where) expect(summary.slice(where.start, where.end)).toBe(text);
  }
});

test("few files are all shown, by name", async () => {
  const { summary, state } = await compact([
    message("u", "user", "Go."),
    message("a", "assistant", "", call("edit", "b.ts"), call("edit", "a.ts")),
  ]);
  expect(summary).toContain("<modified-files>\na.ts\nb.ts\n</modified-files>");
  expect(state.lastSummary).toBe(summary);
});

test("over many rounds the rules stay, and of those that do not fit the oldest go", async () => {
  const messages = [message("u", "user", "Build the shop.")];
  for (let part = 0; part < 150; part++)
    messages.push(
      message(`u${part}`, "user", `Never change the table number ${part} without a migration.`),
      message(
        `a${part}`,
        "assistant",
        `We decided to use library${part} for part ${part}, because it is maintained.`,
        call("edit", path(part)),
      ),
    );
  const { summary } = await compact(messages);
  expect(summary.length).toBeLessThanOrEqual(HOOK);
  expect(summary).toContain("- Never change the table number 149 without a migration");
  const [, rules = ""] = /## Constraints & Preferences\n([\s\S]*?)\n\n/.exec(summary) ?? [];
  const shown = rules.split("\n").map((line) => Number(/number (\d+)/.exec(line)?.[1]));
  expect(shown.length).toBeGreaterThan(30);
  expect(shown).toEqual(Array.from({ length: shown.length }, (_, index) => 150 - shown.length + index));
});

test("what a tool was given may be nested beyond what a recursion survives", async () => {
  const deep = JSON.parse(`${'{"a":'.repeat(4_000)}"x"${"}".repeat(4_000)}`);
  const work = newestLast(400).map((part) => message(`m${part}`, "assistant", "Ok.", call("edit", path(part))));
  const odd = message("odd", "assistant", "Ok.", { name: "mystery", input: deep, output: "", status: "completed" });
  const { summary } = await compact([message("u", "user", "Build the shop."), ...work, odd]);
  expect(splitFileLists(summary).modified.length).toBeGreaterThan(20);
});
