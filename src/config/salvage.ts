// What a faulty file still does: it can switch everything off, and it masks secrets. It is read as tolerantly as possible:
// past syntax errors, duplicate keys, wrong places and misspelt names.
import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair, visit } from "yaml";
import { SALVAGED_PIECES } from "../limits.js";
import { nearest } from "../text/did-you-mean.js";
import { isNo } from "./check-shape.js";
import type { PackBody } from "./pack.js";
import { parseDocuments } from "./parse-yaml.js";

/** The texts of a map by key. A list has several. */
type Texts = ReadonlyMap<string, readonly string[]>;

const EXTENDS = "extends";
const ENABLED = "enabled";
const REDACT = "redact";

export function salvage(text: string, what: "pack" | "config"): PackBody {
  const found = [text, ...pieces(text)].map(mapsIn);
  const roots = found.flatMap(({ root }) => root);
  const under = (name: string) => [...new Set(roots.flatMap((root) => named(root, name)))];
  const off = what === "config" && under(ENABLED).some(isNo);
  const extended = under(EXTENDS).filter((entry) => entry !== "");
  const rules = new Map<string, { emit?: "redact"; regex: string[] }>();
  for (const [id, texts] of found.flatMap(({ maps }) => maps)) {
    const emit = named(texts, "emit");
    const redacts = emit.some((kind) => nearest(kind, [REDACT]) !== undefined);
    const regex = named(texts, "regex").filter((pattern) => pattern !== "");
    // A rule without `emit` may change a mask of an extended pack.
    if (regex.length === 0 || (emit.length > 0 && !redacts)) continue;
    const before = rules.get(id);
    const all = [...new Set([...(before?.regex ?? []), ...regex])];
    rules.set(id, { ...((redacts || before?.emit) && { emit: REDACT }), regex: all });
  }
  return {
    ...(off && { enabled: false }),
    ...(extended.length > 0 && { extends: extended }),
    ...(rules.size > 0 && { rules: Object.fromEntries(rules) }),
  };
}

/** The values under a name, or under a misspelling of it. */
const named = (texts: Texts, name: string): readonly string[] =>
  [...texts].flatMap(([key, values]) => (nearest(key, [name]) === undefined ? [] : values));

/** Splits the file by indentation, so that an unclosed bracket or quote in one piece does not swallow the others. */
function pieces(text: string): readonly string[] {
  const parts = text.split(/^(?=\S)/m).flatMap((block) => {
    const margin = /^( +)[^\s#]/m.exec(block)?.[1];
    return margin === undefined ? [block] : [block, ...block.split(new RegExp(`^(?=${margin}[^\\s#])`, "m"))];
  });
  const telling = parts.filter((part) => part !== text && [EXTENDS, ENABLED, REDACT].some((word) => part.includes(word)));
  return telling.slice(0, SALVAGED_PIECES);
}

/** Every map of a text with its key, and the outermost map, which has no key. */
function mapsIn(text: string): { readonly root: readonly Texts[]; readonly maps: readonly (readonly [string, Texts])[] } {
  const parsed = parseDocuments(text, { prettyErrors: false, logLevel: "silent", version: "1.2", uniqueKeys: false });
  if (!Array.isArray(parsed)) return { root: [], maps: [] };
  const [document] = parsed as [Document];
  const maps: (readonly [string, Texts])[] = [];
  const root = textsOf(document.contents, document);
  visit(document, {
    Pair(_, { key, value }) {
      const texts = textsOf(value, document);
      if (texts && isScalar(key)) maps.push([String(key.value), texts]);
    },
  });
  return { root: root ? [root] : [], maps };
}

function textsOf(node: unknown, document: Document): Texts | undefined {
  if (!isMap(node)) return undefined;
  const texts = new Map<string, readonly string[]>();
  for (const { key, value } of node.items as readonly Pair<Node, Node | null>[]) {
    const target = isAlias(value) ? value.resolve(document) : value;
    const list = (isSeq(target) ? target.items : [target]).flatMap((one) => (isScalar(one) ? [String(one.value)] : []));
    if (isScalar(key)) texts.set(String(key.value), [...(texts.get(String(key.value)) ?? []), ...list]);
  }
  return texts;
}
