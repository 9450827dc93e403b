// Which program compaction init --host lets an agent start, and how its files name it.
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { initHost } from "../../src/cli/init/init-host.js";
import { MCP_SETUPS, SETUPS } from "../../src/hosts/hosts.js";

vi.mock("../../src/rules/load-rules.js", async (original) => (await import("./built-in-rules.js")).withBuiltInRules(original));
// What is said is in the scenarios.
vi.mock("../../src/cli/output/terminal.js", async (original) => ({ ...(await original<object>()), say: () => {} }));

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "compaction-program-")));
  git("init", "-q");
  vi.stubEnv("XDG_STATE_HOME", `${folder}.state`);
  vi.stubEnv("NO_COLOR", "1");
});
afterEach(() => {
  vi.unstubAllEnvs();
  for (const path of [folder, `${folder}.state`]) rmSync(path, { recursive: true, force: true });
});

const env = { PATH: process.env.PATH, HOME: tmpdir(), GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
const git = (...args: readonly string[]) => void execFileSync("git", args, { cwd: folder, env, stdio: "pipe" });

const BIN = "node_modules/.bin/compaction-rules";
function install(below = ".", text = "#!/bin/sh\necho started $*\n"): void {
  const file = join(folder, below, BIN);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}

const HOOKS = SETUPS.flatMap((setup) => ("starts" in setup && setup.starts ? [setup.name] : []));
const ALL = [...HOOKS.map((host) => ({ host, mcp: false })), ...MCP_SETUPS.map(({ name }) => ({ host: name, mcp: true }))];
const put = (host: string, mcp: boolean, project = folder, more = {}) =>
  initHost({ values: { host, project }, flags: { yes: true as const, ...(mcp && { mcp }), ...more } });

const RULED = /^(?:\.git|node_modules)(?:\/|$)|node_modules/;
/** The files in the project, apart from those of git and npm. */
const written = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !RULED.test(file.slice(folder.length + 1)));
const texts = () =>
  written()
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");

describe.each(ALL)("$host, mcp: $mcp", ({ host, mcp }) => {
  test("uses a program that the user installed", () => {
    install();
    put(host, mcp);
    // Codex starts servers without a shell, and not in this folder.
    expect(texts().includes(BIN)).toBe(!(host === "codex" && mcp));
  });

  test("does not use a program that git tracks", () => {
    install();
    git("add", "-f", "node_modules");
    put(host, mcp);
    expect(texts()).toContain("compaction-rules");
    expect(texts()).not.toContain(BIN);
  });

  test("writes no path of this machine, also from a package of a monorepo", () => {
    install("packages/api");
    put(host, mcp, join(folder, "packages/api"));
    expect(written()).toHaveLength(1);
    expect(texts()).not.toContain(folder);
    expect(texts()).not.toContain(tmpdir());
  });

  test("leaves nothing behind when it is removed", () => {
    put(host, mcp);
    expect(written()).toHaveLength(1);
    put(host, mcp, folder, { remove: true });
    expect(readdirSync(folder)).toEqual([".git"]);
  });
});

test("keeps a folder that has other files when the entry is removed", () => {
  put("claude-code", false);
  writeFileSync(join(folder, ".claude/mine.md"), "mine");
  put("claude-code", false, folder, { remove: true });
  expect(readdirSync(join(folder, ".claude"))).toEqual(["mine.md"]);
});

describe("a program counts as brought by the project", () => {
  const isUsed = () => {
    put("claude-code", false);
    return texts().includes(BIN);
  };

  test("when git tracks the file that its link leads to", () => {
    mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
    mkdirSync(join(folder, "tools"));
    writeFileSync(join(folder, "tools/main.js"), "");
    symlinkSync("../../tools/main.js", join(folder, BIN));
    expect(isUsed()).toBe(true);
    rmSync(join(folder, ".claude"), { recursive: true });
    git("add", "tools");
    expect(isUsed()).toBe(false);
  });

  test("when git tracks a link in the place of node_modules", () => {
    install("vendor");
    symlinkSync("vendor/node_modules", join(folder, "node_modules"));
    git("add", "node_modules");
    expect(isUsed()).toBe(false);
  });

  test("when git writes its folder in other cases", () => {
    install();
    git("add", "-f", "node_modules");
    git("mv", "node_modules/.bin", "node_modules/.BIN");
    install();
    expect(isUsed()).toBe(false);
  });

  test("when there is no repository, as in an unpacked archive, also in a folder of it", () => {
    rmSync(join(folder, ".git"), { recursive: true });
    install();
    expect(isUsed()).toBe(false);
    mkdirSync(join(folder, "app"));
    for (const { host, mcp } of ALL) put(host, mcp, join(folder, "app"));
    expect(texts()).not.toContain(BIN);
  });

  test("when the index of git cannot be read", () => {
    install();
    writeFileSync(join(folder, ".git/index"), "other");
    expect(isUsed()).toBe(false);
  });
});

describe.skipIf(process.platform === "win32")("a shell starts the program of a hook", () => {
  test.each(HOOKS)("%s: and nothing that the name of a folder says", (host) => {
    const name = "a$(touch live)`touch live`; 'b' \"c\" $HOME & #";
    install(name);
    put(host, false, join(folder, name));
    const [file = ""] = written();
    const hooks = Object.values(JSON.parse(readFileSync(file, "utf8")).hooks) as readonly {
      hooks: readonly { command: string }[];
    }[][];
    const [command = ""] = hooks.flatMap((groups) => groups.flatMap((group) => group.hooks.map((hook) => hook.command)));
    // Copilot CLI reads the settings at the root of the repository.
    const project = host === "copilot" ? folder : join(folder, name);
    const own = Object.fromEntries(["CLAUDE", "COPILOT", "GEMINI"].map((one) => [`${one}_PROJECT_DIR`, project]));
    const { stdout, stderr } = spawnSync("sh", ["-c", command], { cwd: project, encoding: "utf8", env: { ...env, ...own } });
    expect({ stdout, stderr }).toEqual({ stdout: `started hook ${host}\n`, stderr: "" });
    for (const place of [folder, project]) expect(existsSync(join(place, "live"))).toBe(false);
  });
});
