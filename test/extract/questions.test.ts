import { expect, test } from "vitest";
import { builtInRules, extract, type Message, render } from "../../src/index.js";

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
