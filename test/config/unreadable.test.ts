// Files that are there and cannot be read like one: nothing waits for them, and none of them is passed over.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadRules } from "../../src/index.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-unreadable-"));
  mkdirSync(join(folder, ".git"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (name = ".compactionrc") => join(folder, name);
const said = () => loadRules(folder).diagnostics.map(({ code, message }) => [code, message]);
const isRoot = process.getuid?.() === 0;

describe.skipIf(process.platform === "win32")("a configuration", () => {
  test.each(["/dev/zero", "/dev/null", "/dev/tty"])("that leads to %s is not read", (device) => {
    symlinkSync(device, file());
    expect(said()).toEqual([["file-unreadable", `${file()} is a link to a place outside of ${folder}`]]);
  });

  test("that leads to itself cannot be read", () => {
    symlinkSync(".compactionrc", file());
    expect(said()).toEqual([["file-unreadable", `${file()} cannot be read (ELOOP)`]]);
  });

  test.skipIf(isRoot)("that may not be read is not treated as missing", () => {
    writeFileSync(file(), "enabled: false\n");
    writeFileSync(file(".compactionrc.json"), "{}");
    chmodSync(file(), 0);
    expect(said()).toEqual([
      ["file-unreadable", `${file()} cannot be read (EACCES)`],
      ["config-unread", "this file is ignored: .compactionrc is used"],
    ]);
  });

  test("is read without waiting when it extends a pipe or has a template in one", () => {
    expect(spawnSync("mkfifo", [file("pack.yaml"), file("brief.md")]).status).toBe(0);
    writeFileSync(file(), "extends: [compaction:recommended, ./pack.yaml]\ntemplates: { brief: { file: brief.md } }\n");
    const pipe = (name: string) => `${file(name)} is a device or a pipe, not a file`;
    expect(said()).toEqual([
      ["file-unreadable", pipe("pack.yaml")],
      ["template-missing", pipe("brief.md")],
    ]);
  });
});

test("a file with more than a pack may have is not read to its end", () => {
  writeFileSync(file(), "# ".padEnd(1_000_001, "x"));
  expect(said()).toEqual([["file-too-large", `${file()} has 1000001 bytes; the limit is 1000000`]]);
});
