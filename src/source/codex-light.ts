// Codex's records without what nothing looks at. How a call ended stands in its output, so that is looked at here.
import { OUTPUT_START_CHARACTERS } from "../limits.js";
import { endOfHeader, isCall, nameOf, parse, textOf, wrapped } from "./codex-calls.js";
import { asText, type Fields, isFields } from "./parsed.js";
import { cut, map, type Start, shorten } from "./shorten.js";

/** @param start characters of the output that are needed; undefined when its tool is not known */
export function lightCodex(
  type: string,
  payload: Fields,
  input: (tool: unknown, value: unknown) => unknown,
  start: Start | undefined,
): Fields {
  if (type === "compacted")
    return map(payload, (value, key) => (key === "message" ? value : shorten(value, OUTPUT_START_CHARACTERS)));
  if (type !== "response_item") return shorten(payload, OUTPUT_START_CHARACTERS) as Fields;
  if (payload.type === "message") return payload;
  if (isCall(payload)) return lightCall(payload, input);
  if (!asText(payload.type)?.endsWith("_output")) return shorten(payload, OUTPUT_START_CHARACTERS) as Fields;
  return start === undefined ? payload : { ...payload, output: lightOutput(payload.output, start) };
}

function lightCall(payload: Fields, input: (tool: unknown, value: unknown) => unknown): Fields {
  const name = nameOf(payload);
  const { arguments: given, input: text, action } = payload;
  const parsed = typeof given === "string" && given.length > OUTPUT_START_CHARACTERS ? parse(given) : undefined;
  return {
    ...payload,
    ...(isFields(parsed) && { arguments: input(name, parsed) }),
    ...(typeof text === "string" && { input: (input(name, { input: text }) as Fields).input }),
    ...(action !== undefined && { action: input(name, action) }),
  };
}

function lightOutput(output: unknown, start: Start): unknown {
  const fields = wrapped(output) ?? output;
  if (typeof output === "string" && fields === output) return lightText(output, start);
  if (!isFields(fields)) return [{ text: lightText(textOf(output), start) }];
  return map(fields, (value, key) => (key === "output" || key === "content" ? lightBlocks(value, start) : value));
}

const lightBlocks = (value: unknown, start: Start) =>
  value === undefined || value === null ? value : [{ text: lightText(textOf(value), start) }];

/** The header tells how it ended: what begins the output behind it must stay, or the header would seem to go on. */
const lightText = (text: string, start: Start) => cut(text, Math.max(start(text), endOfHeader(text)));
