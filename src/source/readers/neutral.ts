// Reads the neutral format: {id, messages: [{id, role, text, toolCalls, time?, meta?}]}, or one message per line.
import type { Role, ToolCall } from "../../model.js";
import { jsonText } from "../../text/forms.js";
import { asList, asText, asTime, isFields, type JsonFields } from "../session/parse-json.js";
import { type Content, type ReadSession, toMessage, toReadSession } from "../session/reader.js";

const ROLES: readonly string[] = ["user", "assistant", "system", "tool"];

export function readNeutral({ parsed: { values }, name }: Content): ReadSession | undefined {
  const [first] = values;
  if (!isFields(first)) return undefined;
  const whole = Array.isArray(first.messages);
  const list = whole ? asList(first.messages) : values.filter((value) => value !== first || isMessage(value));
  const header = whole || !isMessage(first) ? first : {};
  if (!whole && !list.some(isMessage)) return undefined;
  if (whole && list.length > 0 && !list.some(isMessage)) return undefined;
  const messages = list.filter(isMessage).map(messageOf);
  const skipped = { count: list.length - messages.length, message: "messages without id, role or text are skipped" };
  return toReadSession({ id: asText(header.id) ?? name, format: "neutral", folder: asText(header.folder) }, messages, skipped);
}

function isMessage(value: unknown): value is JsonFields {
  if (!isFields(value)) return false;
  return (
    typeof value.id === "string" && typeof value.text === "string" && typeof value.role === "string" && ROLES.includes(value.role)
  );
}

const messageOf = ({ id, role, text, toolCalls, time, meta, summary }: JsonFields) =>
  toMessage({
    id: id as string,
    role: role as Role,
    text: text as string,
    toolCalls: asList(toolCalls).filter(isFields).map(toCall),
    time: asTime(time),
    meta: meta === true,
    summary: summary === true,
  });

function toCall(fields: JsonFields): ToolCall {
  const status = asText(fields.status);
  const { output } = fields;
  return {
    name: asText(fields.name) ?? "",
    input: fields.input,
    output: typeof output === "string" ? output : jsonText(output),
    ...(status !== undefined && { status }),
  };
}
