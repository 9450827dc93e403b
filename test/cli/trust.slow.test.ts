import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { trust } from "../../src/cli/guards/trust.js";
import { redirect } from "../../src/cli/output/terminal.js";
import { readTrusted } from "../../src/state/spoken.js";
import { runInside } from "./run-command.js";

let folder: string;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-trust-"));
  mkdirSync(join(folder, ".git"));
  write(".compactionrc", "extends: [compaction:recommended, ./team.yaml]\n");
  write("team.yaml", `compaction: 1\nname: team\nextends: [./base.yaml]\nguards: ${GUARDS}\n`);
  write("base.yaml", "compaction: 1\nname: base\nsignals: { calm: { match: calm } }\n");
  env = { PATH: process.env.PATH, NO_COLOR: "1", HOME: folder, XDG_STATE_HOME: join(folder, "state") };
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const GUARDS = '{ forced: { on: { command: "git push --force" }, then: ask, say: "Never force-push.", unless: [calm] } }';
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const run = (...args: string[]) => runInside(["trust", ...args], { cwd: folder, env });
const digest = async (): Promise<string> => /--digest (\w+)/.exec((await run()).stdout)?.[1] ?? "";
const isTrusted = async () => (await run()).stdout.includes("team.yaml trusted");

describe("without a terminal", () => {
  test("--yes alone trusts nothing and says what is missing", async () => {
    const { exit, stderr } = await run("--yes");
    expect(exit).toBe(2);
    expect(stderr).toMatch(/--yes needs --digest/);
    expect(await isTrusted()).toBe(false);
  });

  test("the digest that was printed trusts, and tells what else is in the files", async () => {
    const { stdout } = await run();
    expect(stdout).toContain("  forced ask: Never force-push.\n  with base.yaml\n  with its signals: calm\n");
    expect((await run("--yes", "--digest", await digest())).exit).toBe(0);
    expect(await isTrusted()).toBe(true);
    expect((await run("--remove")).exit).toBe(0);
    expect(await isTrusted()).toBe(false);
  });

  test.each<[string, string, string]>([
    ["the pack", "team.yaml", `compaction: 1\nname: team\nextends: [./base.yaml]\nguards: ${GUARDS.replace("ask", "refuse")}\n`],
    ["a file that the pack extends", "base.yaml", "compaction: 1\nname: base\nsignals: { calm: { match: push } }\n"],
    ["a pack more", ".compactionrc", `extends: [./team.yaml]\nguards: ${GUARDS.replace("forced", "more")}\n`],
  ])("nothing is trusted if %s changed since", async (_, name, text) => {
    const before = await digest();
    write(name, text);
    const { exit, stderr } = await run("--yes", "--digest", before);
    expect(exit).toBe(2);
    expect(stderr).toContain("so nothing is trusted");
    expect(await isTrusted()).toBe(false);
  });

  test("the digest of one pack does not trust all of them", async () => {
    const one = await digest();
    write(".compactionrc", `extends: [./team.yaml]\nguards: ${GUARDS.replace("forced", "more")}\n`);
    expect((await run("--yes", "--digest", one)).exit).toBe(2);
    expect((await run("team.yaml", "--yes", "--digest", one)).exit).toBe(0);
    expect(await isTrusted()).toBe(true);
  });
});

describe("on a terminal", () => {
  const answering = async (question: () => string | undefined) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    redirect({ read: () => 0, write: () => undefined });
    let shown = "";
    const given = { values: { project: folder }, flags: { yes: true }, positionals: [] };
    const exit = await trust(given as unknown as Parameters<typeof trust>[0], async (text) => {
      shown = text;
      return question();
    });
    return { exit, shown, trusted: Object.keys(readTrusted()).length };
  };

  test("--yes shows the guards, asks, and trusts what was shown", async () => {
    const { exit, shown, trusted } = await answering(() => "y");
    expect(shown).toMatch(/forced ask: Never force-push\.[\s\S]*\[y\/N\] $/);
    expect([exit, trusted]).toEqual([0, 1]);
  });

  test("no answer and another answer trust nothing", async () => {
    expect((await answering(() => "")).trusted).toBe(0);
    expect((await answering(() => "no")).trusted).toBe(0);
  });

  test("nothing is trusted if a file changed while the user read", async () => {
    const changing = answering(() => {
      write("base.yaml", "compaction: 1\nname: base\nsignals: { calm: { match: push } }\n");
      return "y";
    });
    await expect(changing).rejects.toThrow("changed after they were shown");
    expect(readTrusted()).toEqual({});
  });
});
