// Reads OpenCode sessions: `opencode export` ({info, messages: [{info, parts}]}), the SDK's messages ([{info, parts}]), and
// `/export` Markdown.
import type { Message, ToolCall } from "../../model.js";
import { asFields, asList, asText, asTime, fieldsIn, isFields, type JsonFields, parseJson } from "../../text/json.js";
import { type Content, type ReadSession, toMessage, toReadSession } from "../session/reader.js";
import { fenceOf, joined, type SpokenTurn, toLines, turnsToSession } from "./markdown-turns.js";

/** Longest head line in OpenCode's Markdown: a title, a model and a time. */
const OPENCODE_HEAD_CHARACTERS = 300;

export function readOpenCode({ parsed: { values }, name }: Content): ReadSession | undefined {
  const [first] = values;
  const fields = asFields(first);
  const session = isFields(fields.info) ? fields.info : undefined;
  const list = Array.isArray(first) ? first : asList(session ? fields.messages : fields.data);
  const isEmptyExport = list.length === 0 && session !== undefined && Array.isArray(fields.messages);
  if (!isEmptyExport && !list.some(isMessage)) return undefined;
  const readable = list.filter(isMessage).map(({ info, parts }) => ({ info, parts, texts: parts.filter(isText) }));
  const asides = new Set(readable.flatMap(({ info, texts }) => (isAside(texts) ? [info.id] : [])));
  // An agent of another session opened this one and speaks as the user.
  const isChild = asText(session?.parentID) !== undefined;
  const messages = readable.map((message) => {
    // The answer to a plugin's command, not to the user.
    const isAnswer = asides.size > 0 && asides.has(message.info.parentID);
    return messageOf(message, isAnswer || (isChild && message.info.role === "user"));
  });
  const id = asText(session?.id) ?? asText(readable[0]?.info.sessionID) ?? name;
  const typed = session && !isChild;
  const head = { id, format: "opencode", folder: asText(session?.directory), typed };
  return toReadSession(head, messages, [list.length - readable.length, "messages without info and parts are skipped"]);
}

type OpenCodeMessage = { readonly info: JsonFields; readonly parts: readonly unknown[] };

function isMessage(value: unknown): value is OpenCodeMessage {
  if (!isFields(value) || !isFields(value.info) || !Array.isArray(value.parts)) return false;
  return typeof value.info.id === "string" && (value.info.role === "user" || value.info.role === "assistant");
}

const isText = (part: unknown): part is JsonFields => isFields(part) && part.type === "text" && typeof part.text === "string";

/** Does the message contain only text that a plugin shows to the user, and not to the model, instead of the typed text? */
function isAside(texts: readonly JsonFields[]): boolean {
  const said = texts.filter(({ synthetic }) => synthetic !== true);
  return said.length > 0 && said.every(({ ignored }) => ignored === true);
}

function messageOf({ info, parts, texts }: OpenCodeMessage & { texts: readonly JsonFields[] }, isMachine: boolean): Message {
  const forModel = texts.filter(({ ignored }) => ignored !== true);
  // What the user typed counts; what OpenCode added to it (file contents, reminders) does not.
  const said = forModel.filter(({ synthetic }) => synthetic !== true);
  const isMade = info.role === "user" && said.length === 0;
  const toolCalls = fieldsIn(parts).flatMap((part) => (part.type === "tool" ? [toCall(part)] : []));
  return toMessage({
    id: info.id as string,
    role: info.role as "user" | "assistant",
    text: unquoted((isMade ? forModel : said).map(({ text }) => text).join("\n"), info.role === "user"),
    toolCalls,
    time: asTime(asFields(info.time).created),
    meta: isMade || isMachine,
    summary: info.summary === true,
  });
}

/** `opencode run "…"` stores the whole prompt in quotation marks and escapes those in it. Separate quotations are left alone. */
function unquoted(text: string, isUser: boolean): string {
  if (!isUser || !text.startsWith('"')) return text;
  const [whole, inner] = [text.trimEnd(), text.trimEnd().slice(1, -1)];
  return inner.trim() === "" || !whole.endsWith('"') || /(?<!\\)"/.test(inner) ? text : inner.replaceAll('\\"', '"');
}

