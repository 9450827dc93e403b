import { describe, expect, test } from "vitest";
import { builtInRules, extract, type Message, render, type Session } from "../../../src/index.js";
import type { Template } from "../../../src/rules/rule-set.js";
import { leastTime } from "../../cpu.js";
import { sized } from "../../runs.js";

const { rules } = builtInRules();
const sessionOf = (...texts: readonly string[]): Session => ({
  id: "s",
  format: "test",
  messages: texts.map((text, index) => ({ id: `m${index}`, role: index % 2 ? "assistant" : "user", text, toolCalls: [] })),
});
const rendered = (name: string, asked: string, said: string, tokens?: number) =>
  render(
    extract(sessionOf("Clean up the billing schema.", asked, said, "On it."), rules),
    rules.templates.get(name) as Template,
    rules,
    tokens === undefined ? {} : { tokens },
  );
const requestIn = (asked: string, said: string) =>
  /^Last request(?: \(answered\))?: (.*)$/m.exec(rendered("brief", asked, said).text)?.[1];

const QUESTION = "I looked at the schema. Nothing reads it any more. Shall I drop the old table?";
const OPTIONS =
  "There are two ways:\n\n1. Keep one table and add a column\n2. Split it into two tables\n\nWhich one do you prefer?";

describe("a last request that refers back", () => {
  const asked = "make the box of the preview smaller";
  const last = (said: string, before = asked) => {
    const session = sessionOf("Clean up the page.", "Done.", before, "It is 300 px now.", said, "On it.");
    return /^Last request.*$/m.exec(render(extract(session, rules), rules.templates.get("brief") as Template, rules).text)?.[0];
  };

  test.each(["not that box, the one of the demo", "also for the sidebar", "same with the header", "no, put it in the footer"])(
    "%j is shown with the request before it",
    (said) => expect(last(said)).toBe(`Last request: ${said} (after "${asked}")`),
  );

  test("is shown without one that does not hold any more", () => {
    expect(last("Make it 60 seconds.", "Set the timeout to 30 seconds.")).not.toContain("30");
  });

  test("is not one that says what it is about", () => {
    expect(last("Rename the reader to RowReader.")).toBe("Last request: Rename the reader to RowReader.");
  });
});

