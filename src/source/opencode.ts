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
  const texts = readable.map(textsOf);
  const asides = new Set(
    readable.flatMap(({ info }, index) => (isAside(texts[index] as readonly Fields[]) ? [(info as Fields).id] : [])),
  );
  const session = isFields(first) && isFields(first.info) ? first.info : undefined;
  // Another session's agent opened this one and speaks in the user's place.
  const isChild = asText(session?.parentID) !== undefined;
  const messages = readable.map((message, index) => {
    // A plugin's command was answered, not the user.
    const isAnswer = asides.size > 0 && asides.has((message.info as Fields).parentID);
    return toMessage(
      message,
      texts[index] as readonly Fields[],
      isAnswer || (isChild && (message.info as Fields).role === "user"),
    );
  });
  const id = asText(session?.id) ?? asText((readable[0]?.info as Fields | undefined)?.sessionID) ?? name;
  const skipped = list.length - readable.length;
  const notices = skippedMessages(skipped, "messages without info and parts are skipped");
  const folder = asText(session?.directory);
  const typed = session !== undefined && !isChild;
  return { session: { id, format: "opencode", ...(folder && { folder }), ...(typed && { typed }), messages }, notices };
}

function isMessage(value: unknown): value is Fields {
  if (!isFields(value) || !isFields(value.info) || !Array.isArray(value.parts)) return false;
  return typeof value.info.id === "string" && (value.info.role === "user" || value.info.role === "assistant");
}

const textsOf = ({ parts }: Fields): readonly Fields[] =>
  (parts as readonly unknown[]).filter(
    (part): part is Fields => isFields(part) && part.type === "text" && typeof part.text === "string",
  );

/** A plugin shows the user something in the place of what was typed: text that the model does not get. */
function isAside(texts: readonly Fields[]): boolean {
  let isShown = false;
  for (const { synthetic, ignored } of texts) {
    if (synthetic === true) continue;
    if (ignored !== true) return false;
    isShown = true;
  }
  return isShown;
}

function toMessage({ info: fields, parts }: Fields, texts: readonly Fields[], isMachine: boolean): Message {
  const info = fields as Fields;
  const told = texts.filter(({ ignored }) => ignored !== true);
  // What the user typed counts; what OpenCode put beside it (file contents, reminders) does not.
  const said = told.filter(({ synthetic }) => synthetic !== true);
  const isMade = info.role === "user" && said.length === 0;
  const time = isFields(info.time) ? asTime(info.time.created) : undefined;
  const toolCalls: ToolCall[] = [];
  for (const part of parts as readonly unknown[]) if (isFields(part) && part.type === "tool") toolCalls.push(toCall(part));
  return {
    id: info.id as string,
    role: info.role as "user" | "assistant",
    text: (isMade ? told : said).map(({ text }) => text).join("\n"),
    toolCalls,
    ...(time !== undefined && { time }),
    ...((isMade || isMachine) && { meta: true }),
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
