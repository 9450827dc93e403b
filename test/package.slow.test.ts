import { isUtf8 } from "node:buffer";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

interface Packed {
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

test("the command has the package's name, which npx looks for, and the short one", () => {
  const { bin } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(Object.keys(bin)).toEqual(["compaction", "compaction-rules"]);
});

test("the plugin of Claude Code has the package's version", () => {
  const versionOf = (file: string) => JSON.parse(readFileSync(file, "utf8")).version;
  expect(versionOf(".claude-plugin/plugin.json")).toBe(versionOf("package.json"));
});

test("the plugin holds no client of a model", () => {
  expect(readFileSync("dist/server.js", "utf8")).not.toMatch(/chat\/completions|eventsource-parser/);
});

test("nothing in the package loads a configuration that is a program", () => {
  const files = readdirSync("dist", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".js"));
  expect(files.filter((name) => /ExplorerSync/.test(readFileSync(join("dist", name), "utf8"))).length).toBeGreaterThan(0);
  const loads = /transpileModule|parent-module|\.compactionrc\.js|["']\.\/loaders/;
  expect(files.filter((name) => loads.test(readFileSync(join("dist", name), "utf8")))).toEqual([]);
});

test("npm, which prepares a clone with each npx, builds nothing that is built of the same sources", () => {
  const before = statSync("dist/server.js").mtimeMs;
  const { stderr, status } = spawnSync(process.execPath, [".scripts/build.mjs"], {
    encoding: "utf8",
    env: { ...process.env, npm_lifecycle_event: "prepare" },
  });
  expect({ stderr, status }).toEqual({ stderr: "dist is built from these sources: nothing to do\n", status: 0 });
  expect(statSync("dist/server.js").mtimeMs).toBe(before);
});

test("it runs with no other package but SQLite, and names those that it contains", () => {
  const { dependencies, exports } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(Object.keys(dependencies)).toEqual(["node-sqlite3-wasm"]);
  const folder = mkdtempSync(join(tmpdir(), "compaction-package-"));
  try {
    for (const name of ["package.json", "dist", "rules", "schemas"]) cpSync(name, join(folder, name), { recursive: true });
    const run = (...args: string[]) => execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
    const entries = Object.values<{ default?: string }>(exports).flatMap(({ default: file }) => file ?? []);
    expect(entries).toContain("./dist/index.js");
    const code = entries.map((file) => `await import(${JSON.stringify(file)});`).join(" ");
    expect(run("--input-type=module", "-e", `${code} console.log("loaded")`)).toBe("loaded\n");
    expect(run("dist/cli/main.js", "run", "rules/init/sample.json")).toContain("Goal:");
    // As a plugin of Claude Code, it comes without its dependency.
    const env = { PATH: process.env.PATH, HOME: folder, NO_COLOR: "1" };
    const found = spawnSync(process.execPath, ["dist/cli/main.js", "find", "x", "--yes"], { cwd: folder, encoding: "utf8", env });
    const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
    const isBuiltIn = major > 22 || (major === 22 && minor >= 13);
    expect(found.stderr.includes("searching needs Node 22.13 or the whole package")).toBe(!isBuiltIn);
    const licences = readFileSync("dist/LICENCES.txt", "utf8");
    const named = ["yaml", "unified", "remark-parse", "remark-wiki-link", "mdast-util-to-string", "cosmiconfig", "preact"];
    for (const name of named) expect(licences).toMatch(new RegExp(`^${name} \\d`, "m"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("the package holds what is needed and nothing else, all of it text, in less than 4 MB", () => {
  const [packed] = JSON.parse(
    execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { encoding: "utf8" }),
  ) as Packed[];
  const paths = packed?.files.map(({ path }) => path) ?? [];
  const wanted = [
    /^dist\/.+\.(js|cjs|d\.ts)$/,
    /^dist\/cli\/package\.json$/,
    /^dist\/page\/page\.css$/,
    /^dist\/LICENCES\.txt$/,
    /^\.claude-plugin\/(?:marketplace|plugin)\.json$/,
    /^src\/hosts\/claude-code\/plugin\/hooks\/(?:hooks\.json|register\.ts|start\.mjs)$/,
    /^src\/hosts\/pi\/extension\/index\.ts$/,
    /^rules\/.+\.(yaml|md)$/,
    /^rules\/help\/\w+\.txt$/,
    /^rules\/init\/(?:sample\.json|pack\/(?:package\.json|rules\.txt))$/,
    /^schemas\/\w+\.schema\.json$/,
    /^skills\/write-rules\/SKILL\.md$/,
    /^(README|CHANGELOG|docs\/[\w-]+)\.md$/,
    /^docs\/[\w-]+\.svg$/,
    /^LICENSE$/,
    /^package\.json$/,
  ];
  expect(paths.filter((path) => !wanted.some((pattern) => pattern.test(path)))).toEqual([]);
  for (const path of [
    "dist/index.js",
    "dist/index.d.ts",
    "dist/lifecycle/index.js",
    "dist/frames/index.js",
    "dist/sinks/index.js",
    "dist/server.js",
    "dist/pi.js",
    "dist/cli/main.js",
    ".claude-plugin/marketplace.json",
    ".claude-plugin/plugin.json",
    "src/hosts/claude-code/plugin/hooks/register.ts",
    "src/hosts/pi/extension/index.ts",
    "rules/recommended.yaml",
    "rules/templates/brief.md",
    "rules/init/pack/package.json",
    "schemas/pack.schema.json",
    "skills/write-rules/SKILL.md",
  ]) {
    expect(paths).toContain(path);
  }
  // What is not text cannot be reviewed.
  const isText = (bytes: Buffer) => isUtf8(bytes) && !bytes.includes(0);
  expect(paths.filter((path) => !isText(readFileSync(path)))).toEqual([]);
  expect(packed?.size).toBeLessThan(4_000_000);
});
