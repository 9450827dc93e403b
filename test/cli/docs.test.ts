import type { InlineCode, Root, Table } from "mdast";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTable } from "micromark-extension-gfm-table";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { beforeAll, describe, expect, test } from "vitest";
import { cellCode, code } from "../../src/cli/docs.js";
import { declarations } from "../../src/extract/match/examples.js";
import { builtInRules } from "../../src/index.js";
import { runScenario } from "./scenario.js";

function parseMarkdown(text: string): Root {
  const processor = unified().use(remarkParse);
  processor.data("micromarkExtensions", [gfmTable()]);
  processor.data("fromMarkdownExtensions", [gfmTableFromMarkdown()]);
  return processor.parse(text);
}

interface Parent {
  readonly type: string;
  readonly children?: readonly Parent[];
}
const all = (node: Parent, type: string): readonly Parent[] => [
  ...(node.type === type ? [node] : []),
  ...(node.children ?? []).flatMap((child) => all(child, type)),
];
const spansOf = (node: Parent) => all(node, "inlineCode").map((span) => (span as unknown as InlineCode).value);

describe("the reference of the built-in packs", () => {
  const docs = () =>
    runScenario({ files: new Map(), command: ["docs"], stdin: "", expected: { stdout: "", stderr: "", exit: 0 } });
  const { packs } = builtInRules();
  let text: string;
  let tree: Root;
  beforeAll(async () => {
    const { stdout, stderr, exit } = await docs();
    expect({ stderr, exit }).toEqual({ stderr: "", exit: 0 });
    text = stdout;
    tree = parseMarkdown(text);
  });

  test("names every rule, section, cues and workflow in a heading", () => {
    const headings = all(tree, "heading").flatMap(spansOf);
    const sections = [...packs.sections.keys()].map((id) => `section:${id}`);
    const cues = [...packs.cues.keys()].map((id) => `cues:${id}`);
    expect(headings.toSorted()).toEqual([...packs.rules.keys(), ...sections, ...cues, ...packs.workflows.keys()].toSorted());
  });

  test("shows every phrase, pattern and example as it is", () => {
    const spans = new Set(spansOf(tree));
    const missing = [...packs.rules.values(), ...packs.signals.values(), ...packs.categories.values()]
      .flatMap(({ value }) => [...(value.match ?? []), ...("regex" in value ? (value.regex ?? []) : [])])
      .concat(
        declarations(packs).flatMap(({ value }) => (value.examples ?? []).map((example) => example.text.replaceAll("\n", "↵"))),
      )
      .filter((phrase) => !spans.has(phrase));
    expect(missing).toEqual([]);
  });

  test("has as many cells in each row as in the head of its table", () => {
    const tables = all(tree, "table") as unknown as readonly Table[];
    expect(tables.length).toBeGreaterThan(30);
    for (const { children } of tables) expect(new Set(children.map((row) => row.children.length)).size).toBe(1);
  });

  test("is the same each time", async () => expect((await docs()).stdout).toBe(text));
});

describe("code spans", () => {
  test.each(["a", "a|b", "`", "``a`", " a ", "a ", "\\", "a\\", "(a|b)`|`", "*a* <b> &amp; [c](d)"])("%s", (text) => {
    expect(spansOf(parseMarkdown(code(text)))).toEqual([text]);
    const [row] = all(parseMarkdown(`| x | y |\n|---|---|\n| ${cellCode(text)} | z |`), "tableRow").slice(1);
    expect(row?.children).toHaveLength(2);
    expect(spansOf(row as Parent)).toEqual([text]);
  });

  test("a backslash in front of | is written as HTML, on which all readers agree", () => {
    expect(cellCode("a \\| <b> `c`")).toBe("<code>a &#92;&#124; &#60;b&#62; &#96;c&#96;</code>");
  });
});
