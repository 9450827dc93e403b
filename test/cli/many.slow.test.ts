import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const RUNTIME = process.env.COMPACTION_RUNTIME ?? process.execPath;
const MAIN = resolve("dist/cli/main.js");
let folder = "";
const env = () => ({ PATH: process.env.PATH, NO_COLOR: "1", HOME: folder, BUN_BE_BUN: "1" });

const session = (id: string) => ({
  id,
  messages: [
    { id: "1", role: "user", text: "Add a cache to the importer." },
    { id: "2", role: "assistant", text: `We decided to use Redis for the cache of ${id}.` },
  ],
});
const ids = Array.from({ length: 12 }, (_, index) => `s${String(index).padStart(2, "0")}`);
const lines = ids.map((id) => `${JSON.stringify(session(id))}\n`);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-many-"));
  mkdirSync(join(folder, "in/deep"), { recursive: true });
  for (const id of ids) writeFileSync(join(folder, id < "s08" ? "in" : "in/deep", `${id}.json`), JSON.stringify(session(id)));
  writeFileSync(join(folder, "all.jsonl"), lines.join(""));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(args: readonly string[], input = "") {
  const { stdout, stderr, status } = spawnSync(RUNTIME, [MAIN, "run", ...args], {
    cwd: folder,
    input,
    encoding: "utf8",
    env: env(),
  });
  return { stdout, stderr, status };
}
const idsIn = (output: string) =>
  output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).session.id);

test("names with marks that no shell has expanded are the files that fit, in order", () => {
  expect(idsIn(run(["--jsonl", "in/*.json"]).stdout)).toEqual(ids.slice(0, 8));
  expect(idsIn(run(["--jsonl", "in/**/s0[6-9].json"]).stdout)).toEqual(["s08", "s09", "s06", "s07"]);
  expect(idsIn(run(["--jsonl", "in/{s01,s00,deep/s1?}.json"]).stdout)).toEqual(["s10", "s11", "s00", "s01"]);
  expect(run(["--jsonl", "in/x*.json"])).toMatchObject({ status: 2, stderr: "compaction: no file is called in/x*.json\n" });
});

test("workers give the same as one process, in the order of the input", () => {
  const one = run(["--jsonl", "--jobs", "1", "in/**/*.json"]);
  const many = run(["--jsonl", "--jobs", "3", "in/**/*.json"]);
  expect(idsIn(one.stdout)).toHaveLength(ids.length);
  expect(many).toEqual(one);
  expect(run(["--json", "--jobs", "2", "in/*.json"])).toEqual(run(["--json", "--jobs", "1", "in/*.json"]));
  expect(JSON.parse(run(["--json", "--jobs", "2", "in/*.json"]).stdout)).toHaveLength(8);
});

test("as a filter, a session a line in and a Continuation a line out", () => {
  const { stdout, status } = run(["--jsonl", "--jobs", "2"], lines.join("\n"));
  expect(status).toBe(0);
  expect(idsIn(stdout)).toEqual(ids);
  expect(run(["--jsonl", "-"], lines.join("")).stdout).toBe(stdout);
  expect(run(["--jsonl", "all.jsonl"]).stdout).toBe(stdout);
});

test("records of a host may be a list on one line", () => {
  const record = (type: string, content: string) => ({ type, sessionId: "c", message: { content } });
  const list = JSON.stringify([record("user", "Add a cache."), record("assistant", "We decided to use Redis.")]);
  const { stdout } = run(["--jsonl"], `${list}\n${lines[0]}`);
  expect(idsIn(stdout)).toEqual(["c", "s00"]);
});

test.each(["1", "2"])("a broken session is said and the others go on, with %s at once", (jobs) => {
  const broken = [lines[0], '{"id": "x", "messages": [\n', "not a session\n", lines[1]].join("");
  const { stdout, stderr, status } = run(["--jsonl", "--jobs", jobs], broken);
  expect(idsIn(stdout)).toEqual(["s00", "s01"]);
  expect(stderr.trim().split("\n")).toHaveLength(2);
  expect(stderr).toMatch(/^compaction: standard input:2: it is cut off.*\ncompaction: standard input:3: /);
  expect(status).toBe(2);
  const files = run(["--jsonl", "--jobs", jobs, "in/s00.json", "gone.json", "in/s01.json"]);
  expect(idsIn(files.stdout)).toEqual(["s00", "s01"]);
  expect(files).toMatchObject({ status: 2, stderr: "compaction: gone.json is not there\n" });
});

test("what is ready is handed on before the next session comes", { timeout: 60_000 }, async () => {
  const child = spawn(RUNTIME, [MAIN, "run", "--jsonl", "--jobs", "2"], {
    cwd: folder,
    env: env(),
    stdio: ["pipe", "pipe", "inherit"],
  });
  let said = "";
  const answered = () =>
    new Promise<void>((done) => {
      child.stdout.once("data", (chunk) => {
        said += chunk;
        done();
      });
    });
  for (const line of lines.slice(0, 2)) {
    const answer = answered();
    child.stdin.write(line);
    await answer;
  }
  child.stdin.end();
  expect(await new Promise((done) => child.once("exit", done))).toBe(0);
  expect(idsIn(said)).toEqual(["s00", "s01"]);
});

const has = (program: string) => spawnSync(program, ["--version"]).status === 0;
test.skipIf(process.platform === "win32" || !has("split") || !has("xargs"))(
  "under split and xargs -P",
  { timeout: 120_000 },
  () => {
    const whole = run(["--jsonl", "all.jsonl"]).stdout;
    const shell = (script: string) =>
      spawnSync("sh", ["-ec", script], { cwd: folder, encoding: "utf8", env: { ...env(), RUNTIME, MAIN } });
    mkdirSync(join(folder, "parts"));
    const parts = shell(
      'split -l 5 all.jsonl parts/p- && ls parts/p-* | xargs -P 2 -I {} sh -c \'"$RUNTIME" "$MAIN" run --jsonl {} > {}.out\' && cat parts/*.out',
    );
    expect(parts.stderr).toBe("");
    expect(readdirSync(join(folder, "parts")).filter((name) => name.endsWith(".out"))).toHaveLength(3);
    expect(parts.stdout).toBe(whole);
    const files = shell('ls in/*.json | xargs -P 2 -n 3 "$RUNTIME" "$MAIN" run --jsonl');
    expect(idsIn(files.stdout).sort()).toEqual(ids.slice(0, 8));
  },
);

test("the examples of a pack are tried in memory that does not grow with their number", () => {
  const example = (index: number) => `      - { text: "we mark thing ${index} here", emits: { text: "thing ${index} here" } }\n`;
  const examples = Array.from({ length: 1_200 }, (_, index) => example(index)).join("");
  mkdirSync(join(folder, "examples"));
  const pack = `rules:\n  marked:\n    emit: note\n    match: "we mark {text}"\n    examples:\n${examples}`;
  writeFileSync(join(folder, "examples/.compactionrc"), pack);
  const { stdout, status } = spawnSync(RUNTIME, [MAIN, "test", "marked"], {
    cwd: join(folder, "examples"),
    encoding: "utf8",
    // Before, 600 of them took 90 megabytes and more.
    env: { ...env(), NODE_OPTIONS: "--max-old-space-size=60" },
  });
  expect({ stdout, status }).toEqual({ stdout: "1200 examples of 1 rule: all pass\n", status: 0 });
});
