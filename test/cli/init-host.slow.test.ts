import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { appendEdits, applyEdits, type JsonNode, parseJsonc, removePart } from "../../src/cli/init/jsonc.js";
import { installPlugin, PLUGIN } from "./install-plugin.js";

const appendPart = (text: string, group: JsonNode, part: string) => applyEdits(text, appendEdits(text, group, part));

const RUNTIME = process.env.COMPACTION_RUNTIME ?? process.execPath;
let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "compaction-host-")));
  mkdirSync(join(folder, ".git"), { recursive: true });
  installPlugin(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function init(...args: readonly string[]) {
  const env = { PATH: process.env.PATH, NO_COLOR: "1", BUN_BE_BUN: "1", HOME: join(folder, "home") };
  const all = [resolve("dist/cli/main.js"), "init", "--host", "opencode", ...args];
  const { status, stdout, stderr } = spawnSync(RUNTIME, all, { cwd: folder, encoding: "utf8", env });
  return { status, stdout, stderr };
}

function plain(node: JsonNode): unknown {
  if (node.type === "scalar") return node.value;
  if (node.type === "list") return node.parts.map((part) => plain(part.node));
  return Object.fromEntries(node.parts.map((part) => [part.key, plain(part.node)]));
}
const read = (text: string) => {
  const node = parseJsonc(text);
  if ("flaw" in node) throw new Error(`${node.flaw} at ${node.offset} of ${text}`);
  return node;
};

describe("an entry is put in and taken out again, and all else keeps its bytes", () => {
  const layouts: readonly [string, string][] = [
    ["[]", '["x"]'],
    ['["a"]', '["a", "x"]'],
    ['["a",]', '["a", "x",]'],
    ['["a" /* one */]', '["a", /* one */ "x"]'],
    ['[\n  "a"\n]', '[\n  "a",\n  "x"\n]'],
    ['[\n\t"a", // one\n\t"b" // two\n\t// three\n]', '[\n\t"a", // one\n\t"b", // two\n\t// three\n\t"x"\n]'],
    ['[\n  "a",\n]', '[\n  "a",\n  "x",\n]'],
    ['["a" // one\n]', '["a", // one\n"x"\n]'],
    ['[\r\n  "a"\r\n]', '[\r\n  "a",\r\n  "x"\r\n]'],
    ['[\n  "a",\n  "b"]', '[\n  "a",\n  "b",\n  "x"]'],
    ['[["a", {\n  "b": 1\n}]]', '[["a", {\n  "b": 1\n}], "x"]'],
    ["[ // none yet\n]", '[ // none yet\n  "x"\n]'],
    ["[ /* none */ ]", '[ /* none */ "x" ]'],
  ];
  test.each(layouts)("%j", (before, after) => {
    const put = appendPart(before, read(before) as JsonNode, '"x"');
    expect(put).toBe(after);
    const list = read(put) as JsonNode;
    expect(removePart(put, list, list.parts.length - 1)).toBe(before);
  });

  test.each([
    ['["x", "a"]', '["a"]'],
    ['[\n  "x",\n  "a"\n]', '[\n  "a"\n]'],
    ['[\n  "x", // mine\n  "a"\n]', '[\n  // mine\n  "a"\n]'],
    ['["a", "x", "b"]', '["a", "b"]'],
    ['[\n  "x"\n]', "[\n]"],
    ['[ "x" ]', "[ ]"],
    ['["a", // one\n  "x"]', '["a" // one\n  ]'],
    ['["a", /* one */\n  "x"]', '["a" /* one */]'],
  ])("%j without its x", (before, after) => {
    const list = read(before) as JsonNode;
    const index = list.parts.findIndex(({ node }) => node.type === "scalar" && node.value === "x");
    expect(removePart(before, list, index)).toBe(after);
  });

  test("whatever else the file holds, in any layout", () => {
    const layout = fc.constantFrom(undefined, 1, 2, "\t");
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()), layout, (rest, plugins, space) => {
        const value = { ...rest, plugin: plugins };
        const text = JSON.stringify(value, null, space);
        const map = read(text) as JsonNode;
        const parsed = (of: string): unknown => JSON.parse(of);
        expect(JSON.stringify(plain(map))).toBe(JSON.stringify(value));
        const list = map.parts.find(({ key }) => key === "plugin")?.node as JsonNode;
        const put = appendPart(text, list, '"compaction-rules"');
        expect(parsed(put)).toEqual(parsed(JSON.stringify({ ...value, plugin: [...plugins, "compaction-rules"] })));
        const again = (read(put) as JsonNode).parts.find(({ key }) => key === "plugin")?.node as JsonNode;
        expect(removePart(put, again, plugins.length)).toBe(text);
        const bare = JSON.stringify(rest, null, space);
        if (!("plugin" in rest))
          expect(parsed(appendPart(bare, read(bare) as JsonNode, '"plugin": []'))).toEqual(
            parsed(JSON.stringify({ ...rest, plugin: [] })),
          );
      }),
    );
  });
});

describe("what is no JSON is said to be none, at its place", () => {
  test.each([
    ["", 0],
    ["{", 1],
    ['{"a" 1}', 5],
    ['{"a": 1 "b": 2}', 8],
    ["{a: 1}", 1],
    ["[1,,2]", 3],
    ["[1] 2", 4],
    ['["a\n"]', 1],
    ["[/* open", 1],
    ["[01]", 1],
    ["[undefined]", 1],
    ["[NaN]", 1],
    ['{1: "a"}', 1],
  ])("%j", (text, offset) => expect(parseJsonc(text)).toEqual({ flaw: expect.any(String), offset }));

  test("also when it is hostile", () => {
    for (const text of [
      "[".repeat(500_000),
      '{"a":'.repeat(200_000),
      "/*".repeat(500_000),
      '"'.repeat(500_001),
      `[${"1,".repeat(300_000)}`,
    ]) {
      const begun = Date.now();
      expect(parseJsonc(text)).toHaveProperty("flaw");
      expect(Date.now() - begun).toBeLessThan(30_000);
    }
  });
});

