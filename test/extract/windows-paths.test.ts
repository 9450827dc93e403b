// What runs on Windows, with path.win32 in place of this system's paths. Nobody tried it on a real Windows yet.
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { exampleContext, toExampleCall } from "../../src/guards/examples.js";
import { builtInRules } from "../../src/index.js";
import type { Guard } from "../../src/rules/guard.js";
import { isAbsolutePath, programName, slashed } from "../../src/text/paths.js";

const HOME = "C:\\Users\\ann";
const SHOP = `${HOME}\\shop`;

const { rules } = builtInRules();
const context = exampleContext(rules);

/** Programs that are there. */
const PROGRAMS = ["C:\\npm\\claude.CMD"];

beforeEach(() => {
  vi.resetModules();
  vi.doMock("node:path", () => ({ ...path.win32, default: path.win32 }));
  vi.doMock("node:os", async (original) => ({ ...(await original<object>()), homedir: () => HOME }));
  vi.doMock("node:fs", async (original) => ({
    ...(await original<object>()),
    statSync: (file: string) => ({ isFile: () => PROGRAMS.includes(file) }),
  }));
  vi.stubGlobal("process", Object.create(process, { platform: { value: "win32" }, env: { value: {} } }));
});
afterEach(() => {
  vi.unstubAllGlobals();
  for (const name of ["node:path", "node:os", "node:fs"]) vi.doUnmock(name);
});

test.each([
  ["C:\\Users\\ann", "C:/Users/ann", true],
  ["c:/Users", "C:/Users", true],
  ["/c/Users/ann", "C:/Users/ann", true],
  ["/c", "C:", true],
  ["/cart/a.ts", "/cart/a.ts", true],
  ["src\\a.ts", "src/a.ts", false],
  ["C:a.ts", "C:a.ts", false],
])("%s is %s", (given, expected, isAbsolute) => {
  expect([slashed(given), isAbsolutePath(given)]).toEqual([expected, isAbsolute]);
});

test.each([
  ["npm.cmd", "npm"],
  ["C:\\Program Files\\nodejs\\npm.CMD", "npm"],
  ["/usr/bin/git", "git"],
  ["git.exe", "git"],
  [".exe", ".exe"],
  ["tsc", "tsc"],
])("%s is the program %s", (given, name) => {
  expect(programName(given)).toBe(name);
});

test("the state is in the user's local folder, and settings are below the home folder", async () => {
  const { stateFolder } = await import("../../src/state/state.js");
  expect(stateFolder({ LOCALAPPDATA: `${HOME}\\AppData\\Local` })).toBe(`${HOME}\\AppData\\Local\\compaction-rules`);
  expect(stateFolder({})).toBe(`${HOME}\\.local\\state\\compaction-rules`);
  const { userConfigPlace } = await import("../../src/config/find-config.js");
  expect(userConfigPlace()).toBe(`${HOME}\\.config\\compaction-rules\\config.yaml`);
});

describe("Claude Code", () => {
  test("is found by its shim, and keeps sessions in a folder that is named after the project", async () => {
    const { findProgram } = await import("../../src/cli/first/agents-here.js");
    expect(findProgram("claude", { PATH: "C:\\Windows;C:\\npm", PATHEXT: ".EXE;.CMD" })).toBe("C:\\npm\\claude.CMD");
    const { claudeCodeSetup } = await import("../../src/hosts/claude-code/claude-code.js");
    const { agent } = claudeCodeSetup;
    expect(agent.folder(HOME, {})).toBe(`${HOME}\\.claude\\projects`);
    expect(agent.isSession?.("C--Users-ann-shop\\0b8c2a6e-7c1f-4d4e-9a57-3f1d2c5e8a90.jsonl")).toBe(true);
  });

  test("has hooks that start a .cmd, and they are ours", async () => {
    const { claudeCodeSetup } = await import("../../src/hosts/claude-code/claude-code.js");
    const entries = claudeCodeSetup.entries({
      path: "node_modules/.bin/compaction-rules",
      rooted: "node_modules/.bin/compaction-rules",
    });
    const command = '"%APPDATA%\\npm\\compaction-rules.cmd" hook claude-code';
    expect(entries.map((entry) => entry.isOurs({ hooks: [{ type: "command", command }] }))).toContain(true);
  });
});

describe("a guard for a folder", () => {
  const guard: Guard = {
    ...{ id: "one", tools: ["edit"], touches: ["edit", "delete"], paths: ["src/legacy/**"], commands: [], has: [], not: [] },
    ...{ does: "refuse", say: "No.", unless: [] },
  };

  test.each([
    [`${SHOP}\\src\\legacy\\a.ts`, 1],
    ["src\\legacy\\a.ts", 1],
    ["c:\\users\\ann\\shop\\SRC\\legacy\\a.ts", 1],
    [`${SHOP}\\src\\new\\a.ts`, 0],
    ["D:\\shop\\src\\legacy\\a.ts", 0],
  ])("of %s", async (file, times) => {
    const { matchGuards } = await import("../../src/guards/match-guards.js");
    const here = { project: SHOP, folder: SHOP, home: HOME, real: (one: string) => one, folds: true };
    expect(matchGuards([guard], toExampleCall({ path: file }, guard, rules), { ...context, ...here }).met).toHaveLength(times);
  });

  test.each([
    ["rm 'C:\\Users\\ann\\shop\\src\\legacy\\a.ts'", 1],
    ["del.exe 'C:\\Users\\ann\\shop\\src\\legacy\\a.ts'", 0],
    ["rm.exe src/legacy/a.ts", 1],
  ])("and of the command %s", async (command, times) => {
    const { matchGuards } = await import("../../src/guards/match-guards.js");
    const here = { project: SHOP, folder: SHOP, home: HOME, real: (one: string) => one, folds: true };
    const call = toExampleCall({ command }, guard, rules);
    expect(matchGuards([{ ...guard, tools: [] }], call, { ...context, ...here }).met).toHaveLength(times);
  });
});
