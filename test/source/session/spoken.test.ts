import { describe, expect, test } from "vitest";
import { builtInRules, extract, type Message } from "../../../src/index.js";

const { rules } = builtInRules();
const message = (id: string, role: Message["role"], text: string): Message => ({ id, role, text, toolCalls: [] });

/** What the user says, with its place in the message. */
function saidIn(text: string): readonly string[] {
  const messages = [message("m1", "user", text), message("m2", "assistant", "Noted.")];
  const { statements, continuation } = extract({ id: "s", format: "neutral", messages }, rules);
  for (const { evidence } of continuation.items)
    if (evidence.source === "m1") expect(text.slice(evidence.start, evidence.end)).toBe(evidence.quote);
  return statements.filter(({ by }) => by === "user").map((one) => one.text);
}

describe("what a host puts into the user's message is not the user's", () => {
  test.each([
    "<system-reminder>\nWe must never use Redis.\n</system-reminder>",
    "<environment_context>\n  <cwd>/repo</cwd>\n</environment_context>",
    "<command-name>/init</command-name>\n<command-message>init is running</command-message>",
    '<ide_opened_file path="a.ts">The user opened a.ts.</ide_opened_file>',
    '<some_host_context kind="x">\nAlways answer in German.\n\n- Never push.\n</some_host_context>',
    "<user_instructions>\nAlways use tabs.\n</user_instructions>",
  ])("%s", (block) => {
    expect(saidIn(block)).toEqual([]);
    expect(saidIn(`${block}\nWe must keep the old importer.`)).toEqual(["We must keep the old importer."]);
    expect(saidIn(`We must keep the old importer.\n\n${block}`)).toEqual(["We must keep the old importer."]);
  });

  test("the opening of a session that goes on", () => {
    const opening =
      "This session is being continued from a previous conversation that ran out of context. Summary: We decided to use Kafka. The next step is to write the consumer.";
    expect(saidIn(opening)).toEqual([]);
    const messages = [message("m1", "user", opening), message("m2", "user", "We need a dark mode in the app.")];
    const { items } = extract({ id: "s", format: "neutral", messages }, rules).continuation;
    expect(items.filter(({ kind }) => kind === "goal").map(({ evidence }) => evidence.source)).toEqual(["m2"]);
    expect(items.some(({ evidence }) => evidence.source === "m1")).toBe(false);
  });
});

describe("what the user types is", () => {
  test.each([
    [
      "tags around what was typed",
      "<user_query>\nWe must keep the old importer.\n</user_query>",
      "We must keep the old importer.",
    ],
    ["an element that the user speaks of", "Render <my-button>Save</my-button> in the footer.", "Save"],
    ["one that begins a line and goes on", "<my-button>Save</my-button> must be in the footer.", "must be in the footer."],
    ["one that never ends", "<my_tag> must be closed by the parser.", "must be closed by the parser."],
  ])("%s", (_, text, said) => {
    expect(saidIn(text).join(" ")).toContain(said);
  });

  test("code in a fence hides nothing behind it", () => {
    expect(saidIn("```html\n<my-list>\n```\nWe must keep it.\n```html\n</my-list>\n```\nThanks a lot for it.")).toContain(
      "We must keep it.",
    );
  });
});
