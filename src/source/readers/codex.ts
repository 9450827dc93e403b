// Reads Codex's rollouts ($CODEX_HOME/sessions/…/rollout-*.jsonl): {timestamp, type, payload} per line, append-only.
import type { Message, Role, ToolCall } from "../../model.js";
import { asFields, asList, asText, asTime, fieldsIn, isFields, type JsonFields } from "../../text/json.js";
import { type Content, type ReadSession, toReadSession } from "../session/reader.js";
import { planApart, spokenOf } from "../session/spoken.js";
import { isCall, outcomesOf, toCodexCall, withPairedCalls } from "./codex-calls.js";
import { leftBy } from "./codex-compacted.js";

const MARKS: readonly unknown[] = ["session_meta", "response_item", "event_msg", "turn_context", "compacted"];
const ROLES: ReadonlyMap<unknown, Role> = new Map<unknown, Role>([
  ["user", "user"],
  ["assistant", "assistant"],
  ["developer", "system"],
  ["system", "system"],
]);
const MACHINE =
  /^\s*(?:<(?:environment_context|user_instructions|instructions|turn_aborted|skills?|skills_instructions|user_shell_command|user_action|subagent_notification|hook_prompt|permissions|collaboration_mode|apps_instructions|model_switch|personality_spec|\/?image)\b|# AGENTS\.md instructions)/i;
/** Editors in which a person types. Other programs also report "vscode", and anyone may have written their prompt. */
const EDITOR = /^codex[ _-](?:vscode|desktop)/i;
const SUMMARY = "Another language model started to solve this problem";
const EDITOR_STATE = /^\s*# (?:Context from my IDE setup|Files mentioned by the user):/;
const REQUEST = "\n## My request for Codex:";
/** A message of another agent starts a turn too. New files use the first name, old files the second. */
const AGENTS_MESSAGE = "agent_message";
const AGENTS_RECORD = "inter_agent_communication";

type OpenMessage = Message & { readonly toolCalls: ToolCall[] };

export function readCodex({ parsed: { values }, name }: Content): ReadSession | undefined {
  const records = withPairedCalls(values.filter(isFields));
  if (!records.some(({ type, payload }) => MARKS.includes(type) && isFields(payload))) return undefined;
  const { messages, skipped } = toMessages(records);
  // The first session_meta belongs to this file; later ones belong to sessions it was forked from.
  const known = asFields(records.find(({ type, payload }) => type === "session_meta" && isFields(payload))?.payload);
  const { source, originator, thread_source: thread = "user", agent_role: role } = known;
  // Another agent opened the session and speaks as the user.
  const isAgents = isFields(source);
  const isPerson = source === "cli" || (source === "vscode" && EDITOR.test(asText(originator) ?? ""));
  const head = {
    id: asText(known.id) ?? asText(known.session_id) ?? name,
    format: "codex",
    folder: asText(known.cwd),
    whole: records[0]?.type === "session_meta",
    typed: source === undefined ? undefined : isPerson && thread === "user" && role === undefined,
  };
  const said = isAgents ? messages.map((one) => (one.role === "user" ? { ...one, meta: true } : one)) : messages;
  return toReadSession(head, said, [skipped, "items without role and content are skipped"]);
}

function toMessages(records: readonly JsonFields[]): { messages: readonly Message[]; skipped: number } {
  const outcomes = outcomesOf(records);
  const messages: OpenMessage[] = [];
  let skipped = 0;
  // The assistant's message that receives the tool calls of this turn.
  let speaking: OpenMessage | undefined;
  // Number of messages before each turn, because the user can go back by whole turns.
  const turns: number[] = [];
  for (const [index, record] of records.entries()) {
    const { payload } = record;
    const undone = turnsUndone(record);
    if (undone > 0 && turns.length > 0) {
      messages.length = turns[Math.max(0, turns.length - undone)] as number;
      turns.length = Math.max(0, turns.length - undone);
      speaking = undefined;
    }
    if (record.type === AGENTS_RECORD) turns.push(messages.length);
    if (record.type !== "response_item" && record.type !== "compacted") continue;
    if (!isFields(payload)) {
      skipped++;
    } else if (record.type === "compacted") {
      // The model's own summary may come just before the record that installs it.
      const text = summaryIn(asText(payload.message) ?? "");
      const last = messages.at(-1);
      if (last?.summary && text.endsWith(last.text)) messages.pop();
      const left = leftBy(payload, text, messages, (entry) => saidIn(entry, index));
      messages.push({ ...headOf(record, index, "user"), text, summary: true, ...left });
      speaking = undefined;
    } else if (isCall(payload)) {
      if (!speaking) {
        speaking = { ...headOf(record, index, "assistant"), text: "" };
        messages.push(speaking);
      }
      speaking.toolCalls.push(toCodexCall(payload, outcomes));
    } else if (payload.type === AGENTS_MESSAGE) {
      turns.push(messages.length);
    } else if (payload.type === "message") {
      const message = toMessage(record, payload, index);
      if (isTurn(payload, message)) turns.push(messages.length);
      if (message) messages.push(...withPlanApart(message));
      else if (!ROLES.has(payload.role) || !isContent(payload.content)) skipped++;
      if (message && message.role !== "system") speaking = message.role === "assistant" && !message.summary ? message : undefined;
    }
  }
  return { messages, skipped };
}

/** What an entry of a compacted history says in the user's name. */
function saidIn(entry: JsonFields, index: number): readonly OpenMessage[] {
  const message = entry.role === "user" ? toMessage({ payload: entry }, entry, index) : undefined;
  return message && !message.summary && !message.meta ? withPlanApart(message) : [];
}

/** Splits an accepted plan into the assistant's plan and the user's request. */
function withPlanApart(message: OpenMessage): readonly OpenMessage[] {
  const { id, role, text, meta, summary } = message;
  const apart = role === "user" && !meta && !summary ? planApart(text) : undefined;
  if (!apart) return [message];
  return [
    { ...message, id: `${id}#plan`, role: "assistant", text: apart.plan, toolCalls: [] },
    { ...message, text: apart.request },
  ];
}

/** The user's words, or an image with only the program's tags around it. */
function isTurn({ role, content }: JsonFields, message: Message | undefined): boolean {
  if (role !== "user" || message?.summary) return false;
  return message?.meta !== true || fieldsIn(content).some(({ type }) => type === "input_image");
}

/** How many turns the user went back. The record follows the undone turns, which stay in the file. */
function turnsUndone({ type, payload }: JsonFields): number {
  const { type: what, num_turns: turns } = asFields(payload);
  return type === "event_msg" && what === "thread_rolled_back" && Number.isSafeInteger(turns) ? (turns as number) : 0;
}

function headOf(record: JsonFields, index: number, role: Role): Omit<OpenMessage, "text"> {
  const payload = record.payload as JsonFields;
  const time = asTime(record.timestamp);
  const id = asText(payload.id) ?? asText(payload.call_id) ?? String(index + 1);
  return { id, role, toolCalls: [], ...(time !== undefined && { time }) };
}

function toMessage(record: JsonFields, payload: JsonFields, index: number): OpenMessage | undefined {
  const role = ROLES.get(payload.role);
  if (!role) return undefined;
  const blocks = typeof payload.content === "string" ? [{ text: payload.content }] : asList(payload.content);
  // Keep empty blocks, because authors are listed by block index.
  const texts = blocks.map((block) => requestOf(asText(asFields(block).text) ?? ""));
  const whole = texts.filter((text) => text.trim() !== "").join("\n");
  if (whole === "") return undefined;
  const head = headOf(record, index, role);
  const isInstalled = asFields(record.metadata).compaction_output === true;
  if (isInstalled || (role === "user" && texts.some(isSummary))) return { ...head, text: whole, summary: true };
  if (role === "assistant") return { ...head, text: whole };
  const authors = authorsOf(payload);
  const { text, meta } = spokenOf(texts, (one, place) => {
    const author = authors[place];
    return role === "system" || (author === undefined ? MACHINE.test(one) : author !== "user");
  });
  return { ...head, text, ...(meta && { meta: true }) };
}

const isContent = (content: unknown): boolean => typeof content === "string" || Array.isArray(content);
const isSummary = (text: string): boolean => text.trimStart().startsWith(SUMMARY);
/** If only the introductory line is there, the summary is empty. */
const summaryIn = (text: string): string => (isSummary(text) && !text.trim().includes("\n") ? "" : text);

/** New files name the author of each block. */
function authorsOf({ internal_chat_message_metadata_passthrough: passed }: JsonFields): readonly (string | undefined)[] {
  const blocks = asList(asFields(passed).content_item_metadata);
  return blocks.map((block) => asText(asFields(asFields(block).provenance).type));
}

/** Editors add their state above the typed text. A file in it may contain the same heading, so the last one counts. */
function requestOf(text: string): string {
  const at = EDITOR_STATE.test(text) ? text.lastIndexOf(REQUEST) : -1;
  return at < 0 ? text : text.slice(at + REQUEST.length).trim();
}
