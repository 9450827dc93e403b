// What a command does not use is not loaded: each of these files takes longer to load than most commands to run.
import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const WATCH = `
const fs = require("node:fs");
const read = fs.readFileSync;
fs.readFileSync = (file, ...rest) => {
  const name = /[a-z0-9-]+\\.cjs$/.exec(String(file));
  if (name) process.stderr.write("loaded " + name[0] + "\\n");
  return read(file, ...rest);
};
`;

const SESSION = "session.jsonl";
const SAID = [
  ["user", "Please add a cache to the reader. Never touch the generated files, unless I say so."],
  [
    "assistant",
    "I looked at src/reader.ts.\n\n- We use SQLite instead of a file, because two processes write.\n- All tests pass.",
  ],
  ["user", "Good. Next, run npm test and mend what fails."],
];

function loadedBy(...args: readonly string[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "compaction-loaded-"));
  const watch = join(folder, "watch.cjs");
  writeFileSync(watch, WATCH);
  const lines = [{ id: "s" }, ...SAID.map(([role, text], index) => ({ id: `m${index}`, role, text }))];
  writeFileSync(join(folder, SESSION), lines.map((line) => JSON.stringify(line)).join("\n"));
  const env = { ...process.env, XDG_CACHE_HOME: folder, XDG_STATE_HOME: folder, HOME: folder };
  const { status, stderr } = spawnSync(process.execPath, ["--require", watch, resolve("dist/cli/main.js"), ...args], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  expect(status, stderr).toBe(0);
  return [...stderr.matchAll(/^loaded (.+)$/gm)].map(([, name]) => name as string);
}

test("loads no parser of YAML or Markdown and no schema for the built-in packs and a session in plain words", () => {
  expect(loadedBy("validate")).toEqual([]);
  expect(loadedBy("run", SESSION)).toEqual(["re2js.cjs"]);
});

test("loads what is needed", () => {
  expect(loadedBy("docs").length).toBeGreaterThan(0);
});
