// OpenCode: `opencode export` ({info, messages: [{info, parts}]}) and the SDK's messages ([{info, parts}]).
import type { Message, ToolCall } from "../model.js";
import { skippedMessages } from "./notices.js";
import { asList, asText, asTime, type Fields, isFields } from "./parsed.js";
import type { Content, ReadSession } from "./session.js";

export function readOpenCode({ parsed: { values }, name }: Content): ReadSession | undefined {
  const [first] = values;
  const list = Array.isArray(first)
    ? first
    : isFields(first) && isFields(first.info)
      ? asList(first.messages)
      : asList(isFields(first) ? first.data : undefined);
  if (list.length === 0 ? !(isFields(first) && isFields(first.info) && Array.isArray(first.messages)) : !list.some(isMessage))
    return undefined;
  const readable = list.filter(isMessage);
  const asides = new Set(readable.filter(isAside).map(({ info }) => (info as Fields).id));
  const messages = readable.map((message) => {
    const read = toMessage(message);
    // A plugin's command was answered, not the user.
    return asides.has((message.info as Fields).parentID) ? { ...read, meta: true } : read;
  });
  const session = isFields(first) && isFields(first.info) ? first.info : undefined;
  const id = asText(session?.id) ?? asText((readable[0]?.info as Fields | undefined)?.sessionID) ?? name;
  const skipped = list.length - readable.length;
  const notices = skippedMessages(skipped, "messages without info and parts are skipped");
  const folder = asText(session?.directory);
  return { session: { id, format: "opencode", ...(folder && { folder }), messages }, notices };
}

function isMessage(value: unknown): value is Fields {
  if (!isFields(value) || !isFields(value.info) || !Array.isArray(value.parts)) return false;
  return typeof value.info.id === "string" && (value.info.role === "user" || value.info.role === "assistant");
}

const textsOf = ({ parts }: Fields) =>
  asList(parts).filter((part): part is Fields => isFields(part) && part.type === "text" && typeof part.text === "string");

/** A plugin shows the user something in the place of what was typed: text that the model does not get. */
function isAside(fields: Fields): boolean {
  const shown = textsOf(fields).filter(({ synthetic }) => synthetic !== true);
  return shown.length > 0 && shown.every(({ ignored }) => ignored === true);
}

function toMessage(fields: Fields): Message {
  const info = fields.info as Fields;
  const parts = asList(fields.parts).filter(isFields);
  const texts = textsOf(fields).filter(({ ignored }) => ignored !== true);
  // What the user typed counts; what OpenCode put beside it (file contents, reminders) does not.
  const said = texts.filter((part) => part.synthetic !== true);
  const meta = info.role === "user" && said.length === 0;
  const time = isFields(info.time) ? asTime(info.time.created) : undefined;
  return {
    id: info.id as string,
    role: info.role as "user" | "assistant",
    text: (meta ? texts : said).map((part) => part.text).join("\n"),
    toolCalls: parts.filter((part) => part.type === "tool").map(toCall),
    ...(time !== undefined && { time }),
    ...(meta && { meta: true }),
    ...(info.summary === true && { summary: true }),
  };
}

function toCall(part: Fields): ToolCall {
  const state = isFields(part.state) ? part.state : {};
  const exit = isFields(state.metadata) ? state.metadata.exit : undefined;
  // A failing command is "completed" for OpenCode; only its exit status tells.
  const status = typeof exit === "number" && exit !== 0 ? "error" : asText(state.status);
  return {
    name: asText(part.tool) ?? "",
    input: state.input,
    output: asText(state.output) ?? asText(state.error) ?? "",
    ...(status !== undefined && { status }),
  };
}
