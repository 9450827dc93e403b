// Helpers that the readers of Markdown sessions share.
import type { Notice } from "../../model.js";
import { lines } from "../markdown/blocks.js";
import { type MessageFields, type ReadSession, toMessage } from "../session/reader.js";

export type SpokenTurn = Omit<MessageFields, "id">;

/** Makes a session of turns: empty ones are left out, the others are numbered. */
export function turnsToSession(
  id: string,
  format: string,
  turns: readonly SpokenTurn[],
  more: readonly Notice[] = [],
): ReadSession {
  const messages = turns
    .filter(({ text, toolCalls = [] }) => text !== "" || toolCalls.length > 0)
    .map((turn, index) => toMessage({ id: String(index + 1), ...turn }));
  return { session: { id, format, messages }, notices: more };
}

export const toLines = (text: string): readonly string[] => [...lines(text)].map(({ start, end }) => text.slice(start, end));

/** The text of a turn, without surrounding blank lines and the rule before the next turn. */
export function joined(content: readonly string[]): string {
  let end = content.length;
  while (end > 0 && isBlank(content[end - 1] as string)) end--;
  if (content[end - 1]?.trim() === "---" && isBlank(content[end - 2] ?? "")) end--;
  const kept = content.slice(0, end);
  const start = kept.findIndex((line) => !isBlank(line));
  return start < 0 ? "" : kept.slice(start).join("\n").trimEnd();
}

const isBlank = (line: string) => line.trim() === "";

/** Converts a time to ISO format; a missing time zone stays missing. */
export function isoTime(text: string): string | undefined {
  const [, day, minutes, seconds = ":00", zone = ""] =
    /(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?(?:\.\d{1,9})?(Z|[+-]\d{2}:\d{2})?/.exec(text.slice(0, 200)) ?? [];
  if (day === undefined) return undefined;
  const time = `${day}T${minutes}${seconds}${zone}`;
  return Number.isNaN(Date.parse(time)) ? undefined : time;
}

export type Fence = NonNullable<ReturnType<typeof fenceOf>>;

export function fenceOf(line: string) {
  const content = line.trim();
  const [mark] = /^(?:`{3,}|~{3,})/.exec(content) ?? [];
  if (mark === undefined || (mark[0] === "`" && content.includes("`", mark.length))) return undefined;
  return { mark, bare: content.length === mark.length };
}

export const closes = (open: Fence, { mark, bare }: Fence) => bare && mark.startsWith(open.mark);

/** The fence that is open after a line. */
export const fenceAfter = (open: Fence | undefined, line: Fence | undefined): Fence | undefined =>
  open ? (line && closes(open, line) ? undefined : open) : line;

/** For each line, does it open a fence that a later line closes? No fence goes beyond an edge. */
export function closedFences(content: readonly string[], isEdge: (line: string) => boolean = () => false): readonly boolean[] {
  const closed = new Array<boolean>(content.length).fill(false);
  // From the end: the longest mark that closes, from this line to the next edge.
  let longest: Record<string, number> = {};
  for (let index = content.length - 1; index >= 0; index--) {
    const line = content[index] as string;
    if (isEdge(line)) longest = {};
    const { mark = "", bare } = fenceOf(line) ?? {};
    const kind = mark.charAt(0);
    closed[index] = mark !== "" && (longest[kind] ?? 0) >= mark.length;
    if (bare) longest[kind] = Math.max(longest[kind] ?? 0, mark.length);
  }
  return closed;
}

/** For each line, is it in a code fence? An unclosed fence is ignored, because it would hide all later turns. */
export function fenced(content: readonly string[]): readonly boolean[] {
  const closed = closedFences(content);
  let open: Fence | undefined;
  return content.map((line, index) => {
    if (!open && !closed[index]) return false;
    open = fenceAfter(open, fenceOf(line));
    return true;
  });
}
