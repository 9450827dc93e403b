import { expect, test } from "vitest";
import { builtInRules, extract, type Message } from "../../src/index.js";

const { rules } = builtInRules();

const answer = (text: string) => {
  const messages: Message[] = [
    { id: "u", role: "user", text: "Repair the import of the customers.", toolCalls: [] },
    { id: "a", role: "assistant", text, toolCalls: [] },
  ];
  return extract({ id: "s", format: "neutral", messages }, rules);
};
const done = (text: string) => answer(text).continuation.items.filter(({ kind }) => kind === "done");

test("what a lead-in leads to is said with it, and shown as it stands there", () => {
  const text = "I fixed it by:\n\n- Closing the file before the rename\n- Trying twice\n\nThe tests are green.";
  const [item] = done(text);
  expect(item?.text).toBe("I fixed it by: Closing the file before the rename; Trying twice");
  expect(text.slice(item?.evidence.start, item?.evidence.end)).toBe(item?.evidence.quote);
  expect(item?.evidence.quote).toBe("I fixed it by:\n\n- Closing the file before the rename\n- Trying twice");
});

test("an item leads to the list in it, and not to the item beside it", () => {
  const texts = done(
    "Summary\n\n- Added the reader:\n  - `src/reader.ts`\n- Updated the importer:\n- Removed the old reader",
  ).map(({ text }) => text);
  expect(texts).toContain("Added the reader: `src/reader.ts`");
  expect(texts.filter((text) => text.includes("importer") && text.includes("old reader"))).toEqual([]);
});

test("a line of code is led to, more of it is not", () => {
  expect(done("I've written the plan to:\n\n```\ndocs/plan.md\n```\n")[0]?.text).toBe("I've written the plan to: docs/plan.md");
  expect(done("I've changed the importer so that it waits:\n\n```ts\nopen();\nclose();\n```\n\n- Next")[0]?.text).toBe(
    "I've changed the importer so that it waits:",
  );
});

test.each(["I've fixed it:", "I've added it back to:", "I've implemented the following changes in the importer:"])(
  "without what it leads to, a lead-in is no fact: %s",
  (text) => {
    expect(done(`${text}\n\n\`\`\`ts\nopen();\nclose();\n\`\`\`\n`)).toEqual([]);
  },
);

test("a smile is no lead-in", () => {
  expect(done("I've added the retry loop to the client :)")[0]?.text).toContain("I've added the retry loop to the client");
});
