// Adds a table to the end of a TOML file, finds it and removes it. Nothing else of the file is parsed: whatever is before it, a
// heading at the end begins a new table, unless a text is still open.
import type { Edit } from "./jsonc.js";

/** Where a table of ours is, with the lines below its heading. Undefined if there is none. */
export function findTable(text: string, path: readonly string[]): { readonly start: number; readonly end: number } | undefined {
  const heading = new RegExp(`^[ \\t]*\\[[ \\t]*${keysOf(path)}[ \\t]*\\]`, "m").exec(text);
  if (!heading) return undefined;
  const rest = text.slice(heading.index + heading[0].length);
  const next = /^[ \t]*\[/m.exec(rest);
  return { start: heading.index, end: next ? heading.index + heading[0].length + next.index : text.length };
}

/** Where the file prevents a new table: it is there in another form, it has a table inside, or a string is not closed. */
export function inTheWay(text: string, path: readonly string[]): number | undefined {
  const [first = "", second = ""] = path;
  const other = new RegExp(
    `^[ \\t]*(?:\\[[ \\t]*${keysOf(path)}[ \\t]*\\.|${keyOf(first)}[ \\t]*=|(?:${keyOf(first)}[ \\t]*\\.[ \\t]*)?${keyOf(second)}[ \\t]*[.=])`,
    "m",
  ).exec(text);
  if (other) return other.index;
  const isOpen = ['"""', "'''"].some((mark) => text.split(mark).length % 2 === 0);
  return isOpen ? text.length : undefined;
}

const keyOf = (key: string) => `["']?${key}["']?`;
const keysOf = (path: readonly string[]) => path.map(keyOf).join("[ \\t]*\\.[ \\t]*");

/** @param table its heading and lines, with line breaks */
export function appendTable(text: string, table: string): readonly Edit[] {
  const line = text.includes("\r\n") ? "\r\n" : "\n";
  const gap = text.trim() === "" ? "" : text.endsWith("\n") ? line : line + line;
  return [{ start: text.length, end: text.length, text: gap + table.replaceAll("\n", line) }];
}

/** Removes it with the empty line before it. */
export function removeTable(text: string, { start, end }: { readonly start: number; readonly end: number }): string {
  const before = text.slice(0, start).replace(/(^|\n)\r?\n$/, "$1");
  return before + text.slice(end);
}
