import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { pin, readChoices } from "../../src/state/choices.js";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "compaction-project-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const folder = (...names: string[]) => {
  mkdirSync(join(root, ...names), { recursive: true });
  return join(root, ...names);
};
const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { cwd, stdio: "ignore" });
const pinsOf = (where: string) => readChoices(where, folder("state")).choices.pins;

test("what is pinned holds in the whole repository, and in its other working trees", () => {
  const repository = folder("repository");
  git(repository, "init");
  git(repository, "commit", "--allow-empty", "-m", "first");
  git(repository, "worktree", "add", join(root, "tree"));
  pin(folder("repository", "packages", "a"), "Keep the port.", folder("state"));
  for (const where of [repository, folder("repository", "packages", "b"), join(root, "tree")])
    expect(pinsOf(where)).toEqual(["Keep the port."]);
});

test("a working tree that was moved or has relative paths is one still, as git sees it", () => {
  const repository = folder("repository");
  git(repository, "init");
  git(repository, "commit", "--allow-empty", "-m", "first");
  git(repository, "worktree", "add", join(root, "tree"));
  git(repository, "worktree", "move", join(root, "tree"), join(root, "moved"));
  pin(repository, "Keep the port.", folder("state"));
  expect(pinsOf(join(root, "moved"))).toEqual(["Keep the port."]);
  writeFileSync(join(root, "moved/.git"), "gitdir: ../repository/.git/worktrees/tree\n");
  writeFileSync(join(repository, ".git/worktrees/tree/gitdir"), "../../../../moved/.git\n");
  expect(pinsOf(join(root, "moved"))).toEqual(["Keep the port."]);
});

test("a submodule is a project of its own", () => {
  for (const name of ["inner", "outer"]) {
    git(folder(name), "init");
    git(folder(name), "commit", "--allow-empty", "-m", "first");
  }
  git(folder("outer"), "-c", "protocol.file.allow=always", "submodule", "add", folder("inner"), "inner");
  pin(folder("outer"), "Keep the port.", folder("state"));
  expect(pinsOf(join(root, "outer/inner"))).toEqual([]);
});

test("files that call themselves a working tree of a repository are none unless the repository says so", () => {
  const repository = folder("repository");
  git(repository, "init");
  git(repository, "commit", "--allow-empty", "-m", "first");
  git(repository, "worktree", "add", join(root, "tree"));
  pin(repository, "Keep the port.", folder("state"));
  const fake = folder("fake/x");
  symlinkSync(repository, join(fake, "link"));
  for (const named of [
    join(repository, ".git/worktrees/tree"),
    join(repository, ".git/worktrees/none"),
    "../../repository/.git/worktrees/tree",
    "link/.git/worktrees/tree",
    join(repository, ".git/worktrees/tree/../x"),
  ]) {
    writeFileSync(join(fake, ".git"), `gitdir: ${named}\n`);
    expect(pinsOf(fake), named).toEqual([]);
  }
  // A folder of one's own in its place.
  mkdirSync(join(fake, "own/.git/worktrees/x"), { recursive: true });
  writeFileSync(join(fake, "own/.git/worktrees/x/gitdir"), "../../../../.git\n");
  writeFileSync(join(fake, "own/.git/worktrees/x/commondir"), join(repository, ".git"));
  writeFileSync(join(fake, ".git"), "gitdir: own/.git/worktrees/x\n");
  expect(pinsOf(fake)).toEqual([]);
  expect(pinsOf(join(root, "tree"))).toEqual(["Keep the port."]);
});

test("a link to the file of another working tree makes no folder a part of it", () => {
  const repository = folder("repository");
  git(repository, "init");
  git(repository, "commit", "--allow-empty", "-m", "first");
  git(repository, "worktree", "add", join(root, "tree"));
  pin(repository, "Keep the port.", folder("state"));
  symlinkSync(join(root, "tree/.git"), join(folder("evil"), ".git"));
  expect(pinsOf(join(root, "evil"))).toEqual([]);
});

test("a lock that was left long ago stops nobody", () => {
  const repository = folder("repository");
  pin(repository, "Keep the port.", folder("state"));
  const file = readdirSync(folder("state")).find((name) => name.startsWith("project-")) as string;
  const lock = join(folder("state"), `${file}.lock`);
  writeFileSync(lock, "dead");
  utimesSync(lock, 0, 0);
  pin(repository, "Keep the name.", folder("state"));
  expect(existsSync(lock)).toBe(false);
  expect(pinsOf(repository)).toHaveLength(2);
});

test("without a repository, and in a repository of its own, a folder is a project of its own", () => {
  pin(folder("plain"), "Keep the port.", folder("state"));
  expect(pinsOf(folder("plain", "below"))).toEqual([]);
  git(folder("plain", "own"), "init");
  expect(pinsOf(folder("plain", "own"))).toEqual([]);
  expect(pinsOf(folder("plain"))).toEqual(["Keep the port."]);
});

test.skipIf(process.platform === "win32")("a link to a folder is the folder", () => {
  pin(folder("plain"), "Keep the port.", folder("state"));
  symlinkSync(folder("plain"), join(root, "link"));
  expect(pinsOf(join(root, "link"))).toEqual(["Keep the port."]);
  pin(join(root, "link"), "Keep the name.", folder("state"));
  expect(pinsOf(folder("plain"))).toEqual(["Keep the port.", "Keep the name."]);
});
