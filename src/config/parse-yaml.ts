// Parses YAML and keeps the line and column of every value.
import type { CST, Document, DocumentOptions, Node, Pair, ParseOptions, SchemaOptions, YAMLMap } from "yaml";
import { Composer, isAlias, isMap, isScalar, isSeq, Lexer, LineCounter, Parser, visit } from "yaml";
import { collectFindings, type Diagnostic, diagnostic, type Position } from "../diagnostics.js";
import { YAML_ALIASES, YAML_DEPTH, YAML_LEXEMES } from "../limits.js";
import { markControls } from "../text/forms.js";
import { rememberFor } from "../text/remember.js";

export type Path = readonly (string | number)[];

export interface YamlFile {
  readonly file: string;
  readonly text: string;
  readonly value: unknown;
  readonly diagnostics: readonly Diagnostic[];
  /** The place of the value at a path, or of its key. If the path does not exist, the place of its last existing part. */
  locate(path: Path, what?: "key" | "value"): Position;
  /** The place of a character inside the scalar at a path. */
  within(path: Path, offset: number): Position;
}

/** A file that is known to be valid. It is parsed only when a place in it is requested. */
export function laterYaml(file: string, text: string): YamlFile {
  let parsed: YamlFile | undefined;
  const yaml = () => (parsed ??= parseYaml(file, text));
  return {
    file,
    text,
    get value() {
      return yaml().value;
    },
    diagnostics: [],
    locate: (path, what) => yaml().locate(path, what),
    within: (path, offset) => yaml().within(path, offset),
  };
}

/** What a file has at a path, with places in the whole file. */
export function partOf(yaml: YamlFile, path: Path): YamlFile {
  if (path.length === 0) return yaml;
  let value = yaml.value;
  for (const step of path) value = (value as Readonly<Record<string, unknown>> | undefined)?.[step];
  return {
    ...yaml,
    value,
    locate: (below, what) => yaml.locate([...path, ...below], what),
    within: (below, offset) => yaml.within([...path, ...below], offset),
  };
}

/** Parses the documents of a text within limits: composing values is recursive, and a stack overflow could end the host.
 * @returns the documents, or where the text exceeds a limit
 * @internal */
export function parseDocuments(
  text: string,
  options: ParseOptions & DocumentOptions & SchemaOptions,
  lines?: LineCounter,
): readonly Document[] | { readonly at: number; readonly message: string } {
  lines?.addNewLine(0);
  const parser = new Parser(lines?.addNewLine);
  const tokens: CST.Token[] = [];
  let aliases = 0;
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    const at = parser.offset;
    if (++lexemes > YAML_LEXEMES) return { at, message: `the file has more than ${YAML_LEXEMES} tokens; split it` };
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > YAML_DEPTH) return { at, message: `maps and lists are nested more than ${YAML_DEPTH} levels deep` };
    // Resolving an alias walks over everything before it.
    if (lexeme.startsWith("*") && ++aliases > YAML_ALIASES) return { at, message: `there are more than ${YAML_ALIASES} aliases` };
  }
  tokens.push(...parser.end());
  return [...new Composer(options).compose(tokens, true, text.length)];
}

/** A key is printed as a word of a line: with these it could look like another one, or like several lines. */
const isOdd = (key: string) => key !== markControls(key) || /[\n\t\u2028\u2029]/.test(key);

