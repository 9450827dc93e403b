import { describe, expect, test } from "vitest";
import { readSession } from "../../../src/index.js";

const time = "2026-01-02T03:04:05.000Z";
const record = (type: string, payload: object, more: object = {}) => ({ timestamp: time, type, payload, ...more });
const item = (payload: object, more: object = {}) => record("response_item", payload, more);
const message = (role: string, texts: readonly string[], more: object = {}) =>
  item({ type: "message", id: texts[0], role, content: texts.map((text) => ({ type: "input_text", text })), ...more });
const call = (id: string, given = '{"cmd":"make"}') =>
  item({ type: "function_call", name: "exec_command", arguments: given, call_id: id });
const output = (id: string, said: unknown) => item({ type: "function_call_output", call_id: id, output: said });

const read = (...records: readonly object[]) => readSession(records.map((one) => `${JSON.stringify(one)}\n`).join(""), "name");
const messagesOf = (...records: readonly object[]) => read(...records).session.messages;

test("messages once, calls with what was said before them, outputs with their calls", () => {
  const { session, notices } = read(
    record("session_meta", { id: "s-1", cwd: "/p" }),
    record("turn_context", { model: "m" }),
    message("developer", ["Be brief."]),
    message("user", ["Build it."]),
    record("event_msg", { type: "user_message", message: "Build it." }),
    item({ type: "reasoning", summary: [] }),
    call("c0"),
    record("event_msg", { type: "agent_message", message: "Building." }),
    message("assistant", ["Building."]),
    call("c1"),
    output("c0", "Chunk ID: 1\nProcess exited with code 0\nOutput:\nok"),
    output("c1", "Chunk ID: 2\nProcess exited with code 2\nOutput:\nno"),
    call("c2"),
    record("session_meta", { id: "s-0" }),
  );
  const made = { name: "exec_command", input: { cmd: "make" } };
  expect(session).toEqual({
    id: "s-1",
    format: "codex",
    whole: true,
    folder: "/p",
    messages: [
      { id: "Be brief.", role: "system", text: "Be brief.", toolCalls: [], time, meta: true },
      { id: "Build it.", role: "user", text: "Build it.", toolCalls: [], time },
      {
        ...{ id: "c0", role: "assistant", text: "", time },
        toolCalls: [{ ...made, output: expect.stringContaining("ok"), status: "completed" }],
      },
      {
        ...{ id: "Building.", role: "assistant", text: "Building.", time },
        toolCalls: [
          { ...made, output: expect.stringContaining("no"), status: "error" },
          { ...made, output: "" },
        ],
      },
    ],
  });
  expect(notices).toEqual([]);
});

test("an accepted plan is the assistant's, its name the request", () => {
  const plan = "# Bake a cake\n\n- Never open the oven.";
  expect(messagesOf(message("user", [`PLEASE IMPLEMENT THIS PLAN:\n${plan}\n`], { id: "u" }))).toEqual([
    { id: "u#plan", role: "assistant", text: plan, toolCalls: [], time },
    { id: "u", role: "user", text: "PLEASE IMPLEMENT THIS PLAN: Bake a cake", toolCalls: [], time },
  ]);
  for (const text of ["PLEASE IMPLEMENT THIS PLAN:", "Now, PLEASE IMPLEMENT THIS PLAN: bake"])
    expect(messagesOf(message("user", [text]))).toMatchObject([{ role: "user", text }]);
});

test("going back takes an accepted plan away with its turn", () => {
  const back = record("event_msg", { type: "thread_rolled_back", num_turns: 1 });
  const messages = messagesOf(message("user", ["Plan it."]), message("user", ["PLEASE IMPLEMENT THIS PLAN:\n# Bake"]), back);
  expect(messages).toMatchObject([{ text: "Plan it." }]);
});

test("calls belong to their own turn", () => {
  const messages = messagesOf(
    message("assistant", ["Done."]),
    message("user", ["More."]),
    message("developer", ["Hook."]),
    call("c"),
  );
  expect(messages.map(({ role, toolCalls }) => [role, toolCalls.length])).toEqual([
    ["assistant", 0],
    ["user", 0],
    ["system", 0],
    ["assistant", 1],
  ]);
});

