// Shrinks the records of a session while they are read: nine tenths are tool output that no rule looks at. The readers and the
// extraction give the same result as for the full records. Readers whose records have a form of their own shrink them.
import { INPUT_DEPTH, OUTPUT_END_CHARACTERS, OUTPUT_START_CHARACTERS } from "../../limits.js";
import { asText, isFields, type JsonFields } from "../../text/json.js";

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

/** Cuts a text. @param least characters at its start that are kept */
export type Cut = (text: string, least?: number) => string;

export type Light = ReturnType<typeof createLight>;

/** One per session, because a separate answer is matched to its call by id. */
export function createLight(needs: Needs) {
  const names = new Map<string, string>();
  const cut = (text: string, start = OUTPUT_START_CHARACTERS) =>
    cutText(text, Math.max(start, OUTPUT_START_CHARACTERS), needs.cut);
  const outputCut =
    (tool: string): Cut =>
    (text, least = 0) =>
      cut(text, Math.max(needs.output(tool, text), least));
  const output = (tool: string, value: unknown) => shortenTexts(value, outputCut(tool));
  return {
    called(id: unknown, name: unknown): void {
      if (typeof id === "string" && typeof name === "string") names.set(id, name);
    },
    short: <T>(value: T): T => shortenTexts(value, cut) as T,
    input(tool: unknown, value: unknown): unknown {
      if (!isFields(value)) return value;
      const name = asText(tool) ?? "";
      const wanted = needs.input(name);
      return mapFields(value, (one, key) => (wanted.has(key) ? one : shortenTexts(one, (text) => cut(text, needs.texts(name)))));
    },
    output,
    /** Cuts the output of a call; undefined if the call is not known. */
    cutOf(id: unknown): Cut | undefined {
      const tool = names.get(asText(id) ?? "");
      return tool === undefined ? undefined : outputCut(tool);
    },
    /** The output of an unknown call stays as it is. */
    answer: (id: unknown, value: unknown, tool = names.get(asText(id) ?? "")) =>
      tool === undefined ? value : output(tool, value),
  };
}

/** A record of Claude Code or pi: keeps what its message says, and cuts long texts in other fields. */
export function lightenMessage(record: JsonFields, light: Light): JsonFields {
  const { message, attachment } = record;
  if (!isFields(message)) return isFields(attachment) && attachment.prompt === undefined ? light.short(record) : record;
  return mapFields(record, (value, key) => {
    if (key === "message") return lightMessage(message, light);
    return key === "toolUseResult" && typeof value !== "string" ? undefined : light.short(value);
  });
}

const lightMessage = (message: JsonFields, light: Light) =>
  mapFields(message, (value, key) => {
    if (key === "text" || key === "summary") return value;
    if (key !== "content") return light.short(value);
    if (message.role === "toolResult") return light.answer(message.toolCallId, value, asText(message.toolName));
    return Array.isArray(value) ? value.map((one) => (isFields(one) ? lightBlock(one, light) : one)) : value;
  });

function lightBlock(block: JsonFields, { called, input, answer, short }: Light): unknown {
  const { type, id, name } = block;
  if (type === "text") return block;
  if (type === "tool_result") return { ...block, content: answer(block.tool_use_id, block.content) };
  if (type !== "tool_use" && type !== "toolCall") return short(block);
  called(id, name);
  return type === "tool_use"
    ? { ...block, input: input(name, block.input) }
    : { ...block, arguments: input(name, block.arguments) };
}

/** Changes each field in place: a record was just parsed, nobody else has it, and most of its fields stay as they are. */
export function mapFields<T extends object>(fields: T, change: (value: unknown, key: string) => unknown): T {
  const own = fields as Record<string, unknown>;
  for (const key of Object.keys(fields)) {
    const value = change(own[key], key);
    if (value !== own[key]) own[key] = value;
  }
  return fields;
}

/** Cuts every long text in a value and keeps both ends. Below the depth limit, values stay as they are. */
export function shortenTexts(value: unknown, cut: Cut, depth = INPUT_DEPTH): unknown {
  if (typeof value === "string") return cut(value);
  if (depth === 0 || typeof value !== "object" || value === null) return value;
  return mapFields(value, (entry) => shortenTexts(entry, cut, depth - 1));
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
