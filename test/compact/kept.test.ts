// What a host kept beside its own summary is shown to the model: that summary does not tell of it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { builtInRules, compactSession, type Model, readSession } from "../../src/index.js";
import { claudeCode, type HostFile, pi, toLines } from "./host-files.js";

const loaded = builtInRules();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-kept-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What a model is asked for the session of a file. */
async function asked(text: string): Promise<string> {
  let request = "";
  const model: Model = {
    name: "scripted",
    async *write(messages) {
      request = messages.map(({ content }) => content).join("\n");
      yield "Summary.";
    },
  };
  const { session } = readSession(text, "name");
  await compactSession(session, { folder, alone: true, loaded, stateFolder: mkdtempSync(join(folder, "state-")), model });
  return request;
}

/** What is said in it, by whom. */
const turnsIn = (request: string) =>
  [...request.matchAll(/^\[(user|assistant)\]\n(.*)$/gm)].map(([, role, text]) => `${role}: ${text}`);

function begun(file: HostFile): readonly string[] {
  file.user("Build the billing service.");
  file.assistant("The schema has twelve tables.");
  const question = file.user("The totals look odd in the third column.");
  return [question, file.assistant("It adds the tax twice; the mend is to pass net amounts.")];
}

describe.each([["claude-code", claudeCode] as const, ["pi", pi] as const])("%s", (_, create) => {
  test("the newest messages, where it kept them", async () => {
    const file = create();
    file.compact("Billing service with twelve tables.", begun(file));
    file.user("Right, do that.");
    const request = await asked(file.text());
    expect(request).toMatch(/<previous-summary>\n[^<]*Billing service with twelve tables\./);
    expect(turnsIn(request)).toEqual([
      "user: The totals look odd in the third column.",
      "assistant: It adds the tax twice; the mend is to pass net amounts.",
      "user: Right, do that.",
    ]);
  });

  test("nothing, where it kept nothing or what is not there", async () => {
    const file = create();
    begun(file);
    file.compact("Billing service.", ["nowhere"]);
    file.user("Right, do that.");
    expect(turnsIn(await asked(file.text()))).toEqual(["user: Right, do that."]);
  });

  test("not an older summary, which the newer one covers", async () => {
    const file = create();
    const kept = begun(file);
    file.compact("Old summary.", kept);
    file.user("Right, do that.");
    file.compact("New summary.", kept);
    file.user("Go on.");
    const request = await asked(file.text());
    expect(request).not.toContain("Old summary.");
    expect(turnsIn(request)[0]).toBe("user: The totals look odd in the third column.");
    expect(turnsIn(request).at(-1)).toBe("user: Go on.");
  });
});

test("calls are kept with their message, in whichever of its records they stand", async () => {
  const file = claudeCode();
  begun(file);
  file.edit("src/tax.ts");
  // The record of the call and that of its result.
  file.compact("Billing service.", ["u4", "u5"]);
  const request = await asked(file.text());
  expect(request).toContain("src/tax.ts");
  expect(turnsIn(request)).toEqual([expect.stringMatching(/^assistant: Write \(completed\)/)]);
});

test("Claude Code names all records or only the ends, and what it kept may stand further up", async () => {
  const file = claudeCode();
  const [question, answer] = begun(file) as [string, string];
  file.user("A spike in Rust.");
  file.compact("A spike.", [question, answer]);
  const ends = (key: string, value: unknown) => (key === "preservedMessages" ? undefined : value);
  for (const text of [file.text(), toLines(file.records.map((record) => JSON.parse(JSON.stringify(record, ends))))])
    expect(turnsIn(await asked(text))).toEqual([
      "user: The totals look odd in the third column.",
      "assistant: It adds the tax twice; the mend is to pass net amounts.",
    ]);
});

test("pi's first version says it by the line", async () => {
  const say = (role: string, content: string) => ({
    type: "message",
    message: { role, content: [{ type: "text", text: content }] },
  });
  const compaction = { type: "compaction", summary: "Billing service.", firstKeptEntryIndex: 3 };
  const head = { type: "session", id: "s", cwd: "/p" };
  const text = toLines([head, say("user", "Build it."), say("assistant", "Built."), say("user", "Test it."), compaction]);
  expect(turnsIn(await asked(text))).toEqual(["user: Test it."]);
});

test("what pi tells of a branch that was left stands for nothing that was said before it", async () => {
  const file = pi();
  begun(file);
  const mark = file.user("Go on.");
  const summary = "Summary of that exploration: a rewrite in Rust was tried.";
  file.records.push({ type: "branch_summary", id: "b", parentId: mark, fromId: mark, summary });
  file.goBack("b", 0);
  file.user("Forget the spike.");
  const request = await asked(file.text());
  expect(request).not.toContain("<previous-summary>");
  expect(turnsIn(request)).toContain("user: Build the billing service.");
  expect(turnsIn(request).slice(-2)).toEqual([`assistant: ${summary}`, "user: Forget the spike."]);
});
