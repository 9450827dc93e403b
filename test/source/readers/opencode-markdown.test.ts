import { expect, test, vi } from "vitest";
import { readSession } from "../../../src/index.js";

const TOP = "# Cakes\n\n**Session ID:** ses_12ab\n**Created:** 3/5/2026, 10:31:26 AM";
const USER = "---\n\n## User";
const AGENT = "---\n\n## Assistant (Build · model-1 · 4.5s)";
const tool = (name: string, input: object, output: string, label = "Output") =>
  `**Tool: ${name}**\n\n**Input:**\n\`\`\`json\n${JSON.stringify(input, undefined, 2)}\n\`\`\`\n\n**${label}:**\n\`\`\`\n${output}\n\`\`\``;
const read = (...parts: readonly string[]) => readSession([TOP, ...parts].join("\n\n"), "name").session;

test("who spoke, and what tools did", () => {
  const markdown = "# Oven\n\n```c\nint a;\n```\n\n## Never bake twice";
  const session = read(
    ...[USER, "Bake a cake.", AGENT, "I look.", tool("read", { filePath: "/oven.md" }, markdown)],
    ...[tool("bash", { command: "make" }, "no rule"), AGENT, tool("edit", { filePath: "/a.c" }, "denied", "Error")],
    ...[AGENT, "## Done\n\nIt is baked.", USER, "Thanks."],
  );
  expect(session).toEqual({
    id: "ses_12ab",
    format: "opencode",
    messages: [
      { id: "1", role: "user", text: "Bake a cake.", toolCalls: [] },
      {
        id: "2",
        role: "assistant",
        text: "I look.",
        toolCalls: [
          { name: "read", input: { filePath: "/oven.md" }, output: markdown },
          { name: "bash", input: { command: "make" }, output: "no rule" },
        ],
      },
      {
        id: "3",
        role: "assistant",
        text: "",
        toolCalls: [{ name: "edit", input: { filePath: "/a.c" }, output: "denied", status: "error" }],
      },
      { id: "4", role: "assistant", text: "## Done\n\nIt is baked.", toolCalls: [] },
      { id: "5", role: "user", text: "Thanks.", toolCalls: [] },
    ],
  });
});

test("thinking is not said, as far as it is told", () => {
  const thinking = "_Thinking:_\n\nThe oven may be cold.";
  const textOf = (...parts: readonly string[]) => read(USER, "Go.", AGENT, ...parts).messages[1]?.text;
  const call = tool("bash", { command: "make" }, "ok");
  expect(textOf(thinking, "Or hot.", call)).toBe("");
  expect(textOf(thinking, "Or hot.", "## Plan\n\nBake it.", call)).toBe("## Plan\n\nBake it.");
  expect(textOf(thinking, "It is hot.")).toBe("It is hot.");
  expect(read(USER, thinking, AGENT, "Yes.").messages[0]?.text).toBe(thinking);
});

test("reads a tool when it has no input or answer, or broken JSON", () => {
  const calls = (part: string) => read(USER, "Go.", AGENT, part).messages[1]?.toolCalls;
  expect(calls("**Tool: bash**")).toEqual([{ name: "bash", input: {}, output: "" }]);
  expect(calls("**Tool: bash**\n\n**Input:**\n```json\n{\n```")).toEqual([{ name: "bash", input: {}, output: "" }]);
});

test.each([
  ["thoughts", "_Thinking:_\n\nx\n\n"],
  ["tools", "**Tool: a**\n\n**Input:**\n```json\n"],
  ["heads", `${AGENT}\n\n`],
])("twice as many %s take twice the steps", (_, lines) => {
  const steps = (count: number) => {
    const spies = (["trim", "trimEnd"] as const).map((name) => vi.spyOn(String.prototype, name));
    const tested = vi.spyOn(RegExp.prototype, "test");
    read(USER, "Go.", AGENT, lines.repeat(count));
    const calls = [...spies, tested].reduce((sum, { mock }) => sum + mock.calls.length, 0);
    for (const spy of [...spies, tested]) spy.mockRestore();
    return calls;
  };
  expect(steps(200)).toBeLessThanOrEqual(2.05 * steps(100));
});
