import { describe, expect, test } from "vitest";
import { readSession } from "../../../src/index.js";

const item = (payload: object) => ({ type: "response_item", payload });
const event = (payload: object) => ({ type: "event_msg", payload });
const call = (id: string, given = '{"cmd":"make"}') =>
  item({ type: "function_call", name: "exec_command", arguments: given, call_id: id });
const output = (id: string, said: unknown) => item({ type: "function_call_output", call_id: id, output: said });
const callsOf = (...records: readonly object[]) =>
  readSession(records.map((one) => `${JSON.stringify(one)}\n`).join(""), "name").session.messages.flatMap(
    ({ toolCalls }) => toolCalls,
  );

const run = (cmd: string, id?: string) =>
  item({ type: "function_call", name: "exec_command", arguments: JSON.stringify({ cmd }), call_id: id });
const told = (said: string, id?: string) => item({ type: "function_call_output", call_id: id, output: said });
const pairs = (...records: readonly object[]) =>
  callsOf(...records).map(({ input, output: said }) => [(input as { cmd: string }).cmd, said]);

test("calls and outputs without ids are paired by their order in a turn", () => {
  const asked = item({ type: "message", role: "user", content: [{ type: "input_text", text: "Go on." }] });
  expect(pairs(run("lost"), asked, run("ls"), run("wc"), told("two files"), told("9 lines"))).toEqual([
    ["lost", ""],
    ["ls", "two files"],
    ["wc", "9 lines"],
  ]);
});

test("different calls with the same id are paired by their order", () => {
  expect(
    pairs(run("ls", "c"), told("two files", "c"), run("wc", "c"), run("pwd", "c"), told("9 lines", "c"), told("/home", "c")),
  ).toEqual([
    ["ls", "two files"],
    ["wc", "9 lines"],
    ["pwd", "/home"],
  ]);
});

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
    [
      "what a program says of another that runs on",
      "Wall time: 0 seconds\nOutput:\nProcess running with session ID 7",
      "completed",
    ],
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

  describe("of a command that runs on", () => {
    const begun = (id = "c", number = 7) => [call(id), output(id, `Process running with session ID ${number}\nOutput:\n`)];
    const asked = (said: string, chars = "", number: unknown = 7) => [
      item({
        type: "function_call",
        name: "write_stdin",
        arguments: JSON.stringify({ session_id: number, chars }),
        call_id: `w${said}`,
      }),
      output(`w${said}`, said),
    ];
    const first = (...records: readonly object[]) => callsOf(...records)[0]?.status;

    test("is not known", () => {
      expect(first(...begun())).toBeUndefined();
      expect(first(...begun(), ...asked("Process running with session ID 7\nOutput:\n"))).toBeUndefined();
      expect(first(...begun(), ...asked("write_stdin failed: Unknown process id 7"))).toBeUndefined();
    });

    test("is told when it is asked after", () => {
      const waits = asked("Process running with session ID 7\nOutput:\n");
      expect(first(...begun(), ...waits, ...asked("Process exited with code 0\nOutput:\nok"))).toBe("completed");
      expect(first(...begun(), ...waits, ...asked("Process exited with code 101\nOutput:\nno"))).toBe("error");
    });

    test("is not told by the end of another one", () => {
      const both = [...begun(), ...begun("d", 8), ...asked("Process exited with code 1\nOutput:\n", "", 8)];
      expect(callsOf(...both).map(({ status }) => status)).toEqual([undefined, "error", "error"]);
    });

    test("is not told when the agent breaks it off", () => {
      expect(first(...begun(), ...asked("Process exited with code 130\nOutput:\n^C", "\u0003"))).toBeUndefined();
    });
  });
});
