// What comes with a clone is data: whatever files lie in it, nothing of it is run by anything that looks for a configuration.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const RUNTIME = process.env.COMPACTION_RUNTIME ?? process.execPath;
const RAN = "ran";
const CJS = `require("node:fs").writeFileSync(require("node:path").join(__dirname, "${RAN}"), ""); module.exports = {};\n`;
const ESM = `import { writeFileSync } from "node:fs"; writeFileSync(new URL("${RAN}", import.meta.url), ""); export default {};\n`;
const RULES = "extends: []\nnothing: [tbd]\n";

/** Files beside `.compactionrc`; all of them are what cosmiconfig reads for itself, or might import. */
const CLONES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "config.js": { ".config/config.js": CJS },
  "config.cjs": { ".config/config.cjs": CJS },
  "config.mjs": { ".config/config.mjs": ESM },
  "config.ts": { ".config/config.ts": ESM },
  "config.js of a module": { ".config/config.js": ESM, "package.json": '{"type":"module"}' },
  "config.json imports": { ".config/config.json": '{"cosmiconfig":{},"$import":["../evil.cjs"]}' },
  "config.json imports one": { ".config/config.json": '{"$import":"../evil.mjs"}' },
  "config.yaml imports": { ".config/config.yaml": "$import: ../evil.cjs\n" },
  "config.yml imports": { ".config/config.yml": "cosmiconfig: { $import: ../evil.cjs }\n$import: [../evil.cjs]\n" },
  configrc: { ".config/configrc": "$import: ../evil.cjs\n", ".config/compactionrc.js": CJS, ".config/config": CJS },
  "package.json imports": { "package.json": '{"cosmiconfig":{"$import":"./evil.cjs"}}' },
  "package.json imports, beside": { "package.json": '{"$import":["./evil.cjs"],"cosmiconfig":{}}' },
  "package.json has loaders": { "package.json": '{"cosmiconfig":{"loaders":{".json":"./evil.cjs"}}}' },
  "package.json has a strategy": { "package.json": '{"cosmiconfig":{"searchStrategy":"global"}}' },
  "package.json has places": {
    "package.json": '{"cosmiconfig":{"searchPlaces":["evil.cjs","evil.mjs","{name}.config.js"],"mergeSearchPlaces":false}}',
  },
  "config.json has places": {
    ".config/config.json": '{"cosmiconfig":{"searchPlaces":["evil.cjs"]},"compaction":{"nothing":[]}}',
  },
  "package.yaml": { "package.yaml": "cosmiconfig: { $import: ./evil.cjs }\n" },
  "broken config.json": { ".config/config.json": "{" },
  "rc programs": { ".compactionrc.js": CJS, ".compactionrc.cjs": CJS, "compaction.config.js": CJS, ".compactionrc.ts": ESM },
};
/** Some of their files are named like a configuration, and `validate` says that they are not used. */
const IGNORED = ["configrc", "rc programs"];
const names = Object.keys(CLONES);
const folderOf = (name: string) => join(folder, name.replace(/\W+/g, "-"));
const isRun = (name: string) =>
  [".", ".config"].some((place) => existsSync(join(folderOf(name), place, RAN))) || existsSync(join(folder, RAN));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-clone-"));
  for (const [name, files] of Object.entries(CLONES))
    for (const [file, text] of Object.entries({ ".compactionrc": RULES, "evil.cjs": CJS, "evil.mjs": ESM, ...files })) {
      mkdirSync(dirname(join(folderOf(name), file)), { recursive: true });
      writeFileSync(join(folderOf(name), file), text);
    }
  const said = { type: "user", uuid: "u", sessionId: "s", message: { role: "user", content: "Never push." } };
  writeFileSync(join(folder, "session.jsonl"), JSON.stringify(said));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(args: readonly string[], cwd: string, input = "") {
  const env = { PATH: process.env.PATH, NO_COLOR: "1", HOME: folder, BUN_BE_BUN: "1" };
  const { status, stdout, stderr } = spawnSync(RUNTIME, args, { cwd, input, encoding: "utf8", env });
  return { status, stdout, stderr };
}

test.each(names)("the command, beside %s", (name) => {
  const main = resolve("dist/cli/main.js");
  const fine = IGNORED.includes(name)
    ? { status: 1, stdout: expect.stringContaining("warning config-unread") }
    : { status: 0, stdout: expect.stringMatching(/^1 file, \d+ rules: all is well$/m) };
  expect(run([main, "validate"], folderOf(name))).toMatchObject({ ...fine, stderr: "" });
  const event = { hook_event_name: "PreCompact", transcript_path: join(folder, "session.jsonl"), cwd: folderOf(name) };
  expect(run([main, "hook", "claude-code"], folderOf(name), JSON.stringify(event))).toMatchObject({ status: 0, stderr: "" });
  expect(isRun(name)).toBe(false);
});

/** Each opens all clones in one process that goes into them. */
const ENTRIES = {
  library: `const { loadRules } = await import(file("index.js"));
    open = (clone) => [loadRules(clone).packs.nothing, loadRules(".").diagnostics];`,
  "plugin of OpenCode": `const { default: { server } } = await import(file("server.js"));
    open = async (directory) => {
      const said = [];
      const client = { session: { messages: async () => ({ data: [] }) }, app: { log: async ({ body }) => said.push(body) } };
      const hooks = await server({ client, directory });
      await hooks["experimental.session.compacting"]({ sessionID: "s" }, { context: [] });
      return [["tbd"], said.filter(({ level }) => level !== "debug" && level !== "info")];
    };`,
  "extension of pi": `const { default: extend } = await import(file("pi.js"));
    open = async (cwd) => {
      const on = {};
      extend({ on: (name, handler) => (on[name] = handler) });
      const context = { cwd, sessionManager: { getSessionFile: () => "../session.jsonl" } };
      await on.context({ messages: [{ role: "compactionSummary", summary: "x" }] }, context);
      await on.session_compact({}, context);
      return [["tbd"], []];
    };`,
};

test.each(Object.entries(ENTRIES))("the %s", (_, code) => {
  const script = `const file = (name) => ${JSON.stringify(`file://${resolve("dist")}/`)} + name;
    let open;
    ${code}
    const found = [];
    for (const clone of ${JSON.stringify(names.map(folderOf))}) {
      process.chdir(clone);
      found.push(await open(clone));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    console.log(JSON.stringify(found));`;
  writeFileSync(join(folder, "open.mjs"), script);
  const { stdout, stderr } = run([join(folder, "open.mjs")], folder);
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual(names.map(() => [["tbd"], []]));
  expect(names.filter(isRun)).toEqual([]);
});
