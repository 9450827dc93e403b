// Cuts a session into rows for the list: long texts become several rows, so that only a few are ever drawn.
import type { Message, ToolCall } from "../model.js";
import { messageNames } from "../source/session/messages.js";
import type { PageData } from "./data.js";

const ROW_CHARACTERS = 1_500;

export interface PageRow {
  readonly source: string;
  /** Who speaks; the first row of a message shows it. */
  readonly head?: RowHead;
  /** A part of a text, and where it starts. */
  readonly text?: { readonly part: string; readonly from: number };
  readonly call?: ToolCall;
  /** Index of the call in its message. */
  readonly tool?: number;
  readonly look: Look;
}

/** How a text looks. `meta`: nobody typed it. `summary`: a compaction. */
export type Look = "user" | "assistant" | "tool" | "file" | "meta" | "summary";

export type RowHead = { readonly name: string; readonly time?: string | undefined };

export function toRows({ session, workspace }: PageData): readonly PageRow[] {
  const names = messageNames(session);
  const notes = (workspace.files ?? []).flatMap(({ path, text }) => textRows(path, text, "file", { name: path }));
  return [...notes, ...session.messages.flatMap((message) => rowsOf(message, names.get(message.id) ?? message.id))];
}

function rowsOf(message: Message, name: string): readonly PageRow[] {
  const { id, text, toolCalls, time } = message;
  const look = lookOf(message);
  const calls = toolCalls.map((call, tool): PageRow => ({ source: id, call, tool, look: "tool" }));
  return [...(text.trim() === "" ? [] : textRows(id, text, look, { name, time })), ...calls];
}

function lookOf({ role, meta, summary }: Message): Look {
  if (summary) return "summary";
  if (meta || role === "system") return "meta";
  return role;
}

function textRows(source: string, text: string, look: Look, head: RowHead): readonly PageRow[] {
  const rows: PageRow[] = [];
  for (let from = 0; from < text.length; ) {
    const end = endOfRow(text, from);
    rows.push({ source, look, text: { part: text.slice(from, end), from }, ...(from === 0 && { head }) });
    from = end;
  }
  return rows;
}

/** Cuts at the end of a line if there is one, and never inside a character. */
function endOfRow(text: string, from: number): number {
  const most = from + ROW_CHARACTERS;
  if (most >= text.length) return text.length;
  // Only in this row: a text of one line would be searched to its start for each row.
  const line = text.slice(from, most).lastIndexOf("\n") + 1;
  if (line > ROW_CHARACTERS / 4) return from + line;
  const unit = text.charCodeAt(most);
  return unit >= 0xdc00 && unit < 0xe000 ? most - 1 : most;
}

const LINE_PIXELS = 22;
const LINE_CHARACTERS = 80;

/** About how high a row is, until it is measured. */
export function heightOf({ text, head }: PageRow): number {
  if (!text) return 30;
  const lines = text.part.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / LINE_CHARACTERS)), 0);
  return lines * LINE_PIXELS + (head ? 46 : 0);
}