export function parseYaml(file: string, text: string): YamlFile {
  const lines = new LineCounter();
  // The parser must not print warnings: the terminal may belong to a host.
  const quiet = { prettyErrors: false, logLevel: "error", stringKeys: true } as const;
  // The parser compares each key with all others; `doubledKey` uses a set instead.
  const options = { ...quiet, uniqueKeys: false };
  // A directive becomes a comment of the same length. In YAML 1.1, off would be false.
  const parsed = parseDocuments(
    text.replace(HEAD, (head) => head.replace(/^%/gm, "#")),
    { version: "1.2", ...options },
    lines,
  );
  const position = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  if ("message" in parsed) {
    const { at, message } = parsed;
    return { ...parseYaml(file, ""), text, diagnostics: [diagnostic("yaml-syntax", message, position(at))] };
  }
  const positionOf = ({ range }: Node) => position(range?.[0] ?? 0);
  const [document, second] = parsed as readonly [Document, Document?];

  const { report, findings: found } = collectFindings();
  // Report only the first: one mistake often gives several errors.
  const error = document.errors[0];
  const doubled = error ? undefined : doubledKey(document);
  if (doubled) {
    const message = `this key appears twice: first in line ${positionOf(doubled.first).line}`;
    report(diagnostic("yaml-duplicate-key", message, positionOf(doubled.again), "keep one of them"));
  } else if (error) {
    const message = error.code === "NON_STRING_KEY" ? "a key must be a text" : error.message;
    report(diagnostic("yaml-syntax", message, position(error.pos[0]), hintFor(error.code)));
  } else if (second) {
    const hint = "remove the line ---, or split the file";
    report(diagnostic("yaml-syntax", "a second document starts here; a file has one", position(second.range?.[0] ?? 0), hint));
  } else
    visit(document, {
      Scalar(place, { type, comment, value: text, range }) {
        if (place === "key" && isOdd(String(text)))
          report(diagnostic("yaml-syntax", "a key has a line break or a character that is not seen", position(range?.[0] ?? 0)));
        if (type !== "PLAIN" || !comment || /^\s/.test(comment)) return;
        const message = `"#${comment}" is taken as a comment, so the text ends at "${String(text)}"`;
        report(diagnostic("yaml-cut-phrase", message, position(range?.[1] ?? 0), "quote the text, or put a space after #"));
      },
    });

  let value: unknown;
  try {
    value = error || doubled || second ? undefined : document.toJS({ maxAliasCount: 100 });
  } catch (failure) {
    const { message } = failure as Error;
    // An alias without an anchor: the message ends with its name.
    report(diagnostic("yaml-syntax", message, position(Math.max(0, text.indexOf(`*${message.split(" ").at(-1)}`)))));
  }

  const resolve = (node: unknown): unknown => (isAlias(node) ? node.resolve(document) : node);

  /** Pairs by key, cached: a large map may be searched for each of its entries. If a key appears twice, the first one counts. */
  const pairsOf = rememberFor(({ items }: YAMLMap) => {
    const keyed = items.flatMap((item) => (isScalar(item.key) ? [[String(item.key.value), item as Pair] as const] : []));
    return new Map(keyed.reverse());
  });

  function find(path: Path): { node: Node | null; pair: Pair | undefined } {
    let node = document.contents as Node | null;
    let pair: Pair | undefined;
    for (const step of path) {
      const target = resolve(node);
      const item = isMap(target) ? pairsOf(target).get(String(step)) : undefined;
      const next = (isSeq(target) ? target.items[Number(step)] : (item?.value ?? item?.key)) as Node | undefined;
      // A list with one entry may be written without the list.
      if (!next && !isSeq(target) && /^\d+$/.test(String(step))) continue;
      if (!next) break;
      pair = item ?? pair;
      node = next;
    }
    return { node, pair };
  }

  function locate(path: Path, what: "key" | "value" = "value"): Position {
    const { node, pair } = find(path);
    const target = what === "key" && pair ? (pair.key as Node) : node;
    return position(target?.range?.[0] ?? 0);
  }

  function within(path: Path, offset: number): Position {
    const node = resolve(find(path).node);
    if (isSeq(node)) return withinList(path, node.items, offset);
    if (!isScalar(node) || !node.range) return locate(path);
    const [from, to] = node.range;
    if (node.type === "BLOCK_LITERAL") return position(inBlock(text.slice(0, to), from, String(node.value).slice(0, offset)));
    const quoted = node.type === "QUOTE_SINGLE" || node.type === "QUOTE_DOUBLE";
    const raw = text.slice(from + (quoted ? 1 : 0), to);
    const before = String(node.value).slice(0, offset);
    const written = node.type === "QUOTE_SINGLE" ? before.replaceAll("'", "''") : before;
    // If escapes or folding make the value differ from the file, use its start.
    return position(raw.startsWith(written) ? from + (quoted ? 1 : 0) + written.length : from);
  }

  /** The place in a list that was read as one text, `(a|b)`. */
  function withinList(path: Path, items: readonly unknown[], offset: number): Position {
    let left = items.length > 1 ? offset - 1 : offset;
    for (const [index, item] of items.entries()) {
      const { length } = isScalar(item) ? String(item.value) : "";
      if (left <= length || index === items.length - 1) return within([...path, index], Math.max(0, left));
      left -= length + 1;
    }
    return locate(path);
  }

  return { file, text, value, diagnostics: found, locate, within };
}

/** Comments and directives at the top. Directives are ignored, because they change the meaning of the rest. */
const HEAD = /^(?:[ \t]*(?:[#%][^\n]*)?\r?\n)+/;

function doubledKey(document: Document): { readonly first: Node; readonly again: Node } | undefined {
  let found: ReturnType<typeof doubledKey>;
  visit(document, {
    Map(_, { items }) {
      const keys = new Map<unknown, Node>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const first = keys.get(key.value);
        if (first) found = { first, again: key };
        if (found) return visit.BREAK;
        keys.set(key.value, key);
      }
      return undefined;
    },
  });
  return found;
}

function hintFor(code: string): string | undefined {
  if (code === "NON_STRING_KEY") return "quote the text if it begins with {";
  if (code === "BAD_DQ_ESCAPE") return "use single quotes when there is a backslash";
  const quoting = ["BAD_SCALAR_START", "UNEXPECTED_TOKEN", "BLOCK_AS_IMPLICIT_KEY", "MISSING_CHAR"];
  return quoting.includes(code) ? "quote the text if it holds { } [ ] : # or a backtick, and close what is open" : undefined;
}

/** The place after the given start of a literal block. Its lines are unchanged except for the margin. */
function inBlock(text: string, from: number, before: string): number {
  const lines = before.split("\n");
  let at = text.indexOf("\n", from) + 1;
  const margin = /^ */.exec(text.slice(at).replace(/^(?: *\r?\n)+/, ""))?.[0].length ?? 0;
  for (let line = 1; line < lines.length; line++) at = text.indexOf("\n", at) + 1;
  return Math.min(at + margin + (lines.at(-1) ?? "").length, text.length);
}
