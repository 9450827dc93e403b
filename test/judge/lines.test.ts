// The model chooses which lines are carried behind its summary. Through compactions, by what their blocks show.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { inject } from "../../src/hosts/inject.js";
import { createKeeper } from "../../src/hosts/keeper.js";
import { repairSummary } from "../../src/hosts/repair-summary.js";
import { beginRound } from "../../src/hosts/round.js";
import type { Message, Session } from "../../src/index.js";
import { atOnce } from "../../src/steps.js";
import { runs } from "../runs.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-lines-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
const call = (name: string, input: unknown, output = "ok", status = "completed") => ({ name, input, output, status });
const todo = (content: string, status: string) => ({ content, status, activeForm: content });
const messages: readonly Message[] = [
  { id: "m1", role: "user", text: "Build the importer for the ledger. Never touch the legacy folder.", toolCalls: [] },
  {
    id: "m2",
    role: "assistant",
    text: "We decided to use plain files for the sessions.",
    toolCalls: [
      call("Write", {
        file_path: "plan.md",
        content: `# Plan\n\n- Backfill the quarterly archive in batches of 500.\n- Rotate ${SECRET} on the staging host.\n`,
      }),
      call("TodoWrite", { todos: [todo("Write the runbook", "pending"), todo("Check the exports", "in_progress")] }),
    ],
  },
  { id: "m3", role: "user", text: "Why does the export of March show two blank columns in the totals sheet?", toolCalls: [] },
  {
    id: "m4",
    role: "assistant",
    text: "The template of March had two merged headers. I removed them in the totals sheet.",
    toolCalls: [call("Bash", { command: "npm run check:totals" }, "1 failed: the checksum of batch 7 differs", "error")],
  },
  { id: "m5", role: "user", text: "Fine. Now compare the April export with the ledger of the auditors.", toolCalls: [] },
];
const session: Session = { id: "ses_1", format: "test", messages };
const SUMMARY = "## Goal\nSomething else entirely.";
const keeper = () => createKeeper(folder, () => {}, "", join(folder, "state"));

/** A compaction whose model answers so. `{words}` is the id of the line or fact with them. */
async function compact(...lines: readonly string[]) {
  const round = beginRound(keeper(), session, { judged: true, whole: true });
  const { candidates = [], lines: offered = [], text: request = "" } = round.offer ?? {};
  const idOf = (words: string) =>
    offered.find(({ text }) => text.includes(words))?.id ??
    candidates.find(({ item }) => item.evidence.quote.includes(words))?.id ??
    "l99";
  const all = offered.map(({ id }) => id);
  const said = lines
    .join("\n")
    .replace("{all}", all.join(", "))
    .replace(/\{(.+?)\}/g, (_, words) => idOf(words));
  const text = round.judge(`${SUMMARY}\n\n${said}`);
  const { counts } = round;
  const { summary } = await round.complete(text);
  rmSync(join(folder, "state"), { recursive: true, force: true });
  return { summary, block: summary.slice(SUMMARY.length), counts, offered, candidates, request };
}
const block = (...lines: readonly string[]) => ["<facts>", "holds: {plain files}", ...lines, "</facts>"] as const;

test("offers what would be carried and is no candidate, no rule and no record", async () => {
  const { request, offered, candidates } = await compact(...block());
  const listed = request.slice(request.indexOf("<lines>"), request.indexOf("</lines>"));
  expect(offered.map(({ id }) => id)).toEqual(offered.map((_, index) => `l${index + 1}`));
  expect(listed).toMatch(/^l\d+ m3 user: Why does the export of March/m);
  expect(listed).toMatch(/^l\d+ plan\.md, Plan: Backfill the quarterly archive/m);
  expect(listed).toMatch(/^l\d+ to do: Write the runbook$/m);
  expect(listed).toMatch(/^l\d+ still failing: `npm run check:totals`$/m);
  expect(listed).not.toMatch(/legacy folder|changed files|ghp_/);
  for (const { item } of candidates) expect(listed).not.toContain(item.evidence.quote);
  expect(request).toMatch(/^needed: /m);
});

test("carries the lines that are needed, and of the others only what binds the model and records", async () => {
  const { block: carried, counts, offered } = await compact(...block("needed: {Backfill}, {runbook}"));
  expect(counts).toMatchObject({ lines: offered.length, needed: 2, rejected: 0 });
  expect(carried).toContain("Backfill the quarterly archive");
  expect(carried).toContain("to do: Write the runbook");
  expect(carried).toContain("rule of the user: Never touch the legacy folder.");
  expect(carried).toContain("plain files");
  expect(carried).toContain("changed files: plan.md");
  expect(carried).not.toMatch(/March|npm run check|Check the exports|merged headers/);
});

test("carries none of them if none is needed", async () => {
  const { block: carried, counts } = await compact(...block("needed: none"));
  expect(counts).toMatchObject({ needed: 0 });
  expect(counts.lines).toBeGreaterThan(0);
  expect(carried).toContain("rule of the user: Never touch the legacy folder.");
  expect(carried).not.toMatch(/March|Backfill|runbook/);
});

