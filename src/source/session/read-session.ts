// Reads a session from bytes in any known format. Each format has a reader in ../readers.
import { SESSION_BYTES, SNIFFED_BYTES } from "../../limits.js";
import type { Notice, Session } from "../../model.js";
import { markControls, oneLine } from "../../text/forms.js";
import { asList, isFields, type JsonFields } from "../../text/json.js";
import { readAider } from "../readers/aider.js";
import { readClaudeCode } from "../readers/claude-code.js";
import { readCodex } from "../readers/codex.js";
import { lightenCodex } from "../readers/codex-calls.js";
import { HEADS_HINT, readConversation } from "../readers/conversation.js";
import { lightenCopilot, readCopilot } from "../readers/copilot.js";
import { readGemini } from "../readers/gemini.js";
import { lightenNeutral, readNeutral } from "../readers/neutral.js";
import { readOpenCode, readOpenCodeMarkdown } from "../readers/opencode.js";
import { readPi } from "../readers/pi.js";
import { readSpecStory } from "../readers/specstory.js";
import { createLight, lightenMessage, type Needs } from "./lighten.js";
import { type Parsed, parseLines, parseSession } from "./parse-json.js";
import type { Content, Reader, ReadSession } from "./reader.js";
import { withEchoesMarked } from "./spoken.js";

/** A session that cannot be read at all. The reason names the place if it is known. */
export class SessionError extends Error {
  constructor(
    readonly code: "session-empty" | "session-binary" | "session-format" | "session-json" | "session-too-large",
    /** The message without the name of the session. */
    readonly reason: string,
    readonly hint?: string,
    name?: string,
  ) {
    super(name === undefined ? reason : `${name}: ${reason}`);
    this.name = "SessionError";
  }
}

function named<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof SessionError ? new SessionError(error.code, error.reason, error.hint, name) : error;
  }
}

// In the order in which they are tried: the formats with the clearest marks first.
const READERS: Readonly<Record<string, Reader>> = {
  opencode: (content) => readOpenCode(content) ?? readOpenCodeMarkdown(content),
  codex: readCodex,
  "claude-code": readClaudeCode,
  pi: readPi,
  copilot: readCopilot,
  gemini: readGemini,
  specstory: readSpecStory,
  aider: readAider,
  neutral: readNeutral,
  conversation: readConversation,
};
/** The formats of a text that is not JSON. */
const MARKDOWN = ["opencode", "specstory", "aider", "conversation"];
/** The session formats that can be read. */
export const FORMATS = [...Object.keys(READERS), "text"];

/** "aider:3" is the third chat of an aider history. */
const CHAT = /^(aider):([1-9]\d{0,8})$/;
const isFormat = (format: string) => FORMATS.includes(format.replace(CHAT, "$1"));

/** Reads a session in any known format. Throws a SessionError.
 * @param name the id of a session that has none of its own: its file name */
export const readSession = (content: Uint8Array | string, name: string, format?: string): ReadSession =>
  named(name, () => readWhole(content, name, format));

function readWhole(content: Uint8Array | string, name: string, format?: string): ReadSession {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  if (format !== undefined && !isFormat(format))
    throw new SessionError("session-format", `there is no format "${format}"`, `the formats are ${FORMATS.join(", ")}`);
  forbidLength(bytes.length);
  forbidBinary(bytes.subarray(0, SNIFFED_BYTES));
  const text = new TextDecoder("utf-8").decode(bytes);
  if (text.trim() === "") throw new SessionError("session-empty", "it is empty");
  if (format === "text") return readPlainText(text, name);

  return readParsed({ text, parsed: parseSession(text), name }, format);
}

/** The same, but JSON lines are read line by line, and what the rules do not need is dropped before the next line is read.
 * @param open returns the content from its beginning at each call; each chunk is used up before the next is requested */
export function readSessionFrom(open: () => Iterable<Uint8Array>, name: string, needs: Needs, format?: string): ReadSession {
  return named(name, () => {
    if (format === undefined || (isFormat(format) && format !== "text")) {
      const light = createLight(needs);
      const lighten = (record: JsonFields) =>
        lightenCodex(record, light) ??
        lightenCopilot(record, light) ??
        lightenNeutral(record, light) ??
        lightenMessage(record, light);
      const parsed = parseLines(checked(open()), (value) => (isFields(value) ? lighten(value) : value));
      if (parsed) return readParsed({ text: "", parsed, name }, format);
    }
    return readWhole(joined(checked(open())), name, format);
  });
}

function* checked(chunks: Iterable<Uint8Array>): Iterable<Uint8Array> {
  let length = 0;
  const head: Uint8Array[] = [];
  for (const chunk of chunks) {
    const sniffed = SNIFFED_BYTES - length;
    if (sniffed > 0) head.push(chunk.slice(0, sniffed));
    length += chunk.length;
    if (sniffed > 0 && length >= SNIFFED_BYTES) forbidBinary(joined(head));
    forbidLength(length);
    yield chunk;
  }
  if (length < SNIFFED_BYTES) forbidBinary(joined(head));
}

const joined = (chunks: Iterable<Uint8Array>) => Buffer.concat(Array.from(chunks, (chunk) => chunk.slice()));

