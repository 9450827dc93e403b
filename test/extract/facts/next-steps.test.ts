import { expect, test } from "vitest";
import { builtInRules, extract, type Kind, render, type Session } from "../../../src/index.js";
import type { Template } from "../../../src/rules/rule-set.js";

const { rules } = builtInRules();
const sessionOf = (...texts: readonly string[]): Session => ({
  id: "s",
  format: "test",
  messages: texts.map((text, index) => ({ id: `m${index}`, role: index % 2 ? "assistant" : "user", text, toolCalls: [] })),
});
const foundIn = (session: Session, wanted: Kind) =>
  extract(session, rules).continuation.items.flatMap(({ kind, text }) => (kind === wanted ? [text] : []));
const remainingIn = (answer: string) => foundIn(sessionOf("Add a cache to the search.", answer), "remaining");

test.each([
  ["The cache works. Next: rotate the key.", "rotate the key"],
  ["The cache works.\n\n**Next:** rotate the key.", "rotate the key"],
  ["All done here. Next up, I'll port the importer to the new API.", "port the importer to the new API"],
  ["Unit tests pass. Integration tests were not run.", "Integration tests were not run"],
  ["The e2e suite hasn't been run yet because Docker is missing.", "The e2e suite hasn't been run yet because Docker is missing"],
  ["I did not run the load tests.", "I did not run the load tests"],
  ["The cache works. I haven't pushed the branch yet.", "I haven't pushed the branch yet"],
  ["The cache is not yet documented.", "The cache is not yet documented"],
])("%j says what is left", (answer, left) => {
  expect(remainingIn(answer)).toEqual([left]);
});

test.each(["Next steps:", "**Next steps**", "## Next steps", "What's left:", "Remaining:", "Here are the next steps:"])(
  "a closing list under %j is left to do",
  (title) => {
    expect(remainingIn(`The cache works now.\n\n${title}\n\n- rotate the key\n- tell the ops team`)).toEqual([
      "rotate the key",
      "tell the ops team",
    ]);
  },
);

test.each([
  "I finished the remaining steps:\n\n- rotated the key\n- told the ops team",
  "Next.js renders the page on the server.",
  "I did not add a dependency, and I did not change the schema.",
  "When tests were not run, the badge is grey.",
  "The next step of the wizard is hidden.",
])("%j leaves nothing", (answer) => {
  expect(remainingIn(answer)).toEqual([]);
});

test("next steps of an earlier answer are not open work", () => {
  const session = sessionOf("Add a cache.", "Done.\n\nNext steps:\n\n- rotate the key", "Do that.", "The key is rotated.");
  expect(foundIn(session, "remaining")).toEqual([]);
});

test("the structured form lists next steps and decisions of the assistant", () => {
  const answer = "The cache works.\n\n## Decisions\n\n- one entry per tenant\n\n## Next steps\n\n1. rotate the key";
  const template = rules.templates.get("structured") as Template;
  const { text } = render(extract(sessionOf("Add a cache to the search.", answer), rules), template, rules);
  expect(text).toContain("- **one entry per tenant**");
  expect(text).toContain("1. rotate the key");
});

test.each(["## Decisions", "**Key decisions**", "Decisions so far:", "Design decisions:", "Here's what we agreed on:"])(
  "a list of the assistant under %j is decided",
  (title) => {
    const answer = `The cache works.\n\n${title}\n\n- one entry per tenant\n- the token lives in the header`;
    expect(foundIn(sessionOf("Add a cache.", answer), "decision")).toEqual([
      "one entry per tenant",
      "the token lives in the header",
    ]);
  },
);

test.each(["## Pending decisions", "Decisions needed from you:", "## Tables"])("a list under %j is not", (title) => {
  expect(foundIn(sessionOf("Add a cache.", `${title}\n\n- one entry per tenant`), "decision")).toEqual([]);
});

const doneIn = (answer: string) => foundIn(sessionOf("Plan the importer.", answer, "go", "ok"), "done");

test.each([
  "- [ ] all unit tests pass",
  "Acceptance criteria:\n- [ ] all unit tests pass\n- [ ] lint is clean",
  "Requirements:\n- all unit tests pass\n- lint passes",
  "## Success criteria\n\n- all unit tests pass",
  "Definition of done:\n* all unit tests pass",
  "Remaining:\n- all unit tests pass",
  "1. Refactor the reader\n2. Verify all unit tests pass",
  "Make sure all tests pass.",
  "Exit criteria — all tests pass.",
  "We want: all tests pass.",
])("what is required is not done: %j", (answer) => {
  expect(doneIn(answer)).toEqual([]);
});

test.each([
  "All unit tests pass.",
  "- [x] all unit tests pass",
  "I made sure that all unit tests pass.",
  "## Tests\n\n- all unit tests pass",
])("what holds is done: %j", (answer) => {
  expect(doneIn(answer).join()).toMatch(/all unit tests pass/i);
});
