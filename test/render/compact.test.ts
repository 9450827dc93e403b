// What makes a small brief say much, and that it still says only what it should.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { builtInRules, extract, type Message, render, type Session } from "../../src/index.js";
import { foldPaths } from "../../src/render/files.js";
import type { Template } from "../../src/rules/rule-set.js";
import { runs } from "../runs.js";
import { sampleSession } from "../sample.js";

const { rules } = builtInRules();
const template = (name: string) => rules.templates.get(name) as Template;
const session = (...messages: Pick<Message, "role" | "text">[]): Session => ({
  id: "s",
  format: "test",
  messages: messages.map((one, index) => ({ id: `m${index}`, toolCalls: [], ...one })),
});
const briefOf = (given: Session, tokens?: number) =>
  render(extract(given, rules), template("brief"), rules, tokens === undefined ? {} : { tokens }).text;

describe("paths that begin alike", () => {
  test.each([
    [["a.ts"], ["a.ts"]],
    [["src/a.ts", "src/b.ts"], ["src/{a.ts, b.ts}"]],
    [["src/a.ts", "src/b/c.ts", "src/b/d.ts"], ["src/{a.ts, b/{c.ts, d.ts}}"]],
    [
      ["/srv/x/a.ts", "/srv/x/b.ts", "/tmp/c"],
      ["/srv/x/{a.ts, b.ts}", "/tmp/c"],
    ],
    [["p/a/x/1.ts", "p/a/x/2.ts", "p/a/y/3.ts", "p/b.ts"], ["p/{b.ts, a/x/{1.ts, 2.ts}, a/y/3.ts}"]],
  ])("%j", (paths, folded) => {
    expect(foldPaths(paths)).toEqual(folded);
  });

  test("can be read back, and stand in two braces at most", () => {
    const part = fc.constantFrom("a", "b", "c", "lib", "src");
    const path = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => `${parts.join("/")}.ts`);
    fc.assert(
      fc.property(fc.uniqueArray(path, { minLength: 1, maxLength: 12 }), (paths) => {
        const folded = foldPaths(paths);
        expect(folded.flatMap(expand).sort()).toEqual([...paths].sort());
        for (const text of folded) expect(depthOf(text)).toBeLessThanOrEqual(2);
      }),
    );
  });

  const depthOf = (text: string) => {
    let depth = 0;
    let most = 0;
    for (const mark of text) {
      if (mark === "{") most = Math.max(most, ++depth);
      if (mark === "}") depth--;
    }
    return most;
  };

  /** As a shell reads it. */
  function expand(text: string): readonly string[] {
    const open = text.indexOf("{");
    if (open < 0) return [text];
    const inner = text.slice(open + 1, -1);
    const parts: string[] = [];
    let from = 0;
    let depth = 0;
    for (const [at, mark] of [...inner].entries()) {
      if (mark === "{") depth++;
      if (mark === "}") depth--;
      if (mark === "," && depth === 0) {
        parts.push(inner.slice(from, at));
        from = at + 2;
      }
    }
    return [...parts, inner.slice(from)].flatMap((part) => expand(text.slice(0, open) + part));
  }
});

test("words of the assistant are never shown as the user's, nor as a heading", () => {
  const brief = briefOf(
    session(
      { role: "user", text: "Tell me which queues are too long." },
      { role: "assistant", text: "\\> 500 jobs wait in the mail queue.\n\n\\# of workers is 4 in the import queue." },
    ),
  );
  expect(brief).toContain('"> 500 jobs wait in the mail queue."');
  expect(brief).toContain('"# of workers is 4 in the import queue."');
  expect(brief).not.toMatch(/^> 500|^# of/m);
});

test.each(["brief", "structured", "repair"])("no stray backslashes are shown: %s", (name) => {
  const failed = { name: "bash", input: { command: "npm test \\\n  -- --run queue" }, output: "1 failed", status: "error" };
  const messages = [
    {
      id: "u",
      role: "user" as const,
      text: "We decided to keep snake\\_case names for the \\*queue\\* and `a\\_b`.",
      toolCalls: [],
    },
    {
      id: "a",
      role: "assistant" as const,
      text: "Decision: use `x := \\`export A\\``.\n\n#12 is closed by it\\\nand merged.",
      toolCalls: [failed],
    },
  ];
  const shown = render(extract({ id: "s", format: "test", messages }, rules), template(name), rules).text;
  expect(shown).toContain("keep snake_case names for the *queue*");
  expect(shown).toContain(name === "brief" ? "npm test -- --run queue" : "`npm test -- --run queue`");
  expect(shown.replaceAll("a\\_b", "")).not.toContain("\\");
});

test("commands that look alike as far as they are shown are shown once", () => {
  const command = (end: string) =>
    `node scripts/check.mjs --with a-rather-long-option --and another-long-option --then ${"x".repeat(60)} ${end}`;
  const toolCalls = ["one", "two"].map((end) => ({
    name: "bash",
    input: { command: command(end) },
    output: "boom",
    status: "error",
  }));
  const messages = [{ id: "m", role: "user" as const, text: "Check everything.", toolCalls }];
  const brief = briefOf({ id: "s", format: "test", messages });
  expect(brief.match(/^Still failing: /gm)).toHaveLength(1);
});

test("a first line that tells no goal gives way to what was said", () => {
  const step = (name: string) =>
    `- Rewrite \`${name}()\` so that it reads one batch after the other and keeps no rows in memory.`;
  const plan = ["load", "split", "store", "report", "retry"].map(step).join("\n");
  const brief = (first: string) =>
    briefOf(session({ role: "user", text: `${first}\n\n${plan}` }, { role: "user", text: "ok" }), 60);
  expect(brief("Move the importer to streams so that files of 3 GB load.")).toMatch(/^Goal: Move the importer/);
  expect(brief("Implement the following plan:")).not.toMatch(/^Goal:/m);
});

test("prose does not get more room than its budget", () => {
  const words = fc.constantFrom("otherwise", "migration", "remember", "sometimes", "between", "decided", "customers", "whenever");
  const sentence = fc.array(words, { minLength: 6, maxLength: 14 }).map((list) => `We ${list.join(" ")}.`);
  fc.assert(
    fc.property(fc.array(sentence, { minLength: 10, maxLength: 60 }), fc.integer({ min: 60, max: 400 }), (said, tokens) => {
      const brief = briefOf(session({ role: "user", text: said.join(" ") }), tokens);
      expect(brief.length).toBeLessThanOrEqual(4.5 * tokens);
    }),
    { numRuns: runs(30) },
  );
});

test("note, knowledge, structured and repair tell the same facts", () => {
  const extraction = extract(sampleSession(), rules);
  const decisions = extraction.continuation.items.filter(({ kind }) => kind === "decision");
  const active = decisions.filter(({ status }) => status === "active");
  expect(active.length).toBeGreaterThan(1);
  for (const name of ["note", "knowledge", "structured", "repair"]) {
    const { text } = render(extraction, template(name), rules, { tokens: 4_000 });
    const says = ({ text: fact, evidence }: (typeof decisions)[number]) => text.includes(fact) || text.includes(evidence.quote);
    for (const one of active) expect(says(one), `${name}: ${one.text}`).toBe(true);
    for (const one of decisions) if (one.status === "superseded") expect(says(one), `${name}: ${one.text}`).toBe(false);
  }
});
