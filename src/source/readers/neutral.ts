// Reads the neutral format: {id, messages: [{id, role, text, toolCalls, time?, meta?}]}, or one message per line.
import type { Role, ToolCall } from "../../model.js";
import { jsonText } from "../../text/forms.js";
import { asList, asText, asTime, fieldsIn, isFields, type JsonFields } from "../../text/json.js";
import type { Light } from "../session/lighten.js";
import { type Content, type ReadSession, toMessage, toReadSession } from "../session/reader.js";

const ROLES: readonly unknown[] = ["user", "assistant", "system", "tool"];

export function readNeutral({ parsed: { values }, name }: Content): ReadSession | undefined {
  const [first] = values;
  if (!isFields(first)) return undefined;
  const whole = Array.isArray(first.messages);
  const list = whole ? asList(first.messages) : values.filter((value) => value !== first || isMessage(value));
  const header = whole || !isMessage(first) ? first : {};
  const messages = list.filter(isMessage).map(messageOf);
  if (messages.length === 0 && !(whole && list.length === 0)) return undefined;
  const head = { id: asText(header.id) ?? name, format: "neutral", folder: asText(header.folder) };
  return toReadSession(head, messages, [list.length - messages.length, "messages without id, role or text are skipped"]);
}

export function lightenNeutral(record: JsonFields, { input, output }: Light): JsonFields | undefined {
  const { text, role, toolCalls } = record;
  if (typeof text !== "string" || typeof role !== "string") return undefined;
  const light = (call: JsonFields) => {
    return { ...call, input: input(call.name, call.input), output: output(asText(call.name) ?? "", call.output) };
  };
  return Array.isArray(toolCalls) ? { ...record, toolCalls: toolCalls.map((one) => (isFields(one) ? light(one) : one)) } : record;
}

function isMessage(value: unknown): value is JsonFields {
  if (!isFields(value)) return false;
  const { id, text, role } = value;
  return typeof id === "string" && typeof text === "string" && ROLES.includes(role);
}

const messageOf = ({ id, role, text, toolCalls, time, meta, summary }: JsonFields) =>
  toMessage({
    id: id as string,
    role: role as Role,
    text: text as string,
    toolCalls: fieldsIn(toolCalls).map(toCall),
    time: asTime(time),
    meta: meta === true,
    summary: summary === true,
  });

const toCall = ({ name, input, output, status }: JsonFields): ToolCall => ({
  name: asText(name) ?? "",
  input,
  output: asText(output) ?? jsonText(output),
  ...(typeof status === "string" && { status }),
});
