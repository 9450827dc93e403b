// What a team's own rule finds is in the brief, although much else was said.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { builtInRules, extract, loadRules, type RuleSet, readSession, render } from "../../src/index.js";
import { inProject } from "../project.js";

const SAID = "Waiting on Priya for the staging key.";
const PACK = `rules:
  waits:
    emit: blocker
    match: "{text = waiting on {who:word} for {what}}"
    score: 0.9
    examples:
      - { text: "Waiting on Ann for the logo.", emits: { who: Ann } }
      - { text: "We wait.", emits: none }
`;

/** The sample session, with one more sentence in an early message of the assistant's. */
function briefBy(rules: RuleSet): string {
  const { session } = readSession(readFileSync("rules/init/sample.json"), "sample.json");
  const at = session.messages.findIndex(({ role }) => role === "assistant");
  const messages = session.messages.map((one, index) => (index === at ? { ...one, text: `${SAID} ${one.text}` } : one));
  const template = rules.templates.get("brief") as Parameters<typeof render>[1];
  return render(extract({ ...session, messages }, rules), template, rules, { tokens: 220 }).text;
}

test("a fact of a team's rule comes before what was only said", () => {
  const own = inProject({ files: { ".compactionrc": PACK } }, loadRules);
  expect(own.diagnostics).toEqual([]);
  expect(briefBy(own.rules)).toContain("Waiting on Priya for the staging key");
  expect(briefBy(builtInRules().rules)).not.toContain("Waiting on Priya");
});
