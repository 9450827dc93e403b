// Shrinks the records of a session while they are read: nine tenths are tool output that no rule looks at. The readers and the
// extraction give the same result as for the full records.
import { INPUT_DEPTH, OUTPUT_END_CHARACTERS, OUTPUT_START_CHARACTERS } from "../../limits.js";
import { endOfHeader, isCall, textOf, toolNameOf, wrapped } from "../readers/codex-calls.js";
import { asList, asText, isFields, type JsonFields, parseJson } from "./parse-json.js";

/** What rules need from the calls of a tool. */
export interface Needs {
  /** Characters at the start of an output text. */
  readonly output: (tool: string, text: string) => number;
  /** Characters at the start of each input text. */
  readonly texts: (tool: string) => number;
  /** Input keys that are needed in full. */
  readonly input: (tool: string) => ReadonlySet<string>;
  /** Cuts the middle out of a long text. Half a secret looks harmless, so none is left. */
  readonly cut: (text: string, ends: { readonly start: number; readonly end: number; readonly joint: string }) => string;
}

/** One per session, because a separate answer is matched to its call by id. */
export function createLightener(needs: Needs): (piece: unknown) => unknown {
  const names = new Map<string, string>();
  const called = (id: unknown, name: unknown) => {
    if (typeof id === "string" && typeof name === "string") names.set(id, name);
  };
  const cut = (text: string, start = OUTPUT_START_CHARACTERS) =>
    cutText(text, Math.max(start, OUTPUT_START_CHARACTERS), needs.cut);
  const short = (value: unknown) => shortenTexts(value, cut);
  const cutOutput =
    (tool: string): Cut =>
    (text, least = 0) =>
      cut(text, Math.max(needs.output(tool, text), least));
  const output = (tool: string, value: unknown) => shortenTexts(value, cutOutput(tool));
  /** The output of an unknown call stays as it is. */
  const answer = (id: unknown, value: unknown, tool = names.get(asText(id) ?? "")) =>
    tool === undefined ? value : output(tool, value);

  function input(tool: unknown, value: unknown): unknown {
    if (!isFields(value)) return value;
    const name = asText(tool) ?? "";
    const wanted = needs.input(name);
    return map(value, (one, key) => (wanted.has(key) ? one : shortenTexts(one, (text) => cut(text, needs.texts(name)))));
  }

  const call = (fields: JsonFields) => ({
    ...fields,
    input: input(fields.name, fields.input),
    output: output(asText(fields.name) ?? "", fields.output),
  });

  /** A content block of Claude Code or pi. */
  function block(fields: JsonFields): unknown {
    switch (fields.type) {
      case "text":
        return fields;
      case "tool_use":
        called(fields.id, fields.name);
        return { ...fields, input: input(fields.name, fields.input) };
      case "toolCall":
        called(fields.id, fields.name);
        return { ...fields, arguments: input(fields.name, fields.arguments) };
      case "tool_result":
        return { ...fields, content: answer(fields.tool_use_id, fields.content) };
      default:
        return short(fields);
    }
  }

  const blocks = (content: unknown) =>
    Array.isArray(content) ? content.map((one) => (isFields(one) ? block(one) : one)) : content;

  /** Keeps what a record says, in any format; long texts in its other fields are cut. */
  const message = (fields: JsonFields) =>
    map(fields, (value, key) => {
      if (key === "text" || key === "summary") return value;
      if (key !== "content") return short(value);
      return fields.role === "toolResult" ? answer(fields.toolCallId, value, asText(fields.toolName)) : blocks(value);
    });

  function event(type: string, data: JsonFields): unknown {
    for (const request of asList(data.toolRequests).filter(isFields)) called(request.toolCallId, request.name);
    called(data.toolCallId, data.toolName);
    const tool = asText(data.toolName);
    const request = (one: unknown) => (isFields(one) ? { ...one, arguments: input(one.name, one.arguments) } : one);
    return map(data, (value, key) => {
      if (key === "content" || key === "summary" || key === "summaryContent") return value;
      if (key === "arguments") return input(tool, value);
      if (key === "error") return answer(data.toolCallId, value, tool);
      if (key === "result") return type === "tool.execution_complete" ? answer(data.toolCallId, value, tool) : value;
      return key === "toolRequests" && Array.isArray(value) ? value.map(request) : short(value);
    });
  }

  return (piece) => {
    if (!isFields(piece)) return piece;
    if (typeof piece.type === "string" && isFields(piece.payload)) {
      const { payload } = piece;
      if (isCall(payload)) called(payload.call_id, toolNameOf(payload));
      const tool = names.get(asText(payload.call_id) ?? "");
      const ways = { input, short, output: tool === undefined ? undefined : cutOutput(tool) };
      return { ...piece, payload: lightCodex(piece.type, payload, ways) };
    }
    if (typeof piece.type === "string" && isFields(piece.data)) return { ...piece, data: event(piece.type, piece.data) };
    if (typeof piece.text === "string" && typeof piece.role === "string")
      return Array.isArray(piece.toolCalls)
        ? { ...piece, toolCalls: piece.toolCalls.map((one) => (isFields(one) ? call(one) : one)) }
        : piece;
    if (isFields(piece.message)) {
      return map(piece, (value, key) => {
        if (key === "message") return message(value as JsonFields);
        return key === "toolUseResult" && typeof value !== "string" ? undefined : short(value);
      });
    }
    const { attachment } = piece;
    return isFields(attachment) && attachment.prompt === undefined ? short(piece) : piece;
  };
}