function toCall(part: JsonFields): ToolCall {
  const { input, metadata, error, ...state } = asFields(part.state);
  const { exit } = asFields(metadata);
  // OpenCode reports a failed command as "completed"; only its exit code shows the failure.
  const status = typeof exit === "number" && exit !== 0 ? "error" : asText(state.status);
  const output = asText(state.output) ?? asText(error) ?? "";
  return { name: asText(part.tool) ?? "", input, output, ...(status !== undefined && { status }) };
}

// Reads OpenCode's transcript from `/export`: Markdown with a head for each message, its tools and optionally its thinking.

const SESSION_ID = /^\*\*Session ID:\*\* (ses_\w+)\s*$/;
const HEAD = /^## (?:(User)|Assistant(?: \(.*\))?)\s*$/;
const TOOL = /^\*\*Tool: (.+)\*\*\s*$/;
const ANSWER = /^\*\*(Output|Error):\*\*\s*$/;
const THINKING = "_Thinking:_";
// Answers have structure; thinking hardly ever does.
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
  const said = turns.map((turn): SpokenTurn => {
    return { role: turn.user ? "user" : "assistant", text: unquoted(joined(turn.said), turn.user), toolCalls: turn.calls };
  });
  return turnsToSession(id, "opencode", said);
}

type Edge = "user" | "assistant" | "tool";

/** The head of a message counts only after a rule. */
function edgeAt(content: readonly string[], line: string, index: number): Edge | undefined {
  if (line.length > OPENCODE_HEAD_CHARACTERS) return undefined;
  if (TOOL.test(line)) return "tool";
  const head = HEAD.exec(line);
  if (!head || content[index - 1]?.trim() !== "" || content[index - 2]?.trim() !== "---") return undefined;
  return head[1] === undefined ? "assistant" : "user";
}

function edgesBehind(edges: readonly (Edge | undefined)[]): readonly number[] {
  const behind = new Array<number>(edges.length);
  let edge = edges.length;
  for (let index = edges.length - 1; index >= 0; index--) {
    behind[index] = edge;
    if (edges[index] !== undefined) edge = index;
  }
  return behind;
}

/** Reads a tool call. Its input is JSON, its output may contain fences, and no message text follows before the next tool. */
function toolAt(content: readonly string[], index: number, edge: number): { call: ToolCall; end: number } {
  const block = content.slice(index, edge);
  const open = block.findIndex((line) => line.trimEnd() === "```json");
  const close = block.findIndex((line, at) => at > open && line.trimEnd() === "```");
  const answer = block.findIndex((line, at) => at > (open < 0 ? 0 : close) && ANSWER.test(line));
  const last = block.findLastIndex((line) => fenceOf(line)?.bare === true);
  const name = TOOL.exec(block[0] as string)?.[1] ?? "";
  const input = open < 0 || close < 0 ? {} : (parseJson(block.slice(open + 1, close).join("\n")) ?? {});
  const failed = answer >= 0 && ANSWER.exec(block[answer] as string)?.[1] === "Error";
  const output = answer < 0 ? "" : block.slice(answer + 2, Math.max(last, answer + 2)).join("\n");
  // The file does not say how a command ended.
  return { call: { name, input, output, ...(failed && { status: "error" }) }, end: index + Math.max(last, 0) + 1 };
}

/** The file does not say where thinking ends. Before a tool, everything up to the first heading, table or rule is left out; at
 * the end of a message, which contains the answer, only the first paragraph. */
function endOfThinking(content: readonly string[], index: number, edge: number, isWhole: boolean): number {
  let end = index + 1;
  while (end < edge && content[end]?.trim() === "") end++;
  while (end < edge && !STRUCTURE.test(content[end] as string) && (isWhole || content[end]?.trim() !== "")) end++;
  return end;
}
