import { describe, expect, test } from "vitest";
import { readSession } from "../../src/index.js";

const item = (payload: object) => ({ type: "response_item", payload });
const event = (payload: object) => ({ type: "event_msg", payload });
const call = (id: string, given = '{"cmd":"make"}') =>
  item({ type: "function_call", name: "exec_command", arguments: given, call_id: id });
const output = (id: string, said: unknown) => item({ type: "function_call_output", call_id: id, output: said });
const callsOf = (...records: readonly object[]) =>
  readSession(records.map((one) => `${JSON.stringify(one)}\n`).join(""), "name").session.messages.flatMap(
    ({ toolCalls }) => toolCalls,
  );

test("what goes into a tool", () => {
  const custom = item({ type: "custom_tool_call", name: "apply_patch", input: "*** Begin Patch", call_id: "c" });
  const action = { type: "exec", command: ["ls", "-l"] };
  expect(callsOf(custom, call("d", "{cut"), call("e", "7"), item({ type: "local_shell_call", call_id: "f", action }))).toEqual([
    { name: "apply_patch", input: { input: "*** Begin Patch" }, output: "" },
    { name: "exec_command", input: { input: "{cut" }, output: "" },
    { name: "exec_command", input: { input: "7" }, output: "" },
    { name: "local_shell", input: action, output: "" },
  ]);
});

describe("how a call ended", () => {
  test.each([
    [
      "a line of its header",
      "Exit code: 1\nWall time: 0 seconds\nOutput:\nx",
      "error",
      "Exit code: 1\nWall time: 0 seconds\nOutput:\nx",
    ],
    ["not a line that was printed", "Exit code: 0\nOutput:\nProcess exited with code 3", "completed"],
    ["JSON in a text", '{"output":"x","metadata":{"exit_code":1}}', "error", "x"],
    ["JSON of success", '{"output":"x","metadata":{"exit_code":0}}', "completed", "x"],
    ["JSON that the tool printed", '{"metadata":1}', "completed", '{"metadata":1}'],
    ["fields", { content: "x", success: false }, "error", "x"],
    [
      "blocks",
      [{ type: "input_text", text: "a" }, { type: "input_image" }, { type: "input_text", text: "b" }],
      "completed",
      "a\nb",
    ],
    ["a refusal", "exec_command failed for `make`: no such shell", "error"],
    ["a command that runs on", "Process running with session ID 7\nOutput:\n", "completed"],
    ["nothing", null, "completed", ""],
  ])("%s", (_, said, status, text = expect.any(String)) => {
    expect(callsOf(call("c"), output("c", said))).toMatchObject([{ output: text, status }]);
  });

  test.each([
    ["a patch", { type: "patch_apply_end", call_id: "c", success: false }],
    ["a command", { type: "exec_command_end", call_id: "c", exit_code: 1 }],
    ["an item", { type: "item_completed", item: { type: "CommandExecution", id: "c", exit_code: 1 } }],
  ])("the event of %s", (_, payload) => {
    expect(callsOf(call("c"), output("c", "?"), event(payload))).toMatchObject([{ status: "error" }]);
    expect(callsOf(call("c"), event(payload))[0]?.status).toBeUndefined();
  });
});
