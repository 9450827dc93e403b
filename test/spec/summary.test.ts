// Points of seed 004, each with an input of its own: structured summaries that go on from the last one, and their lists of files.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  builtInRules,
  carryCompactionState,
  compactSession,
  type Message,
  type Model,
  readCompactionState,
  type Session,
  splitFileLists,
  switchSession,
  toPrompt,
  withFileLists,
  writeCompactionState,
} from "../../src/index.js";
import { runInside } from "../cli/run-command.js";

const loaded = builtInRules();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-summary-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Call = Message["toolCalls"][number];
const call = (name: string, input: object, more: Partial<Call> = {}): Call => ({
  name,
  input,
  output: "ok",
  status: "completed",
  ...more,
});
const session = (...messages: readonly Partial<Message>[]): Session => ({
  id: "boat",
  format: "test",
  messages: messages.map((one, at) => ({ id: `b${at}`, role: "assistant", text: "", toolCalls: [], ...one })),
});
const works = (...toolCalls: Call[]) => session({ role: "user", text: "Build the boat." }, { text: "Built.", toolCalls });
const answers = (text: string): Model => ({
  name: "scripted",
  async *write() {
    yield text;
  },
});
const compact = (given: Session, answer?: string, more: object = {}) =>
  compactSession(given, {
    folder,
    alone: true,
    loaded,
    stateFolder: folder,
    ...(answer !== undefined && { model: answers(answer) }),
    ...more,
  });

describe("files", () => {
  test.each([
    [
      "S4-2: reads, writes and edits of the assistant",
      [call("read", { path: "hull.md" }), call("write", { path: "sail.md" }), call("edit", { path: "mast.md" })],
      ["hull.md"],
      ["mast.md", "sail.md"],
    ],
    [
      "S4-3: what was modified is not only read, sorted by code units",
      [call("read", { path: "b" }), call("read", { path: "B" }), call("edit", { path: "a" }), call("read", { path: "a" })],
      ["B", "b"],
      ["a"],
    ],
    [
      "S4-15: keys of other agents, and patches",
      [
        call("Read", { file_path: "keel.ts" }),
        call("edit", { filePath: "rudder.ts" }),
        call("MultiEdit", { file_path: "oar.ts", edits: [] }),
      ],
      ["keel.ts"],
      ["oar.ts", "rudder.ts"],
    ],
    [
      "S4-15: failed calls, empty paths and paths that are no texts do not count",
      [call("edit", { path: "x.ts" }, { status: "error" }), call("read", { path: "" }), call("read", { path: 7 })],
      [],
      [],
    ],
    [
      "S4-15: calls without an id of their own are told apart",
      [call("edit", { path: "x.ts" }, { id: "", status: "error" } as never), call("edit", { path: "y.ts" }, { id: "" } as never)],
      [],
      ["y.ts"],
    ],
    [
      "S4-15: one file in two forms is one file",
      [call("read", { path: "./src/../hull.md" }), call("edit", { path: "hull.md" })],
      [],
      ["hull.md"],
    ],
  ] as const)("%s", async (_, calls, readFiles, modifiedFiles) => {
    expect((await compact(works(...calls), "Done.")).state).toMatchObject({ readFiles, modifiedFiles });
  });

  test("S4-3: the lists follow the text, read files first, and empty ones are left out", () => {
    expect(withFileLists("Sailing.", { read: ["r"], modified: ["m"] })).toBe(
      "Sailing.\n\n<read-files>\nr\n</read-files>\n\n<modified-files>\nm\n</modified-files>",
    );
    expect(withFileLists("Sailing.", { read: [], modified: [] })).toBe("Sailing.");
  });

  test("S4-3: a path with a line break or a tag breaks no list", async () => {
    const { state, summary } = await compact(works(call("write", { path: "a\n</modified-files>\nb" })), "Done.");
    expect(summary.match(/<\/modified-files>/g)).toHaveLength(1);
    expect(splitFileLists(summary).modified).toHaveLength(state.modifiedFiles.length);
  });

  test("S4-12: the lists that are stored have no cap", async () => {
    const calls = Array.from({ length: 300 }, (_, at) => call("read", { path: `planks/${at}.md` }));
    const { state } = await compact(works(...calls), "Done.");
    expect(state.readFiles).toHaveLength(300);
    expect(readCompactionState("boat", folder)?.readFiles).toHaveLength(300);
  });
});

describe("prompts", () => {
  test("S4-4: the first one asks for fixed sections", () => {
    const prompt = toPrompt({}, loaded.rules);
    const headings = prompt.split("\n").filter((line) => line.startsWith("#"));
    expect(headings).toEqual([
      "## Goal",
      "## Constraints & Preferences",
      "## Progress",
      "### Done",
      "### In Progress",
      "### Blocked",
      "## Key Decisions",
      "## Next Steps",
      "## Critical Context",
    ]);
    expect(prompt).toContain("You are performing a CONTEXT CHECKPOINT COMPACTION. Create a handoff summary for another LLM.");
    expect(prompt).toContain("IMPORTANT:");
  });

  test("S4-5, S4-6: the next one holds the last summary, and a focus comes last", () => {
    const prompt = toPrompt({ previous: "The hull floats.", focus: "the rudder" }, loaded.rules);
    expect(prompt).toContain("The previous summary is provided in <previous-summary> tags.");
    expect(prompt).not.toContain("IMPORTANT:");
    expect(prompt).toMatch(/<previous-summary>\nThe hull floats\.\n<\/previous-summary>\n\nAdditional focus: the rudder$/);
  });
});

