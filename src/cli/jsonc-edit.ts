// Puts a part into a list or a map of a JSON text, or takes one out: all else keeps its bytes, comments and layout.
import type { JsonGroup, JsonPart } from "./jsonc.js";

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** @param given what is put in, behind all that is there */
export function appendPart(text: string, group: JsonGroup, given: string): string {
  const part = given.replaceAll("\n", newline(text));
  const close = group.end - 1;
  const inner = text.slice(group.start + 1, close);
  const last = group.parts.at(-1);
  if (!last && inner.trim() === "") {
    const line = newline(text) + indentAt(text, close);
    // A list is written close to its brackets, a map with blanks.
    const gap = group.type === "map" ? " " : "";
    const body = inner.includes("\n") ? `${line}${STEP}${part}${line}` : gap + part + gap;
    return apply(text, [{ start: group.start + 1, end: close, text: body }]);
  }
  // Behind comments at the end as well: they belong to what stands before them.
  const end = group.start + 1 + inner.trimEnd().length;
  const around = last ? text.slice(group.start, last.start) + text.slice(last.end, close) : inner;
  const wide = around.includes("\n");
  const indent = last ? indentAt(text, last.start) : indentAt(text, close) + STEP;
  const before = wide ? newline(text) + indent : " ";
  return apply(text, [
    ...(last && last.comma === undefined ? [{ start: last.end, end: last.end, text: "," }] : []),
    { start: end, end, text: before + part + (last?.comma === undefined ? "" : ",") },
  ]);
}

export function removePart(text: string, group: JsonGroup, index: number): string {
  const part = group.parts[index];
  if (!part) return text;
  const before = group.parts[index - 1];
  // The comma before the last part was put there for its sake.
  const idle = part.comma === undefined ? before?.comma : undefined;
  return apply(text, [
    ...(idle === undefined ? [] : [{ start: idle, end: idle + 1, text: "" }]),
    { ...withBlanks(text, group, index), text: "" },
  ]);
}

/** A part with its comma, and with its line where it is alone on it; else with the blanks on the side of its neighbour. */
function withBlanks(text: string, { parts, start: open }: JsonGroup, index: number): Pick<Edit, "start" | "end"> {
  const { start, end: last, comma } = parts[index] as JsonPart;
  const end = comma === undefined ? last : comma + 1;
  const behind = end + (/^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0);
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const alone = lineStart > 0 && text.slice(lineStart, start).trim() === "" && /^\r?(\n|$)/.test(text.slice(behind));
  // With the break before its line, which is there for certain.
  if (alone) return { start: text.slice(0, lineStart).search(/\r?\n$/), end: behind };
  if (index < parts.length - 1) return { start, end: behind };
  // What follows must not slip into a comment.
  const gap = text.slice(parts[index - 1]?.end ?? open + 1, start);
  return { start: gap.includes("//") ? start : text.slice(0, start).trimEnd().length, end };
}

const STEP = "  ";

const newline = (text: string) => (text.includes("\r\n") ? "\r\n" : "\n");

/** What the line of a place begins with. */
function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1))?.[0] ?? "";
}

/** @param edits in the order of their places */
function apply(text: string, edits: readonly Edit[]): string {
  return edits.reduceRight((result, edit) => result.slice(0, edit.start) + edit.text + result.slice(edit.end), text);
}
