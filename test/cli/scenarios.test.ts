import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseScenario, rewrite, runScenario } from "./scenario.js";

const folder = "test/cli/scenarios";

// UPDATE=1 writes what came out into the files; read the difference before you keep it.
describe.each(readdirSync(folder).filter((name) => name.endsWith(".txt")))("%s", (name) => {
  test("gives what it says", () => {
    const file = join(folder, name);
    const scenario = parseScenario(readFileSync(file, "utf8"));
    const outcome = runScenario(scenario);
    if (process.env.UPDATE) rewrite(file, outcome);
    else expect(outcome).toEqual(scenario.expected);
  });
});

test("each slip in a pack is one finding, with a code of its own", () => {
  const slips = readdirSync(folder).filter((name) => name.startsWith("validate-slip-"));
  const codes = slips.map((name) => {
    const scenario = parseScenario(readFileSync(join(folder, name), "utf8"));
    const { findings } = JSON.parse(runScenario({ ...scenario, command: [...scenario.command, "--reporter", "json"] }).stdout);
    expect(findings, name).toHaveLength(1);
    expect(findings[0].line, name).toBeGreaterThan(0);
    return findings[0].code;
  });
  expect(new Set(codes).size).toBe(9);
});