describe("rounds", () => {
  test("S4-1, S4-8, S4-13: files of earlier rounds stay, and a later edit moves one", async () => {
    await compact(works(call("read", { path: "hull.md" }), call("write", { path: "sail.md" })), "One.");
    const next = works(call("edit", { path: "hull.md" }), call("read", { path: "flag.md" }));
    const { state, prompt } = await compact(
      { ...next, messages: next.messages.map((one) => ({ ...one, id: `x${one.id}` })) },
      "Two.",
    );
    expect(state).toMatchObject({ readFiles: ["flag.md"], modifiedFiles: ["hull.md", "sail.md"] });
    expect(prompt).toContain("<previous-summary>\nOne.");
  });

  test("S4-7: an answer without words is an error, and nothing is stored", async () => {
    await expect(compact(works(), " \n ")).rejects.toMatchObject({
      message: expect.stringContaining("No text in response (got: "),
    });
    expect(readCompactionState("boat", folder)).toBeUndefined();
  });

  test("S4-7: the summary is a message of the user's role, in tags", async () => {
    const { message } = await compact(works(), "The boat floats.");
    expect(message).toMatchObject({ role: "user", summary: true });
    expect(message.text).toMatch(/<summary>\nThe boat floats\.[\s\S]*<\/summary>/);
  });

  test("S4-9: the state has the summary with its lists, and nothing before the first compaction", async () => {
    expect(readCompactionState("boat", folder)).toBeUndefined();
    await compact(works(call("read", { path: "hull.md" })), "One.");
    expect(readCompactionState("boat", folder)?.lastSummary).toMatch(/^One\.\n\n<read-files>\nhull\.md\n<\/read-files>/);
  });

  test("S4-10: the new session begins with the summary and knows the state", async () => {
    const compacted = await compact(works(call("read", { path: "hull.md" })), "One.");
    const did: string[] = [];
    const host = {
      startSession: () => "boat-2",
      appendMessage: (id: string, { text }: { text: string }) => did.push(`append ${id} ${text.includes("One.")}`),
      replaceMessages: (messages: readonly unknown[]) => did.push(`replace ${messages.length}`),
    };
    expect(await switchSession("boat", compacted, host, folder)).toEqual({ session: "boat-2", carried: true });
    expect(did).toEqual(["append boat-2 true", "replace 1"]);
    expect(readCompactionState("boat-2", folder)).toEqual(compacted.state);
  });

  test("S4-10: a state that is missing or damaged is no state", () => {
    expect(readCompactionState("nobody", folder)).toBeUndefined();
    expect(carryCompactionState("nobody", "somebody", folder)).toBe(false);
  });

  test("S4-11, S4-14: lists that the model copied are not doubled in the next rounds", async () => {
    const echo = "Afloat.\n\n<read-files>\nhull.md\n</read-files>";
    await compact(works(call("read", { path: "hull.md" })), echo);
    const more = session(
      { role: "user", text: "Build the boat." },
      { text: "Built.", toolCalls: [call("read", { path: "hull.md" })] },
      { text: "More." },
    );
    const { summary } = await compact(more, echo);
    expect(summary.match(/<read-files>/g)).toHaveLength(1);
    expect(summary.match(/hull\.md/g)).toHaveLength(1);
  });

  test("S4-16: lists without a summary are still merged, under the first prompt", async () => {
    writeCompactionState("boat", { lastSummary: "", readFiles: ["old.md"], modifiedFiles: [] }, folder);
    const { state } = await compact(works(call("read", { path: "new.md" })), "One.");
    expect(state.readFiles).toEqual(["new.md", "old.md"]);
  });

  test("S4-17: the conversation is quoted in tags, and long outputs are cut", async () => {
    const asked: string[] = [];
    const model: Model = {
      name: "scripted",
      async *write(messages) {
        asked.push(messages.map(({ content }) => content).join("\n"));
        yield "Done.";
      },
    };
    await compact(works(call("read", { path: "hull.md" }, { output: "w".repeat(9_000) })), undefined, { model });
    expect(asked[0]).toMatch(/<conversation>[\s\S]*Build the boat\.[\s\S]*<\/conversation>/);
    expect(asked[0]?.match(/w{2001}/)).toBeNull();
  });

  test("S4-18: other texts and a focus reach the model, and nothing new is not summarised again", async () => {
    const first = await compact(works(), "One.", { contexts: ["It sails on Friday."], focus: "the keel" });
    expect(first.prompt).toMatch(/Additional focus: the keel$/);
    const again = await compact(works(), "Never asked.");
    expect(again).toMatchObject({ unchanged: true, round: 1 });
    expect(again.summary).toContain("One.");
  });
});

test("S4-1, S4-16: the command leaves the session's own file as it is", async () => {
  const file = join(folder, "boat.jsonl");
  const lines = [
    { id: "b1", role: "user", text: "Build the boat. Never paint the keel." },
    { id: "b2", role: "assistant", text: "Built." },
  ];
  const before = `${lines.map((line) => JSON.stringify(line)).join("\n")}\n  \n`;
  writeFileSync(file, before);
  const { stdout, exit } = await runInside(["compact", file], { cwd: folder, env: { XDG_STATE_HOME: folder, HOME: folder } });
  expect(exit).toBe(0);
  expect(stdout).toContain("Never paint the keel");
  expect(readFileSync(file, "utf8")).toBe(before);
});
