import { describe, expect, test } from "vitest";
import { builtInRules, extract, readSession } from "../../../src/index.js";

/** Both forms in which OpenCode gives away a session in which the user says this. */
const FORMS = {
  "an export": (text: string) =>
    JSON.stringify({
      info: { id: "ses_1", directory: "/p" },
      messages: [{ info: { id: "msg_1", role: "user" }, parts: [{ type: "text", text }] }],
    }),
  "a transcript": (text: string) => `# T\n\n**Session ID:** ses_1\n\n---\n\n## User\n\n${text}\n`,
};
/** As `opencode run` stores a prompt with blanks. */
const stored = (prompt: string) => `"${prompt.replaceAll('"', '\\"')}"`;

describe.each(Object.entries(FORMS))("in %s", (_, toFile) => {
  const read = (text: string) => readSession(toFile(text), "name").session;
  const textOf = (text: string) => read(text).messages[0]?.text;

  test.each([
    "Speed up the search. Never change the index format.",
    'Rename "a b" to "c". Never touch "d".',
    '"Save" does nothing. Fix "Save"',
    "First this.\n\n- Then that.\n- Never those.",
    "Look into C:\\temp\\",
  ])("it reads %j as it was given to opencode run", (prompt) => {
    expect(textOf(stored(prompt))).toBe(prompt);
    expect(textOf(`${stored(prompt)}\n`)).toBe(prompt);
  });

  test.each(['"a" and "b"', '"a b" "c d"', '"a b', 'a "b c"', '"a b" is wrong. Fix it.', '"', '""', "“a b”"])(
    "it leaves %j as it is when the marks are not around all of it",
    (text) => expect(textOf(text)).toBe(text),
  );

  test("it finds the goal and the rule of such a prompt, with their places", () => {
    const session = read(stored("Speed up the search. Never change the index format."));
    const { items } = extract(session, builtInRules().rules).continuation;
    expect(items.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      "goal: Speed up the search",
      "constraint: Never change the index format",
    ]);
    const text = session.messages[0]?.text ?? "";
    for (const { evidence } of items) expect(text.slice(evidence.start, evidence.end)).toBe(evidence.quote);
  });
});

test("marks around what the assistant says stay", () => {
  const parts = [{ type: "text", text: '"All done now."' }];
  const file = JSON.stringify([{ info: { id: "m", role: "assistant", sessionID: "s" }, parts }]);
  expect(readSession(file, "name").session.messages[0]?.text).toBe('"All done now."');
});
