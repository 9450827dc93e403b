// What tools did, in files that SpecStory wrote before it had a version: in plain Markdown, between rules or by turns.
import type { ToolCall } from "../model.js";
import { headOf } from "./specstory-blocks.js";
import { endOfTodos } from "./specstory-todos.js";
import { toCall } from "./specstory-tools.js";
import { fenceOf, joined } from "./turns.js";

const USED = /^Tool use: \*\*([^*\n]{1,100})\*\*(.*)$/;
const READ = /^Read file: (.+)$/;
const LOST = /^(?:undefined|Could not find file '.+' in the workspace\.)$/;
const CHUNK = /^\*\*Chunk \d+\*\*$/;
const COUNTED = /^Lines added: \w+, lines removed: \w+$/;
// A fence in the language of some shell.
const COMMAND = /^```[a-z]*sh$/;
const LABEL = /^(?:Result|Error):$/;
const ONE_LINE = /^`[^`].*`$/;
// Longer than any fence in what it holds.
const FENCE = "`".repeat(100);

export interface Report {
  /** The line behind it. */
  readonly end: number;
  readonly call: ToolCall;
}

/** What begins on a line of the agent, outside of code; undefined where it is speech. */
export function reportAt(content: readonly string[], index: number): Report | undefined {
  const line = (content[index] as string).trimEnd();
  if (CHUNK.test(line) && COUNTED.test(content[index + 1]?.trimEnd() ?? "")) return chunk(content, index);
  if (!/^(?:Tool use: |Read file: |Could not find file |undefined$|```[a-z]*sh$)/.test(line)) return undefined;
  if (!isEdge(content, before(content, index))) return undefined;
  if (COMMAND.test(line)) return command(content, index);
  const [, name, rest = ""] = USED.exec(line) ?? [];
  if (name !== undefined) return used(content, index, name, rest.trim());
  if (!isEdge(content, next(content, index + 1))) return undefined;
  const end = index + 1;
  if (LOST.test(line)) return { end, call: { name: "", input: {}, output: line, status: "error" } };
  const [, path] = READ.exec(line) ?? [];
  // Some files do not tell which.
  return path === undefined
    ? undefined
    : { end, call: { name: "read", input: path === "undefined" ? {} : { path }, output: "" } };
}

const isBlank = (line: string | undefined) => line?.trim() === "";

function next(content: readonly string[], from: number): number {
  let index = from;
  while (isBlank(content[index])) index++;
  return index;
}

function before(content: readonly string[], from: number): number {
  let index = from - 1;
  while (isBlank(content[index])) index--;
  return index;
}

/** A rule, a head, or the end. */
function isEdge(content: readonly string[], index: number): boolean {
  const line = content[index];
  return line === undefined || line.trimEnd() === "---" || headOf(line) !== undefined;
}

/** Which file it is of is not told. */
function chunk(content: readonly string[], index: number): Report {
  const open = next(content, index + 2);
  let end = index + 2;
  if (content[open]?.startsWith("```diff")) {
    end = open + 1;
    while (end < content.length && !(content[end] as string).startsWith("```") && !headOf(content[end] as string)) end++;
    if (content[end]?.startsWith("```")) end++;
  }
  return { end, call: { name: "edit", input: {}, output: joined(content.slice(index, end)) } };
}

/** A command and, in a fence behind its own, what it printed: then it ran. */
function command(content: readonly string[], index: number): Report | undefined {
  let printed = -1;
  for (let at = index + 1; at < content.length; at++) {
    const line = content[at] as string;
    if (headOf(line) || COMMAND.test(line.trimEnd())) return undefined;
    if (!fenceOf(line)?.bare) continue;
    const behind = next(content, at + 1);
    if (printed < 0) {
      if (!fenceOf(content[behind] ?? "")?.bare) return undefined;
      printed = behind;
      at = behind;
    } else if (isEdge(content, behind)) {
      const input = { command: joined(content.slice(index + 1, before(content, printed))) };
      return { end: at + 1, call: { name: "shell", input, output: joined(content.slice(printed + 1, at)) } };
    }
  }
  return undefined;
}

/** A line with the tool's name; where its command, its answer or what it wrote follows, they are the rest of the turn. */
function used(content: readonly string[], index: number, name: string, rest: string): Report {
  let end = index + 1;
  const at = next(content, end);
  const code = ONE_LINE.test(content[at]?.trimEnd() ?? "") ? (content[at] as string).trimEnd() : undefined;
  if (code !== undefined) end = at + 1;
  const body = next(content, end);
  const todos = endOfTodos(content, body);
  if (todos !== undefined) end = todos;
  let label = -1;
  if (LABEL.test(content[body]?.trimEnd() ?? "") || fenceOf(content[body] ?? "")) {
    for (let line = body; line < content.length && !headOf(content[line] as string); line++) {
      if ((content[line] as string).startsWith("Tool use: **")) break;
      if (fenceOf(content[line] as string)?.bare) end = line + 1;
      if (LABEL.test((content[line] as string).trimEnd()) && fenceOf(content[next(content, line + 1)] ?? "")) label = line;
    }
  }
  const answer = label < 0 ? [] : content.slice(next(content, label + 1) + 1, end - 1);
  const opening = `<tool-use data-tool-type="${code === undefined ? "" : "shell"}" data-tool-name="${name}"><summary></summary>`;
  const call = toCall([
    opening,
    rest,
    code ?? "",
    ...(todos === undefined ? [] : content.slice(body, todos)),
    ...(label < 0 ? [] : [FENCE, ...answer, FENCE]),
  ]);
  const status = label < 0 ? call.status : content[label]?.startsWith("Error") ? "error" : (call.status ?? "completed");
  return { end, call: { ...call, output: joined(answer), ...(status !== undefined && { status }) } };
}
