import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compactSession, readSession } from "../../../src/index.js";
import { sized } from "../../runs.js";
import { holdsAgainstOddities, readLines, toLines } from "./lines.js";

const header = { type: "session", version: 3, id: "s", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/p" };
const say = (role: string, content: unknown, more: object = {}) => ({ type: "message", message: { role, content, ...more } });
const text = (words: string) => ({ type: "text", text: words });
const call = (id: string, path: string) => ({ type: "toolCall", id, name: "read", arguments: { path } });
const result = (toolCallId: string, content: unknown, isError = false) =>
  say("toolResult", content, { toolCallId, toolName: "read", isError });
/** An entry of a tree. */
const node = (id: string, parentId: string | null, entry: object = say("user", id)) => ({ ...entry, id, parentId });
const idsOf = (records: readonly unknown[]) => readLines(records).session.messages.map(({ id }) => id);

test("what an earlier session handed over in the header is read: done items, and files for the next summary", async () => {
  const compaction = {
    lastSummary: "## Progress\n### Done\n- [x] Wrote the lexer\n\n<read-files>\ndocs/grammar.md\n</read-files>",
    readFiles: ["docs/grammar.md"],
    modifiedFiles: ["src/lexer.ts"],
  };
  // A list in the summary may be shortened.
  compaction.lastSummary += "\n\n<modified-files>\n… and 1 more\n</modified-files>";
  const { session } = readLines([{ ...header, compaction }, say("user", "Please write the parser now.")]);
  const folder = mkdtempSync(join(tmpdir(), "compaction-pi-"));
  try {
    const { summary, state } = await compactSession(session, { folder, stateFolder: join(folder, "state") });
    expect(summary).toContain("### Done\n- [x] Wrote the lexer\n");
    expect(state).toMatchObject({ readFiles: ["docs/grammar.md"], modifiedFiles: ["src/lexer.ts"] });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.each([{}, { lastSummary: 7, readFiles: "a", modifiedFiles: [1, ""] }, [], "x", null])(
  "nothing is read from a header with the state %j",
  (compaction) => {
    const records = [say("user", "Please write the parser now.")];
    expect(readLines([{ ...header, compaction }, ...records])).toEqual(readLines([header, ...records]));
  },
);

test("a command that the user breaks off neither passes nor fails", () => {
  const statusOf = (said: string) => {
    const { session } = readLines([header, say("assistant", [call("c", "a")]), result("c", said, true)]);
    return session.messages[0]?.toolCalls[0]?.status;
  };
  expect(statusOf("3 of 9 tests ran\n\n\nCommand aborted")).toBe("aborted");
  expect(statusOf("Command aborted")).toBe("aborted");
  expect(statusOf("Command aborted\n\nCommand exited with code 1")).toBe("error");
});

test("an answer without an id belongs to the oldest call of the turn that has none", () => {
  const answer = (words: string, more: object = {}) => say("toolResult", words, more);
  const records = [
    header,
    say("assistant", [call("never", "z")]),
    say("user", "Go on."),
    say("assistant", [call("c1", "a"), call("c2", "b"), { ...call("", "c"), id: undefined }]),
    result("c2", "two"),
    answer("one"),
    answer("three", { isError: true }),
    // A result that names another tool is none of these calls'.
    say("assistant", [call("c4", "d")]),
    answer("four", { toolName: "bash" }),
  ];
  const { messages } = readLines(records).session;
  expect(messages.flatMap(({ toolCalls }) => toolCalls.map(({ output, status }) => [output, status]))).toEqual([
    ["", undefined],
    ["one", "completed"],
    ["two", "completed"],
    ["three", "error"],
    ["", undefined],
    ["four", "completed"],
  ]);
});

describe("version 1, a list", () => {
  const { version: _, ...old } = header;
  const records = [
    old,
    { ...say("user", [text("one"), { type: "image", data: "x" }, text("two")]), timestamp: "2026-01-01T00:00:01.000Z" },
    say("assistant", [{ type: "thinking" }, text("I look."), call("c1", "a"), call("c2", "b")], { timestamp: 0 }),
    result("c2", [text("no"), text("such file")], true),
    { type: "thinking_level_change", thinkingLevel: "off" },
    result("c1", "content é"),
    { type: "compaction", summary: "## Goal", firstKeptEntryIndex: 1 },
  ];

  test("answers stand with their calls, blocks are joined, thinking is left out, ids are positions", () => {
    expect(readLines(records)).toEqual({
      session: {
        id: "s",
        format: "pi",
        typed: true,
        whole: true,
        folder: "/p",
        messages: [
          { id: "1", role: "user", text: "one\ntwo", toolCalls: [], time: "2026-01-01T00:00:01.000Z" },
          {
            id: "2",
            role: "assistant",
            text: "I look.",
            toolCalls: [
              { name: "read", input: { path: "a" }, output: "content é", status: "completed" },
              { name: "read", input: { path: "b" }, output: "no\nsuch file", status: "error" },
            ],
            time: "1970-01-01T00:00:00.000Z",
          },
          { id: "3", role: "assistant", text: "## Goal", toolCalls: [], summary: true, keeps: ["1", "2"] },
        ],
      },
      notices: [],
    });
  });

  holdsAgainstOddities(
    "pi",
    records,
    ["type", "id", "parentId", "message", "role", "content", "text", "toolCallId", "arguments", "summary", "timestamp"],
    ["session", "message", "user", "assistant", "toolResult", "toolCall", "bashExecution", "compaction", "text", "s"],
  );
});

describe("what a machine wrote", () => {
  const messageOf = (entry: object) => readLines([header, entry]).session.messages[0];

  test.each([
    ["an extension's message", { type: "custom_message", customType: "x", content: "note" }, "user"],
    ["the same as a message", say("custom", [text("note")]), "user"],
    ["the same in version 2", say("hookMessage", "note"), "user"],
    ["the system prompt", say("system", "note"), "system"],
    ["a command of the user's own", say("bashExecution", undefined, { command: "note", exitCode: 1 }), "user"],
    ["the summary of a branch that was left", { type: "branch_summary", summary: "note", fromId: "x" }, "assistant"],
    ["the same, as a message", say("branchSummary", undefined, { summary: "note" }), "assistant"],
  ])("%s is not said", (_, entry, role) => {
    expect(messageOf(entry)).toMatchObject({ role, text: "note", toolCalls: [], meta: true });
  });

  test.each([
    ["of a compaction", { type: "compaction", summary: "note" }],
    ["of a compaction, as a message", say("compactionSummary", undefined, { summary: "note" })],
  ])("a summary %s", (_, entry) => {
    expect(messageOf(entry)).toMatchObject({ text: "note", summary: true });
  });

  test("what an extension stores, labels and settings are no messages", () => {
    const types = ["custom", "label", "session_info", "model_change", "context_edit"];
    const { session, notices } = readLines([header, say("user", "a"), ...types.map((type) => ({ type, data: {} }))]);
    expect(session.messages).toHaveLength(1);
    expect(notices).toEqual([]);
  });
});

describe("replies that failed", () => {
  test("leaves out a message when it has neither words nor calls", () => {
    expect(idsOf([header, node("a", null), node("b", "a", say("assistant", [], { stopReason: "error" }))])).toEqual(["a"]);
  });

  test.each(["aborted", "error"])("the calls of one that broke off (%s) were not run", (stopReason) => {
    const { session } = readLines([header, say("assistant", [call("c", "a")], { stopReason })]);
    expect(session.messages[0]?.toolCalls).toMatchObject([{ status: "cancelled", output: "" }]);
  });
});

describe("later versions, a tree", () => {
  test("only the branch of the last entry counts", () => {
    const records = [
      header,
      node("a", null),
      node("b", "a"),
      node("left", "b"),
      node("left too", "left"),
      node("sum", "b", { type: "branch_summary", summary: "left", fromId: "left too" }),
      node("c", "sum"),
    ];
    expect(idsOf(records)).toEqual(["a", "b", "sum", "c"]);
  });

  test("a second root leaves the first; a cycle ends", () => {
    expect(idsOf([header, node("a", null), node("b", "a"), node("c", null), node("d", "c")])).toEqual(["c", "d"]);
    expect(idsOf([header, node("a", "c"), node("b", "a"), node("c", "b")])).toEqual(["a", "b", "c"]);
    expect(idsOf([header, node("a", "a")])).toEqual(["a"]);
  });

  test("a broken line in between does not cost what came before it", () => {
    const lines = toLines([header, node("a", null), node("b", "a"), node("c", "b"), node("d", "c")]).split("\n");
    lines[3] = lines[3]?.slice(0, 20) as string;
    const { session, notices } = readSession(lines.join("\n"), "name");
    expect(session.messages.map(({ id }) => id)).toEqual(["a", "b", "d"]);
    expect(notices).toMatchObject([{ code: "line-skipped", count: 1 }]);
  });

  test("reads a session of very many entries", () => {
    const length = sized(100_000, 5_000);
    const records = Array.from({ length }, (_, index) => node(`${index}`, index === 0 ? null : `${index - 1}`));
    expect(idsOf([header, ...records])).toHaveLength(length);
  });
});

describe("what is missing", () => {
  test("without its header it is called by its file", () => {
    expect(readLines([say("user", "a")]).session).toMatchObject({ id: "name", format: "pi" });
  });

  test("an answer without its call is a call by itself", () => {
    expect(readLines([header, result("gone", "x")]).session.messages).toMatchObject([
      { role: "tool", meta: true, toolCalls: [{ name: "read", output: "x", status: "completed" }] },
    ]);
  });

  test("messages of unknown roles are counted, an empty session is told", () => {
    const { notices } = readLines([header, say("robot", "a"), { type: "message" }]);
    expect(notices).toMatchObject([{ code: "message-skipped", count: 2 }, { code: "session-empty" }]);
  });
});
