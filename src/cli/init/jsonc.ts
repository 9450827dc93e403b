// Parses JSON with comments and trailing commas, with offsets, and adds or removes a part. All other bytes stay. jsonc-parser
// is not used: when it removes an entry, it also removes the comments beside it, and its recursion has no limit.
import { JSON_DEPTH } from "../../limits.js";

interface TextSpan {
  readonly start: number;
  readonly end: number;
}

export interface JsonNode extends TextSpan {
  readonly type: "scalar" | "list" | "map";
  readonly value: unknown;
  readonly parts: readonly JsonPart[];
}

interface JsonPart extends TextSpan {
  readonly key?: string;
  readonly node: JsonNode;
  /** The offset of the comma after it, if there is one. */
  readonly comma?: number;
}

interface JsonFlaw {
  readonly flaw: string;
  readonly offset: number;
}

export function parseJsonc(text: string): JsonNode | JsonFlaw {
  let at = 0;
  const fail = (flaw: string, offset = at): never => {
    throw { flaw, offset } satisfies JsonFlaw;
  };

  function consume(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  }

  function skip(): void {
    while (consume(BLANK)) {}
    if (text.startsWith("/*", at)) fail("a comment is not closed");
  }

  function scalar(): JsonNode {
    const start = at;
    const token = consume(STRING) ?? consume(WORD) ?? "";
    try {
      return { type: "scalar", value: JSON.parse(token), parts: [], start, end: at };
    } catch {
      const [word] = text.slice(start, start + 12).split("\n");
      return fail(start >= text.length ? "it ends too early" : `"${word}" is no value`, start);
    }
  }

  function value(depth: number): JsonNode {
    if (depth > JSON_DEPTH) fail(`it is nested more than ${JSON_DEPTH} deep`);
    return text[at] === "[" || text[at] === "{" ? group(text[at] === "[" ? "list" : "map", depth) : scalar();
  }

  function group(type: "list" | "map", depth: number): JsonNode {
    const close = type === "list" ? "]" : "}";
    const start = at++;
    const parts: JsonPart[] = [];
    for (;;) {
      skip();
      if (text[at] === close) return { type, value: plain(type, parts), parts, start, end: ++at };
      if (parts.length > 0 && parts.at(-1)?.comma === undefined) fail(`a comma or ${close} is missing`);
      const from = at;
      const key = type === "map" ? keyOf() : undefined;
      const node = value(depth + 1);
      const end = at;
      skip();
      const comma = text[at] === "," ? at++ : undefined;
      parts.push({ key, node, start: from, end, comma });
    }
  }

  function keyOf(): string {
    const { value: key, start } = scalar();
    if (typeof key !== "string") fail("a key must be a text in quotes", start);
    skip();
    if (text[at++] !== ":") fail("a colon is missing", at - 1);
    skip();
    return key as string;
  }

  try {
    skip();
    const node = value(0);
    skip();
    return at < text.length ? { flaw: "there is more behind its end", offset: at } : node;
  } catch (error) {
    if (error instanceof Error) throw error;
    return error as JsonFlaw;
  }
}

const plain = (type: "list" | "map", parts: readonly JsonPart[]): unknown =>
  type === "list"
    ? parts.map(({ node }) => node.value)
    : Object.fromEntries(parts.map(({ key = "", node }) => [key, node.value]));

const BLANK = /[\s\uFEFF]+|\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const STRING = /"(?:[^"\\\n]|\\.)*"/y;
const WORD = /[\w.+-]+/y;

export interface TextEdit extends TextSpan {
  readonly text: string;
}

/** Adds a part after all existing ones. What the edits replace is blank. @param given the new part */
export function appendEdits(text: string, group: JsonNode, given: string): readonly TextEdit[] {
  const part = given.replaceAll("\n", newline(text));
  const close = group.end - 1;
  const inner = text.slice(group.start + 1, close);
  const last = group.parts.at(-1);
  if (!last && inner.trim() === "") {
    const line = newline(text) + indentAt(text, close);
    // A list is written without blanks inside its brackets, a map with blanks.
    const gap = group.type === "map" ? " " : "";
    const body = inner.includes("\n") ? `${line}${STEP}${part}${line}` : gap + part + gap;
    return [{ start: group.start + 1, end: close, text: body }];
  }
  // Add it after comments at the end: they belong to the parts before them.
  const end = group.start + 1 + inner.trimEnd().length;
  const around = last ? text.slice(group.start, last.start) + text.slice(last.end, close) : inner;
  const wide = around.includes("\n");
  const indent = last ? indentAt(text, last.start) : indentAt(text, close) + STEP;
  const before = wide ? newline(text) + indent : " ";
  return [
    ...(last && last.comma === undefined ? [{ start: last.end, end: last.end, text: "," }] : []),
    { start: end, end, text: before + part + (last?.comma === undefined ? "" : ",") },
  ];
}

export function removePart(text: string, group: JsonNode, index: number): string {
  const part = group.parts[index];
  if (!part) return text;
  const before = group.parts[index - 1];
  // The comma before the last part is no longer needed.
  const idle = part.comma === undefined ? before?.comma : undefined;
  return applyEdits(text, [
    ...(idle === undefined ? [] : [{ start: idle, end: idle + 1, text: "" }]),
    { ...withBlanks(text, group, index), text: "" },
  ]);
}

/** The span of a part with its comma. Includes the line if the part is alone on it, otherwise the blanks beside its neighbour. */
function withBlanks(text: string, { parts, start: open }: JsonNode, index: number): TextSpan {
  const { start, end: last, comma } = parts[index] as JsonPart;
  const end = comma === undefined ? last : comma + 1;
  const behind = end + (/^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0);
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const alone = lineStart > 0 && text.slice(lineStart, start).trim() === "" && /^\r?(\n|$)/.test(text.slice(behind));
  // Include the line break before it, which always exists here.
  if (alone) return { start: text.slice(0, lineStart).search(/\r?\n$/), end: behind };
  if (index < parts.length - 1) return { start, end: behind };
  // What follows must not become part of a comment.
  const gap = text.slice(parts[index - 1]?.end ?? open + 1, start);
  return { start: gap.includes("//") ? start : text.slice(0, start).trimEnd().length, end };
}

const STEP = "  ";

const newline = (text: string) => (text.includes("\r\n") ? "\r\n" : "\n");

function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1))?.[0] ?? "";
}

/** @param edits in ascending order */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return edits.reduceRight((result, edit) => result.slice(0, edit.start) + edit.text + result.slice(edit.end), text);
}

export function inverseOf(text: string, edits: readonly TextEdit[]): readonly TextEdit[] {
  let shift = 0;
  return edits.map(({ start, end, text: put }) => {
    const at = start + shift;
    shift += put.length - (end - start);
    return { start: at, end: at + put.length, text: text.slice(start, end) };
  });
}
