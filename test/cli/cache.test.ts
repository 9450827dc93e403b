// The cache of `run` as a user has it: real processes, one folder.
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { STORED_FINDS_CHARACTERS } from "../../src/limits.js";
import { sampleSession } from "../sample.js";

const RUNTIME = process.env.COMPACTION_RUNTIME ?? process.execPath;
const MAIN = resolve("dist/cli/main.js");
let folder = "";
let caches = 0;
const newCache = () => join(folder, `cache-${caches++}`);
const env = (cache: string, more = {}) => ({
  PATH: process.env.PATH,
  NO_COLOR: "1",
  HOME: folder,
  XDG_CACHE_HOME: cache,
  BUN_BE_BUN: "1",
  ...more,
});

/** The sample said over and over, each time about something else, until it is worth a cache. */
function longSession(id: string, salt: string) {
  const { messages } = sampleSession();
  const all = [];
  let characters = 0;
  for (let round = 0; characters < 1.2 * STORED_FINDS_CHARACTERS; round++) {
    for (const message of messages) {
      // What looks like a secret takes its time, so one round has some.
      const secret = round === 0 ? ` token=${"k".repeat(30)}` : "";
      const text = message.text === "" ? "" : `${message.text}\n\nNever touch part-${salt}-${round}.ts.${secret}`;
      characters += text.length;
      all.push({ ...message, id: `${round}-${message.id}`, text });
    }
  }
  return { id, messages: all };
}

const long = longSession("long", "a");
const NOTES = "# Session State\n\n[Focus: cache] 2026-01-01\n- Decision: keep the store.\n- Open Work: measure it.\n";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-cache-"));
  mkdirSync(join(folder, "project"));
  writeFileSync(join(folder, "project/SESSION.md"), NOTES);
  writeFileSync(join(folder, "long.json"), JSON.stringify(long));
  writeFileSync(
    join(folder, "longer.json"),
    JSON.stringify({
      ...long,
      messages: [
        ...long.messages,
        ...longSession("x", "b")
          .messages.slice(0, 9)
          .map((one) => ({ ...one, id: `new-${one.id}` })),
      ],
    }),
  );
  writeFileSync(join(folder, "other.json"), JSON.stringify(longSession("other", "c")));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(args: readonly string[], cache: string, more = {}) {
  const { stdout, stderr, status } = spawnSync(RUNTIME, [MAIN, "run", ...args], {
    cwd: folder,
    encoding: "utf8",
    env: env(cache, more),
    maxBuffer: 1e8,
  });
  return { stdout, stderr, status };
}
const filesIn = (cache: string) => {
  const place = join(cache, "compaction-rules/finds");
  return readdirSync(place).map((name) => join(place, name));
};
const sizeOf = (cache: string) => filesIn(cache).reduce((sum, file) => sum + statSync(file).size, 0);

describe.each([
  ["typed", ["--jsonl"]],
  ["as a brief", []],
  ["with a project and a template", ["--json", "--project", "project", "--template", "continuation"]],
])("%s", (_, options) => {
  test("the output is the same without a cache, when it is written, when it is read and when the session has grown", () => {
    const cache = newCache();
    const [without, ...others] = [["--no-cache"], [], []].map((more) => run([...options, ...more, "long.json"], cache));
    expect(without?.status).toBe(0);
    expect(without?.stdout.length).toBeGreaterThan(500);
    for (const other of others) expect(other).toEqual(without);
    const size = sizeOf(cache);
    const grown = run([...options, "longer.json"], cache);
    expect(grown).toEqual(run([...options, "--no-cache", "longer.json"], cache));
    const growth = sizeOf(cache) - size;
    expect(growth).toBeGreaterThan(0);
    expect(growth).toBeLessThan(size / 4);
  });
});

test("it is for the user alone", () => {
  const cache = newCache();
  run(["--jsonl", "long.json"], cache);
  const [file = ""] = filesIn(cache);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(file, "..")).mode & 0o777).toBe(0o700);
  expect(readFileSync(file, "utf8")).not.toContain("kkkk");
});

test.each([
  ["--no-cache", ["--no-cache"], {}, "long.json"],
  ["COMPACTION_CACHE=off", [], { COMPACTION_CACHE: "off" }, "long.json"],
  ["a short session", [], {}, resolve("test/fixtures/sample-session.json")],
])("%s leaves no trace", (_, options, more, file) => {
  const cache = newCache();
  expect(run(["--jsonl", ...options, file], cache, more).status).toBe(0);
  // Bun has a use of its own for the folder.
  expect(() => readdirSync(join(cache, "compaction-rules"))).toThrow();
});

test("several processes at once lose nothing", async () => {
  const cache = newCache();
  const at = (file: string) =>
    new Promise<string>((done, fail) => {
      let out = "";
      const child = spawn(RUNTIME, [MAIN, "run", "--jsonl", file], { cwd: folder, env: env(cache) });
      child.stdout.on("data", (chunk) => {
        out += chunk;
      });
      child.on("error", fail).on("exit", () => done(out));
    });
  const [one, two, three] = await Promise.all(["long.json", "longer.json", "other.json"].map(at));
  const size = sizeOf(cache);
  for (const [file, before] of [
    ["long.json", one],
    ["longer.json", two],
    ["other.json", three],
  ] as const) {
    const now = run(["--jsonl", file], cache);
    expect(now.stdout).toBe(before);
    expect(now.stdout).toBe(run(["--jsonl", "--no-cache", file], cache).stdout);
  }
  // Everything was there.
  expect(sizeOf(cache)).toBe(size);
});

test("where it cannot be written or read, everything goes on without it", () => {
  const plain = run(["--jsonl", "--no-cache", "long.json"], newCache());
  const file = newCache();
  writeFileSync(file, "");
  expect(run(["--jsonl", "long.json"], file)).toEqual(plain);
  const locked = newCache();
  mkdirSync(locked);
  chmodSync(locked, 0o500);
  expect(run(["--jsonl", "long.json"], locked)).toEqual(plain);
  chmodSync(locked, 0o700);
  // A link in the place of the file is not followed.
  const linked = newCache();
  run(["--jsonl", "long.json"], linked);
  const [store = ""] = filesIn(linked);
  rmSync(store);
  const target = join(folder, "target");
  writeFileSync(target, "mine\n");
  symlinkSync(target, store);
  expect(run(["--jsonl", "long.json"], linked)).toEqual(plain);
  expect(readFileSync(target, "utf8")).toBe("mine\n");
  rmSync(store);
  mkdirSync(store);
  expect(run(["--jsonl", "long.json"], linked)).toEqual(plain);
});
