// compaction init --host and --remove: what was there before comes back.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
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
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { initHost } from "../../src/cli/init/init-host.js";
import { type JsonNode, parseJsonc } from "../../src/cli/init/jsonc.js";
import { installPlugin } from "./install-plugin.js";

vi.mock("../../src/rules/load-rules.js", async (original) => (await import("./built-in-rules.js")).withBuiltInRules(original));
vi.mock("../../src/cli/output/terminal.js", async (original) => ({ ...(await original<object>()), say: () => undefined }));

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "compaction-undo-")));
  mkdirSync(join(folder, ".git"));
  vi.stubEnv("XDG_STATE_HOME", `${folder}.state`);
  vi.stubEnv("HOME", `${folder}.state`);
});
afterEach(() => {
  vi.unstubAllEnvs();
  for (const path of [folder, `${folder}.state`]) rmSync(path, { recursive: true, force: true });
});

const FILES = { opencode: "opencode.json", "claude-code": ".claude/settings.json", codex: ".codex/hooks.json" } as const;
type Host = keyof typeof FILES;
const HOSTS = Object.keys(FILES) as Host[];
const put = (host: Host) => initHost({ values: { host, project: folder }, flags: { yes: true } });
const remove = (host: Host) => initHost({ values: { host, project: folder }, flags: { yes: true, remove: true } });

const OTHER = `{ "hooks": [{ "type": "command", "command": "other" }] }`;
const BODIES: Readonly<Record<"plugin" | "hooks", readonly string[]>> = {
  plugin: [
    `"plugin": []`,
    `"plugin": [ ]`,
    `"plugin": [\n  ]`,
    `"plugin": ["a"]`,
    `"plugin": [ "a", "b" ]`,
    `"plugin": ["a",]`,
    `"plugin": [\n    "a",\n    "b"\n  ]`,
    `"plugin": [\n    "a", // one\n    /* two */ "b", // three\n  ]`,
    `"plugin": [ /* none */ ]`,
    `"plugin": [["a", { "b": 1 }]]`,
    `"model": "a/b", "plugin": ["a"]`,
    `"plugin": [],\n  "model": "a/b"`,
    `"model": "a/b"`,
    `"model": "a/b", "x": { "plugin": ["y"] }`,
  ],
  hooks: [
    `"hooks": {}`,
    `"hooks": { }`,
    `"hooks": {\n  }`,
    `"hooks": { /* none */ }`,
    `"hooks": { "PreCompact": [] }`,
    `"hooks": { "PreCompact": [ ], "PostCompact": [\n] }`,
    `"hooks": { "PreCompact": [${OTHER}] }`,
    `"hooks": {\n    "PreCompact": [\n      ${OTHER}, // one\n      ${OTHER},\n    ],\n  }`,
    `"hooks": { "SessionStart": [{ "matcher": "compact", "hooks": [] }, { "matcher": "startup|compact", "hooks": [{ "command": "a" }] }] }`,
    `"hooks": { "Stop": [${OTHER}], "PostCompact": [${OTHER}], "Notification": [${OTHER}] }`,
    `"hooks": { "PostCompact": [${OTHER}] }, "env": { "KEY": "value" }`,
    `"env": { "KEY": "value" }, // why\n  "hooks": { "PreCompact": [] }`,
    `"model": "a"`,
    `"permissions": { "allow": ["Bash(ls:*)"] }, "x": [1, 2, { "hooks": {} }]`,
  ],
};
const LAYOUTS: readonly ((body: string) => string)[] = [
  (body) => `{${body}}`,
  (body) => `{ ${body} }`,
  (body) => `{\n  ${body}\n}\n`,
  (body) => `{\n  ${body},\n}`,
  (body) => `{\n  ${body}\n}\n`.replaceAll("  ", "\t"),
  (body) => `{\n  ${body}\n}\n`.replaceAll("\n", "\r\n"),
  (body) => `\uFEFF{\n    ${body}\n}\n\n`,
  (body) => `// first\n{\n  /* before */ ${body} // behind\n  // last\n}\n// end`,
];
const EMPTY = ["{}", "{ }", "{}\n", "{\n}", "{\n\n}\n", "{\r\n}\r\n", "\uFEFF{}", "{ /* none */ }", "{\n  // none\n}\n"];
const BLANK = ["", "\n", "  ", "\r\n\r\n", "\uFEFF"];
/** What is no configuration is refused, and stays. */
const REFUSED = ["null", "[]", "{", `{"plugin": 1, "hooks": 1}`];
const shapesOf = (host: Host) => [
  ...BODIES[host === "opencode" ? "plugin" : "hooks"].flatMap((body) => LAYOUTS.map((layout) => layout(body))),
  ...EMPTY,
  ...BLANK,
  ...REFUSED,
];