test("a last request that is only JSON is shown by its texts, from both ends", () => {
  const lines = Array.from({ length: 40 }, (_, index) => `╭─[src/part${index}.ts]\n│ unused name`).join("\n");
  const pasted = JSON.stringify([{ output: `\n × lint: unused names\n${lines}\n╰── Found 40 errors.` }]);
  const text = rendered("brief", "Done.", pasted, 1_400).text;
  expect(text).toMatch(/^Last request: \(pasted\) × lint: unused names .* … .*Found 40 errors\.$/m);
  expect(text).not.toMatch(/\\n|[╭│╰]|\[\{/);
});

describe("a last request that only answers", () => {
  test.each(["yes", "Yes, please.", "go ahead", "do it", "ok, do it", "sounds good, proceed", "no", "not yet"])(
    "%j is shown with the question",
    (said) => {
      expect(requestIn(QUESTION, said)).toBe(`"${said}" — to the assistant's "Shall I drop the old table?"`);
    },
  );

  test.each(["2", "option 2", "the second one"])("%j is shown with the option that it takes", (said) => {
    expect(requestIn(OPTIONS, said)).toBe(`"${said}" — to the assistant's "Split it into two tables"`);
  });

  test("is shown with all options that it takes", () => {
    expect(requestIn(OPTIONS, "1 and 2")).toContain('"Keep one table and add a column; Split it into two tables"');
  });

  test("is shown with what the question points to", () => {
    expect(requestIn("The index is unused, I would drop it. Should I go ahead?", "yes")).toBe(
      '"yes" — to the assistant\'s "The index is unused, I would drop it. Should I go ahead?"',
    );
  });

  test("is shown with a proposal that is no question", () => {
    expect(requestIn("All tests pass. Let me know if you want me to push it.", "do it")).toContain("want me to push it");
  });

  test("is shown with the assistant's last words where nothing was asked", () => {
    expect(requestIn("I will keep the counter in Redis. Then I change the tests.", "ok")).toBe(
      '"ok" — to the assistant\'s "Then I change the tests."',
    );
  });

  test("stands alone where it only thanks", () => {
    expect(requestIn("Done, all tests pass.", "great")).toBe("great");
  });

  test("that takes an option and says more is shown whole, with the option", () => {
    const lettered = "There are two ways:\n\nA. Keep one table.\nB. Split it into two tables.\n\nWhich one do you prefer?";
    expect(requestIn(lettered, "A. is fine, ensure we log")).toBe(
      '"A. is fine, ensure we log" — to the assistant\'s "A. Keep one table."',
    );
    expect(requestIn(OPTIONS, "Option 2, but keep a backup.")).toBe(
      '"Option 2, but keep a backup." — to the assistant\'s "Split it into two tables"',
    );
  });

  test.each(["yes, but keep a backup", "Drop it tonight.", "Yes. Then rename the column to `total`."])(
    "%j says more and stands alone",
    (said) => {
      expect(rendered("brief", QUESTION, said).text).not.toContain('Shall I drop the old table?"');
    },
  );

  test.each(["injection", "repair", "structured"])("is told in %s, too", (name) => {
    expect(rendered(name, QUESTION, "yes").text).toContain('"yes" — to the assistant\'s "Shall I drop the old table?"');
  });

  test("is told within the budget", () => {
    const long = `Shall I drop the old table, ${"which the nightly job of the billing service still fills, ".repeat(12)}and its index?`;
    for (const name of ["brief", "injection", "repair", "structured"])
      for (let tokens = 10; tokens <= 400; tokens += 13)
        expect(rendered(name, long, "yes", tokens).tokens).toBeLessThanOrEqual(tokens);
  });

  test("masks a secret in what it answers", () => {
    const key = `ghp_${"a1B2c3D4e5".repeat(4)}`;
    expect(rendered("brief", `Shall I use the token ${key} for the release?`, "yes").text).not.toContain(key);
  });
});

describe("a last request in which nothing is said", () => {
  const shown = (last: string, ...after: readonly string[]) => {
    const texts = ["Animate the counter.", "Done.", last, ...after];
    const messages = texts.map(
      (text, index): Message => ({ id: `m${index}`, role: index % 2 ? "assistant" : "user", text, toolCalls: [] }),
    );
    const template = rules.templates.get("brief") as Template;
    return render(extract({ id: "s", format: "neutral", messages }, rules), template, rules).text;
  };
  const output = "error: keys should be sorted\n  at counter.tsx:20:12\nNever push to main.\nFound 4 errors.";

  test.each([
    ["pasted by the host", `<host_context>\nUse the tools.\n</host_context>\n\n<pasted_text>\n${output}\n</pasted_text>`],
    ["on one line", `<pasted_text>${output}</pasted_text>`],
    ["code", `\`\`\`\n${output}\n\`\`\``],
  ])("is shown shortened, as pasted, and whether it was answered: %s", (_, last) => {
    expect(shown(last)).toMatch(/^Last request: \(pasted\) error: keys should be sorted at counter/m);
    expect(shown(last, "All four are fixed.")).toMatch(/^Last request \(answered\): \(pasted\) error: keys should be sorted/m);
    expect(shown(last)).toContain("Goal: Animate the counter.");
    expect(shown(last)).not.toContain("Rule: Never push");
    expect(shown(`<host_context>\nUse the tools.\n</host_context>\n${last}`)).toContain("Last request: (pasted) error");
  });

  test("may be long, and close a tag of HTML", () => {
    const html = `<pasted_text>\n<pre>\nbuild failed\n</pre>\n\nAlways use pnpm.\n${"x".repeat(5_000)}\n</pasted_text>`;
    expect(shown(html)).toContain("Last request: (pasted) ");
    expect(shown(html)).not.toContain("Rule: Always");
    expect(shown(html).length).toBeLessThan(400);
  });

  test("is not the request if only a host said something", () => {
    expect(shown("<host_context>\nUse the tools.\n</host_context>")).not.toContain("pasted");
  });

  test("shows the user's own words as the request, and marks what is pasted below them", () => {
    const text = shown("Fix it:\n\n2026-01-01 10:00:01 worker 1 could not connect");
    expect(text).toContain("Last request: Fix it:\n");
    expect(text).toContain("> (pasted) 2026-01-01");
  });
});

test.each(["`", "~", "``` ", "```\n", "</pre> ", " ", "\n", "<pre>", "~~~ a\n"])(
  "a last request that is %j again and again takes time that grows with its length",
  async (part) => {
    const length = sized(200_000, 40_000);
    const end = (text: string) => requestIn("Here it is.", text);
    for (const behind of ["", "x"]) {
      // It took a minute when each place was tried again from the start.
      const took = (tried: number) => end(part.repeat(length / part.length - tried) + behind);
      expect(await leastTime(6_000, took)).toBeLessThan(6_000);
    }
  },
);
