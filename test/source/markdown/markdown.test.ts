import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readMarkdown } from "../../../src/source/markdown/read-markdown.js";
import { toSource } from "../../../src/source/markdown/visible.js";
import { HOSTILE } from "../../hostile/inputs.mjs";
import { runs } from "../../runs.js";

const read = (text: string) => readMarkdown(text, ["e.g."]);
const shown = (text: string) => read(text).segments.map(({ node, text: visible }) => `${node}: ${visible}`);

describe("segments", () => {
  test.each([
    ["a paragraph is cut into sentences", "One. Two.", ["sentence: One.", "sentence: Two."]],
    ["a soft break joins its lines", "use SQLite\nfor storage", ["sentence: use SQLite for storage"]],
    ["emphasis is not seen", "We **deci**ded *to*", ["sentence: We decided to"]],
    ["inline code keeps its ticks", "run `a.b` now", ["sentence: run `a.b` now"]],
    ["entities and escapes are read", "a &amp; b \\* c", ["sentence: a & b * c"]],
    ["links show their text", "see [the docs](http://x.y)", ["sentence: see the docs"]],
    ["code blocks are no prose", "a\n\n```js\n// we decided\n```\n\n    indented code\n\nb", ["sentence: a", "sentence: b"]],
    ["HTML is no prose", "<div>\nwe decided\n</div>\n\n<!-- we\n\nchose -->\n\nb", ["sentence: b"]],
    [
      "what stands in tags is text",
      "<task>\nBuild it.\n</task>\n<rules>\n- Never touch a.\n- Use Rust\n  for it.\n</rules>\nThanks.",
      ["sentence: Build it.", "item: Never touch a.", "item: Use Rust for it.", "sentence: Thanks."],
    ],
    [
      "tags around a line",
      "<rule>Never touch it.</rule>\r\n<rule>Use Go.</rule>",
      ["sentence: Never touch it.", "sentence: Use Go."],
    ],
    ["tags around lines", "<task>Build it.\nIn Go.</task>\nNow.", ["sentence: Build it.", "sentence: In Go.", "sentence: Now."]],
    [
      "tags in tags, far from the margin",
      "<task>\n    Build it.\n    <rules>\n        - Use Go\n          here.\n        - Never touch a.\n    </rules>\n\n    Soon.\n</task>\n\n    code()",
      ["sentence: Build it.", "item: Use Go here.", "item: Never touch a.", "sentence: Soon."],
    ],
    ["a tag that is talked about", "<div> is broken. Use Go.", ["sentence: div  is broken.", "sentence: Use Go."]],
    ["a placeholder stays", "we use\n<name> for it", ["sentence: we use <name> for it"]],
    [
      "comments and code in tags are no prose",
      "<task>\nBuild it.\n<!-- we chose -->\n<pre>\nwe chose\n</pre>\n```\n<b>\n```\n</task>",
      ["sentence: Build it."],
    ],
    ["a page is no prose", '<div class="a">\n<h1>A title</h1>\n<p>We decided it.</p>\n</div>', []],
    ["data are no prose", "<a>\n<groupId>org.x</groupId>\n<version>one</version>\n</a>", []],
    ["text behind a block of our own is read", "<carried-facts>\n- a b\n</carried-facts>\nUse Go.", ["sentence: Use Go."]],
    ["text behind a draft is read", "<think>\nWe decided it.\n</think> Use Go.", ["sentence: Use Go."]],
    ["items and tasks", "- a\n- [ ] b\n- [x] c\n  - d", ["item: a", "task: b", "task: c", "item: d"]],
    [
      "a box with its text on the next line",
      "- [x]\n  2. Create it",
      ["task: 2.", "task: Create it"].slice(0, 0).concat(["task: 2. Create it"]),
    ],
    ["quotations", "> I decided\n> to go", ["quote: I decided to go"]],
    ["cells know their column", "| a | b |\n|---|---|\n| c | d |", ["cell: c", "cell: d"]],
    ["wiki links", "use [[T|text]] now", ["sentence: use [[T|text]] now", "link: T"]],
    ["a list in loose form stays a list", "- a\n\n- b\n\n  more of b", ["item: a", "item: b", "item: more of b"]],
    ["CRLF", "One.\r\nTwo.\r\n\r\n- a\r\n", ["sentence: One.", "sentence: Two.", "item: a"]],
  ])("%s", (_, text, expected) => {
    expect(shown(text)).toEqual(expected);
  });

  test("know the headings above, the line that leads to them, their box and their place", () => {
    const { segments } = read("# A\n\n## B\n\nDo this:\n\n- [x] c\n\n## D\n\nLast?");
    expect(segments.find(({ text }) => text === "c")).toMatchObject({ headings: ["A", "B"], lead: "Do this:", task: "done" });
    expect(segments.find(({ text }) => text === "Last?")).toMatchObject({
      headings: ["A", "D"],
      question: true,
      part: "closing",
    });
  });

  test("a fence with blank lines and headings inside stays code", () => {
    expect(shown("```md\n# not a heading\n\nwe decided\n```\nafter")).toEqual(["sentence: after"]);
    expect(shown("- item\n\n  ```\n  we decided\n\n  more\n  ```\n- next")).toEqual(["item: item", "item: next"]);
  });
});

const piece = fc.constantFrom(
  "a",
  "b.",
  " ",
  "\n",
  "\n\n",
  "*",
  "**",
  "_",
  "`",
  "```\n",
  "[",
  "]",
  "[[",
  "]]",
  "(",
  ")",
  "<",
  ">",
  "# ",
  "- ",
  "1. ",
  "> ",
  "|",
  "&amp;",
  "&",
  "\\",
  "~~",
  "é",
  "😀",
  "\t",
  "\r\n",
  "- [ ] ",
  "é",
  "\u0000",
  "\u2028",
);

test("every visible character stands in the source where it says it does", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = pieces.join("");
      for (const { text: visible, runs, start, end } of read(text).segments) {
        expect(start).toBeGreaterThanOrEqual(0);
        expect(end).toBeLessThanOrEqual(text.length);
        expect(start).toBeLessThan(end);
        for (let at = 0; at < visible.length; at++) {
          const source = toSource(runs, at);
          expect(source).toBeGreaterThanOrEqual(start);
          expect(source).toBeLessThan(end);
          if (/[ab]/.test(visible[at] as string) && !text.includes("&")) expect(text[source]).toBe(visible[at]);
        }
      }
    }),
    { numRuns: runs(3_000) },
  );
});

describe("what takes the parser down is kept from it", () => {
  test.each(Object.entries(HOSTILE))("%s", (_, make) => {
    const { segments } = read(`We decided to stay.\n\n${make(25_000)}word\n\nWe decided to go.`);
    expect(segments.map(({ text }) => text)).toEqual(expect.arrayContaining(["We decided to stay.", "We decided to go."]));
  });

  test("ordinary text is not", () => {
    const item = "- **Bold lead**: uses `code`, a [link](http://x.y/z) and _emphasis_ (see [[Concept]]).\n";
    const table = `| a | b |\n|---|---|\n${"| `x` | **y** |\n".repeat(40)}`;
    expect(read(`# Title\n\n${item.repeat(20)}\n\n${table}\n\n${"A sentence with some words in it. ".repeat(200)}`).scanned).toBe(
      0,
    );
  });
});
