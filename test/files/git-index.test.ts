// The files that git tracks, compared with what git itself lists.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { trackedNames } from "../../src/files/git-index.js";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "compaction-index-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const env = { PATH: process.env.PATH, HOME: tmpdir(), GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
function git(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: folder, encoding: "utf8", env });
  expect(stderr + status).toMatch(/0$/);
  return stdout;
}

function fill(): void {
  for (const name of ["a.md", "docs/ü b.md", `long/${"x".repeat(200)}/${"y".repeat(200)}.md`, "docs/other.md"]) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), name);
  }
  symlinkSync("docs", join(folder, "link"));
  writeFileSync(join(folder, ".env"), "KEY=1");
  writeFileSync(join(folder, "later.md"), "");
  git("add", "a.md", "docs", "long", "link");
  git("add", "--intent-to-add", "later.md");
}

const listed = () => new Set(git("-c", "core.quotePath=false", "ls-files").trim().split("\n"));

test.each([
  ["2", "sha1"],
  ["3", "sha1"],
  ["4", "sha1"],
  ["2", "sha256"],
  ["4", "sha256"],
])("lists what git lists when the index has version %s and %s", (version, format) => {
  git("init", "-q", `--object-format=${format}`);
  git("config", "index.version", version);
  fill();
  const names = trackedNames(folder);
  expect(names).toEqual(listed());
  expect(names?.has("later.md")).toBe(true);
  expect(names?.has(".env")).toBe(false);
});

test("reads the index of another working tree", () => {
  git("init", "-q");
  fill();
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first");
  const tree = join(folder, "tree");
  git("worktree", "add", "-q", tree);
  expect(trackedNames(tree)).toContain("docs/other.md");
});

test("is undefined without a repository, and empty before the first file is added", () => {
  expect(trackedNames(folder)).toBeUndefined();
  git("init", "-q");
  expect(trackedNames(folder)).toEqual(new Set());
});

test("is undefined when the index is split or damaged", () => {
  git("init", "-q");
  fill();
  git("update-index", "--split-index");
  expect(trackedNames(folder)).toBeUndefined();
  for (const bytes of ["", "DIRC", "DIRC\0\0\0\u0002\0\0\0\u0009rest"]) {
    writeFileSync(join(folder, ".git/index"), bytes);
    expect(trackedNames(folder)).toBeUndefined();
  }
});
