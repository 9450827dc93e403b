// What a brief and a block may claim: no failure that may be over, no paste as the user's words, no line without its heading.
import { describe, expect, test } from "vitest";
import { repair } from "../../src/audit/repair.js";
import { builtInRules, extract, type Message, render } from "../../src/index.js";
import type { Template } from "../../src/rules/rule-set.js";

const { rules } = builtInRules();
const call = (name: string, input: object, output: string, status = "completed") => ({ name, input, output, status });
const run = (command: string, output: string, status?: string) => call("Bash", { command }, output, status);
const write = (file_path: string, content: string) => call("Write", { file_path, content }, "ok");
type Said = readonly [Message["role"], string, ...Message["toolCalls"][number][]];
const messages = (...list: readonly Said[]) =>
  list.map(([role, text, ...toolCalls], index) => ({ id: `m${index}`, role, text, toolCalls }));

const extractionOf = (...list: readonly Said[]) => extract({ id: "one", format: "neutral", messages: messages(...list) }, rules);
const templateOf = (name: string) => rules.templates.get(name) as Template;
const briefOf = (...list: readonly Said[]) => render(extractionOf(...list), templateOf("brief"), rules).text;

const FIRST = ["user", "Make the importer read files above 2 GB."] as const;

describe("a failed command", () => {
  const failed = run("npm test", "1 failed\nError: the buffer is full", "error");

  test("still fails when nothing was changed after it", () => {
    expect(briefOf(FIRST, ["assistant", "", failed])).toContain("Still failing: npm test");
  });

  test("failed before the last changes when a file was changed after it", () => {
    const text = briefOf(FIRST, ["assistant", "", failed], ["assistant", "", write("src/a.ts", "export {}")]);
    expect(text).toContain("Failed before the last changes: npm test");
    expect(text).not.toContain("Still failing");
  });
});

test("gives each part of a written document its heading when both stand in a brief", () => {
  const plan = "# Plan\n\n## Reader\n\n- Read the file in blocks of 64 KB\n\n## Writer\n\n- Write the rows in one transaction\n";
  const text = briefOf(FIRST, ["assistant", "", write("plan.md", plan)]);
  expect(text).toContain("plan.md, Reader: Read the file in blocks of 64 KB");
  expect(text).toContain("plan.md, Writer: Write the rows in one transaction");
});

test("shows the user's own words as the last request when the rest of the message is pasted", () => {
  const stack = ["render (page.js:10:5)", "update (page.js:20:5)", "commit (page.js:30:5)"]
    .map((one) => `    at ${one}`)
    .join("\n");
  const text = briefOf(
    FIRST,
    ["assistant", "The importer is done."],
    ["user", `The page is empty after the import.\n\n${stack}\nConsider adding a boundary to your tree.\n${stack}`],
  );
  expect(text).toContain("Last request: The page is empty after the import.");
  expect(text).not.toMatch(/^> Consider adding/m);
  expect(text).not.toContain("Last request: (pasted)");
});

describe("a block behind a summary", () => {
  const blockOf = (...list: readonly Said[]) =>
    repair(extractionOf(...list), "We work on the importer.", templateOf("repair"), rules).block;
  const THOUGHT = "The reader keeps a buffer of 64 KB and the writer waits for it.";

  test("leaves out what the assistant only said, and shows what it decided in so many words", () => {
    const text = blockOf(FIRST, ["assistant", `${THOUGHT} We decided to use a Transform stream.`], ["user", "Go on."]);
    expect(text).not.toContain("64 KB");
    expect(text).toContain("use a Transform stream");
  });

  test("leaves out the lines of a long message of the user's that are no sentences", () => {
    const message =
      "Look at this.\n\n- Sync of the mirror at night\n- Promotion of the inbox\n\nEvery row keeps its checksum of 32 bits.";
    const text = blockOf(FIRST, ["user", message], ["assistant", "I looked."], ["user", "Go on."]);
    expect(text).not.toContain("Sync of the mirror");
    expect(text).toContain("checksum of 32 bits");
  });

  test("leaves out a message that is mostly no sentences", () => {
    const message =
      "Findings\n\n- Sync at night\n- Promotion of the inbox\n- Rows of the mirror\n\nThe list came by mail at noon.";
    const text = blockOf(FIRST, ["user", message], ["assistant", "I looked."], ["user", "Go on."]);
    expect(text).not.toContain("by mail");
    expect(text).not.toContain("Promotion of the inbox");
  });

  test("leaves out work that the assistant left before a commit, and shows what it left at the end", () => {
    const left = (what: string) => `The importer reads files. Remaining: ${what}.`;
    const textOf = (...calls: readonly Message["toolCalls"][number][]) => {
      const steps = Array.from({ length: 30 }, (_, at): Said => ["assistant", `I wrote part ${at} of the importer.`, ...calls]);
      const first: Said = ["assistant", left("the tests of the parser")];
      return blockOf(FIRST, first, ...steps, ["assistant", left("the docs of the writer")]);
    };
    const text = textOf(write("src/importer.ts", "x"), run("git commit -am 'Go on'", "ok"));
    expect(text).not.toContain("tests of the parser");
    expect(text).toContain("docs of the writer");
    // Where nothing was committed, it is still left.
    expect(textOf(write("src/importer.ts", "x"))).toContain("tests of the parser");
  });

  test("names the newest commit although the summary has its words, and there are more than it can show", () => {
    const older = ["Add BlockReader", "Split RowParser", "Cache IndexPages", "Lock EventTable", "Tune WriterPool"];
    const titles = [...older, "Move files to core/, utils/ and modes/"];
    const made = titles.map((title, at) => run(`git commit -m '${title}'`, `[main 7e9f3a${at}] ${title}`));
    const summary = "- Next: move files to core/, utils/ and modes/.";
    const { block } = repair(extractionOf(FIRST, ["assistant", "", ...made]), summary, templateOf("repair"), rules);
    expect(block).toContain("commits: 7e9f3a5 Move files to core/");
  });

  test("names neither commits nor pushes among the commands", () => {
    const typed = run("git add -A && git commit -m 'Add the reader' && git push origin main && npm run bench -- --quick", "ok");
    const text = blockOf(FIRST, ["assistant", "", typed, typed]);
    expect(text).toMatch(/commands run: `npm run bench -- --quick`$/m);
  });

  test("takes no rule from a row of numbers in a long paste", () => {
    const rows = Array.from({ length: 30 }, (_, at) => `row ${at}: never ${at * 7} always ${at * 3}`).join("\n\n");
    const text = blockOf(FIRST, ["user", `See what the run printed.\n\n${rows}`], ["assistant", "I looked."], ["user", "Go on."]);
    expect(text).not.toContain("row 7");
  });

  test("has the rule of a short message beside those of a message of thousands", () => {
    const many = Array.from(
      { length: 3_000 },
      (_, at) => `Never use module ${38_000 + at} for the tests of part ${at % 7}.`,
    ).join("\n");
    expect(blockOf(["user", "Always use pnpm, never npm."], ["user", many], ["user", "Go on."])).toContain("Always use pnpm");
  });
});
