// What a team says counts before what comes with the program.
import { describe, expect, test } from "vitest";
import { builtInRules, extract, type LoadedRules, loadRules } from "../../src/index.js";
import { inProject } from "../project.js";

const loadedWith = (config: string, files: Readonly<Record<string, string>> = {}) =>
  inProject({ dirs: [".git"], files: { ".compactionrc": config, ...files } }, loadRules);

function filesOf(command: string, { rules }: LoadedRules) {
  const toolCalls = [{ name: "bash", input: { command }, output: "", status: "completed" as const }];
  const messages = [{ id: "m", role: "assistant" as const, text: "", toolCalls }];
  return extract({ id: "s", format: "test", messages }, rules).continuation.files;
}

describe("a program of the team's own entry", () => {
  test("counts before a built-in entry that names it, too", () => {
    const loaded = loadedWith("shell: { prettier: { program: [prettier], with: [--write], modified: all } }");
    expect(loaded.diagnostics).toEqual([]);
    expect(filesOf("prettier --write src/a.ts", loaded).modified).toEqual(["src/a.ts"]);
    expect(filesOf("prettier --write src/a.ts", builtInRules()).modified).toEqual([]);
    const copies = loadedWith("shell: { mycp: { program: [cp], read: all } }");
    expect(filesOf("cp a.ts b.ts", copies)).toMatchObject({ read: ["a.ts", "b.ts"], created: [] });
  });

  test("leaves the built-in entry to what it does not fit", () => {
    const loaded = loadedWith("shell: { mycp: { program: [cp], with: [--peek], read: all } }");
    expect(filesOf("cp a.ts b.ts", loaded)).toEqual(filesOf("cp a.ts b.ts", builtInRules()));
  });

  test("comes in the order of its pack, and a changed built-in entry stays at its place", () => {
    const two = "one: { program: [fmt], with: [-w], modified: all }, two: { program: [fmt], read: all }";
    const loaded = loadedWith(`shell: { ${two}, lint: { without: [--write] } }`);
    expect(filesOf("fmt -w a.ts", loaded)).toMatchObject({ modified: ["a.ts"] });
    expect(filesOf("fmt a.ts", loaded)).toMatchObject({ read: ["a.ts"], modified: [] });
  });
});
