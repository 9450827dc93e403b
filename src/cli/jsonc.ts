// JSON with comments and trailing commas, read with places: an editor's file must keep every byte that is not ours.
import { JSON_DEPTH } from "../limits.js";

interface Span {
  readonly start: number;
  readonly end: number;
}

export interface JsonScalar extends Span {
  readonly type: "scalar";
  readonly value: unknown;
}

/** A list, or a map whose parts have keys. */
export interface JsonGroup extends Span {
  readonly type: "list" | "map";
  readonly parts: readonly JsonPart[];
}

export type JsonNode = JsonScalar | JsonGroup;

export interface JsonPart extends Span {
  readonly key?: string;
  readonly node: JsonNode;
  /** Where the comma behind it stands, if there is one. */
  readonly comma?: number;
}

export interface JsonFlaw {
  readonly flaw: string;
  readonly offset: number;
}

export function parseJsonc(text: string): JsonNode | JsonFlaw {
  let at = 0;
  const fail = (flaw: string, offset = at): never => {
    throw { flaw, offset } satisfies JsonFlaw;
  };

  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  }

  function skip(): void {
    while (take(BLANK)) {}
    if (text.startsWith("/*", at)) fail("a comment is not closed");
  }

  function scalar(): JsonScalar {
    const start = at;
    const token = take(STRING) ?? take(WORD) ?? "";
    try {
      return { type: "scalar", value: JSON.parse(token), start, end: at };
    } catch {
      return fail(
        start >= text.length ? "it ends too early" : `"${text.slice(start, start + 12).split("\n")[0]}" is no value`,
        start,
      );
    }
  }

  function value(depth: number): JsonNode {
    if (depth > JSON_DEPTH) fail(`it is nested more than ${JSON_DEPTH} deep`);
    if (text[at] === "[") return group("list", "]", depth);
    return text[at] === "{" ? group("map", "}", depth) : scalar();
  }

  function group(type: JsonGroup["type"], close: string, depth: number): JsonGroup {
    const start = at++;
    const parts: JsonPart[] = [];
    for (;;) {
      skip();
      if (text[at] === close) return { type, parts, start, end: ++at };
      if (parts.length > 0 && parts.at(-1)?.comma === undefined) fail(`a comma or ${close} is missing`);
      const from = at;
      const key = type === "map" ? keyOf() : undefined;
      const node = value(depth + 1);
      const end = at;
      skip();
      const comma = text[at] === "," ? at++ : undefined;
      parts.push({ ...(key !== undefined && { key }), node, start: from, end, ...(comma !== undefined && { comma }) });
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

const BLANK = /[\s\uFEFF]+|\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const STRING = /"(?:[^"\\\n]|\\.)*"/y;
const WORD = /[\w.+-]+/y;
