import { describe, expect, test } from "vitest";
import { linesOf } from "../../src/cli/input/open-session.js";
import { runScenario } from "./scenario.js";

const expected = { stdout: "", stderr: "", exit: 0 };
const session = JSON.stringify({ id: "s", messages: [{ id: "m", role: "user", text: "Never log the session token." }] });

function auditOf(summary: string, ...more: readonly string[]) {
  const files = new Map([["session.json", session]]);
  const command = ["audit", "session.json", "--summary", "-", "--strict", ...more];
  return runScenario({ files, command, stdin: summary, expected });
}

describe("a summary", () => {
  test("is read up to a limit when it is very long, and the user is told", async () => {
    const filler = "The build went on and nothing of note was said.\n".repeat(5_000);
    const late = await auditOf(`${filler}Never log the session token.`);
    expect(late.exit).toBe(1);
    expect(late.stderr).toContain("only the first 100000 characters");
    expect((await auditOf(`Never log the session token.\n${filler}`)).exit).toBe(0);
  });

  test("is shown without the control characters of the session", async () => {
    const text = "Never log the \u001B[31msession\u0007 token.";
    const files = new Map([["session.json", JSON.stringify({ id: "s", messages: [{ id: "m", role: "user", text }] })]]);
    const { stdout } = await runScenario({ files, command: ["audit", "session.json", "--summary", "-"], stdin: "", expected });
    expect(stdout).toContain("session");
    expect(stdout.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
  });
});

describe("cases", () => {
  test("with summaries that are hardly text are missing, not an error", async () => {
    const summaries = ["", " \n\n", "\u0000\u0001\u001B[31m", "<<<<[[[[((((", "\uD800", "```\n".repeat(500), "-".repeat(100_000)];
    const cases = summaries.map((summary, id) => JSON.stringify({ id, kind: "x", fact: "Use Postgres 16", summary }));
    const stdin = cases.join("\n");
    const { stdout, stderr, exit } = await runScenario({ files: new Map(), command: ["audit", "--cases", "-"], stdin, expected });
    expect({ stderr, exit }).toEqual({ stderr: "", exit: 0 });
    expect(stdout).toBe(summaries.map((_, id) => `{"id":${id},"verdict":"missing"}\n`).join(""));
  });
});

describe("lines", () => {
  const bytes = (...chunks: readonly (string | Uint8Array)[]) =>
    (async function* () {
      for (const chunk of chunks) yield typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
    })();
  const read = async (most: number, ...chunks: readonly (string | Uint8Array)[]) => {
    const found: (string | undefined)[] = [];
    for await (const line of linesOf(bytes(...chunks), most)) found.push(line.bytes && new TextDecoder().decode(line.bytes));
    return found;
  };

  test("may be cut anywhere, also inside a character", async () => {
    const [low, high] = [new TextEncoder().encode("ä").slice(0, 1), new TextEncoder().encode("ä").slice(1)];
    expect(await read(9, "a", "b\r\n", low, high, "\n\nend")).toEqual(["ab\r", "ä", "end"]);
  });

  test("that are too long are passed over, and the next one is read", async () => {
    expect(await read(4, "12345", "678\nok\n", "123456")).toEqual([undefined, "ok", undefined]);
  });
});
