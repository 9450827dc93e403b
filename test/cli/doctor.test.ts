// doctor proves that agents can load what their settings name, and runs nothing that may have come with the project.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runInside } from "./run-command.js";

let home: string;
let project: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "compaction-doctor-")));
  project = join(home, "work");
  mkdirSync(project);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const run = (...args: string[]) => runInside(args, { cwd: project, env: { PATH: `${home}/bin`, NO_COLOR: "1", HOME: home } });

function write(file: string, text: string, mode = 0o644) {
  mkdirSync(dirname(join(home, file)), { recursive: true });
  writeFileSync(join(home, file), text);
  chmodSync(join(home, file), mode);
}
const program = (file: string, body: string) => write(file, `#!/bin/sh\n${body}\n`, 0o755);
const OURS = `exec "${process.execPath}" "${resolve("dist/cli/main.js")}" "$@"`;
const FROM_HERE = `npm install --global ${resolve(".")}`;

describe("the plugin of OpenCode", () => {
  test("is broken when only a registry could have it and OpenCode fetched nothing", async () => {
    write("work/opencode.json", '{ "plugin": ["compaction-rules"] }');
    const { stdout, exit } = await run("doctor");
    expect(exit).toBe(1);
    expect(stdout).toContain('OpenCode has not fetched "compaction-rules" from a registry of packages yet\n    → ');
  });

  test("loads as init writes it, into the user's own file", async () => {
    expect((await run("init", "--host", "opencode", "--yes")).stdout).toContain("wrote ~/.config/opencode/opencode.json");
    expect(existsSync(join(project, "opencode.json"))).toBe(false);
    expect(await run("doctor")).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining(`the plugin loads: ${resolve("dist/server.js")}`),
    });
    await run("init", "--host", "opencode", "--remove", "--yes");
    expect(existsSync(join(home, ".config"))).toBe(true);
    expect((await run("doctor")).stdout).not.toContain("OpenCode");
  });

  test.each([
    ["is gone", undefined, "is not there"],
    ["throws", 'throw new Error("no such thing");', "cannot be loaded"],
    ["is another one", "export default 1;", "it is another program"],
  ])("is broken when its file %s", async (_, text, says) => {
    if (text !== undefined) write("own/compaction-rules/dist/server.js", text);
    write(".config/opencode/opencode.json", JSON.stringify({ plugin: [join(home, "own/compaction-rules/dist/server.js")] }));
    expect(await run("doctor")).toMatchObject({ exit: 1, stdout: expect.stringContaining(says) });
  });
});

describe("a hook", () => {
  test("answers when its program is on the path", async () => {
    program("bin/compaction-rules", OURS);
    await run("init", "--host", "claude-code", "--yes");
    expect(await run("doctor")).toMatchObject({ exit: 0, stdout: expect.stringContaining("the hook answers: ") });
  });

  test("is broken when its program is not found, or fails", async () => {
    expect((await run("init", "--host", "gemini", "--yes")).stdout).toContain(`on its path: ${FROM_HERE}\n`);
    const { stdout, exit } = await run("doctor");
    expect([exit, stdout]).toEqual([
      1,
      expect.stringContaining(`the agent does not find compaction-rules\n    → ${FROM_HERE}\n`),
    ]);
    program("bin/compaction-rules", "echo no such module >&2; exit 1");
    expect((await run("doctor")).stdout).toMatch(/the hook does not answer: .*: no such module\n {4}→ npm install/);
  });

  test("is not found in the folders that npx puts on the path", async () => {
    program("cache/node_modules/.bin/compaction-rules", OURS);
    const env = { PATH: join(home, "cache/node_modules/.bin"), NO_COLOR: "1", HOME: home };
    const { stdout } = await runInside(["init", "--host", "codex", "--yes"], { cwd: project, env });
    expect(stdout).toContain(`The agent must find compaction-rules on its path: ${FROM_HERE}`);
  });
});