describe("init --host opencode", () => {
  const file = () => join(folder, "opencode.json");
  const text = () => readFileSync(file(), "utf8");

  test("writes with --yes only, once, and takes it out again", () => {
    const before = '{\n  // mine\n  "model": "a/b", "plugin": ["one"],\n}\n';
    writeFileSync(file(), before);
    expect(init()).toMatchObject({ status: 0, stderr: "" });
    expect(text()).toBe(before);
    expect(init("--yes")).toMatchObject({ status: 0, stderr: "" });
    expect(text()).toBe(before.replace('"one"', `"one", "${PLUGIN}"`));
    expect(init("--yes").stdout).toContain("nothing to do");
    expect(init("--remove", "--yes")).toMatchObject({ status: 0, stderr: "" });
    expect(text()).toBe(before);
    expect(init("--remove", "--yes").stdout).toContain("nothing to do");
    expect(readdirSync(folder)).toEqual([".git", "home", "node_modules", "opencode.json"]);
  });

  test.each([
    "./node_modules/compaction-rules/dist/server.js",
    "file:///home/u/node_modules/compaction-rules/dist/server.js",
    "../compaction-rules",
  ])("adds no second entry to one by path: %s", (entry) => {
    const text = JSON.stringify({ plugin: [[entry, { deadline: 1000 }]] });
    writeFileSync(join(folder, "opencode.json"), text);
    expect(init("--yes")).toMatchObject({ status: 0, stdout: "opencode.json names compaction-rules already: nothing to do\n" });
    expect(readFileSync(join(folder, "opencode.json"), "utf8")).toBe(text);
  });

  test("adds no entry to a copy of the plugin, whatever its name, but to other plugins", () => {
    mkdirSync(join(folder, ".opencode", "plugins"), { recursive: true });
    writeFileSync(join(folder, ".opencode", "plugins", "other.js"), "export default {}");
    expect(init().stdout).toContain("would write opencode.json");
    copyFileSync(resolve("dist/server.js"), join(folder, ".opencode", "plugins", "mine.js"));
    expect(init("--yes").stdout).toBe(".opencode/plugins/mine.js names compaction-rules already: nothing to do\n");
    expect(existsSync(join(folder, "opencode.json"))).toBe(false);
  });

  test("keeps the byte order mark, the mode and a link within the project", () => {
    mkdirSync(join(folder, "etc"));
    writeFileSync(join(folder, "etc/real.json"), "\uFEFF{\r\n}\r\n", { mode: 0o640 });
    chmodSync(join(folder, "etc/real.json"), 0o640);
    symlinkSync(join(folder, "etc/real.json"), file());
    expect(init("--yes")).toMatchObject({ status: 0, stderr: "" });
    expect(text()).toBe(`\uFEFF{\r\n  "plugin": ["${PLUGIN}"]\r\n}\r\n`);
    expect(statSync(file()).mode & 0o777).toBe(0o640);
    expect(lstatSync(file()).isSymbolicLink()).toBe(true);
  });

  test("takes out every bare entry of every file", () => {
    mkdirSync(join(folder, ".opencode"));
    const other = join(folder, ".opencode/opencode.jsonc");
    writeFileSync(file(), '{"plugin": ["compaction-rules", "a", "compaction-rules"]}');
    writeFileSync(other, '{"plugin": ["compaction-rules"], "x": "compaction-rules"}');
    expect(init("--remove", "--yes")).toMatchObject({ status: 0, stderr: "" });
    expect(text()).toBe('{"plugin": ["a"]}');
    expect(readFileSync(other, "utf8")).toBe('{"plugin": [], "x": "compaction-rules"}');
  });

  test.each([
    ["not JSON", "plugin: []"],
    ["a list", "[]"],
    ["a map of plugins", '{"plugin": {"a": 1}}'],
    ["twice the key", '{"plugin": [], "plugin": []}'],
    ["not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ["too large", `{"a": "${"x".repeat(1_000_001)}"}`],
  ])("refuses a file that is %s, and leaves it", (_, content) => {
    writeFileSync(file(), content);
    const outcome = init("--yes");
    expect(outcome).toMatchObject({ status: 2, stdout: "" });
    expect(outcome.stderr).toContain("opencode.json");
    expect(outcome.stderr).not.toContain("a bug");
    expect(readFileSync(file())).toEqual(Buffer.from(content));
  });

  test("does not write through a link out of the project, or to nowhere, or over a folder", () => {
    const [project, outside] = ["project", "outside.json"].map((name) => join(folder, name)) as [string, string];
    mkdirSync(project);
    writeFileSync(outside, "{}");
    symlinkSync(outside, join(project, "opencode.json"));
    expect(init("--yes", "--project", "project")).toMatchObject({ status: 2, stdout: "" });
    expect(readFileSync(outside, "utf8")).toBe("{}");
    symlinkSync(join(folder, "nowhere"), file());
    expect(init("--yes")).toMatchObject({ status: 2, stdout: "" });
    expect(existsSync(join(folder, "nowhere"))).toBe(false);
    rmSync(file());
    mkdirSync(file());
    expect(init("--yes")).toMatchObject({ status: 2, stdout: "", stderr: expect.not.stringContaining("a bug") });
  });
});
