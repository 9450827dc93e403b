import { describe, expect, test } from "vitest";
import { builtInRules, extract, type Message, render } from "../../../src/index.js";

const { rules } = builtInRules();

const GUESSES = [
  "The root cause is probably the missing index on the events table.",
  "I think the cache is never cleared because the hook is not called.",
  "The timeout might be due to the proxy, which closes the connection after 60 seconds.",
  "Maybe we decided to use SQLite for the sessions.",
  "I've probably fixed the importer in all three places now.",
  "The release is perhaps blocked by the missing certificate.",
];

const session = (...texts: readonly string[]) => {
  const messages: Message[] = [
    { id: "u", role: "user", text: "Find out why the import is slow.", toolCalls: [] },
    ...texts.map((text, index): Message => ({ id: `a${index}`, role: "assistant", text, toolCalls: [] })),
    { id: "v", role: "user", text: "Go on.", toolCalls: [] },
  ];
  return { id: "s", format: "neutral", messages };
};
const FACTS = ["constraint", "decision", "rejection", "finding", "done", "remaining", "blocker"];

test.each(GUESSES)("a guess of the assistant is no fact: %s", (guess) => {
  expect(extract(session(guess), rules).continuation.items.filter(({ kind }) => FACTS.includes(kind))).toEqual([]);
});

test("what the user supposes is the user's word", () => {
  const messages: Message[] = [
    { id: "u", role: "user", text: "Look at the import.", toolCalls: [] },
    { id: "a", role: "assistant", text: "I had a look.", toolCalls: [] },
    { id: "v", role: "user", text: "I think we should keep the old table for now.", toolCalls: [] },
  ];
  const { items } = extract({ id: "s", format: "neutral", messages }, rules).continuation;
  expect(items.filter(({ kind }) => kind === "decision").map(({ by }) => by)).toEqual(["user"]);
});

test("no template tells a guess as a fact: where it stands, it stands in its own words, doubt and all", () => {
  const extraction = extract(session(...GUESSES), rules);
  const doubt = /probably|I think|might|Maybe|perhaps/;
  const topics = /root cause|cache|timeout|SQLite|importer|certificate/;
  for (const [id, template] of rules.templates) {
    const { text } = render(extraction, template, rules, { tokens: 2_000 });
    for (const line of text.split("\n").filter((one) => topics.test(one))) {
      expect(`${id}: ${line}`).toMatch(doubt);
      expect(`${id}: ${line}`).not.toMatch(/(found|decision|done|blocked|constraint|ruled out|left): /i);
    }
  }
});

describe("a suspicion that the same message refutes", () => {
  const suspicion = "The importer is slow because the hook is never called.";
  const findings = (...texts: readonly string[]) =>
    extract(session(...texts), rules)
      .continuation.items.filter(({ kind, status }) => kind === "finding" && status === "active")
      .map(({ text }) => text);

  test.each([
    "Wait, the hook is called with the wrong key.",
    "Hmm, wait. The hook is called.",
    "But wait, the log shows the hook.",
    "Oh no, that's not it.",
    "But that can't be the cause, the log shows the hook.",
    "No, on closer inspection, the hook is called.",
  ])("is no finding: %s", (turn) => {
    expect(findings(suspicion)).toHaveLength(1);
    expect(findings(`${suspicion} ${turn}`).join()).not.toContain("never called");
    const template = rules.templates.get("brief");
    const brief = template && render(extract(session(`${suspicion} ${turn}`), rules), template, rules).text;
    expect(brief).not.toContain("never called");
  });

  test.each(["No test covers it.", "Wait for the build before you merge.", "This is wrong: it must be called."])(
    "is a finding beside %j",
    (other) => {
      expect(findings(`${suspicion} ${other}`).join()).toContain("never called");
    },
  );

  test("ends no finding of an earlier message", () => {
    expect(findings(suspicion, "Wait, I need to export it first.").join()).toContain("never called");
  });
});

describe("what the assistant only designs", () => {
  const design =
    "## Problem\n\nThe index is rebuilt on each start because nothing stores it.\n\n## Proposed solution\n\nThe index is stored in `.cache/index.json` because the reader needs it at once.";
  const line = /^((?!Last request).*)The index is stored/m;
  const edit = { name: "Edit", input: { file_path: "src/index.ts" }, output: "", status: "completed" };
  const told = (name: string, changed: boolean) => {
    const { messages, ...rest } = session("I had a look.", design);
    const given = messages.map((one) => (changed && one.id === "a0" ? { ...one, toolCalls: [edit] } : one));
    const template = rules.templates.get(name);
    return template ? render(extract({ ...rest, messages: given }, rules), template, rules).text : "";
  };

  test("is told as a proposal while nothing was changed", () => {
    expect(line.exec(told("brief", false))?.[1]).toBe("proposed: ");
    expect(line.exec(told("brief", true))?.[1]).toBe("");
    expect(told("brief", false)).toMatch(/^The index is rebuilt/m);
  });

  test.each(["Yes, do it.", "Implement the following plan: the stored index"])("is told as ordered after %j", (said) => {
    const { messages, ...rest } = session("I had a look.", design);
    const given = [...messages.slice(0, -1), { id: "order", role: "user", text: said, toolCalls: [] } as const];
    const template = rules.templates.get("brief");
    const text = template ? render(extract({ ...rest, messages: given }, rules), template, rules).text : "";
    expect(line.exec(text)?.[1]).toBe("ordered: ");
  });

  test("is neither found nor done", () => {
    const { items } = extract(session(design), rules).continuation;
    const facts = items.filter(({ kind }) => kind === "finding" || kind === "done").map(({ text }) => text);
    expect(facts.join()).not.toContain("The index is stored");
  });
});
