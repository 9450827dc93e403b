// Command lines that somebody made to take long.
import { expect, test } from "vitest";
import { builtInRules, extract, type ToolCall } from "../../../src/index.js";
import { leastTime } from "../../cpu.js";

const { rules } = builtInRules();

/** From each of these a parser may look ahead to the end of the line, or go one deeper. */
const HARD_PIECES = [
  ...[
    "(",
    "$(",
    "$((",
    "${",
    "${a:-",
    "${a//",
    "$[",
    "$[']' ",
    "{a,",
    '{"',
    "{`",
    "{ ",
    "[[ ",
    "[[ ( ",
    "`",
    '"',
    '"$(',
    "'",
    "<(",
  ],
  ...["<<E ", "<<E\n", "<<`", "x <<$(", "f() ", "function f ", "coproc ", "! ", "time ", "if ", "if a; then ", "case a in b) "],
  ...["for a in ", "while ", "a=(", "a[$(", "@(", "a | ", "cd a && ", "$(cat <<E\n", 'echo $(echo "', "bash -c '", "sudo "],
];

function createdBy(command: string): readonly string[] {
  const call: ToolCall = { name: "bash", input: { command }, output: "" };
  const messages = [{ id: "m", role: "assistant" as const, text: "", toolCalls: [call] }];
  return extract({ id: "s", format: "test", messages }, rules).continuation.files.created;
}

test.each(HARD_PIECES)(
  "reads a long command line of %j in time, and finds no other file than the one it touches",
  async (piece) => {
    let found: readonly string[] = [];
    const took = await leastTime(1_500, (tried) => {
      found = createdBy(`touch a.ts; ${piece.repeat(90_000 / piece.length - tried)}`);
    });
    expect(found.filter((path) => path !== "a.ts")).toEqual([]);
    expect(took).toBeLessThan(1_500);
  },
);
