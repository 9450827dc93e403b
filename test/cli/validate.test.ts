import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runInside } from "./run-command.js";

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "compaction-validate-"));
  mkdirSync(join(project, "compaction"));
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

const run = (...args: string[]) =>
  runInside(args, { cwd: project, env: { PATH: process.env.PATH, NO_COLOR: "1", HOME: project } });
const write = (file: string, text: string) => writeFileSync(join(project, file), text);

const guarded = (path: string, example: string) => `compaction: 1
name: team
guards:
  frozen:
    on: { tool: [edit], path: ["${path}"] }
    then: ask
    say: "It is frozen."
    unless: [user-allowed]
    examples:
      - { call: { tool: edit, path: ${example} }, fires: true }
      - { call: { tool: edit, path: src/a.ts }, fires: false }
      - { call: { tool: edit, path: ${example} }, said: "You may edit ${example} now.", fires: false }
`;

describe("a pack with guards that extends nothing, as init writes it", () => {
  test("is tested and validated with the tools of the built-in packs", async () => {
    write("compaction/team.yaml", guarded("db/**", "db/1.sql"));
    expect(await run("validate", "compaction/team.yaml")).toMatchObject({ exit: 0, stderr: "" });
    expect((await run("test", "compaction/team.yaml", "guard:frozen")).stdout).toBe("3 examples of 1 rule: all pass\n");
  });

  test("validate runs the examples of its guards", async () => {
    write("compaction/team.yaml", guarded("db/**", "other/1.sql"));
    const { stdout, stderr, exit } = await run("validate", "compaction/team.yaml");
    expect(exit).toBe(1);
    expect(stdout + stderr).toContain("guard:frozen does not fire at");
    write(".compactionrc", "extends: [compaction:recommended, ./compaction/team.yaml]\n");
    expect((await run("validate")).exit).toBe(1);
  });

  test.each(["db/**/[", "db/{a,b", "db/a]", "[", "db/}x{", "app/[id/page.ts"])("the path %s is refused", async (path) => {
    write("compaction/team.yaml", guarded(path, "db/1.sql"));
    const { stdout, stderr, exit } = await run("validate", "compaction/team.yaml");
    expect([exit, stdout + stderr]).toEqual([1, expect.stringContaining("a bracket is not closed")]);
  });

  test.each([
    ["app/[id]/**", "app/[id]/page.ts"],
    ["{db,sql}/**", "sql/1.sql"],
    ["app/[[...slug]]/*.ts", "app/[[...slug]]/a.ts"],
  ])("the path %s is fine", async (path, example) => {
    write("compaction/team.yaml", guarded(path, JSON.stringify(example)).replaceAll(`edit "${example}"`, "edit this file"));
    const { stdout, stderr } = await run("validate", "compaction/team.yaml");
    expect(stdout + stderr).not.toContain("guard-path");
  });
});

describe("a template of one's own", () => {
  test.each(["brief", "repair", "structured"])("in place of %s must show the pins", async (id) => {
    write(".compactionrc", `templates: { ${id}: { text: "{{#goals}}{{text}}{{/goals}}" } }\n`);
    const { stdout, stderr, exit } = await run("validate");
    expect([exit, stdout + stderr]).toEqual([1, expect.stringContaining(`"${id}" shows no pins`)]);
    write(".compactionrc", `templates: { ${id}: { text: "{{#pinned}}{{text}}{{/pinned}}" } }\n`);
    expect((await run("validate")).exit).toBe(0);
  });

  test("with another name may leave them out, and so may one whose budget alone is changed", async () => {
    write(".compactionrc", 'templates: { mine: { text: "{{#goals}}{{text}}{{/goals}}" }, brief: { tokens: 300 } }\n');
    expect((await run("validate")).exit).toBe(0);
  });
});
