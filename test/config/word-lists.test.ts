import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { extract, loadRulesFrom } from "../../src/index.js";
import { says } from "../sample.js";

let file: string;
beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), "compaction-words-")), "pack.yaml");
});
afterEach(() => rmSync(join(file, ".."), { recursive: true, force: true }));

function packWith(words: string, more = "") {
  const rule = `  picks:\n    emit: decision\n    match: "we took <tool> for {text}"\n${more}    examples: []\n`;
  writeFileSync(file, `compaction: 1\nname: p\nwords:\n${words}\nrules:\n${rule}`);
  return loadRulesFrom(file);
}
const found = (text: string, { rules }: ReturnType<typeof packWith>) =>
  extract(says(text, "user"), rules).continuation.items.map((item) => item.text);
const faults = (words: string) =>
  packWith(words).diagnostics.flatMap(({ code, at }) => (/^(phrase|wrong)/.test(code) ? [[code, at?.line, at?.column]] : []));

describe("a list in words", () => {
  test("matches when the text has any one of its entries", () => {
    const pack = packWith('  tool: [bun, "yarn (1|2)"]');
    const tools = ["bun", "yarn 2", "yarn", "npm"];
    expect(tools.map((tool) => found(`We took ${tool} for the scripts.`, pack).length)).toEqual([1, 1, 0, 0]);
  });

  test("reports a fault at its place in the entry", () => {
    expect(faults('  tool: [bun, "yarn 1)", npm]')).toEqual([["phrase-syntax", 4, 23]]);
  });

  test("is refused when it is empty or has something else than phrases", () => {
    for (const list of ["[]", "[bun, 2]", "[[bun]]"]) expect(faults(`  tool: ${list}`)).toEqual([["wrong-type", 4, 9]]);
  });
});

describe("node: any", () => {
  test("finds headings but no quotations when a rule asks for it", () => {
    const pack = packWith("  tool: bun", "    in: { node: any }\n");
    const text = "## We took bun for headings\n\nWe took bun for sentences.\n\n> We took bun for quotations.\n";
    expect(found(text, pack)).toEqual(["headings", "sentences"]);
  });
});
