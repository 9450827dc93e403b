// Texts with placeholders → the lines that can be said. A line with an empty placeholder is not said;
// a list says its line once for each value.

import type { Text, TextNode } from "../rules/text.js";
import type { Say } from "../rules/workflow-set.js";
import type { Value } from "./reads.js";

/** What a name stands for: values with fields, or lines that are said already. */
export type Meaning = readonly (Value | string)[];
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

/** How a value is written. */
export function writeValue(text: Text, { fields, text: whole }: Value): string {
  const [line] = sayText(text, (name) => {
    const field = name === "text" ? (fields.text ?? whole) : fields[name];
    return field === undefined ? [] : [field];
  });
  return line ?? whole;
}

function sayText({ nodes }: Text, lookup: Lookup): readonly string[] {
  // Only one placeholder of a line may run through its values; the others say their first.
  const running = nodes.find((node) => "path" in node && meaningOf(node.path, lookup).length > 1);
  const count = running && "path" in running ? meaningOf(running.path, lookup).length : 1;
  return Array.from({ length: count }, (_, index) => fill(nodes, (node) => (node === running ? index : 0), lookup)).filter(
    (line) => line !== undefined && line.trim() !== "",
  ) as readonly string[];
}

function fill(nodes: readonly TextNode[], indexOf: (node: TextNode) => number, lookup: Lookup): string | undefined {
  let line = "";
  for (const node of nodes) {
    if ("literal" in node) line += node.literal;
    else if ("optional" in node) line += fill(node.optional, indexOf, lookup) ?? "";
    else {
      const said = meaningOf(node.path, lookup)[indexOf(node)];
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
    else meaning = meaning.flatMap((one) => (typeof one === "string" ? [] : (one.fields[step] ?? [])));
  }
  return meaning.map((one) => (typeof one === "string" ? one : one.text));
}

const capitalised = (text: string) => {
  const [first = ""] = text;
  return first.toUpperCase() + text.slice(first.length);
};
