import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runInside } from "./run-command.js";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "compaction-wrong-"));
  writeFileSync(
    join(home, "session.md"),
    "**User:** Fix it.\n\n**Assistant:** We decided to use SQLite with password=hunter2hunter2.\n",
  );
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const run = (...args: string[]) =>
  runInside(args, { cwd: home, env: { PATH: process.env.PATH, NO_COLOR: "1", HOME: home, XDG_STATE_HOME: join(home, "state") } });

/** The id of the decision, as explain prints it. */
async function idOf() {
  const { stdout } = await run("explain", "session.md");
  return /decision by assistant \[([0-9a-f]{8})\]/.exec(stdout)?.[1] ?? "";
}

test("a fact that is called wrong is dropped, and is a case until the rules no longer find it", async () => {
  const id = await idOf();
  const { stdout, exit } = await run("wrong", id, "session.md", "--note", "That was only an example.");
  expect(exit).toBe(0);
  expect(stdout).toMatch(new RegExp(`^dropped ${id} use SQLite`));
  expect((await run("run", "session.md", "--template", "note")).stdout).not.toContain("SQLite");

  const still = await run("test", "--cases");
  expect(still).toMatchObject({ exit: 1, stdout: expect.stringContaining(`still found  ${id} decision by `) });
  expect(still.stdout).toContain("That was only an example.");
  const rule = /decision by ([\w-]+):/.exec(still.stdout)?.[1];
  writeFileSync(join(home, ".compactionrc"), `extends: compaction:recommended\nrules: { ${rule}: off }\n`);
  expect(await run("test", "--cases")).toMatchObject({ exit: 0, stdout: "1 case: none is found\n" });
});

test("wrong --json prints the fact and the file of the cases", async () => {
  const id = await idOf();
  const { stdout, exit } = await run("wrong", id, "session.md", "--json");
  const { file, ...fact } = JSON.parse(stdout);
  expect([exit, fact]).toMatchObject([0, { version: 1, dropped: id, kind: "decision", text: expect.stringContaining("SQLite") }]);
  expect(readFileSync(file, "utf8")).toContain(id);
});

test("the file of the cases holds the words with secrets masked", async () => {
  const { stdout } = await run("wrong", await idOf(), "session.md", "--note", "Its password=hunter2hunter2.");
  const file = /kept as a case in (\S+)/.exec(stdout)?.[1] ?? "";
  const text = readFileSync(file, "utf8");
  expect(text).toContain("SQLite");
  expect(text).not.toContain("hunter2hunter2");
});

test("wrong names what is missing when the fact is not known", async () => {
  expect(await run("wrong", "00000000")).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining("npx compaction-rules wrong 00000000 SESSION"),
  });
  expect(await run("wrong", "x")).toMatchObject({ exit: 2, stderr: expect.stringContaining("eight characters") });
  expect(await run("test", "--cases")).toMatchObject({ exit: 2, stderr: expect.stringContaining("no cases yet") });
});
