// Fills the placeholders of texts and returns the lines. A line with an empty placeholder is omitted; a list gives one line for
// each value.

import { placeholders, type Text, type TextNode } from "../../rules/template/say-text.js";
import type { Say } from "../../rules/workflow-set.js";
import type { NotedValue } from "./reads.js";

/** The values of a name: values with fields, or finished lines. */
export type Meaning = readonly (NotedValue | string)[];
export type Lookup = (name: string) => Meaning;

export function sayLines(say: Say, max: number, lookup: Lookup): readonly string[] {
  const lines = new Set<string>();
  for (const choice of say) {
    for (const text of choice) {
      const said = sayText(text, lookup);
      for (const line of said) if (lines.size < max) lines.add(line);
      if (said.length > 0) break;
    }
    if (lines.size >= max) break;
  }
  return [...lines];
}

/** The value as the text writes it, or its own text if a placeholder is empty. */
export function writeValue(text: Text, value: NotedValue): string {
  const whole = value.text;
  const [line] = sayText(text, (name) => {
    const field = fieldOf(value, name) ?? (name === "text" ? whole : undefined);
    return field === undefined ? [] : [field];
  });
  return line ?? whole;
}

function sayText({ nodes }: Text, lookup: Lookup): readonly string[] {
  const meanings = new Map(
    placeholders(nodes).map((node): [TextNode, readonly string[]] => [node, meaningOf(node.path, lookup)]),
  );
  // Only one placeholder of a line iterates over its values; the others use their first.
  const running = nodes.find((node) => (meanings.get(node)?.length ?? 0) > 1);
  const count = (running && meanings.get(running)?.length) ?? 1;
  const saidAt = (index: number) => (node: TextNode) => meanings.get(node)?.[node === running ? index : 0];
  return Array.from({ length: count }, (_, index) => fill(nodes, saidAt(index))).filter(
    (line) => line !== undefined && line.trim() !== "",
  ) as readonly string[];
}

function fill(nodes: readonly TextNode[], saidOf: (node: TextNode) => string | undefined): string | undefined {
  let line = "";
  for (const node of nodes) {
    if ("literal" in node) line += node.literal;
    else if ("optional" in node) line += fill(node.optional, saidOf) ?? "";
    else {
      const said = saidOf(node);
      if (said === undefined || said === "") return undefined;
      line += node.sentence ? capitalised(said) : said;
    }
  }
  return line;
}

/** `.open .done .first .last .count`, or a field. */
function meaningOf([name, ...steps]: readonly string[], lookup: Lookup): readonly string[] {
  let meaning = lookup(name as string);
  for (const step of steps) {
    if (step === "count") return [String(meaning.length)];
    if (step === "first") meaning = meaning.slice(0, 1);
    else if (step === "last") meaning = meaning.slice(-1);
    else if (step === "open" || step === "done") meaning = meaning.filter((one) => typeof one !== "string" && one.task === step);
    else meaning = meaning.flatMap((one) => (typeof one === "string" ? [] : (fieldOf(one, step) ?? [])));
  }
  return meaning.map((one) => (typeof one === "string" ? one : one.text));
}

/** Own properties only: a field may be named like an inherited one. */
const fieldOf = ({ fields }: NotedValue, name: string) => (Object.hasOwn(fields, name) ? fields[name] : undefined);

const capitalised = (text: string) => {
  const [first = ""] = text;
  return first.toUpperCase() + text.slice(first.length);
};
