import { expect, test } from "vitest";
import { builtInRules, extract, type Message } from "../../../src/index.js";

const { rules } = builtInRules();

const ran = (command: string, status: string, output = "") => ({ name: "bash", input: { command }, output, status });
const assistant = (id: string, text: string, ...toolCalls: Message["toolCalls"]): Message => ({
  id,
  role: "assistant",
  text,
  toolCalls,
});
const extracted = (...messages: Message[]) =>
  extract(
    { id: "s", format: "neutral", messages: [{ id: "u", role: "user", text: "Make it fast.", toolCalls: [] }, ...messages] },
    rules,
  ).continuation;

test("a failure is told with the run of the same command that ended it", () => {
  const { errors, commands } = extracted(
    assistant("1", "", ran("npm test", "error"), ran("npm run lint", "error")),
    assistant("2", "", ran("npm test", "error")),
    assistant("3", "", ran("npm test", "completed")),
    assistant("4", "", ran("npm test", "completed")),
  );
  const passed = { source: "3", tool: 0 };
  expect(errors).toEqual([
    { command: "npm test", source: "1", tool: 0, resolved: true, passed },
    { command: "npm run lint", source: "1", tool: 1, resolved: false },
    { command: "npm test", source: "2", tool: 0, resolved: true, passed },
  ]);
  expect(commands.map(({ status }) => status)).toEqual(["failed", "failed", "failed", "passed", "passed"]);
});
