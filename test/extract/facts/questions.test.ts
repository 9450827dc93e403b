import { describe, expect, test } from "vitest";
import { builtInRules, extract, type Message, render } from "../../../src/index.js";

const { rules } = builtInRules();

test("a question of the user's is no decision, and what proposes something is shown as a question", () => {
  const said = (text: string) => {
    const messages: Message[] = [
      { id: "u", role: "user", text: "Look at the import.", toolCalls: [] },
      { id: "a", role: "assistant", text: "I would keep the old table or drop it.", toolCalls: [] },
      { id: "v", role: "user", text, toolCalls: [] },
    ];
    return extract({ id: "s", format: "neutral", messages }, rules);
  };
  const decisions = (text: string) =>
    said(text).continuation.items.filter(({ kind, by }) => kind === "decision" && by === "user");
  expect(decisions("the contract is only handled by the backend for now, no?")).toEqual([]);
  expect(decisions("should we just drop the `flow_` prefix for now?")).toEqual([]);
  expect(decisions("That also just works for devices?")).toEqual([]);
  const proposal = "I think we should just keep the old table for now, what do you think?";
  expect(decisions(proposal).map(({ text }) => text)).toEqual([proposal]);
  for (const id of ["brief", "structured"]) {
    const template = rules.templates.get(id);
    expect(template && render(said(proposal), template, rules, { tokens: 500 }).text).toContain("for now, what do you think?");
  }
});

const ending = (...texts: readonly string[]) => {
  const messages = texts.map(
    (text, index): Message => ({ id: `m${index}`, role: index % 2 ? "assistant" : "user", text, toolCalls: [] }),
  );
  return extract({ id: "s", format: "neutral", messages }, rules);
};
const questions = (...texts: readonly string[]) =>
  ending(...texts)
    .continuation.items.filter(({ kind }) => kind === "question")
    .map(({ text }) => text);

test("what the assistant leaves to the user is open, with words behind it as well", () => {
  const offer = "Want me to add a smoke test and redeploy?";
  expect(questions("Mend the import.", `The import works. ${offer} It takes a minute.`)).toEqual([offer]);
  expect(questions("Mend the import.", `The import works. ${offer} It takes a minute.`, "Leave it.")).toEqual([]);
  expect(questions("Mend the import.", "It works. Would you like me to make any further changes? All is green.")).toEqual([]);
});

test("what the user asks last is open, and shown once", () => {
  const asked = "Why is the text of the widget purple?";
  expect(questions("Mend the widget.", "It works.", asked)).toEqual([asked]);
  expect(questions("Mend the widget.", "It works.", asked, "Because the theme says so.")).toEqual([]);
  expect(questions("Mend the widget.", "It works.", "Can you make the text of the widget blue?")).toEqual([]);
  const template = rules.templates.get("structured");
  const shown = template ? render(ending("Mend the widget.", "It works.", asked), template, rules).text : "";
  expect(shown.split(asked)).toHaveLength(2);
});

test("the question at which the session stopped has a line of its own in a brief, at any budget", () => {
  const asked = "Should I also add it to the signup endpoint?";
  const stopped = ending("Add rate limiting to the login endpoint.", `I added it to \`src/login.ts\`. ${asked}`);
  const shown = (id: string, tokens: number) => {
    const template = rules.templates.get(id);
    return template ? render(stopped, template, rules, { tokens }).text : "";
  };
  for (const tokens of [60, 500]) {
    expect(shown("brief", tokens)).toContain(`Open question: ${asked}`);
    expect(shown("brief", tokens).split(asked)).toHaveLength(2);
  }
  expect(shown("injection", 1_400)).toContain(`## Open question to the user\n- ${asked}`);
  expect(questions("Fix the import.", "Both work. Let me know which one you prefer.")).toEqual([
    "Let me know which one you prefer",
  ]);
  expect(questions("Fix the import.", "It works. Let me know if you need anything else.")).toEqual([]);
});

describe("a question that a tool asks", () => {
  const asks = { name: "AskUserQuestion", input: { questions: [{ question: "Which store should it use?" }] }, output: "" };
  const opening: Message = { id: "1", role: "user", text: "Add a cache to the importer.", toolCalls: [] };
  const asking = (output: string): Message => ({ id: "2", role: "assistant", text: "", toolCalls: [{ ...asks, output }] });
  const brief = (messages: readonly Message[], tokens = 500) => {
    const template = rules.templates.get("brief");
    const found = extract({ id: "s", format: "claude-code", messages }, rules);
    return template ? render(found, template, rules, { tokens }).text : "";
  };

  test("is open until somebody answers or the agent goes on", () => {
    expect(brief([opening, asking("")])).toContain("Open question: Which store should it use?");
    const goesOn: Message = { id: "3", role: "assistant", text: "I use memory for now.", toolCalls: [] };
    expect(brief([opening, asking(""), goesOn])).not.toContain("Open question");
  });

  test("is shown with its answer", () => {
    const answered = asking('User has answered your questions: "Which store should it use?"="Redis, with a prefix".');
    expect(brief([opening, answered])).toContain("Which store should it use?\n\n> Redis, with a prefix\n");
    expect(brief([opening, answered])).not.toContain("Open question");
    // With little room, the question has no line of its own.
    const texts = Array.from({ length: 36 }, (_, at) => brief([opening, answered], 20 + 5 * at));
    const told = texts.filter((text) => text.includes("Redis"));
    expect(told.length).toBeGreaterThan(0);
    expect(told.filter((text) => !text.includes("Which store should it use?"))).toEqual([]);
  });
});
