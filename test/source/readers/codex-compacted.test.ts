// What is left after a compaction of Codex. test/fixtures/codex was recorded with Codex 0.166.0 and a scripted model: with a summary of
// its own, with one of the provider's, and with `token_budget`, which writes none. Rows of a pasted export, most of what Codex says
// to itself and other fields were taken out, in the same way everywhere.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSession } from "../../../src/index.js";
import { runInside } from "../../cli/run-command.js";

const pathOf = (name: string) => `test/fixtures/codex/${name}.jsonl`;
const recorded = (name: string) => readSession(readFileSync(pathOf(name)), name).session.messages;
const summariesOf = (name: string) => recorded(name).filter(({ summary }) => summary);
const keptIn = (name: string) =>
  summariesOf(name).map(({ keeps = [] }) =>
    keeps.map((id) =>
      recorded(name)
        .find((one) => one.id === id)
        ?.text.slice(0, 20),
    ),
  );
const EXPORT = "Here is an export to";
const PNPM = "Use pnpm instead of ";
const MORE = ["Here is the second e", "Here is the third ex", "Here is the fourth e"];

test.each([
  ["local", [EXPORT, PNPM]],
  ["remote", [EXPORT, ...MORE, PNPM]],
  ["no-summary", []],
])("a %s compaction keeps the messages of its replacement history", (name, kept) => {
  const later = kept.length > 0 ? [...kept, "Continue with the im"] : [];
  expect(keptIn(name)).toEqual([kept, later]);
});

test.each(["local", "remote"])("the middle that a %s compaction cut out of a message is removed", (name) => {
  const [summary] = summariesOf(name);
  const [[id, [from, to]] = ["", [0, 0]]] = Object.entries(summary?.removed ?? {});
  const text = recorded(name).find((one) => one.id === id)?.text ?? "";
  expect(text.slice(0, from)).toContain("Never rename the vendor columns.");
  expect(text.slice(from, to)).toContain("Never call the billing service from a test.");
  expect(text.slice(to)).toContain("Always store the dates in UTC.");
});

test("only a compaction without any summary is unwritten", () => {
  const unwritten = ["local", "remote", "no-summary"].map((name) => summariesOf(name).map((one) => one.unwritten));
  expect(unwritten).toEqual([
    [undefined, undefined],
    [undefined, undefined],
    [true, true],
  ]);
});

const lines = (...records: readonly object[]) => records.map((one) => `${JSON.stringify(one)}\n`).join("");
const said = (text: string) => ({ type: "message", role: "user", content: [{ type: "input_text", text }] });
const item = (payload: object) => ({ type: "response_item", payload });
const compacted = (payload: object) => ({ type: "compacted", payload });
const keepsOf = (...records: readonly object[]) => {
  const { messages } = readSession(lines(...records), "name").session;
  const { keeps = [], removed } = messages.find(({ summary }) => summary) ?? {};
  return { keeps: keeps.map((id) => messages.find((one) => one.id === id)?.text.slice(0, 12)), removed };
};

test("an older history without ids is matched by its texts, a shortened one by its ends", () => {
  const long = `Read this. ${"x".repeat(500)} Never push.`;
  const records = [item(said("Go.")), item(said(long)), item(said("Go."))];
  const history = [said(`Read this. xxx…120 tokens truncated…xx Never push.`), said("Go.")];
  expect(keepsOf(...records, compacted({ message: "Sum.", replacement_history: history }))).toEqual({
    keeps: ["Read this. x", "Go."],
    removed: { "2": [14, long.length - 14] },
  });
});

test("of a record without a history, the newest 20,000 tokens are kept", () => {
  const records = ["Oldest.", "y".repeat(79_999), "Newest."].map((text) => item(said(text)));
  expect(keepsOf(...records, compacted({ message: "Sum." })).keeps).toEqual(["Newest.", "y".repeat(12)]);
});

test("a message that only shares its id with the history is not called removed", () => {
  const one = { ...said("Never push to main."), id: "m1" };
  const history = [{ ...said("Something else."), id: "m1" }];
  const left = keepsOf(item(one), compacted({ message: "Sum.", replacement_history: history }));
  expect(left).toEqual({ keeps: ["Never push t"], removed: undefined });
});

const audited = async (name: string) => {
  const { stdout, stderr } = await runInside(["audit", pathOf(name)], { cwd: process.cwd(), env: {} });
  const rules = [...stdout.matchAll(/^(?:missing|unsure) +constraint +(.*?) {2,}/gm)].map(([, text]) => text);
  return { rules, stderr };
};

test("audit lists the rules that Codex did not keep, and no other", async () => {
  expect(await audited("local")).toEqual({
    rules: ["Never touch the archive folder", "Never call the billing service from a test"],
    stderr: "",
  });
  const all = ["archive folder", "vendor columns", "billing service from a test", "dates in UTC"];
  const { rules, stderr } = await audited("no-summary");
  expect(rules.map((rule) => all.find((words) => rule?.endsWith(words)))).toEqual(all);
  expect(stderr).toBe("note: the agent wrote no summary\n");
});

test("audit takes what the user said as kept in a file of an older version, which has no history", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "codex-")), "old.jsonl");
  const records = [item(said("Build it. Never touch the archive folder.")), compacted({ message: "Nothing is left." })];
  writeFileSync(path, lines({ type: "session_meta", payload: { id: "old" } }, ...records));
  const { stdout } = await runInside(["audit", path], { cwd: process.cwd(), env: {} });
  expect(stdout).not.toContain("archive");
});

test("audit says that a summary is encrypted only where there is one", async () => {
  const { stderr } = await audited("remote");
  expect(stderr).toContain("has a summary that is empty or encrypted");
});