function forbidLength(length: number): void {
  if (length > SESSION_BYTES) throw new SessionError("session-too-large", `it is larger than ${SESSION_BYTES} bytes, the limit`);
}

/** @param head the first bytes of the content */
function forbidBinary(head: Uint8Array): void {
  if (UTF_16.some((mark) => mark.every((byte, index) => head[index] === byte)))
    throw new SessionError("session-binary", "it is UTF-16; only UTF-8 is supported", "save it as UTF-8");
  // After a full disk or a crash, a line can consist of zero bytes; the other lines are still readable.
  if (head.includes(0) && !JSON_LINE.test(new TextDecoder("latin1").decode(head)))
    throw new SessionError("session-binary", "it is a binary file, not a session");
}

const UTF_16 = [
  [0xff, 0xfe],
  [0xfe, 0xff],
];
const JSON_LINE = /^(?:\xef\xbb\xbf)?[ \t]*[[{][ \t\r\n]*["{]/m;

export const readMessages = (messages: readonly unknown[], name: string, format: string): ReadSession =>
  readParsed({ text: "", parsed: { values: [messages], lines: false, brokenLines: [] }, name }, format);

function readParsed({ text, parsed, name }: Content, format: string | undefined): ReadSession {
  const [, base = format, chat] = CHAT.exec(format ?? "") ?? [];
  const tried = base ? [base] : parsed.values.length === 0 ? MARKDOWN : Object.keys(READERS);
  // The records of a JSON lines session may come as one list instead.
  const [list] = parsed.values;
  const records = !parsed.lines && Array.isArray(list) && list.length > 0 ? [{ ...parsed, values: list, lines: true }] : [];
  for (const content of [parsed, ...records]) {
    for (const reader of tried) {
      const given = { text, parsed: content, name, named: format !== undefined, ...(chat && { chat: Number(chat) }) };
      const result = READERS[reader]?.(given);
      if (!result) continue;
      const { session: unique, repeated } = withUniqueIds(result.session);
      // Commands print the id, and build names and lines from it.
      const session = { ...unique, id: markControls(oneLine(unique.id)), messages: withEchoesMarked(unique.messages) };
      const broken = brokenLines(parsed);
      const empty = { code: "session-empty", message: "the session has no messages", count: 1 };
      const notices = [...broken, ...result.notices, ...repeated, ...(session.messages.length === 0 ? [empty] : [])];
      // Messages on a broken line are missing, but they were not undone, so the session is not complete.
      return { session: session.whole && broken.length > 0 ? { ...session, whole: false } : session, notices };
    }
  }
  if (parsed.values.length === 0 && format === undefined) {
    if (text !== "" && !/^\s*[[{]/.test(text))
      throw new SessionError("session-json", "it is neither JSON nor a conversation with known speakers", HEADS_HINT);
    const fault = parsed.fault ?? "it is neither JSON nor JSON lines";
    throw new SessionError("session-json", fault, "name the format with --format if it is known");
  }
  const why = format ? `it is not of the format "${format}"` : "its format is not known";
  throw new SessionError("session-format", why, format === "conversation" ? HEADS_HINT : hintFor(parsed));
}

/** Evidence refers to message ids, so a second message with the same id gets a new one. */
function withUniqueIds(session: Session): { session: Session; repeated: readonly Notice[] } {
  // Usually all ids differ.
  if (new Set(session.messages.map(({ id }) => id)).size === session.messages.length) return { session, repeated: [] };
  const seen = new Map<string, number>();
  let count = 0;
  const messages = session.messages.map((message) => {
    const before = seen.get(message.id) ?? 0;
    seen.set(message.id, before + 1);
    if (before === 0) return message;
    count++;
    return { ...message, id: `${message.id}#${before + 1}` };
  });
  const notice = { code: "id-repeated", message: "repeated message ids are renamed to ID#2, ID#3 …", count };
  return { session: { ...session, messages }, repeated: [notice] };
}

/** If the input is almost a session, say what it lacks. */
function hintFor({ values }: Parsed): string {
  const [first] = values;
  const messages = asList(isFields(first) ? first.messages : first).length;
  if (messages > 0)
    return `none of its ${messages} messages has id, role (user, assistant, system or tool) and text, each a text`;
  return `the formats are ${FORMATS.join(", ")}`;
}

/** Reads a text without structure as one message of the user. */
export function readPlainText(text: string, name: string): ReadSession {
  const message = { id: "1", role: "user" as const, text, toolCalls: [] };
  return { session: { id: name, format: "text", messages: [message] }, notices: [] };
}

function brokenLines(parsed: Parsed): readonly Notice[] {
  if (parsed.values.length > 0 && parsed.fault !== undefined)
    return [{ code: "document-cut", message: `${parsed.fault}; the part before is read`, count: 1 }];
  // If nothing is JSON, the text is not meant to be.
  if (parsed.brokenLines.length === 0 || parsed.values.length === 0) return [];
  const shown = parsed.brokenLines.slice(0, 5).join(", ");
  return [{ code: "line-skipped", message: `not JSON and skipped: line ${shown}`, count: parsed.brokenLines.length }];
}