/** Did it write? */
function attempt(work: () => number): boolean {
  try {
    return work() === 0;
  } catch (error) {
    expect(String((error as Error).message)).toContain("nothing was written");
    return false;
  }
}

describe.each(HOSTS)("%s", (host) => {
  // In a project without the plugin, the entry goes into the user's own file.
  beforeEach(() => {
    if (host === "opencode") installPlugin(folder);
  });
  const file = () => join(folder, FILES[host]);
  const write = (text: string) => {
    mkdirSync(dirname(file()), { recursive: true });
    writeFileSync(file(), text);
  };
  const ours = host === "opencode" ? /compaction-rules/ : /compaction-rules hook/;

  test("gives back every shape, byte for byte", () => {
    const shapes = shapesOf(host);
    expect(shapes.length).toBeGreaterThan(100);
    const wrong = shapes.filter((before) => {
      write(before);
      if (!attempt(() => put(host))) return readFileSync(file(), "utf8") !== before;
      const between = readFileSync(file(), "utf8");
      const isRight = ours.test(between) && !("flaw" in parseJsonc(between));
      remove(host);
      return !isRight || readFileSync(file(), "utf8") !== before;
    });
    expect(wrong).toEqual([]);
  });

  test("without what it remembers: all but lists and maps of ours that are empty", () => {
    const wrong = shapesOf(host).filter((before) => {
      write(before);
      if (!attempt(() => put(host))) return readFileSync(file(), "utf8") !== before;
      rmSync(`${folder}.state`, { recursive: true, force: true });
      remove(host);
      const after = existsSync(file()) ? readFileSync(file(), "utf8") : "{}";
      const wanted = BLANK.includes(before) ? "{}" : before;
      return JSON.stringify(without(after)) !== JSON.stringify(without(wanted)) || comments(after) !== comments(wanted);
    });
    expect(wrong).toEqual([]);
  });

  test("what it remembers holds nothing of the file but blanks", () => {
    for (const before of shapesOf(host)) {
      write(before);
      if (!attempt(() => put(host))) continue;
      const [name = ""] = readdirSync(`${folder}.state/compaction-rules`).filter((one) => one.startsWith("init-"));
      const { undo } = JSON.parse(readFileSync(join(`${folder}.state/compaction-rules`, name), "utf8"));
      for (const { text } of undo.flat()) expect(text.trim()).toBe("");
      remove(host);
    }
  });

  test("gives back a file that cannot be written, or says why not", () => {
    write("{}");
    chmodSync(file(), 0o444);
    attempt(() => put(host));
    attempt(() => remove(host));
    expect([readFileSync(file(), "utf8"), statSync(file()).mode & 0o777]).toEqual(["{}", 0o444]);
  });

  test("takes away the file that it made", () => {
    put(host);
    expect(readFileSync(file(), "utf8")).toMatch(ours);
    remove(host);
    expect(existsSync(file())).toBe(false);
  });

  test("takes out what is ours and nothing else where somebody edited the file meanwhile", () => {
    const wrong = shapesOf(host).filter((before) => {
      write(before);
      if (!attempt(() => put(host))) return false;
      const edited = readFileSync(file(), "utf8").replace("{", `{ "mine": [1], // mine\n`);
      writeFileSync(file(), edited);
      remove(host);
      const after = readFileSync(file(), "utf8");
      const wanted = BLANK.includes(before) ? "{}" : before;
      const same = JSON.stringify(without(after)) === JSON.stringify({ mine: [1], ...(without(wanted) as object) });
      return !same || comments(after) !== comments(wanted) + 1;
    });
    expect(wrong).toEqual([]);
  });

  test("keeps the mode, and a link within the project, also of an empty file", () => {
    const real = join(folder, "real.json");
    for (const text of ["", "{}"]) {
      writeFileSync(real, text);
      chmodSync(real, 0o666);
      mkdirSync(dirname(file()), { recursive: true });
      symlinkSync(real, file());
      attempt(() => put(host));
      attempt(() => remove(host));
      expect([statSync(real).mode & 0o777, lstatSync(file()).isSymbolicLink()]).toEqual([0o666, true]);
      expect(readFileSync(real, "utf8")).toBe(text);
      rmSync(file());
    }
  });
});

