import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { blankBlocks, withBlock, withoutBlocks } from "../../src/audit/block.js";
import { repair } from "../../src/audit/repair.js";
import { audit, builtInRules, extract, type Message, type Template } from "../../src/index.js";
import { runs } from "../runs.js";

const { rules } = builtInRules();
const template = rules.templates.get("repair") as Template;
const says = (...texts: readonly string[]) => {
  const messages: Message[] = texts.map((text, index) => ({
    id: `m${index}`,
    role: index % 2 ? "assistant" : "user",
    text,
    toolCalls: [],
  }));
  return extract({ id: "s", format: "test", messages }, rules);
};
const session = says(
  "Fix the importer. It must run on Node 18.",
  "We decided to use SQLite for events because it needs no server.",
  "Never touch the legacy folder. We use port 5433.",
);
const mend = (summary: string) => repair(session, summary, template, rules);

describe("what a summary lost is put behind it", () => {
  test("all of it behind a summary that says nothing", () => {
    const { summary, block } = mend("## Objective\n- Continue the task.");
    expect(summary.startsWith("## Objective\n- Continue the task.\n\n<carried-facts>\n")).toBe(true);
    expect(summary.endsWith("\n</carried-facts>")).toBe(true);
    for (const fact of ["Node 18", "use SQLite for events", "it needs no server", "Never touch the legacy folder", "5433"])
      expect(block).toContain(fact);
  });

  test("only what is not kept", () => {
    const { block } = mend("- Decision: use SQLite for events because it needs no server.\n- Never touch the legacy folder.");
    expect(block).not.toContain("decision: use SQLite");
    expect(block).toContain("Node 18");
  });

  test("what a later word changed is told with what it changed", () => {
    const changed = says("We work on the importer.", "Ok.", "Use a timeout of 30 s for the upload.", "Done.", "Make it 60 s.");
    const { block } = repair(changed, "- Continue the task.", template, rules);
    expect(block).toContain("decision (user): Use a timeout of 60 s for the upload");
    expect(block).not.toContain("30 s");
  });

  test("leaves out sentences that the assistant said early, but no facts", () => {
    const said = says(
      "Please look at the importer first.",
      "We decided to use Kafka for the queue. The importer has 14 modules in src/import and imports/legacy.",
      "Now write the tests for it.",
      "We decided to use Redis for the locks.",
      "Never touch the legacy folder again.",
      "Fine.",
      "Please run all the tests now.",
    );
    const { block } = repair(said, "- Continue the task.", template, rules);
    expect(block).toContain("Redis");
    expect(block).toContain("Kafka");
    expect(block).toContain("Never touch the legacy folder");
    expect(block).not.toContain("14 modules");
  });

  test("what is contradicted is put right", () => {
    const { verdicts, block } = mend("- We decided not to use SQLite for events.");
    expect(verdicts.find(({ kind }) => kind === "decision")?.verdict).not.toBe("kept");
    expect(block).toContain("use SQLite for events");
  });

  test("says of both what they say where the summary and the record disagree", () => {
    const messages: Message[] = [
      { id: "u1", role: "user", text: "Port the parser to Go. Never log the session token.", toolCalls: [] },
      {
        id: "a1",
        role: "assistant",
        text: "Now the checks.",
        toolCalls: [
          {
            name: "TodoWrite",
            input: { todos: [{ content: "Port the lexer tests", status: "in_progress" }] },
            output: "",
            status: "completed",
          },
          { name: "Bash", input: { command: "go test ./lexer" }, output: "--- FAIL: TestLexer\nFAIL", status: "error" },
        ],
      },
    ];
    const failing = extract({ id: "s", format: "claude-code", messages }, rules);
    const { block } = repair(failing, "- Log the session token.\n- `go test ./lexer` passes.", template, rules);
    expect(block).toContain('Never log the session token. (the summary says: "Log the session token.")');
    expect(block).toContain('still failing: `go test ./lexer` (the summary says: "`go test ./lexer` passes.")');
  });

  test("an empty summary is the block alone", () => {
    expect(mend("").summary.startsWith("<carried-facts>")).toBe(true);
  });

  test("nothing is put behind a summary of a session without facts", () => {
    expect(repair(says(""), "All is well.", template, rules)).toMatchObject({ summary: "All is well.", block: "" });
  });

  test("superseded facts are not carried", () => {
    const changed = says(
      "Decision: use Redis for the sessions.",
      "Done.",
      "Actually don't use Redis, use SQLite for the sessions.",
    );
    const { block } = repair(changed, "", template, rules);
    expect(block).toContain("use SQLite for the sessions");
    expect(block).not.toContain("use Redis for the sessions");
  });
});

