// The index under load: many processes at once, and processes that are killed.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { resultsOf } from "../postgres/machine.js";

const KILLS = 100;
let home: string;
let project: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "compaction-recall-"));
  project = join(home, "shop");
  mkdirSync(join(project, ".git"), { recursive: true });
  mkdirSync(join(home, ".claude/projects/-shop"), { recursive: true });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const record = (session: string, text: string) =>
  `${JSON.stringify({ type: "user", uuid: `${session}-${text.length}-${Math.random()}`, sessionId: session, cwd: project, timestamp: "2026-11-02T10:00:00Z", message: { role: "user", content: text } })}\n`;
const fileOf = (session: string) => join(home, ".claude/projects/-shop", `${session}.jsonl`);

function start(args: readonly string[]): ChildProcess {
  const env = { PATH: "", NO_COLOR: "1", HOME: home, USERPROFILE: home };
  return spawn(process.execPath, [resolve("dist/cli/main.js"), "find", "--yes", "--json", ...args], { cwd: project, env });
}

test("twenty readers and three writers at once all get their answer", { timeout: 240_000 }, async () => {
  for (let session = 0; session < 30; session++)
    writeFileSync(fileOf(`s${session}`), record(`s${session}`, `Never rename the kestrel${session} table.`));
  await resultsOf(start(["kestrel0"]));
  // Each writer finds other files changed.
  const writers = [1, 2, 3].map((number) => {
    appendFileSync(fileOf(`s${number}`), record(`s${number}`, `The osprey${number} job runs at night.`));
    return resultsOf(start([`osprey${number}`])).then((results) => expect(results[0]?.text).toContain(`osprey${number}`));
  });
  const readers = Array.from({ length: 20 }, async (_, number) => {
    const results = await resultsOf(start([`kestrel${number + 5}`]));
    expect(results[0]?.text).toContain(`kestrel${number + 5} table`);
  });
  await Promise.all([...writers, ...readers]);
});

test("killed while it indexes, again and again: the next query has every answer once", { timeout: 600_000 }, async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    for (let session = 0; session < 10; session++)
      appendFileSync(fileOf(`s${session}`), record(`s${session}`, `Round ${kill} of session ${session}.`));
    const child = start(["kestrel3"]);
    // It may end before it is killed.
    const closed = once(child, "close");
    await new Promise((done) => setTimeout(done, 80 + Math.random() * 400));
    child.kill("SIGKILL");
    await closed;
  }
  const results = await resultsOf(start(["kestrel3"]));
  expect(results.map(({ place }) => place)).toEqual(["s3#m1"]);
  const last = await resultsOf(start([`Round ${KILLS - 1} of session 7`, "--most", "1"]));
  expect(last[0]?.text).toContain(`Round ${KILLS - 1} of session 7`);
});
