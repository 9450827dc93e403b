import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Trace } from "../../../src/extract/facts/to-item.js";
import { extractInSteps } from "../../../src/extract/pipeline.js";
import { builtInRules, extract, loadRulesFrom, type Message } from "../../../src/index.js";
import { atOnce } from "../../../src/steps.js";

const folder = mkdtempSync(join(tmpdir(), "compaction-signals-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function pack(text: string) {
  const file = join(folder, "pack.yaml");
  writeFileSync(file, `compaction: 1\nname: signals\nextends: [compaction:tools, compaction:language]\n${text}`);
  return loadRulesFrom(file);
}

const user = (id: string, text: string): Message => ({ id, role: "user", text, toolCalls: [] });
const assistant = (id: string, text: string, ...toolCalls: Message["toolCalls"]): Message => ({
  id,
  role: "assistant",
  text,
  toolCalls,
});
const session = (...messages: Message[]) => ({ id: "s", format: "neutral", messages });
const wrote = (content: string, status = "completed") => ({
  name: "write",
  input: { filePath: "a.ts", content },
  output: "",
  status,
});

const noting = (signal: string) =>
  pack(`rules:\n  noted: { emit: note, in: { role: [user, assistant] }, signals: [${signal}] }\n`).rules;
const noted = (signal: string, ...messages: Message[]) =>
  extract(session(...messages), noting(signal)).continuation.items.map(({ text }) => text);

const plan = "The retry counter lives in the scheduler queue.";
const said = "The retry counter lives in the scheduler queue";
const code = "class SchedulerQueue { retryCounter = 0 } // lives in the queue";

test("what is written after it was said is enacted, and only then", () => {
  expect(noted("enacted", assistant("1", plan), assistant("2", "", wrote(code)))).toEqual([said]);
  expect(noted("enacted", assistant("1", plan, wrote(code)))).toEqual([said]);
  expect(noted("enacted", assistant("1", plan), assistant("2", "", wrote(code, "error")))).toEqual([]);
  expect(noted("enacted", assistant("1", "", wrote(code)), assistant("2", plan))).toEqual([]);
  expect(noted("written", assistant("1", "", wrote(code)), assistant("2", plan))).toEqual([said]);
});

test("what a tool showed before is described", () => {
  const look = { name: "read", input: { filePath: "a.ts" }, output: code };
  expect(noted("described", assistant("1", "", look), assistant("2", plan))).toEqual([said]);
  expect(noted("described", assistant("1", plan), assistant("2", "", look))).toEqual([]);
});

test("what was put in after it was said and is taken out again is undone", () => {
  const edited = (oldString: string, newString: string) => ({
    name: "edit",
    input: { filePath: "a.ts", oldString, newString },
    output: "",
    status: "completed",
  });
  const choice = "The jobs go through `retryQueue` first.";
  const chosen = "The jobs go through `retryQueue` first";
  const put = assistant("2", "", edited("run()", "run(retryQueue)"));
  const taken = assistant("3", "", edited("run(retryQueue)", "run()"));
  expect(noted("undone", assistant("1", choice), put, taken)).toEqual([chosen]);
  expect(noted("undone", assistant("1", choice), put)).toEqual([]);
  expect(noted("undone", assistant("1", choice), put, taken, assistant("4", "", edited("run()", "run(retryQueue)")))).toEqual([]);
  // It was there before, and to take it out may have been the plan.
  expect(noted("undone", assistant("1", choice), taken)).toEqual([]);
  expect(noted("undone", put, taken, assistant("4", choice))).toEqual([]);
  expect(noted("undone", user("1", choice), put, taken)).toEqual([]);
});

test("what names a file that is deleted later is undone", () => {
  const told = "The notes are in `docs/retry-plan.md` now.";
  const write = { name: "write", input: { filePath: "docs/retry-plan.md", content: "x" }, output: "", status: "completed" };
  const remove = { name: "bash", input: { command: "rm docs/retry-plan.md" }, output: "", status: "completed" };
  const first = assistant("1", "", write);
  const { rules } = builtInRules();
  const undone = (...messages: Message[]) =>
    atOnce(extractInSteps(session(...messages), rules, { signals: true })).statements.map(({ signals }) =>
      signals?.get("undone"),
    );
  expect(undone(first, assistant("2", told), assistant("3", "", remove))).toEqual([1]);
  expect(undone(first, assistant("2", told))).toEqual([0]);
  expect(undone(first, assistant("2", "", remove), assistant("3", told))).toEqual([0]);
});

test("an option that the user takes by its name is known by its text", () => {
  const options = "options: { plain: { taken: ['option {label:word}'], labels: [['1', a], ['2', b]] } }\n";
  const offer = "1. Keep the table.\n2. Drop the table.\n\nWhich one?";
  const of = (signal: string, reply: string) => {
    const { rules } = pack(`${options}rules:\n  noted: { emit: note, in: { role: assistant }, signals: [${signal}] }\n`);
    const { items } = extract(session(assistant("1", offer), user("2", reply)), rules).continuation;
    return items.filter(({ kind }) => kind === "note").map(({ text }) => text);
  };
  expect(of("picked", "I take option 2.")).toEqual(["Drop the table"]);
  expect(of("passed-over", "I take option 2.")).toEqual(["Keep the table"]);
  expect(of("picked", "Neither, thanks.")).toEqual([]);
  expect(of("passed-over", "I take option 7.")).toEqual([]);
});

test("a signal may look at the reply, at what came before and at how its message begins", () => {
  const { rules } = pack(`signals:
  yes: { in: { role: user }, match: "^yes" }
  offer: { in: { role: assistant, mood: question } }
rules:
  agreed: { emit: decision, in: { role: assistant, reply: yes } }
  answered: { emit: note, in: { role: user, after: offer } }
  begun: { emit: remaining, in: { role: user, opening: yes }, match: "then {text}", score: 0.9 }
`);
  const found = extract(
    session(
      assistant("1", "I move the cache. Fine?"),
      user("2", "Yes, do it. Good. And then commit it."),
      assistant("3", "Moved."),
    ),
    rules,
  ).continuation.items;
  const of = (kind: string) => found.filter((item) => item.kind === kind).map(({ text }) => text);
  expect(of("decision")).toEqual(["I move the cache", "Fine?"]);
  expect(of("note")).toEqual(["Yes, do it", "Good", "And then commit it"]);
  expect(of("remaining")).toEqual(["commit it"]);
});

test("a signal that looks at other messages is not looked at from other messages", () => {
  const { diagnostics } = pack(`signals:
  yes: { in: { role: user, reply: yes }, match: "^yes" }
  other: { in: { after: nothing-here }, match: "^yes" }
`);
  expect(diagnostics.map(({ code: found }) => found)).toEqual(["unknown-signal", "unknown-signal"]);
});

test("cues add up, and the sum is told", () => {
  const { rules, diagnostics } = pack(`signals:
  short: { in: { words: { max: 8 } } }
  coded: { in: { has: code } }
  doubtful: { match: "maybe" }
cues:
  coded: { emit: finding, in: { role: user }, not: [doubtful], least: 50, weights: { short: 20, coded: 30 } }
`);
  expect(diagnostics).toEqual([]);
  const traces: Trace[] = [];
  const { items } = extract(
    session(user("1", "`a` is slow. `b` is slower than anything that we have seen so far today. Maybe `b` is.")),
    rules,
    {
      trace: (one) => traces.push(one),
    },
  ).continuation;
  expect(items.map(({ kind, text, evidence }) => [kind, text, evidence.rule])).toEqual([
    ["finding", "`a` is slow", "cues:coded"],
  ]);
  expect(traces.map(({ outcome, why }) => [outcome, why])).toEqual([
    ["fired", "short +20, coded +30 = 50 of 50"],
    ["too little", "coded +30 = 30 of 50"],
    ["guarded", "signal doubtful; short +20, coded +30 = 50 of 50"],
  ]);
});

test("the score of cues is a probability: what the pack says at the threshold, and more above it", () => {
  const { rules } = pack(`signals:
  coded: { in: { has: code } }
  short: { in: { words: { max: 8 } } }
cues:
  coded: { emit: finding, least: 30, score: 0.2, weights: { coded: 30, short: 100 } }
`);
  const said = "`a` is slow. `b` is slower than anything that we have seen so far today.";
  const { items } = extract(session(user("1", said)), rules).continuation;
  expect(items.map(({ score }) => score)).toEqual([0.36, 0.2]);
});

const { rules: builtIn } = builtInRules();
const active = (...texts: string[]) =>
  extract(session(...texts.flatMap((text, index) => [user(`u${index}`, text), assistant(`a${index}`, "Ok.")])), builtIn)
    .continuation.items.filter(({ kind }) => kind === "decision" || kind === "constraint")
    .map(({ status, evidence }) => [evidence.source, status]);

test.each([
  ["Let's use Redis for the sessions.", "Scratch that, use SQLite for the sessions instead."],
  ["Let's put the cache in memory.", "On second thought, drop the cache."],
  ["We decided to deploy on Fridays.", "We no longer deploy on Fridays."],
  ["Let's go with option B.", "Let's go with option A instead."],
])("what the user takes back is superseded: %s %s", (before, after) => {
  expect(active(before, after).filter(([source]) => source === "u0")).toEqual([["u0", "superseded"]]);
});

test.each([
  ["Let's use Redis for the sessions.", "On second thought, the header should be blue."],
  ["Let's use Redis for the sessions.", "The sessions with Redis work fine."],
  ["On second thought, drop the cache.", "Let's put the cache in memory."],
])("what he does not take back stands: %s %s", (before, after) => {
  expect(active(before, after).filter(([, status]) => status === "superseded")).toEqual([]);
});

test("a guess of the assistant is no finding", () => {
  const sure = "There's already a `parseHeader()` helper because the old reader doesn't support empty fields.";
  const of = (text: string) =>
    extract(session(assistant("1", text)), builtIn).continuation.items.filter(({ kind }) => kind === "finding").length;
  expect(of(sure)).toBe(1);
  expect(of(sure.replace("already", "probably already"))).toBe(0);
});