describe("machine-made text is meta", () => {
  test.each([
    "<environment_context>\n<cwd>/p</cwd></environment_context>",
    "<user_instructions>\nBe kind.</user_instructions>",
    "# AGENTS.md instructions for /p\n\n<INSTRUCTIONS>Be kind.</INSTRUCTIONS>",
    "<turn_aborted>\nThe user stopped it.</turn_aborted>",
    "<skill>\n<name>x</name></skill>",
    "<hook_prompt>Go on.</hook_prompt>",
  ])("%s", (text) => {
    expect(messagesOf(message("user", [text]))).toMatchObject([{ role: "user", text, meta: true }]);
  });

  test("as new files say themselves, block by block", () => {
    const told = (...types: readonly string[]) => ({
      internal_chat_message_metadata_passthrough: { content_item_metadata: types.map((type) => ({ provenance: { type } })) },
    });
    expect(messagesOf(message("user", ["Hook text."], told("harness")))).toMatchObject([{ meta: true }]);
    const [both] = messagesOf(message("user", ["Hook text.", "<skill> is a tag."], told("harness", "user")));
    expect(both).toEqual({ id: "Hook text.", role: "user", text: "<skill> is a tag.", toolCalls: [], time });
  });

  test("what stands beside it is said, and so is the request below an editor's state", () => {
    const state = "# Context from my IDE setup:\n\n## Open tabs:\n- a.ts\n\n## My request for Codex:\nFix a.ts.\n";
    const texts = messagesOf(message("user", ["<environment_context>x</environment_context>", "Go."]), message("user", [state]));
    expect(texts.map(({ text, meta }) => [text, meta])).toEqual([
      ["Go.", undefined],
      ["Fix a.ts.", undefined],
    ]);
  });
});

test("a compaction gives one summary, and an opaque one an empty one", () => {
  const prefix = "Another language model started to solve this problem. Its summary:\n";
  const given = { ...message("assistant", ["Tests are left."]), metadata: { compaction_output: true } };
  const messages = messagesOf(
    ...[message("user", ["Go."]), given, record("compacted", { message: `${prefix}Tests are left.`, replacement_history: [] })],
    ...[call("c"), record("compacted", { message: "" }), message("user", [`${prefix}Nothing is left.`]), given],
  );
  expect(messages.map(({ role, text, summary, toolCalls }) => [role, text, summary, toolCalls.length])).toEqual([
    ["user", "Go.", undefined, 0],
    ["user", `${prefix}Tests are left.`, true, 0],
    ["assistant", "", undefined, 1],
    ["user", "", true, 0],
    ["user", `${prefix}Nothing is left.`, true, 0],
    ["assistant", "Tests are left.", true, 0],
  ]);
});

test("a summary that is kept from us, or whose model said nothing, is an empty one", () => {
  const lead = "Another language model started to solve this problem and produced a summary:";
  const texts = (text: string) =>
    messagesOf(message("user", ["Hi."]), record("compacted", { message: text })).map(({ text }) => text);
  expect(texts("")).toEqual(["Hi.", ""]);
  expect(texts(`${lead}\n`)).toEqual(["Hi.", ""]);
  expect(texts(`${lead}\nThe cache is built.`)).toEqual(["Hi.", `${lead}\nThe cache is built.`]);
});

describe("turns that the user went back over", () => {
  const back = (turns: unknown) => record("event_msg", { type: "thread_rolled_back", num_turns: turns });
  const image = item({ type: "message", role: "user", content: [{ type: "input_image", image_url: "data:" }] });
  const wrapped = item({
    ...{ type: "message", role: "user" },
    content: [
      { type: "input_text", text: "<image name=1>" },
      { type: "input_image", image_url: "data:" },
    ],
  });
  const turn = (name: string) => [message("user", [name]), message("assistant", [`to ${name}`]), call(`c-${name}`)];
  const textsOf = (...records: readonly object[]) => messagesOf(...records).map(({ text }) => text);

  test("are not read, as many as it says, and what is said next follows on what was before", () => {
    const context = message("user", ["<environment_context>x</environment_context>"]);
    const said = textsOf(context, ...turn("a"), ...turn("b"), context, ...turn("c"), back(2), ...turn("d"));
    expect(said.slice(1)).toEqual(["a", "to a", "d", "to d"]);
    expect(textsOf(...turn("a"), ...turn("b"), back(1), ...turn("c"), back(1), back(1), ...turn("d"))).toEqual(["d", "to d"]);
  });

  test("goes back over all turns when there are fewer, and over none when the number is invalid", () => {
    const before = message("developer", ["Be brief."]);
    expect(textsOf(before, ...turn("a"), ...turn("b"), back(9))).toEqual(["Be brief."]);
    for (const odd of [0, -1, 1.5, "1", null, undefined]) expect(textsOf(...turn("a"), back(odd))).toEqual(["a", "to a"]);
    expect(textsOf(back(1), ...turn("a"))).toEqual(["a", "to a"]);
  });

  test.each([
    ["a picture", image],
    ["a picture in tags", wrapped],
    ["another agent's message", item({ type: "agent_message", author: "x", recipient: "y", content: [] })],
    ["another agent's message, as older files have it", record("inter_agent_communication", { content: "x" })],
  ])("may begin with %s", (_, first) => {
    expect(textsOf(...turn("a"), first, message("assistant", ["Seen."]), back(1))).toEqual(["a", "to a"]);
  });

  test("take a compaction in them along", () => {
    expect(textsOf(...turn("a"), ...turn("b"), record("compacted", { message: "Sum." }), ...turn("c"), back(2))).toEqual([
      "a",
      "to a",
    ]);
    expect(textsOf(...turn("a"), record("compacted", { message: "Sum." }), ...turn("b"), back(1))).toEqual(["a", "to a", "Sum."]);
  });
});