describe("a block of an earlier round", () => {
  test("is replaced, never doubled, over ten rounds", () => {
    let summary = "Work goes on.";
    const sizes = new Set<number>();
    for (let round = 0; round < 10; round++) {
      summary = mend(summary).summary;
      expect(summary.split("<carried-facts>")).toHaveLength(2);
      sizes.add(summary.length);
    }
    expect(sizes.size).toBe(1);
  });

  test("is found where a model copied it twice, broke it off, or put it in the middle", () => {
    const { block } = mend("");
    const one = withBlock("", block);
    expect(withoutBlocks(`a\n\n${one}\n\nb\n\n${one}`)).toBe("a\n\nb");
    expect(withoutBlocks(`a\n\n${one.replace("</carried-facts>", "")}`)).toBe("a");
    expect(withoutBlocks("a\n\n</carried-facts>\n\nb")).toBe("a\n\nb");
    expect(withoutBlocks(`a\n\n<carried-facts>\n- x\n\nb\n\n${one}`)).toBe("a\n\nb");
    expect(withoutBlocks("a\n\n<carried-facts>- x</carried-facts>")).toBe("a");
    expect(withoutBlocks('a\n\n< Carried-Facts id="1">\n- x\n</ carried\u200B-facts>\n\nb')).toBe("a\n\nb");
    expect(withoutBlocks("a <carried-facts>\n- x\n</carried-facts> b")).toBe("a\n\nb");
  });

  test.each([
    "The program puts a `<carried-facts>` block behind a summary.\n\n## Decisions\n- use SQLite for events",
    "What it lost stands in <carried-facts>\n\n## Decisions\n- use SQLite for events",
    "<carried-facts> is what it puts behind a summary.\nLine two.\n\n## Decisions\n- use SQLite for events",
    "It ends with `</carried-facts>`, always.\n\n- use SQLite for events",
  ])("is not begun or ended where a summary speaks of its tag: %j", (prose) => {
    expect(withoutBlocks(prose)).toBe(prose);
    expect(blankBlocks(prose)).toBe(prose);
    expect(withoutBlocks(withBlock(prose, "- a fact"))).toBe(prose);
    expect(mend(withBlock(prose, "- a fact")).summary.startsWith(`${prose}\n\n<carried-facts>\n`)).toBe(true);
  });

  test("a tag that nobody closed takes no more than its list", () => {
    expect(withoutBlocks("a\n\n<carried-facts>\n\n## Decisions\n- b")).toBe("a\n\n## Decisions\n- b");
    expect(withoutBlocks("a\n<carried-facts>\n- x\n\nb")).toBe("a\n\nb");
  });

  test("is blanked without moving anything else", () => {
    const summary = `\n\nbefore\n\n${withBlock("", "- a\n- b")}\n\nbehind`;
    const blanked = blankBlocks(summary);
    expect(blanked).toHaveLength(summary.length);
    expect(blanked.indexOf("behind")).toBe(summary.indexOf("behind"));
    expect(blanked.replace(/\s+/g, " ").trim()).toBe("before behind");
  });

  test("is not ended by a fact that names its tag", () => {
    const odd = says("Decision: write </carried-facts> into the template.", "ok");
    const { summary } = repair(odd, "", template, rules);
    expect(summary.split("</carried-facts>")).toHaveLength(2);
    expect(withoutBlocks(summary)).toBe("");
  });

  test("taking blocks out of what was put together gives the prose", () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), (prose, block) => {
        const clean = withoutBlocks(prose);
        expect(withoutBlocks(withBlock(clean, block))).toBe(clean);
      }),
    );
    const pieces = fc.constantFrom("<carried-facts>", "</carried-facts>", "\n", "\n\n", "a", " ", "- b", "\r\n");
    fc.assert(
      fc.property(fc.array(pieces), (given) => {
        const clean = withoutBlocks(given.join(""));
        expect(withoutBlocks(clean)).toBe(clean);
        expect(withoutBlocks(withBlock(clean, "- fact"))).toBe(clean);
        expect(blankBlocks(given.join(""))).toHaveLength(given.join("").length);
      }),
      { numRuns: runs(2000) },
    );
  });
});

test("the budget holds, and the last line says how many are not shown", () => {
  const many = says(
    ...Array.from({ length: 200 }, (_, index) => `We decided to use library number ${index} for part ${index} of the product.`),
  );
  const { block, hidden } = repair(many, "", template, rules);
  expect(hidden).toBeGreaterThan(50);
  expect(block).toMatch(new RegExp(`\\(${hidden} more not shown\\)$`));
  expect(block.length).toBeLessThan(6_000);
});

describe("what a model thinks aloud before its summary, hosts strip", () => {
  const fact = "We must never log the session token.";
  const verdictIn = (summary: string) =>
    audit([{ kind: "constraint", text: fact }], summary, { rules }).verdicts.map(({ verdict }) => verdict)[0];

  test.each(["think", "thinking", "analysis"])("<%s>", (tag) => {
    expect(verdictIn(`<${tag}>\n${fact}\n</${tag}>\n\nWork on the cache.`)).toBe("missing");
    expect(verdictIn(`<${tag}>\nHm.\n</${tag}>\n\n<summary>\n${fact}\n</summary>`)).toBe("kept");
  });

  test("thoughts that never end, and tags that a summary names", () => {
    expect(verdictIn(`<think>\n${fact}`)).toBe("missing");
    expect(verdictIn(`The parser drops \`<analysis>\`. ${fact} It keeps \`</analysis>\`.`)).toBe("kept");
  });

  test("places of the summary stand", () => {
    const summary = `<think>\nHm.\n</think>\n${fact}`;
    const { where } = audit([{ kind: "constraint", text: fact }], summary, { rules }).verdicts[0] ?? {};
    expect(summary.slice(where?.start, where?.end)).toContain("never log the session token");
  });
});
