import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cases } from "../runs.js";
import { runInside, runSpawned } from "./run-command.js";
import { parseScenario, rewrite, runScenario } from "./scenario.js";

const folder = "test/cli/scenarios";

/** They run the built program as a process: each command once, each exit code, standard input, and the built page. */
const BUILT = [
  "audit-cases",
  "audit-strict",
  "compact-json",
  "config-own",
  "docs-own",
  "drop-unknown",
  "explain-session",
  "find-index-folder",
  "frames-session",
  "help",
  "handoff-to",
  "hook-help",
  "init-fresh",
  "judge-request",
  "mcp-answers",
  "play-no-project",
  "run-continuation",
  "run-json-missing",
  "run-strict",
  "test-one-rule",
  "unknown-command",
  "validate-fine",
  "view-not-written",
  "view-writes",
];
/** In `npm test`, some of them: each exit code, standard input, the page, and commands that load more on first use. */
const SPAWNED = cases(BUILT, [
  "audit-cases",
  "find-index-folder",
  "help",
  "mcp-answers",
  "run-json-missing",
  "run-strict",
  "view-not-written",
  "view-writes",
]).map((name) => `${name}.txt`);

// UPDATE=1 writes what came out into the files; read the difference before you keep it.
describe.each(readdirSync(folder).filter((name) => name.endsWith(".txt")))("%s", (name) => {
  test("prints what the file shows when its command is run", async () => {
    const file = join(folder, name);
    const scenario = parseScenario(readFileSync(file, "utf8"));
    const outcome = await runScenario(scenario, SPAWNED.includes(name) ? runSpawned : runInside);
    if (process.env.UPDATE) rewrite(file, outcome);
    else expect(outcome).toEqual(scenario.expected);
  });
});

test("each slip in a pack is one finding, with a code of its own", async () => {
  const slips = readdirSync(folder).filter((name) => name.startsWith("validate-slip-"));
  const codes = new Set<string>();
  for (const name of slips) {
    const scenario = parseScenario(readFileSync(join(folder, name), "utf8"));
    const { stdout } = await runScenario({ ...scenario, command: [...scenario.command, "--reporter", "json"] });
    const { findings } = JSON.parse(stdout);
    expect(findings, name).toHaveLength(1);
    expect(findings[0].line, name).toBeGreaterThan(0);
    codes.add(findings[0].code);
  }
  expect(codes.size).toBe(9);
});