describe("what may have come with the project is not run", () => {
  const spy = () => `touch "${home}/ran"; ${OURS}`;

  test("a program in a folder without git", async () => {
    program("work/node_modules/.bin/compaction-rules", spy());
    mkdirSync(join(project, ".git"));
    await run("init", "--host", "claude-code", "--yes");
    rmSync(join(project, ".git"), { recursive: true });
    expect((await run("doctor")).stdout).toContain("is not tried: it may have come with this project");
    expect(existsSync(join(home, "ran"))).toBe(false);
  });

  test("a plugin that the project's file names, in any form", async () => {
    write(
      "work/tool/compaction-rules/dist/server.js",
      `import { writeFileSync } from "node:fs"; writeFileSync("${home}/ran", "");`,
    );
    const path = join(project, "tool/compaction-rules/dist/server.js");
    for (const entry of ["./tool/compaction-rules", path, `file://${path}`, "../work/tool/compaction-rules/dist/server.js"]) {
      write("work/opencode.json", JSON.stringify({ plugin: [entry] }));
      expect((await run("doctor")).stdout, entry).toContain("is not tried");
    }
    expect(existsSync(join(home, "ran"))).toBe(false);
  });

  test("words before the name of the program", async () => {
    const commands = [`touch ${home}/ran; compaction-rules`, `"$(touch ${home}/ran)"/compaction-rules`, "./compaction-rules"];
    program("work/compaction-rules", spy());
    const hooks = { PreCompact: commands.map((one) => ({ hooks: [{ type: "command", command: `${one} hook claude-code` }] })) };
    write("work/.claude/settings.json", JSON.stringify({ hooks }));
    write(
      "work/.mcp.json",
      JSON.stringify({ mcpServers: { "compaction-rules": { command: "./compaction-rules", args: ["mcp"] } } }),
    );
    expect((await run("doctor")).exit).toBe(1);
    expect(existsSync(join(home, "ran"))).toBe(false);
  });
});

test("the MCP server answers, and another program in its place does not", async () => {
  program("bin/compaction-rules", OURS);
  await run("init", "--host", "cursor", "--mcp", "--yes");
  await run("init", "--host", "codex", "--mcp", "--yes");
  const found = (await run("doctor")).stdout;
  expect(found).toContain(".codex/config.toml: the MCP server answers: ");
  expect(found).toContain(".cursor/mcp.json: the MCP server answers: ");
  program("bin/compaction-rules", "cat > /dev/null; echo hello");
  expect((await run("doctor")).stdout).toMatch(/the MCP server does not answer: .*: it is another program\n/);
});

test("the package of pi is found by its folder, as pi writes it", async () => {
  mkdirSync(join(home, ".pi/agent/sessions"), { recursive: true });
  expect((await run("doctor")).stdout).toContain(`→ pi install ${resolve(".")}\n`);
  write(".pi/agent/settings.json", JSON.stringify({ packages: [resolve(".")] }));
  expect((await run("doctor")).stdout).toContain(`the plugin loads: ${resolve("dist/pi.js")}`);
  write(".pi/agent/settings.json", JSON.stringify({ packages: [join(home, "gone/compaction-rules")] }));
  expect((await run("doctor")).exit).toBe(1);
});

test("the plugin of Claude Code answers from its folder, and is broken when it is not installed", async () => {
  const name = "compaction-rules-local@compaction-rules";
  write(".claude/settings.json", JSON.stringify({ enabledPlugins: { [name]: true } }));
  expect((await run("doctor")).stdout).toContain(
    `the plugin ${name} is not installed\n    → claude plugin install compaction-rules-local --marketplace ${resolve(".")}\n`,
  );
  const source = { source: "directory", path: resolve(".") };
  write(".claude/plugins/known_marketplaces.json", JSON.stringify({ "compaction-rules": { source } }));
  expect(await run("doctor")).toMatchObject({ exit: 0, stdout: expect.stringContaining("the plugin answers: ") });
});
