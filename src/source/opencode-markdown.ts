// OpenCode's transcript, as `/export` writes it: Markdown with a head for each message, its tools and, if wished, its thinking.
import { OPENCODE_HEAD_CHARACTERS } from "../limits.js";
import type { ToolCall } from "../model.js";
import type { Content, ReadSession } from "./session.js";
import { fenceOf, joined, type Turn, toLines, toSession } from "./turns.js";

const SESSION_ID = /^\*\*Session ID:\*\* (ses_\w+)\s*$/;
const HEAD = /^## (?:(User)|Assistant(?: \(.*\))?)\s*$/;
const TOOL = /^\*\*Tool: (.+)\*\*\s*$/;
const ANSWER = /^\*\*(Output|Error):\*\*\s*$/;
const THINKING = "_Thinking:_";
// Thinking has hardly any structure, and answers do.
const STRUCTURE = /^(?:#{1,6} |\||---)/;

export function readOpenCodeMarkdown({ text, parsed: { values } }: Content): ReadSession | undefined {
  if (values.length > 0 || !text.slice(0, 2_000).includes("**Session ID:** ses_")) return undefined;
  const content = toLines(text);
  const id = content.slice(0, 20).flatMap((line) => SESSION_ID.exec(line)?.[1] ?? [])[0];
  const edges = content.map((line, index) => edgeAt(content, line, index));
  if (id === undefined || !edges.includes("user")) return undefined;
  const behind = edgesBehind(edges);
  const turns: { user: boolean; said: string[]; calls: ToolCall[] }[] = [];
  for (let index = edges.findIndex((edge) => edge === "user" || edge === "assistant"); index < content.length; ) {
    const kind = edges[index];
    const turn = turns.at(-1);
    if (kind === "user" || kind === "assistant") {
      turns.push({ user: kind === "user", said: [], calls: [] });
      index++;
    } else if (kind === "tool" && turn?.user === false) {
      const { call, end } = toolAt(content, index, behind[index] as number);
      turn.calls.push(call);
      index = end;
    } else if (content[index]?.trimEnd() === THINKING && turn?.user === false) {
      const edge = behind[index] as number;
      index = endOfThinking(content, index, edge, edges[edge] === "tool");
    } else {
      turn?.said.push(content[index] as string);
      index++;
    }
  }
  const said = turns.map((turn): Turn => {
    return { role: turn.user ? "user" : "assistant", text: joined(turn.said), toolCalls: turn.calls };
  });
  return toSession(id, "opencode", said);
}

type Edge = "user" | "assistant" | "tool";

/** A head stands below a rule. */
function edgeAt(content: readonly string[], line: string, index: number): Edge | undefined {
  if (line.length > OPENCODE_HEAD_CHARACTERS) return undefined;
  if (TOOL.test(line)) return "tool";
  const head = HEAD.exec(line);
  if (!head || content[index - 1]?.trim() !== "" || content[index - 2]?.trim() !== "---") return undefined;
  return head[1] === undefined ? "assistant" : "user";
}

/** For each line the next edge behind it. */
function edgesBehind(edges: readonly (Edge | undefined)[]): readonly number[] {
  const behind = new Array<number>(edges.length);
  let edge = edges.length;
  for (let index = edges.length - 1; index >= 0; index--) {
    behind[index] = edge;
    if (edges[index] !== undefined) edge = index;
  }
  return behind;
}

/** Its input is JSON; behind its output, which may hold fences, the message says nothing before the next tool. */
function toolAt(content: readonly string[], index: number, edge: number): { call: ToolCall; end: number } {
  const block = content.slice(index, edge);
  const open = block.findIndex((line) => line.trimEnd() === "```json");
  const close = block.findIndex((line, at) => at > open && line.trimEnd() === "```");
  const answer = block.findIndex((line, at) => at > (open < 0 ? 0 : close) && ANSWER.test(line));
  const last = block.findLastIndex((line) => fenceOf(line)?.bare === true);
  const name = TOOL.exec(block[0] as string)?.[1] ?? "";
  const input = open < 0 || close < 0 ? {} : parsed(block.slice(open + 1, close).join("\n"));
  const failed = answer >= 0 && ANSWER.exec(block[answer] as string)?.[1] === "Error";
  const output = answer < 0 ? "" : block.slice(answer + 2, Math.max(last, answer + 2)).join("\n");
  // How a command ended is not told.
  return { call: { name, input, output, ...(failed && { status: "error" }) }, end: index + Math.max(last, 0) + 1 };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/**
 * Where thinking ends is not told. Before a tool all of it is left out up to the first heading, table or rule; at the end of a
 * message, which answers something, only its first paragraph.
 */
function endOfThinking(content: readonly string[], index: number, edge: number, isWhole: boolean): number {
  let end = index + 1;
  while (end < edge && content[end]?.trim() === "") end++;
  while (end < edge && !STRUCTURE.test(content[end] as string) && (isWhole || content[end]?.trim() !== "")) end++;
  return end;
}
