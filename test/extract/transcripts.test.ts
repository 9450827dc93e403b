// A conversation that the user pasted is nobody's rule, and a ban without a subject is told with the words before it.
import { describe, expect, test } from "vitest";
import { builtInRules, extract } from "../../src/index.js";

const { rules } = builtInRules();
const found = (text: string) =>
  extract({ id: "s", format: "test", messages: [{ id: "m", role: "user", text, toolCalls: [] }] }, rules);
const rulesIn = (text: string) =>
  found(text)
    .continuation.items.filter(({ kind, by }) => kind === "constraint" && by === "user")
    .map(({ text, fields }) => (fields.before === undefined ? text : `${fields.before} ${text}`));
const ownIn = (text: string) =>
  found(text)
    .statements.filter(({ pasted }) => !pasted)
    .map(({ text }) => text);

describe("a pasted conversation", () => {
  test.each([
    [
      "with headings of a chat page",
      "You said:\nHow do I name branches?\n\nChatGPT said:\nNever use capital letters. Always prefix them.",
    ],
    [
      "with a label in front of each turn",
      "User: how do I log in\nAssistant: You must never store the password. Always hash it.\nUser: ok",
    ],
    ["with bold labels", "**Me:** which database?\n\n**Claude:** Always use Postgres here. Never add Redis.\n\n**Me:** fine"],
    ["with headings for labels", "## Human\n\nwhich tests?\n\n## AI\n\nAlways run the slow tests.\n\n## Human\n\nthanks"],
    [
      "with times",
      "[10:32] Me: is it done?\n[10:33] Ann: Never merge before noon, please.\n[10:34] Me: ok\n[10:35] Ann: Always ask first.",
    ],
    [
      "with labels alone in their lines",
      "You\nhow long may it be?\nGemini\nIt must never be longer than a page. Always cut it.\nYou\nthx",
    ],
    [
      "of which half is about something else",
      "Question\n\nUser:\nwhat now\n\nBot:\nNever retry a payment.\n\nUser:\nwhy\n\nBot:\nYou must always ask.",
    ],
  ])("%s gives no rule", (_, text) => expect(rulesIn(text)).toEqual([]));

  test("leaves the words before it, and those behind it where none are before it, to the user", () => {
    const talk = "You said:\nWhich port?\n\nChatGPT said:\nAlways use 8080.";
    expect(rulesIn(`Never use port 80 in the compose file.\n\n${talk}`)).toEqual(["Never use port 80 in the compose file"]);
    expect(rulesIn(`${talk}\n\nNever use port 80 in the compose file.`)).toEqual(["Never use port 80 in the compose file"]);
  });

  test.each([
    "Model: gpt-5\nAgent: build\nNever change the model of the agent.",
    "File: src/a.ts\nProblem: it is slow\nFile: src/b.ts\nProblem: it leaks\n\nNever change the model of the agent.",
    "Note: I am new here.\nNever change the model of the agent.",
    "User: the one in the header.\nNever change the model of the agent.",
    "10:30 is when it runs.\n\nNever change the model of the agent.",
    "Goal\nFaster start\nRules\nNever change the model of the agent.",
  ])("is not seen in fields: %s", (text) => expect(ownIn(text).join(" ")).toContain("Never change the model"));
});

describe("a ban without a subject", () => {
  test.each([
    ["Use the accent for links and buttons. Never as backgrounds.", "Use the accent for links and buttons. Never as backgrounds"],
    ["Drafts stay in the browser. Never sent to the server.", "Drafts stay in the browser. Never sent to the server"],
    ["## Icons\n\nNever as bitmaps in the bundle.", "Icons Never as bitmaps in the bundle"],
    ["- Tables in the report:\n  - Always with a caption", "Tables in the report: Always with a caption"],
  ])("is told with what it is about: %s", (text, told) => expect(rulesIn(text)).toContain(told));

  test.each([
    "Never force-push.",
    "Always in English, please.",
    "Never add a dependency.",
    "Always run the linter before a commit.",
  ])("is a rule if it has one, or stands alone: %s", (text) => expect(rulesIn(text)).toEqual([text.replace(/\.$/, "")]));

  test("has the one before it only if it needs it", () => {
    expect(rulesIn("Fix the login. Never force-push.")).toEqual(["Never force-push"]);
    expect(rulesIn("Fix the login. Never embed secrets in the code.")).toEqual(["Never embed secrets in the code"]);
  });
});
