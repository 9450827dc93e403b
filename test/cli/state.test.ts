import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runInside } from "./run-command.js";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "compaction-state-"));
  for (const project of ["shop", "api"]) mkdirSync(join(home, project));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const run = (project: string, ...args: string[]) =>
  runInside(args, { cwd: join(home, project), env: { PATH: process.env.PATH, NO_COLOR: "1", HOME: home } });

describe("state clear", () => {
  test("names the pins of every project and removes nothing when nobody can be asked", async () => {
    await run("shop", "pin", "Never touch src/legacy.");
    await run("api", "pin", "Deploy only on Mondays.");
    const { stdout, stderr, exit } = await run("shop", "state", "clear");
    expect(exit).toBe(2);
    for (const project of ["shop", "api"]) expect(stdout).toContain(`pins and drops of ${join(home, project)}\n`);
    expect(stderr).toContain("nothing is removed\n  → npx compaction-rules state clear --yes");
    expect((await run("api", "drop", "--list")).stdout).toContain("Deploy only on Mondays.");
  });

  test("removes all with --yes, and says what", async () => {
    await run("shop", "pin", "Never touch src/legacy.");
    expect((await run("shop", "state", "clear", "--yes")).stdout).toMatch(/^removed project-shop-\w{8} /);
    expect((await run("shop", "state", "clear")).stdout).toBe("nothing is stored\n");
  });

  test("recall removes the index with the consent, and no pin", async () => {
    await run("shop", "pin", "Never touch src/legacy.");
    await run("shop", "find", "--yes", "legacy");
    const { stdout } = await run("shop", "state", "clear", "recall");
    expect(stdout).toMatch(/^removed recall {2}/m);
    expect(stdout).toMatch(/^removed recall\.db {2}/m);
    expect((await run("shop", "find", "legacy")).stderr).toContain("state clear recall removes it again");
    expect((await run("shop", "drop", "--list")).stdout).toContain("Never touch src/legacy.");
  });
});
