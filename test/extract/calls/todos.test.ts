import { describe, expect, test } from "vitest";
import { builtInRules, type Extraction, extract, render, type ToolCall } from "../../../src/index.js";
import type { Template } from "../../../src/rules/rule-set.js";

const { rules } = builtInRules();
const call = (name: string, input: unknown, output = "", status = "completed"): ToolCall => ({ name, input, output, status });
const extraction = (...calls: readonly ToolCall[]) =>
  extract({ id: "s", format: "test", messages: [{ id: "m", role: "assistant", text: "", toolCalls: calls }] }, rules);
const todosOf = (...calls: readonly ToolCall[]) =>
  extraction(...calls)
    .continuation.todos.map(({ text, state }) => `${state} ${text}`)
    .join(", ");

const text = (found: Extraction, template: string) => render(found, rules.templates.get(template) as Template, rules).text;

describe("each agent's way to write its list", () => {
  const LISTS: readonly (readonly [string, unknown])[] = [
    [
      "TodoWrite",
      {
        todos: [
          { content: "a", status: "completed", activeForm: "…" },
          { content: "b", status: "in_progress" },
          { content: "c", status: "pending" },
        ],
      },
    ],
    [
      "todowrite",
      {
        todos: [
          { id: "1", content: "a", status: "completed", priority: "high" },
          { id: "2", content: "b", status: "in_progress" },
          { id: "3", content: "c", status: "pending" },
        ],
      },
    ],
    [
      "update_plan",
      {
        explanation: "so",
        plan: [
          { step: "a", status: "completed" },
          { step: "b", status: "in_progress" },
          { step: "c", status: "pending" },
        ],
      },
    ],
    [
      "write_todos",
      {
        todos: [
          { description: "a", status: "completed" },
          { description: "b", status: "in_progress" },
          { description: "c", status: "blocked" },
          { description: "d", status: "cancelled" },
        ],
      },
    ],
    [
      "manage_todo_list",
      {
        operation: "write",
        todoList: [
          { id: 1, title: "a", description: "x", status: "completed" },
          { id: 2, title: "b", status: "in-progress" },
          { id: 3, title: "c", status: "not-started" },
        ],
      },
    ],
    ["update_todo", { todos: "- [x] a\n- [~] b\n- [ ] c" }],
    ["todo__todo_write", { content: "# Plan\n\n- [X] a\n* [-] b\n  1. [ ] c\n\nwords" }],
  ];
  test.each(LISTS)("%s", (name, input) => expect(todosOf(call(name, input))).toBe("done a, doing b, open c"));
});

test("a later list takes the place of the earlier one", () => {
  const list = (...texts: readonly string[]) =>
    call("TodoWrite", { todos: texts.map((content) => ({ content, status: "pending" })) });
  expect(todosOf(list("a", "b"), list("c"))).toBe("open c");
  expect(todosOf(list("a", "b"), list())).toBe("");
});

test("a list that says so changes only what it names", () => {
  const whole = call("todo_write", {
    merge: false,
    todos: [
      { id: "x", content: "a", status: "pending" },
      { id: "y", content: "b", status: "pending" },
    ],
  });
  expect(todosOf(whole, call("todo_write", { merge: true, todos: [{ id: "x", status: "completed" }] }))).toBe("done a, open b");
});

test("entries that are made, changed and deleted one by one", () => {
  const made = [
    call("TaskCreate", { subject: "a", description: "long" }, "Task #1 created successfully: a"),
    call("TaskCreate", { subject: "b" }, "Task #2 created successfully: b"),
  ];
  const update = (taskId: string, change: object) => call("TaskUpdate", { taskId, ...change }, `Updated task #${taskId} status`);
  expect(todosOf(...made)).toBe("open a, open b");
  expect(todosOf(...made, update("1", { status: "completed" }), update("2", { status: "in_progress" }))).toBe("done a, doing b");
  expect(todosOf(...made, update("1", { status: "deleted" }))).toBe("open b");
  expect(todosOf(...made, update("2", { subject: "c" }))).toBe("open a, open c");
  expect(todosOf(...made, update("7", { status: "completed" }))).toBe("open a, open b");
});

test("an id need not be a number", () => {
  const made = ["t1", "t2"].map((id) =>
    call("TaskCreate", { content: `do ${id}`, description: "long" }, `Task #${id} created successfully`),
  );
  expect(todosOf(...made)).toBe("open do t1, open do t2");
  const done = call("TaskUpdate", { id: "t1", status: "completed" }, "→ Updated task #t1 status");
  expect(todosOf(...made, done)).toBe("done do t1, open do t2");
  expect(todosOf(call("TaskCreate", { content: "a" }, '{"id": "x-7"}'), call("TaskUpdate", { id: "x-7", status: "done" }))).toBe(
    "done a",
  );
});

