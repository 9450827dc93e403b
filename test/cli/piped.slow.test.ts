// Standard input and output of the built program, through real pipes.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { runSpawned } from "./run-command.js";
import { runScenario } from "./scenario.js";

const expected = { stdout: "", stderr: "", exit: 0 };

test("audit answers a case before the next line comes", async () => {
  const child = spawn(process.execPath, [resolve("dist/cli/main.js"), "audit", "--cases", "-"], { stdio: "pipe" });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  for (const id of ["first", "second"]) {
    child.stdin.write(`${JSON.stringify({ id, kind: "x", fact: "Use Postgres 16", summary: "Use Postgres 16." })}\n`);
    expect(JSON.parse((await answers.next()).value ?? "")).toEqual({ id, verdict: "kept" });
  }
  child.stdin.end();
  expect((await once(child, "exit"))[0]).toBe(0);
});

test("run reads a session from standard input that is longer than a pipe holds", async () => {
  const text = `${"x".repeat(200_000)}\n\nNever log the session token.`;
  const stdin = JSON.stringify({ id: "s", messages: [{ id: "m", role: "user", text }] });
  const { stdout, exit } = await runScenario({ files: new Map(), command: ["run", "-"], stdin, expected }, runSpawned);
  expect(exit).toBe(0);
  expect(stdout).toContain("Never log the session token");
});