test("what the summary states otherwise is carried even if it is not needed", async () => {
  const round = beginRound(keeper(), session, { judged: true });
  const [held] = round.offer?.candidates ?? [];
  round.judge(["<facts>", `holds: ${held?.id}`, "needed: none", "</facts>"].join("\n"));
  const { summary } = await round.complete("The importer is built. `npm run check:totals` passes.");
  expect(summary).toContain('still failing: `npm run check:totals` (the summary says: "`npm run check:totals` passes.")');
});

test("a line that is quoted as a missed fact is told as that fact", async () => {
  const quote = '- finding m4 "The template of March had two merged headers."';
  const { block: carried } = await compact(...block("needed: {runbook}", "missed:", quote));
  expect(carried).toMatch(/(?:found|assistant).*: The template of March had two merged headers\./);
});

describe("the choice is read", () => {
  test.each([
    ["in any case, with emphasis", ["**NEEDED:** **{Backfill}**, {runbook}"]],
    ["without commas", ["needed: {Backfill} {runbook}"]],
    ["as a list", ["needed:", "- {Backfill}", "- {runbook}"]],
    ["with explanations in parentheses", ["needed: {Backfill} (still open, 3 left), {runbook} (nobody wrote it)"]],
    ["before the other lines", ["Needed: {Backfill}; {runbook}", "stale: none"]],
  ])("%s", async (_, lines) => {
    const { block: carried, counts } = await compact(...block(...lines));
    expect(counts).toMatchObject({ needed: 2 });
    expect(carried).toMatch(/Backfill[\s\S]*|runbook/);
    expect(carried).not.toContain("March");
  });

  test("as a range", async () => {
    const { counts } = await compact(...block("needed: l1-l3"));
    expect(counts).toMatchObject({ needed: 3 });
  });
});

test.each([
  ["there is no such line", block()],
  ["the line is empty", block("needed:")],
  ["it is prose", block("needed: the question about March, and the runbook")],
  ["a part of it is prose", block("needed: {Backfill}, the runbook")],
  ["all lines are named", block("needed: {all}")],
  ["ids were not offered", block("needed: {Backfill}, l70, l71")],
  ["ids are bare numbers", block("needed: 1, 2, 3")],
  ["ids are those of facts", block("needed: f1, f2")],
  ["the block is cut off", block("needed: {Backfill}").slice(0, -1)],
  ["a fact is told in words", ["<facts>", "holds: {plain files}, the rule", "needed: {Backfill}", "</facts>"]],
  [
    "the request is repeated",
    ["<facts>", "holds: {plain files}", "needed: ids of lines that whoever goes on must know", "</facts>"],
  ],
])("the block shows what it shows without a choice when %s", async (_, lines) => {
  const { block: carried, counts } = await compact(...lines);
  const without = await compact(...lines.filter((line) => !line.startsWith("needed")));
  expect(counts).toMatchObject({ lines: 0, needed: 0 });
  expect(carried).toBe(without.block);
  expect(carried).toContain("March");
});

test("where messages have no names, the choice works the same way", async () => {
  const own = keeper();
  const request = atOnce(inject(own, session, { judged: true })) ?? "";
  const idOf = (words: string) => new RegExp(`^([fl]\\d+) .*${words}`, "m").exec(request)?.[1];
  expect(request).toMatch(/^l\d+ user: Why does the export/m);
  const answer = `${SUMMARY}\n\n<facts>\nholds: ${idOf("plain files")}\nneeded: ${idOf("Backfill")}\n</facts>`;
  for (const how of ["repair", "frame-repair"]) {
    const repaired = atOnce(repairSummary(own, session.id, answer, undefined, { how }));
    expect(repaired).toContain("Never touch the legacy folder");
    expect(repaired).not.toMatch(/<facts>|March|runbook|check:totals/);
    expect(repaired.includes("Backfill")).toBe(how === "repair");
  }
});

test("whatever the model names, a rule is carried, no line is invented and the budget holds", async () => {
  const whole = await compact("");
  const anyId = fc.oneof(
    fc.integer({ min: 0, max: whole.offered.length + 2 }).map((number) => `l${number}`),
    fc.integer({ min: 1, max: 4 }).map((number) => `f${number}`),
    fc.constantFrom("none", "l1-l4", "the runbook", "l2!", "**l3**", ""),
  );
  const anyNeeded = fc.tuple(fc.constantFrom("needed", "- **Needed**", "need"), fc.array(anyId, { maxLength: 8 }));
  const everything = whole.summary + JSON.stringify(messages) + whole.request;
  await fc.assert(
    fc.asyncProperty(anyNeeded, fc.boolean(), async ([heading, ids], isClosed) => {
      const lines = block(`${heading}: ${ids.join(", ")}`);
      const { block: carried, summary } = await compact(...(isClosed ? lines : lines.slice(0, -1)));
      expect(summary.startsWith(SUMMARY)).toBe(true);
      expect(summary).not.toMatch(/<\/?facts>|ghp_/);
      expect(carried).toContain("rule of the user: Never touch the legacy folder.");
      for (const line of carried.split("\n").filter((one) => one.startsWith("- ")))
        expect(everything.replace(/\\"/g, '"')).toContain(line.replace(/^.*?: `?|[`]$/g, "").slice(0, 25));
    }),
    { numRuns: runs(60) },
  );
});
