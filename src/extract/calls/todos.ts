// The todo list that an agent keeps with tool calls, as its last successful calls left it.
import type { Todo, ToolCall } from "../../model.js";
import type { Tool } from "../../rules/tool-set.js";
import { literal, oneLine } from "../../text/forms.js";
import { remember } from "../../text/remember.js";
import { firstId, firstText, valueAt } from "./input-fields.js";

/** Maximum number of entries. Real plans are shorter; a tool that is not a todo list may hold more. */
const TODOS = 200;

export interface TodoList {
  /** Applies a call that succeeded. */
  readonly addCall: (call: ToolCall, tool: Tool, place: Pick<Todo, "source" | "tool">) => void;
  readonly toTodos: () => readonly Todo[];
}

/** What a call says about one entry; an update may omit what it does not change. */
interface Given {
  readonly id?: string | undefined;
  readonly text?: string | undefined;
  readonly state?: Todo["state"] | "gone" | undefined;
}

export function createTodoList(masked: (text: string) => string): TodoList {
  const todos = new Map<string, Todo>();
  return {
    addCall(call, tool, place) {
      const { todo, list } = tool;
      if (!todo) return;
      const lists = todo.listed
        ? [listedIn(call.output, todo.listed)]
        : list.map((key) => wholeList(valueAt(call.input, key), todo));
      const whole = lists.find((entries) => entries !== undefined);
      if (lists.length > 0 && !whole) return;
      if (whole && !todo.merge.some((key) => valueAt(call.input, key) === true)) todos.clear();
      for (const { id, text, state } of whole ?? [oneEntry(call, todo)]) {
        const key = id ?? `#${todos.size}`;
        const before = todos.get(key);
        const said = text === undefined ? before?.text : oneLine(masked(text));
        if (state === "gone") todos.delete(key);
        else if (said) todos.set(key, { text: said, state: state ?? before?.state ?? "open", ...place });
      }
    },
    toTodos: () => [...todos.values()].slice(0, TODOS),
  };
}

type Keys = NonNullable<Tool["todo"]>;

function given(entry: unknown, { text, state, id }: Keys): Given {
  if (typeof entry === "string") return { text: entry };
  const stateText = firstText(entry, state);
  return {
    id: firstId(entry, id),
    text: firstText(entry, text),
    state: stateText === undefined ? undefined : stateOf(stateText),
  };
}

/** "Task #t1 created", {"id": "t1"}, or a number. */
const ANSWERED = /#([\w-]+)|"id"\s*:\s*"?([\w-]+)|(\d+)/;

/** A host that assigns an id says so at the start of the output. A record may put the input before it. */
const ANSWER_CHARACTERS = 40;
const LAST_CHARACTERS = 1_000;
const LAST_LINE = /(?:^|\n)[^\n]{0,20}#([\w-]+)[^\n]*(?:\n[\s`]*)?$/;

function oneEntry({ input, output }: ToolCall, keys: Keys): Given {
  const entry = given(input, keys);
  const answered = LAST_LINE.exec(output.slice(-LAST_CHARACTERS)) ?? ANSWERED.exec(output.slice(0, ANSWER_CHARACTERS));
  const [, marked, named, number] = answered ?? [];
  // A record without the input of an update does not say what became of the entry, so it is not known to be open.
  const isUnknown = keys.id.length > 0 && entry.id === undefined && entry.text === undefined && entry.state === undefined;
  return { ...entry, id: entry.id ?? marked ?? named ?? number, ...(isUnknown && { state: "gone" }) };
}

/** A list of entries, or a Markdown checklist. */
function wholeList(value: unknown, keys: Keys): readonly Given[] | undefined {
  if (Array.isArray(value)) return value.map((entry) => given(entry, keys));
  if (typeof value !== "string") return undefined;
  const boxes = value.split("\n").flatMap((line): readonly Given[] => {
    const [, box, text] = BOX.exec(line) ?? [];
    return box === undefined ? [] : [{ text, state: /x/i.test(box) ? "done" : box === " " ? "open" : "doing" }];
  });
  return boxes.length > 0 ? boxes : undefined;
}

/** The entries that an output shows, one in each line of this form. */
function listedIn(output: string, form: string): readonly Given[] | undefined {
  const line = listedLine(form);
  const shown = output.split("\n").flatMap((one): readonly Given[] => {
    const { id, state, text } = line.exec(one.trim())?.groups ?? {};
    return text === undefined ? [] : [{ id, text, state: state === undefined ? undefined : stateOf(state) }];
  });
  return shown.length > 0 ? shown : undefined;
}

const SLOTS: Readonly<Record<string, string>> = { id: "[\\w-]+", state: "[\\w -]+", text: ".+" };

const listedLine = remember((form: string) => {
  const parts = form.split(/\{(id|state|text)\}/);
  return new RegExp(`^${parts.map((part, at) => (at % 2 === 0 ? literal(part) : `(?<${part}>${SLOTS[part]})`)).join("")}$`);
});

const BOX = /^\s*(?:[-*+]|\d+[.)])\s+\[(.)\]\s+(.*)$/;

// The words that agents use for the state of an entry. An entry in another state (closed, obsolete) is not known to be open.
const DONE = /^(?:completed?|done|finished|resolved)$/i;
const DOING = /^(?:in[-_ ]?progress|active|doing|started|ongoing|working)$/i;
const OPEN =
  /^(?:pending|open|to[-_ ]?do|new|planned|queued|ready|backlog|incomplete|not[-_ ](?:yet[-_ ])?(?:started|done)|blocked|waiting|paused|on[-_ ]?hold|deferred|failed|reopened)$/i;

function stateOf(word: string): Todo["state"] | "gone" {
  if (DONE.test(word)) return "done";
  if (DOING.test(word)) return "doing";
  return OPEN.test(word) ? "open" : "gone";
}