// Cuts long texts inside data.

/** Changes each field in place: a record was just parsed, nobody else has it, and most of its fields stay as they are. */
function map<T extends object>(fields: T, change: (value: unknown, key: string) => unknown): T {
  const own = fields as Record<string, unknown>;
  for (const key of Object.keys(fields)) {
    const value = change(own[key], key);
    if (value !== own[key]) own[key] = value;
  }
  return fields;
}

/** Cuts a text. @param least characters at its start that are kept */
type Cut = (text: string, least?: number) => string;

/** Cuts every long text in a value and keeps both ends. Below the depth limit, values stay as they are. */
function shortenTexts(value: unknown, cut: Cut, depth = INPUT_DEPTH): unknown {
  if (typeof value === "string") return cut(value);
  if (depth === 0 || typeof value !== "object" || value === null) return value;
  return map(value, (entry) => shortenTexts(entry, cut, depth - 1));
}

function cutText(text: string, start: number, cut: Needs["cut"]): string {
  if (text.length <= start + OUTPUT_END_CHARACTERS + CUT.length) return text;
  const short = cut(text, { start, end: OUTPUT_END_CHARACTERS, joint: CUT });
  // A substring keeps its whole source text in memory; a copy does not.
  const encoding = /[^\0-\xff]/.test(short) ? "utf16le" : "latin1";
  return Buffer.from(short, encoding).toString(encoding);
}

/** Marks the place of removed text. */
const CUT = "\n...\n";

interface Ways {
  readonly input: (tool: unknown, value: unknown) => unknown;
  readonly short: (value: unknown) => unknown;
  /** Cuts the output; undefined when its tool is not known. */
  readonly output: Cut | undefined;
}

/** Keeps the header of a Codex output, because it says how the call ended. */
function lightCodex(type: string, payload: JsonFields, { input, short, output }: Ways): JsonFields {
  if (type === "compacted") return map(payload, (value, key) => (key === "message" ? value : short(value)));
  if (type !== "response_item") return short(payload) as JsonFields;
  if (payload.type === "message") return payload;
  if (isCall(payload)) return lightCall(payload, input);
  if (!asText(payload.type)?.endsWith("_output")) return short(payload) as JsonFields;
  return output === undefined ? payload : { ...payload, output: lightOutput(payload.output, output) };
}

function lightCall(payload: JsonFields, input: (tool: unknown, value: unknown) => unknown): JsonFields {
  const name = toolNameOf(payload);
  const { arguments: given, input: text, action } = payload;
  const parsed = typeof given === "string" && given.length > OUTPUT_START_CHARACTERS ? parseJson(given) : undefined;
  return {
    ...payload,
    ...(isFields(parsed) && { arguments: input(name, parsed) }),
    ...(typeof text === "string" && { input: (input(name, { input: text }) as JsonFields).input }),
    ...(action !== undefined && { action: input(name, action) }),
  };
}

function lightOutput(output: unknown, cut: Cut): unknown {
  // Also keeps the line that ends the header; without it, the header would seem to continue.
  const light = (text: string) => cut(text, endOfHeader(text));
  const blocks = (value: unknown) => (value === undefined || value === null ? value : [{ text: light(textOf(value)) }]);
  const fields = wrapped(output) ?? output;
  if (typeof output === "string" && fields === output) return light(output);
  if (!isFields(fields)) return [{ text: light(textOf(output)) }];
  return map(fields, (value, key) => (key === "output" || key === "content" ? blocks(value) : value));
}
