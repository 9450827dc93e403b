import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  builtInRules,
  compactSession,
  extract,
  type Message,
  readSession,
  withFileLists,
  writeCompactionState,
} from "../../src/index.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-forms-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const call = (name: string, path: string) => ({ name, input: { file_path: path }, output: "ok", status: "completed" });
const said = (id: string, role: Message["role"], text: string, ...toolCalls: Message["toolCalls"]): Message => ({
  id,
  role,
  text,
  toolCalls,
});

test.each([["/repo"], [undefined]])("a file of an earlier state and of a call is listed once (folder: %s)", async (root) => {
  const stateFolder = join(folder, "state");
  const state = {
    lastSummary: "The parser is done.",
    readFiles: ["/repo/src/parser.ts", "./docs/grammar.md"],
    modifiedFiles: ["/repo/src/printer.ts"],
  };
  writeCompactionState("s", state, stateFolder);
  const messages = [
    said("m1", "user", "Go on with the printer."),
    said(
      "m2",
      "assistant",
      "Done.",
      call("Edit", "src/parser.ts"),
      call("Read", "docs/grammar.md"),
      call("Read", "src/printer.ts"),
    ),
  ];
  const session = { id: "s", format: "test", messages, ...(root && { folder: root }) };
  const { state: now } = await compactSession(session, { folder, stateFolder });
  expect(now.readFiles).toEqual(["docs/grammar.md"]);
  expect(now.modifiedFiles).toEqual(["src/parser.ts", "src/printer.ts"]);
});

test("the lists of a summary that name files by their absolute paths gain none", async () => {
  const summary = "Done.\n\n<read-files>\n/repo/a.ts\n</read-files>\n\n<modified-files>\n/repo/src/b.ts\n</modified-files>";
  const messages = [
    said("m1", "user", "Go on."),
    { ...said("m2", "assistant", summary), summary: true },
    said("m3", "user", "Change a and read b."),
    said("m4", "assistant", "Done.", call("Edit", "a.ts"), call("Read", "src/b.ts")),
  ];
  const session = { id: "t", format: "test", folder: "/repo", messages };
  const { state } = await compactSession(session, { folder, stateFolder: join(folder, "state") });
  expect(state).toMatchObject({ readFiles: [], modifiedFiles: ["a.ts", "src/b.ts"] });
});

test("a modified file is not listed as read, whatever the form of its path", () => {
  const listed = withFileLists("P.", { read: ["./a.ts", "b.ts", "/repo/src/c.ts"], modified: ["a.ts", "src/c.ts"] });
  expect(listed).toBe("P.\n\n<read-files>\nb.ts\n</read-files>\n\n<modified-files>\na.ts\nsrc/c.ts\n</modified-files>");
});

// Two calls with one id, of which the first fails: only the second one changed its file.
const lines = (...records: readonly unknown[]) => records.map((one) => JSON.stringify(one)).join("\n");
const changed = (text: string) => {
  const { session } = readSession(text, "s");
  return extract(session, builtInRules().rules).continuation.files.modified;
};

test.each(["", "same"])("results of calls with the id %j are paired in their order: pi", (id) => {
  const message = (role: string, content: unknown, more: object = {}) => ({
    type: "message",
    message: { role, content, ...more },
  });
  const edit = (path: string) => ({ type: "toolCall", id, name: "edit", arguments: { path } });
  const result = (isError: boolean) =>
    message("toolResult", [{ type: "text", text: isError ? "no match" : "ok" }], { toolCallId: id, toolName: "edit", isError });
  const header = { type: "session", version: 3, id: "s", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/p" };
  const start = [header, message("user", "Edit both.")];
  expect(changed(lines(...start, message("assistant", [edit("a.ts"), edit("b.ts")]), result(true), result(false)))).toEqual([
    "b.ts",
  ]);
  expect(
    changed(
      lines(...start, message("assistant", [edit("a.ts")]), result(false), message("assistant", [edit("b.ts")]), result(true)),
    ),
  ).toEqual(["a.ts"]);
});

test.each(["", "same"])("results of calls with the id %j are paired in their order: Claude Code", (id) => {
  const line = (type: string, content: unknown, uuid: string) => ({
    type,
    uuid,
    sessionId: "s",
    timestamp: "2026-01-01T00:00:00.000Z",
    message: { role: type, content },
  });
  const edit = (path: string) => ({ type: "tool_use", id, name: "Edit", input: { file_path: path } });
  const result = (isError: boolean) => ({
    type: "tool_result",
    tool_use_id: id,
    content: isError ? "no match" : "ok",
    is_error: isError,
  });
  const records = [
    line("user", "Edit both.", "u1"),
    line("assistant", [edit("a.ts"), edit("b.ts")], "u2"),
    line("user", [result(true), result(false)], "u3"),
  ];
  expect(changed(lines(...records))).toEqual(["b.ts"]);
});

test("the summary that an earlier session hands over is not what the assistant said", () => {
  const compaction = {
    lastSummary: "## Progress\n### Done\n- [x] Wrote the lexer\n\n## Key Decisions\n- use LevelDB for the token store",
    readFiles: [],
    modifiedFiles: ["src/lexer.ts"],
  };
  const { session } = readSession(
    lines(
      { type: "session", version: 3, id: "s", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/p", compaction },
      { type: "message", message: { role: "user", content: "Please write the parser now." } },
    ),
    "s",
  );
  expect(session.messages.map(({ role, summary }) => [role, summary === true])).toEqual([
    ["assistant", true],
    ["user", false],
  ]);
  const { continuation, statements } = extract(session, builtInRules().rules);
  const texts = continuation.items.map(({ kind, by, text }) => [kind, by, text]);
  expect(texts).toContainEqual(["done", "file", "Wrote the lexer"]);
  expect(texts).toContainEqual(["decision", "file", "use LevelDB for the token store"]);
  expect([...continuation.items, ...statements].filter(({ by }) => by === "assistant")).toEqual([]);
});
