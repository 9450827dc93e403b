// What an assistant says of code that it changes later is not shown. Nor is, behind a summary, what tells little beside the rest.
import { expect, test } from "vitest";
import { builtInRules, extract, type Message, type RuleSet, render, repair, type Template } from "../../src/index.js";

const { rules } = builtInRules();
const templateOf = (name: string, { templates }: RuleSet = rules) => templates.get(name) as Template;

const FINDING = "The problem is that the `SessionState` struct has a `StartedAt` field but no `EndedAt` field.";

function extractionOf(edited: string) {
  const edit = {
    name: "Edit",
    input: { file_path: "/x/state.go", old_string: "StartedAt time.Time", new_string: edited },
    output: "",
  };
  const messages: Message[] = [
    { id: "m1", role: "user", text: "Find out why closed sessions are listed.", toolCalls: [] },
    { id: "m2", role: "assistant", text: FINDING, toolCalls: [] },
    { id: "m3", role: "assistant", text: "I change the file.", toolCalls: [edit] },
    { id: "m4", role: "assistant", text: "The list is right now because `ListOpen` checks it.", toolCalls: [] },
  ];
  return extract({ id: "s", format: "neutral", messages }, rules);
}

test("a brief leaves out a finding if a later edit adds what it names", () => {
  const briefOf = (edited: string) => render(extractionOf(edited), templateOf("brief"), rules).text;
  expect(briefOf("StartedAt time.Time\nEndedAt time.Time")).not.toContain("no EndedAt");
  expect(briefOf("StartedAt time.Time\nOwner string")).toContain("no EndedAt");
});

test("what the user says of code stays, whatever is edited later", () => {
  const edit = { name: "Write", input: { file_path: "/x/a.ts", content: "export const retryLimit = 3;" }, output: "" };
  const messages: Message[] = [
    { id: "m1", role: "user", text: "`retryLimit` must never exceed 5.", toolCalls: [] },
    { id: "m2", role: "assistant", text: "Done.", toolCalls: [edit] },
  ];
  const extraction = extract({ id: "s", format: "neutral", messages }, rules);
  expect(repair(extraction, "Nothing is open.", templateOf("repair"), rules).block).toContain("must never exceed 5");
});

/** Every second line is told in the summary; the other ones tell less and less. */
function talk() {
  const said = Array.from({ length: 60 }, (_, index) => `We decided to use Queue${index} for the worker of region ${index}.`);
  const small = Array.from({ length: 60 }, (_, index) => `The page of region ${index} looks fine and quite as it did.`);
  const messages: Message[] = [...said, ...small].map((text, index) => ({
    id: `m${index}`,
    role: index < said.length ? "assistant" : "user",
    text,
    toolCalls: [],
  }));
  return { extraction: extract({ id: "s", format: "neutral", messages }, rules), summary: said.join("\n") };
}

test("behind a summary that tells most, the block leaves out what tells little; behind one that tells nothing, it is as long as without a limit", () => {
  const { extraction, summary } = talk();
  const without: RuleSet = { ...rules, news: new Map([...rules.news, ["least", 0]]) };
  const blockOf = (text: string, own: RuleSet) => repair(extraction, text, templateOf("repair"), own).block.length;
  expect(blockOf(summary, rules)).toBeLessThan(blockOf(summary, without));
  expect(blockOf("Nothing.", rules)).toBe(blockOf("Nothing.", without));
});
