import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";

const RUNTIME = process.env.COMPACTION_RUNTIME ?? process.execPath;
const FILES = [".compactionrc", "compaction/team.yaml"] as const;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-init-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function compaction(args: readonly string[], main = resolve("dist/cli/main.js"), cwd = folder) {
  const env = { PATH: process.env.PATH, NO_COLOR: "1", BUN_BE_BUN: "1" };
  const { status, stdout, stderr } = spawnSync(RUNTIME, [main, ...args], { cwd, encoding: "utf8", env });
  return { status, stdout, stderr };
}

/** What an editor makes of the first line: the schema's file. */
function schemaOf(file: string): { readonly written: string; readonly file: string } {
  const written = /^# yaml-language-server: \$schema=(\S+)$/m.exec(readFileSync(file, "utf8"))?.[1] ?? "";
  return { written, file: resolve(dirname(file), written) };
}

function expectSchemas(project: string): readonly string[] {
  return FILES.map((name) => {
    const { written, file } = schemaOf(join(project, name));
    expect(JSON.parse(readFileSync(file, "utf8")).title).toBe(name === ".compactionrc" ? "ConfigFile" : "PackFile");
    return written;
  });
}

function expectUsable(project: string): void {
  for (const args of [["validate"], ["test", "--coverage"]]) {
    const outcome = compaction(args, undefined, project);
    expect(outcome, outcome.stdout).toMatchObject({ status: 0, stderr: "" });
  }
}

const install = () => cpSync("schemas", join(folder, "node_modules/compaction-rules/schemas"), { recursive: true });

const everything = (project: string) =>
  readdirSync(project, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => [file, readFileSync(file, "utf8")]);

describe("what init writes can be used at once", () => {
  test("with the schemas of the project's node_modules", () => {
    install();
    expect(compaction(["init"])).toMatchObject({ status: 0, stderr: "" });
    expect(expectSchemas(folder)).toEqual([
      "./node_modules/compaction-rules/schemas/config.schema.json",
      "../node_modules/compaction-rules/schemas/pack.schema.json",
    ]);
    expectUsable(folder);
  });

  test("with the schemas of a workspace above", () => {
    install();
    mkdirSync(join(folder, ".git"));
    const project = join(folder, "packages/one");
    mkdirSync(project, { recursive: true });
    expect(compaction(["init", "--project", "packages/one"])).toMatchObject({ status: 0, stderr: "" });
    expect(expectSchemas(project)).toEqual([
      "../../node_modules/compaction-rules/schemas/config.schema.json",
      "../../../node_modules/compaction-rules/schemas/pack.schema.json",
    ]);
    expectUsable(project);
  });

  test.each([".", "my tools#1"])(
    "without a schema, and without a path of this machine, when it is not installed (%s)",
    (name) => {
      const project = join(folder, name);
      mkdirSync(project, { recursive: true });
      expect(compaction(["init", "--project", name])).toMatchObject({ status: 0, stderr: "" });
      for (const file of FILES) {
        const text = readFileSync(join(project, file), "utf8");
        expect(text).not.toContain("$schema");
        expect(text).not.toContain(folder);
        expect(text).not.toContain(resolve("."));
      }
      expectUsable(project);
    },
  );

  test("without those of a folder above the repository", () => {
    install();
    mkdirSync(join(folder, "repo/.git"), { recursive: true });
    expect(compaction(["init", "--project", "repo"])).toMatchObject({ status: 0, stderr: "" });
    for (const file of FILES) expect(readFileSync(join(folder, "repo", file), "utf8")).not.toContain("$schema");
  });

  test.each(["acme", "Acme & Söhne: #1", "null", "7", "{{schema}}", "'quoted'", "$&"])("with the name %s", (name) => {
    expect(compaction(["init", `--name=${name}`])).toMatchObject({ status: 0, stderr: "" });
    expect(parse(readFileSync(join(folder, FILES[1]), "utf8")).name).toBe(name);
    expect(compaction(["validate"])).toMatchObject({ status: 0, stderr: "" });
  });
});

describe("init overwrites nothing", () => {
  test("when it is run again", () => {
    compaction(["init"]);
    const before = everything(folder);
    const outcome = compaction(["init", "--name", "other"]);
    expect(outcome).toMatchObject({ status: 2, stdout: "" });
    for (const name of FILES) expect(outcome.stderr).toContain(name);
    expect(everything(folder)).toEqual(before);
  });

  test.each([...FILES, ".compactionrc.json"])("when only %s is there", (name) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), "mine");
    const outcome = compaction(["init"]);
    expect(outcome).toMatchObject({ status: 2, stdout: "" });
    for (const other of FILES) if (other !== name) expect(outcome.stderr).not.toContain(`${other} `);
    expect(everything(folder)).toEqual([[join(folder, name), "mine"]]);
  });

  test("when a file is in the way of the folder", () => {
    writeFileSync(join(folder, "compaction"), "mine");
    expect(compaction(["init"])).toMatchObject({ status: 2, stdout: "" });
    expect(everything(folder)).toEqual([[join(folder, "compaction"), "mine"]]);
  });

  test("through a link: neither one that leads nowhere nor one that leads out", () => {
    symlinkSync(join(folder, "nowhere"), join(folder, ".compactionrc"));
    expect(compaction(["init"])).toMatchObject({ status: 2, stdout: "" });
    expect(existsSync(join(folder, "nowhere"))).toBe(false);
    const project = join(folder, "project");
    for (const name of ["project", "outside"]) mkdirSync(join(folder, name));
    symlinkSync(join(folder, "outside"), join(project, "compaction"));
    expect(compaction(["init", "--project", "project"])).toMatchObject({ status: 2, stdout: "" });
    expect(readdirSync(join(folder, "outside"))).toEqual([]);
    expect(readdirSync(project)).toEqual(["compaction"]);
  });
});
