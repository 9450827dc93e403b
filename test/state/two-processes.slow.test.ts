// What two processes store at once is there afterwards, of both. Real processes, which run the built package.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readChoices } from "../../src/state/choices.js";
import { LockedError, whenFree } from "../../src/state/lock.js";
import { readMemory } from "../../src/state/memory.js";
import { readStanding } from "../../src/state/standing.js";
import { changeState, readState } from "../../src/state/state.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-two-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const writer = fileURLToPath(new URL("writer.mjs", import.meta.url));
const start = (what: string, name: string, count: number): ChildProcess =>
  spawn(process.execPath, [writer, what, name, String(count), folder], { stdio: ["ignore", "pipe", "inherit"] });

async function bothDo(what: string, count: number): Promise<void> {
  const codes = await Promise.all(["a", "b"].map(async (name) => (await once(start(what, name, count), "exit"))[0]));
  expect(codes).toEqual([0, 0]);
}
const named = (count: number) =>
  ["a", "b"].flatMap((name) => Array.from({ length: count }, (_, index) => `${name}${index}`)).sort();

describe("two processes at once", { timeout: 60_000 }, () => {
  test("facts of one session", async () => {
    await bothDo("memory", 60);
    const items = readMemory("ses_1", folder).memory?.continuation.items ?? [];
    const kept = items.filter(({ kind }) => kind === "decision").map(({ text }) => text.replace("use library ", ""));
    expect(kept.sort()).toEqual(named(60));
    expect(readdirSync(folder)).toEqual(["session-ses_1.json"]);
  });

  test("pins of one project", async () => {
    await bothDo("pins", 60);
    expect([...readChoices("/project", folder).choices.pins].sort()).toEqual(named(60));
  });

  test("the user's rules of one project", async () => {
    await bothDo("rules", 15);
    const texts = readStanding("/project", folder).map(({ item }) => item.text.replace(/^.*?(\w+)\.ts.*$/, "$1"));
    expect(texts.sort()).toEqual(named(15));
  });
});

test.each(["somebody who is gone", ""])("a lock that a dead process left stops nobody: %j", async (word) => {
  writeFileSync(join(folder, "a.json.lock"), word);
  expect(await whenFree(() => changeState("a", () => ({ version: 1 }) as const, folder))).toEqual({ version: 1 });
  expect(readdirSync(folder)).toEqual(["a.json"]);
});

test.skipIf(process.platform === "win32")("a process that slept over a change begins it anew", { timeout: 30_000 }, async () => {
  const child = start("sleeper", "child", 1);
  let printed = "";
  child.stdout?.on("data", (data) => {
    printed += data;
  });
  const state = () => readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]?.[0];
  const stopped = process.platform === "linux" ? () => state() === "T" : () => readdirSync(folder).includes("names.json.lock");
  while (!stopped()) await new Promise((done) => setTimeout(done, 20));
  const add = (value: unknown) =>
    ({ version: 1, names: [...((value as { names?: string[] } | undefined)?.names ?? []), "test"] }) as const;
  await whenFree(() => changeState("names", add, folder));
  child.kill("SIGCONT");
  expect((await once(child, "close"))[0]).toBe(0);
  expect(readState("names", folder).value).toEqual({ version: 1, names: ["test", "child"] });
  expect(printed).toBe("2");
});

test.skipIf(process.platform === "win32")(
  "a process that holds the lock blocks no other for long",
  { timeout: 30_000 },
  async () => {
    const child = start("sleeper", "child", 1);
    while (!readdirSync(folder).includes("names.json.lock")) await new Promise((done) => setTimeout(done, 5));
    const add = () => ({ version: 1, names: ["test"] }) as const;
    const began = performance.now();
    expect(() => changeState("names", add, folder)).toThrow(LockedError);
    expect(performance.now() - began).toBeLessThan(500);
    // While the change waits, the event loop turns.
    let turns = 0;
    const timer = setInterval(() => turns++, 5);
    await whenFree(() => changeState("names", add, folder));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(2);
    child.kill("SIGCONT");
    await once(child, "close");
    expect(readState("names", folder).value).toEqual({ version: 1, names: ["test", "child"] });
  },
);
