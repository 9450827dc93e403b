import { describe, expect, test, vi } from "vitest";
import { readSession } from "../../../src/index.js";

type Said = readonly [role: "user" | "assistant", text: string];
const read = (...said: readonly Said[]) => {
  const messages = said.map(([role, text], index) => ({ id: String(index), role, text }));
  return readSession(JSON.stringify({ id: "s", messages }), "name").session.messages;
};
const metaOf = (...said: readonly Said[]) => read(...said).map(({ meta }) => meta === true);

const PLAN =
  "Add a route for cakes to oven.c, and leave the kettle alone.\n\nTell me which of the two doors you would rather have.";

describe("the assistant's words in the user's mouth", () => {
  test("are not the user's, however they are broken into lines", () => {
    const again = PLAN.replace("\n\n", "\n").replace(", and", ",\n  and");
    expect(metaOf(["user", "Plan it."], ["assistant", PLAN], ["user", again], ["assistant", "Done."])).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });

  test("are the user's where they are few, or where there is more", () => {
    expect(metaOf(["assistant", "Shall I go on?"], ["user", "Shall I go on?"])).toEqual([false, false]);
    expect(metaOf(["assistant", PLAN], ["user", `${PLAN}\n\nThe left one.`])).toEqual([false, false]);
    expect(metaOf(["assistant", PLAN], ["user", PLAN.slice(0, 100)])).toEqual([false, false]);
  });

  test("are the user's where they were said long ago, or by the user", () => {
    const talk: Said[] = Array.from({ length: 8 }, (_, index) => [index % 2 ? "user" : "assistant", `Line ${index}.`]);
    expect(metaOf(["assistant", PLAN], ...talk, ["user", PLAN]).at(-1)).toBe(false);
    expect(metaOf(["user", PLAN], ["assistant", "It failed."], ["user", PLAN]).at(-1)).toBe(false);
  });

  test("in aider's history, where the architect hands over to the editor", () => {
    const { session } = readSession(
      [
        "# aider chat started at 2026-01-02 03:04:05",
        "",
        "#### Plan it.  ",
        "",
        PLAN,
        "",
        "> Edit the files? (Y)es/(N)o [Yes]: y  ",
        "",
        ...PLAN.split("\n").map((line) => `#### ${line}  `),
        "",
        "oven.c",
        "",
        "> Applied edit to oven.c  ",
      ].join("\n"),
      "name",
    );
    expect(session.messages.map(({ role, meta }) => [role, meta])).toEqual([
      ["user", undefined],
      ["assistant", undefined],
      ["user", true],
      ["assistant", undefined],
    ]);
  });

  test("are looked for in steps that grow as the session does", () => {
    const steps = (count: number) => {
      const folded = vi.spyOn(String.prototype, "replace");
      read(...Array.from({ length: count }, (_, index): Said => [index % 3 ? "assistant" : "user", `${PLAN} ${index}`]));
      const characters = folded.mock.contexts.reduce<number>((sum, text) => sum + String(text).length, 0);
      folded.mockRestore();
      return characters;
    };
    expect(steps(400)).toBeGreaterThan(0);
    // The numbers at the ends have a digit more.
    expect(steps(800)).toBeLessThanOrEqual(2.05 * steps(400));
  });
});

describe("what hosts say in the user's place", () => {
  test.each([
    "/exit\n ⎿  Goodbye!",
    "/model fast\n  ⎿  Set the model to fast\n     It holds from now on.",
    "Unknown skill: bake",
    "Unknown command: /bake",
    "Unknown slash command: bake",
    '@agent Continue: "Go on?"',
    "Implement the plan as specified, it is attached for your reference. Do NOT edit the plan file itself.",
    "Implement the plan as specified, it is attached for your reference. Do NOT edit the plan file itself.\n\nTo-do's from the plan have already been created. Do not create them again.",
  ])("%s", (text) => {
    expect(metaOf(["user", text])).toEqual([true]);
  });

  test.each([
    "/exit\n ⎿  Goodbye!\n\nThat is what it printed. Why?",
    "/exit",
    "Unknown skill: bake\nWhat is this?",
    "Unknown command: what does that mean?",
    "Implement the plan as specified.",
    "Implement the plan as specified, it is attached for your reference. Do NOT edit the plan file itself.\n\nLeave out the cherries.",
  ])("the user says: %s", (text) => {
    expect(metaOf(["user", text])).toEqual([false]);
  });
});
