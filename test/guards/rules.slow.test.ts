// compaction rules: the life of the rules of a session, as a user sees it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runInside } from "../cli/run-command.js";

let folder: string;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-rules-"));
  mkdirSync(join(folder, ".git"));
  writeFileSync(join(folder, ".compactionrc"), "extends: [compaction:recommended, ./team.yaml]\n");
  const forced = '{ on: { command: "git push --force" }, then: refuse, say: "Never force-push." }';
  writeFileSync(join(folder, "team.yaml"), `compaction: 1\nname: team\nguards:\n  forced: ${forced}\n`);
  env = { PATH: process.env.PATH, NO_COLOR: "1", HOME: folder, XDG_STATE_HOME: join(folder, "state") };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: string[]) => runInside(args, { cwd: folder, env });
const BLOCK = "<carried-facts>\n- Never touch the vendor folder.\n</carried-facts>";
const call = (name: string, input: object, output: string, status = "completed") => ({ name, input, output, status });
const push = (output: string, status?: string) => call("bash", { command: "git push --force" }, output, status);
const edit = (path: string) => call("edit", { filePath: path }, "done");

function write(block: string) {
  const messages = [
    { id: "m1", role: "user", text: "Build a CSV parser. Never touch the vendor folder. The port must be 4317." },
    {
      id: "m2",
      role: "assistant",
      text: "OK.",
      toolCalls: [push("Never force-push.", "error"), push("done"), edit("vendor/a.ts")],
    },
    { id: "m3", role: "user", text: `We build a parser. The port must be 4317.\n\n${block}`, summary: true },
    { id: "m4", role: "assistant", text: "On.", toolCalls: [edit("src/a.ts"), edit("vendor/b.ts")] },
  ].map((one) => ({ toolCalls: [], ...one }));
  writeFileSync(join(folder, "session.json"), JSON.stringify({ id: "s1", format: "neutral", messages }));
}

test("shows where a rule was said, lost, carried back, refused and broken", async () => {
  write(BLOCK);
  await run("pin", "Never touch the vendor folder.", "--on", "edit:vendor/**");
  const { stdout, exit } = await run("rules", "session.json");
  expect(stdout).toMatchInlineSnapshot(`
    "The port must be 4317. typed 6c95e9c3, m1
    Never touch the vendor folder. pin 3e03c33d, m1, once
      broken   m2#2 "vendor/a.ts"
      lost     m3
      carried  m3
      broken   m4#1 "vendor/b.ts"
    Never force-push. pack forced, refuse
      refused  m2#0 "git push --force"
      broken   m2#1 "git push --force"
    "
  `);
  expect(exit).toBe(0);
  expect((await run("rules", "session.json", "--strict")).exit).toBe(1);
});

test("says as data what became of each rule, and nothing is broken without a call", async () => {
  write("");
  writeFileSync(join(folder, "team.yaml"), "compaction: 1\nname: team\n");
  const { stdout, exit } = await run("rules", "session.json", "--json", "--strict");
  const [{ rules }] = JSON.parse(stdout).sessions;
  expect(rules).toContainEqual({
    ...{ id: expect.any(String), text: "Never touch the vendor folder.", from: "typed", said: "m1" },
    events: [{ what: "lost", at: "m3" }],
  });
  expect(exit).toBe(0);
});
