import { describe, expect, test } from "vitest";
import { builtInRules, type Extraction, extract, render, type Session, type Template } from "../../src/index.js";
import { says, saysBetween } from "../sample.js";

const { rules } = builtInRules();
const filled = (name: string, extraction: Extraction, tokens?: number) =>
  render(extraction, rules.templates.get(name) as Template, rules, { ...(tokens && { tokens }) }).text;
const shown = (name: string, session: Session) => filled(name, extract(session, rules));
const namesIn = (text: string) =>
  /\*\*Preserved Concepts\*\* \(\d+\): (.*)/
    .exec(text)?.[1]
    ?.split(/(?<=\]\]), /)
    .sort() ?? [];

describe("a concept is told by its name alone, wherever its link stands", () => {
  const table = "| Pattern | Guarantee |\n|---|---|\n";
  test.each([
    ["a cell of a table", `${table}| [[Outbox]] | at least once |`, ["outbox"]],
    ["two in one cell", `${table}| [[Outbox]] and [[Inbox]] | at least once |`, ["inbox", "outbox"]],
    ["two cells of a row", `${table}| [[Outbox]] | needs a [[Relay]] |`, ["outbox", "relay"]],
    ["the head of a table", "| [[Outbox]] | Guarantee |\n|---|---|\n| on | off |", ["outbox"]],
    ["a cell, with an alias", `${table}| [[Two Phase|2PC]] | [[Three Phase\\|3PC]] |`, ["three-phase", "two-phase"]],
    ["code in a cell", `${table}| \`[[Two Phase|2PC]]\` | [[Saga]] |`, ["saga"]],
    ["a short message", "Good. Add [[Idempotency]].", ["idempotency"]],
    ["a short message, at its start", "[[Idempotency]] is next. Then [[Retries]].", ["idempotency", "retries"]],
    ["a heading", "## About [[Dead Letters]]\n\nNothing else.", ["dead-letters"]],
    ["an item and a task", "- [ ] try **[[Circuit Breaker]]**\n- _[[Bulkhead]]_: later", ["bulkhead", "circuit-breaker"]],
    ["a quote", "> See [[Back Off]], [[Jitter]].", ["back-off", "jitter"]],
    ["an embedded note", "Read ![[Retry Budget]] and ![[Fan Out|this]] first.", ["fan-out", "retry-budget"]],
  ])("%s", (_, text, names) => {
    for (const session of [says(text), saysBetween(text)])
      for (const template of ["injection", "judge-injection", "knowledge"])
        expect(namesIn(shown(template, session))).toEqual(names.map((name) => `[[${name}]]`));
  });
});

const long = {
  id: "s",
  format: "test",
  messages: Array.from({ length: 110 }, (_, at) => ({
    id: `m${at}`,
    role: at % 2 === 0 ? ("user" as const) : ("assistant" as const),
    text:
      at % 2 === 0
        ? `Never write to table${at} of schema${at}. Always keep index${at} of catalogue${at} sorted by price${at} and date.`
        : `We decided to use backend ${at} for the storage of part ${at}. It follows [[Pattern ${at}]].`,
    toolCalls: [],
  })),
};

test("a long session with many rules still pushes concepts", () => {
  expect(namesIn(shown("injection", long)).length).toBeGreaterThan(2);
  expect(namesIn(shown("judge-injection", long)).length).toBeGreaterThan(2);
});

test("a count above zero is never shown without its lines", () => {
  const extraction = extract({ ...long, messages: long.messages.slice(-12) }, rules);
  for (const name of ["injection", "judge-injection", "knowledge"])
    for (let tokens = 30; tokens < 400; tokens += 60) {
      expect(filled(name, extraction, tokens)).not.toMatch(/\*\* \([1-9]\d*\):\s*(?:\n\n|$)/);
    }
});
