// Whole conversations that somebody made to take long: four times as much takes about four times as long.
import { expect, test } from "vitest";
import { audit } from "../../src/audit/audit.js";
import { repair } from "../../src/audit/repair.js";
import { builtInRules, extract, render } from "../../src/index.js";
import type { Statement } from "../../src/model.js";
import type { Template } from "../../src/rules/rule-set.js";
import { cpuTime } from "../cpu.js";
import { FOUND, SESSIONS } from "../hostile/inputs.mjs";

const { rules } = builtInRules();
const SHORT = 20_000;
const LONG = 80_000;
/** What grows with the square takes 16 times as long. */
const MOST = 10;
/** Less is told by chance. */
const LEAST_MILLISECONDS = 40;
const TRIES = 3;
/** What twice the input may take. */
const DOUBLED = 2.4;

const TAGS = Object.entries(FOUND)
  .filter(([name]) => name.startsWith("tags of a host"))
  .map(([name, make]) => [name, (size: number) => [{ role: "user" as const, text: make(size) }]] as const);

const toSession = (messages: ReturnType<(typeof SESSIONS)[string]>) => ({
  id: "session",
  format: "test",
  messages: messages.map((message, index) => ({ id: `m${index}`, toolCalls: [], ...message })),
});

function cost(messages: ReturnType<(typeof SESSIONS)[string]>): number {
  const session = toSession(messages);
  // Texts are cut once for a rule set: what is measured is the first time.
  const own = { ...rules, abbreviations: [...rules.abbreviations] };
  const template = rules.templates.get("repair") as Template;
  return cpuTime(() => repair(extract(session, own), "We talked about module 7.", template, own));
}

/** Requests, rules, decisions, reports and commands, as in a session of weeks. */
function messageAt(at: number) {
  const command = {
    name: "bash",
    input: { command: `npm test -- part${at % 997}` },
    output: `${at} passed`,
    status: "completed" as const,
  };
  const texts = [
    `Never touch src/part${at}/lexer.ts.`,
    `I look at the parser in src/part${at % 500}/parser.ts first.`,
    `Fix the reader of part ${at}, it fails on empty lines.`,
    `The test of module ${at} fails because the offset is wrong. I decided to keep the offsets in bytes.`,
    "ok",
    `Done. All ${at} tests pass now. Next: update the docs.`,
  ];
  const text = texts[at % texts.length] as string;
  return at % 2 === 0 ? { role: "user" as const, text } : { role: "assistant" as const, text, toolCalls: [command] };
}

function expectInProportion(costOf: (size: number) => number): void {
  const growth = () => costOf(LONG) / Math.max(costOf(SHORT), LEAST_MILLISECONDS);
  let least = growth();
  for (let tried = 1; tried < TRIES && least > MOST; tried++) least = Math.min(least, growth());
  expect(least).toBeLessThan(MOST);
}

test.each([...Object.entries(SESSIONS), ...TAGS])("%s", (_, make) => {
  expectInProportion((size) => cost(make(size)));
});

test("twice as many messages take about twice as long", () => {
  const fresh = () => ({ ...rules, abbreviations: [...rules.abbreviations] });
  const costOf = (count: number) => {
    const session = toSession(Array.from({ length: count }, (_, at) => messageAt(at)));
    const own = fresh();
    return cpuTime(() => render(extract(session, own), own.templates.get("brief") as Template, own));
  };
  costOf(2_000);
  const growth = () => costOf(50_000) / costOf(25_000);
  let least = growth();
  if (least >= DOUBLED) least = Math.min(least, growth());
  expect(least).toBeLessThan(DOUBLED);
});

test("the brief of a long request looks at each of its sentences a few times", () => {
  const readsOf = (sentences: number) => {
    const text = Array.from({ length: sentences }, (_, at) => `Fix part ${at} of the lexer.`).join(" ");
    const extraction = extract(toSession([{ role: "user", text }]), rules);
    let reads = 0;
    const read = <T>(value: T) => {
      reads++;
      return value;
    };
    const counted = (one: Statement) =>
      Object.defineProperties(
        { ...one },
        {
          source: { enumerable: true, get: () => read(one.source) },
          pasted: { enumerable: true, get: () => read(one.pasted) },
        },
      );
    render({ ...extraction, statements: extraction.statements.map(counted) }, rules.templates.get("brief") as Template, rules);
    return reads;
  };
  expect(readsOf(800) / readsOf(200)).toBeLessThan(6);
});

test("a brief of thousands of changed files takes about as long as one of many sentences", () => {
  const said = Array.from({ length: 4_000 }, (_, at) => `The reader number ${at} keeps its rows.`).join("\n\n");
  const { continuation, statements } = extract(toSession([{ role: "user", text: said }]), rules);
  const brief = rules.templates.get("brief") as Template;
  const costOf = (files: number) => {
    const modified = Array.from({ length: files }, (_, at) => `src/part${at % 50}/file-${at}.ts`);
    const { files: none } = continuation;
    const extraction = { continuation: { ...continuation, files: { ...none, modified } }, statements };
    return cpuTime(() => render(extraction, brief, rules, { tokens: 1_000 }));
  };
  expect(costOf(8_000) / Math.max(costOf(2), LEAST_MILLISECONDS)).toBeLessThan(MOST);
});

test.each(["Do not merge it", "- [ ] task ", "Blocked by "])("a summary that repeats %s, again and again", (words) => {
  expectInProportion((size) => {
    let text = "";
    for (let at = 0; text.length < size; at++) text += `${words}${at}.${words.startsWith("-") ? "\n" : " "}`;
    const own = { ...rules, abbreviations: [...rules.abbreviations] };
    const template = rules.templates.get("repair") as Template;
    const extraction = extract(toSession([{ role: "user", text }]), own);
    return cpuTime(() => repair(extraction, text, template, own));
  });
});

test.each(["+", "-", "a/", "a://b:c"])("a summary of %s, again and again", (mark) => {
  const facts = [{ kind: "decision", text: "use SQLite for the cache" }];
  expectInProportion((size) => cpuTime(() => audit(facts, mark.repeat(size / mark.length), { rules })));
});
