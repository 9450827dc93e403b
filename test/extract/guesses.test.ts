import { expect, test } from "vitest";
import { builtInRules, extract, type Message, render } from "../../src/index.js";

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
