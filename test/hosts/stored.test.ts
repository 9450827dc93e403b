// What a host found in a session is looked up by the next process, host or command. What it then says is the same.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { atOnce } from "../../src/extract/steps.js";
import { createKeeper } from "../../src/hosts/keeper.js";
import { STORED_FINDS_CHARACTERS } from "../../src/limits.js";
import type { Session } from "../../src/model.js";
import { readMessages } from "../../src/source/session.js";
import { sampleSession } from "../sample.js";

const RUNTIME = process.env.COMPACTION_RUNTIME ?? process.execPath;
const folder = mkdtempSync(join(tmpdir(), "compaction-host-stored-"));
let count = 0;
let cache = "";
beforeAll(() => void vi.stubEnv("COMPACTION_CACHE", ""));
beforeEach(() => {
  cache = join(folder, `cache-${count++}`);
  vi.stubEnv("XDG_CACHE_HOME", cache);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** The sample as OpenCode has it, said over and over until it is worth storing, with calls that print much. */
function exported() {
  const { messages } = sampleSession();
  const all: { info: { id: string; sessionID: string; role: string; time: object }; parts: object[] }[] = [];
  let characters = 0;
  for (let round = 0; characters < 1.2 * STORED_FINDS_CHARACTERS; round++) {
    for (const { role, text } of messages) {
      const said = text === "" ? "" : `${text}\n\nNever touch part-${round}.ts.`;
      characters += said.length;
      const id = `msg_${String(all.length).padStart(5, "0")}`;
      const input = { filePath: `part-${round}.ts`, content: `const retryCounter${round} = 0;\n`.repeat(40) };
      const state = { status: "completed", input, output: `wrote part-${round}.ts\n`.repeat(2_000), title: "", metadata: {} };
      const tool = { id: `prt_t${id}`, type: "tool", callID: `call_${id}`, tool: "write", state };
      const part = { id: `prt_${id}`, type: "text", text: said };
      const parts = role === "assistant" ? [part, tool] : [part];
      all.push({ info: { id, sessionID: "s", role, time: { created: all.length } }, parts });
    }
  }
  return all;
}

const messages = exported();
const toSession = (some: readonly unknown[]): Session => ({ ...readMessages(some, "s", "opencode").session, id: "s" });
const finds = () => join(cache, "compaction-rules/finds");
const filesIn = () => readdirSync(finds()).map((name) => join(finds(), name));
const sizes = () => {
  try {
    return filesIn().reduce((sum, file) => sum + statSync(file).size, 0);
  } catch {
    return 0;
  }
};

/** Until nothing more is written. */
async function settled(): Promise<number> {
  let before = -1;
  for (let left = 200; left > 0 && (sizes() === 0 || sizes() !== before); left--) {
    before = sizes();
    await wait(100);
  }
  return sizes();
}

function keeper() {
  const logged: string[] = [];
  const log = (level: string, message: string) => void (level === "warn" || level === "error" ? logged.push(message) : 0);
  return { logged, ...createKeeper(folder, log, join(folder, `state-${count++}`)) };
}

function plainly(session: Session): string | undefined {
  vi.stubEnv("COMPACTION_CACHE", "off");
  const { inject } = keeper();
  vi.stubEnv("COMPACTION_CACHE", "");
  return atOnce(inject(session));
}

test("a host stores what it found behind the answer, and the next one says the same", async () => {
  const first = toSession(messages.slice(0, -9));
  const plain = plainly(first);
  expect(plain?.length).toBeGreaterThan(500);
  expect(sizes()).toBe(0);
  const one = keeper();
  expect(atOnce(one.inject(first))).toBe(plain);
  expect(sizes()).toBe(0);
  const size = await settled();
  expect(size).toBeGreaterThan(1_000);
  // In the same process, in another one, and where the session has grown.
  expect(atOnce(one.inject(first))).toBe(plain);
  const other = keeper();
  expect(atOnce(other.inject(first))).toBe(plain);
  expect(await settled()).toBe(size);
  const grown = toSession(messages);
  const after = plainly(grown);
  for (const { inject } of [one, other, keeper()]) expect(atOnce(inject(grown))).toBe(after);
  expect(await settled()).toBeGreaterThan(size);
  expect([...one.logged, ...other.logged]).toEqual([]);
}, 120_000);

test("what is read ahead is stored, also where it is given up in the middle", async () => {
  const session = toSession(messages);
  const plain = plainly(session);
  const one = keeper();
  const steps = one.readAhead(session);
  for (let left = 40; left > 0; left--) steps.next();
  expect(atOnce(one.inject(session))).toBe(plain);
  const size = await settled();
  const other = keeper();
  const all = other.readAhead(session);
  while (!all.next().done);
  expect(atOnce(other.inject(session))).toBe(plain);
  expect(await settled()).toBe(size);
}, 120_000);

test("a command finds what a host stored, though it drops most of what tools printed", async () => {
  atOnce(keeper().inject(toSession(messages)));
  const size = await settled();
  const file = join(folder, "exported.json");
  writeFileSync(file, JSON.stringify({ info: { id: "s" }, messages }));
  const env = { PATH: process.env.PATH, HOME: folder, XDG_CACHE_HOME: cache, BUN_BE_BUN: "1" };
  const run = (...more: string[]) =>
    spawnSync(RUNTIME, [resolve("dist/cli/main.js"), "run", "--jsonl", ...more, file], { cwd: folder, env, encoding: "utf8" });
  const { stdout, status } = run();
  expect(status).toBe(0);
  expect(stdout).toBe(run("--no-cache").stdout);
  expect(filesIn()).toHaveLength(1);
  expect(sizes()).toBe(size);
}, 120_000);

test("where nothing can be stored or read, a host says the same and nothing of it", async () => {
  const session = toSession(messages);
  const plain = plainly(session);
  mkdirSync(cache);
  chmodSync(cache, 0o500);
  const locked = keeper();
  expect(atOnce(locked.inject(session))).toBe(plain);
  await wait(500);
  chmodSync(cache, 0o700);
  expect(atOnce(keeper().inject(session))).toBe(plain);
  await settled();
  const [file = ""] = filesIn();
  const whole = readFileSync(file, "utf8");
  for (const damaged of [whole.slice(0, whole.length / 2), `\0${whole.replaceAll("[", "{")}x\ty\n`]) {
    writeFileSync(file, damaged);
    const one = keeper();
    expect(atOnce(one.inject(session))).toBe(plain);
    expect(one.logged).toEqual([]);
  }
  rmSync(file);
  mkdirSync(file);
  const one = keeper();
  expect(atOnce(one.inject(session))).toBe(plain);
  await wait(500);
  expect([...locked.logged, ...one.logged]).toEqual([]);
}, 120_000);