test("an entry is not open if the record of its update does not say what became of it", () => {
  const created = (text: string, id: number) =>
    call("TaskCreate", { description: text }, `${text}\n\n\`\`\`text\nTask #${id} created successfully: ${text}\n\`\`\``);
  const updated = (id: number) => call("TaskUpdate", {}, `\`\`\`text\nUpdated task #${id} status\n\`\`\``);
  expect(todosOf(created("fix 3 tests", 1), created("write docs", 2), updated(1))).toBe("open write docs");
  expect(todosOf(created("a", 1), call("TaskUpdate", { taskId: "1", addBlockedBy: ["2"] }, "Updated task #1"))).toBe("open a");
});

test.each(["closed", "abandoned", "obsolete", "wontfix", "skipped", "cancelled", "whatever"])(
  "an entry that is %s is not open",
  (status) => {
    expect(
      todosOf(
        call("update_plan", {
          plan: [
            { step: "a", status },
            { step: "b", status: "not_started" },
          ],
        }),
      ),
    ).toBe("open b");
  },
);

test("an entry that is resolved is done", () => {
  expect(todosOf(call("update_plan", { plan: [{ step: "a", status: "resolved" }] }))).toBe("done a");
});

test("a call that failed changes nothing", () => {
  expect(
    todosOf(call("TodoWrite", { todos: [{ content: "a" }] }), call("TodoWrite", { todos: [{ content: "b" }] }, "no", "error")),
  ).toBe("open a");
});

test("what is no list is no list", () => {
  for (const input of [
    undefined,
    null,
    "x",
    {},
    { todos: 7 },
    { todos: "do things" },
    { todos: [null, 7, {}, { content: " " }] },
  ])
    expect(todosOf(call("TodoWrite", input))).toBe("");
});

test("secrets are masked", () => {
  expect(todosOf(call("TodoWrite", { todos: [{ content: "rotate ghp_abcdefghijklmnopqrstuvwxyz0123456789" }] }))).not.toContain(
    "ghp_a",
  );
});

test("what is open stands in the brief, what is done in the structured summary only", () => {
  const found = extraction(
    call("TodoWrite", {
      todos: [
        { content: "wire the cache", status: "completed" },
        { content: "drop the table", status: "in_progress" },
        { content: "write the docs", status: "pending" },
      ],
    }),
  );
  const brief = text(found, "brief");
  expect(brief).toContain("In progress: drop the table\n");
  expect(brief).toContain("To do (1 done): write the docs\n");
  expect(brief).not.toContain("wire the cache");
  const structured = text(found, "structured");
  expect(structured).toContain("### Done\n- [x] wire the cache\n");
  expect(structured).toContain("### In Progress\n- [ ] drop the table\n");
  expect(structured).toContain("## Next Steps\n- write the docs\n");
});

describe("a list that is printed again", () => {
  const stepsOf = (...texts: readonly string[]) => {
    const messages = texts.map((text, index) => ({ id: `m${index}`, role: "assistant" as const, text, toolCalls: [] }));
    const { items } = extract({ id: "s", format: "test", messages }, rules).continuation;
    return items
      .filter(({ kind, status }) => (kind === "done" || kind === "remaining") && status === "active")
      .map(({ kind, text }) => `${kind} ${text}`)
      .sort();
  };
  const list = (reader: string, writer: string) => `## Plan\n\n- [${reader}] write the reader\n- [${writer}] write the writer`;

  test("counts as it was printed last", () => {
    expect(stepsOf(list(" ", " "))).toEqual(["remaining write the reader", "remaining write the writer"]);
    expect(stepsOf(list(" ", " "), list("x", " "))).toEqual(["done write the reader", "remaining write the writer"]);
    expect(stepsOf(list("x", "x"), list("x", " "))).toEqual(["done write the reader", "remaining write the writer"]);
  });
});

test("takes the list over that the agent has shown: another agent may have ended an entry", () => {
  const shown = (...lines: string[]) => call("TaskList", {}, lines.join("\n"));
  const created = [
    call("TaskCreate", { subject: "Lint" }, "Task #1 created"),
    call("TaskCreate", { subject: "Ship" }, "Task #2 created"),
  ];
  expect(todosOf(...created, shown("#2 [in_progress] Ship", "#1 [completed] Lint"))).toBe("doing Ship, done Lint");
  expect(todosOf(...created, shown("No tasks found"))).toBe("open Lint, open Ship");
});
