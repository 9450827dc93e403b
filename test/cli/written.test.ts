// What commands write: files in the state folder, which only the user can read, and nothing anywhere else.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runInside } from "./run-command.js";

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "compaction-written-")));
  mkdirSync(join(root, "home"));
  mkdirSync(join(root, "project/.git"), { recursive: true });
  writeFileSync(
    join(root, "project/session.md"),
    "**User:** Fix the parser. Never touch the lexer.\n\n**Assistant:** We decided to use SQLite.\n",
  );
  writeFileSync(join(root, "project/summary.md"), "We fix the parser.\n");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const filesBelow = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name));
const texts = (folder: string) => filesBelow(folder).map((file) => [file, readFileSync(file, "utf8")]);

test("only the state folder is written, for the user alone, and it can be cleared", async () => {
  const surroundings = { cwd: join(root, "project"), env: { PATH: process.env.PATH, HOME: join(root, "home"), NO_COLOR: "1" } };
  const run = (...args: readonly string[]) => runInside(args, surroundings);
  const before = texts("project");
  for (const args of [
    ["run", "session.md"],
    ["run", "--project", "."],
    ["explain", "session.md"],
    ["audit", "session.md", "--summary", "summary.md", "--repair"],
    ["compact", "session.md"],
    ["pin", "keep the offsets in bytes"],
    ["status"],
    ["stats"],
    ["doctor"],
    ["validate"],
    ["find", "--yes", "lexer"],
  ])
    expect((await run(...args)).exit, args.join(" ")).toBeLessThan(2);
  expect(texts("project")).toEqual(before);
  const state = join(root, "home/.local/state/compaction-rules");
  const written = filesBelow("home");
  expect(written).not.toEqual([]);
  for (const file of written) {
    expect(file.startsWith(state), file).toBe(true);
    expect(statSync(file).mode & 0o777, file).toBe(0o600);
  }
  expect(statSync(state).mode & 0o777).toBe(0o700);
  await run("state", "clear", "--yes");
  expect(filesBelow("home")).toEqual([]);
});