const comments = (text: string) => text.match(/\/\/|\/\*/g)?.length ?? 0;

/** What a text says, without lists and maps of plugins and hooks that are empty. */
function without(text: string): unknown {
  const plain = (node: JsonNode): unknown => {
    if (node.type === "scalar") return node.value;
    if (node.type === "list") return node.parts.map((part) => plain(part.node));
    return Object.fromEntries(
      node.parts
        .map(({ key = "", node: inner }) => [key, plain(inner)] as const)
        .filter(
          ([key, value]) =>
            !/^(?:plugin|hooks|\w+Compact|\$schema)$/.test(key) || !/^(?:\[\]|\{\}|"http.*)$/.test(JSON.stringify(value)),
        ),
    );
  };
  const node = parseJsonc(text);
  if ("flaw" in node) throw new Error(`${node.flaw} in ${text}`);
  return plain(node);
}

test("hooks that were only partly there are all taken out", () => {
  const name = join(folder, FILES["claude-code"]);
  put("claude-code");
  writeFileSync(
    name,
    readFileSync(name, "utf8")
      .replace(/.*PostCompact.*\n/, "")
      .replace(/\},\n(\s*\})/, "}\n$1")
      .replace(/\],\n(\s*\})/, "]\n$1"),
  );
  put("claude-code");
  expect(readFileSync(name, "utf8").match(/compaction-rules hook/g)?.length).toBe(4);
  remove("claude-code");
  expect(existsSync(name) && readFileSync(name, "utf8")).not.toMatch(/compaction-rules/);
});

describe("what stands in the way is named, and is not touched", () => {
  const RUNTIME = process.env.COMPACTION_RUNTIME ?? process.execPath;
  const at = (name: string) => join(folder, name);
  const outside = () => {
    mkdirSync(`${folder}.state/outside`, { recursive: true });
    return `${folder}.state/outside`;
  };
  test.each<readonly [Host, string, (path: string) => void, RegExp]>([
    ["claude-code", ".claude", (path) => writeFileSync(path, "mine"), /\.claude is not a folder/],
    ["codex", ".codex", (path) => writeFileSync(path, "mine"), /\.codex is not a folder/],
    ["opencode", ".opencode", (path) => writeFileSync(path, "mine"), /\.opencode is not a folder/],
    ["claude-code", ".claude", (path) => symlinkSync("nowhere", path), /\.claude is a link that leads nowhere/],
    ["codex", ".codex", (path) => symlinkSync(outside(), path), /hooks\.json leads outside the project/],
    ["claude-code", ".claude", (path) => symlinkSync(".claude", path), /\.claude cannot be read \(ELOOP\)/],
    ["claude-code", ".claude/settings.json", (path) => mkdirSync(path), /settings\.json cannot be read \(it is a folder\)/],
    ["codex", ".codex/hooks.json", (path) => symlinkSync("nowhere", path), /hooks\.json is a link that leads nowhere/],
    ["opencode", "opencode.json", (path) => symlinkSync("nowhere", path), /opencode\.json is a link that leads nowhere/],
    [
      "opencode",
      "opencode.json",
      (path) => symlinkSync("/dev/zero", path),
      /opencode\.json cannot be read \(it is a device or a pipe\)/,
    ],
    [
      "claude-code",
      ".claude/settings.json",
      (path) => symlinkSync("/dev/null", path),
      /settings\.json .*\(it is a device or a pipe\)/,
    ],
  ])("%s: %s", (host, name, spoil, said) => {
    mkdirSync(dirname(at(name)), { recursive: true });
    spoil(at(name));
    const before = lstatSync(at(name));
    for (const more of [[], ["--remove"]]) {
      const { status, stdout, stderr } = spawnSync(
        RUNTIME,
        [resolve("dist/cli/main.js"), "init", "--host", host, "--yes", ...more],
        { cwd: folder, encoding: "utf8", timeout: 40_000, env: { ...process.env, BUN_BE_BUN: "1" } },
      );
      expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: "", stderr: expect.stringMatching(said) });
      expect(stderr).not.toContain("a bug");
    }
    const { mode, size, ino } = lstatSync(at(name));
    expect({ mode, size, ino }).toEqual({ mode: before.mode, size: before.size, ino: before.ino });
    expect(existsSync(`${folder}.state/outside/hooks.json`)).toBe(false);
  });
});
