import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { extract } from "../../src/extract/extract.js";
import { cacheFile, cacheFolder, clearCache, openCache } from "../../src/keep/cache.js";
import type { Session } from "../../src/model.js";
import { builtInRules } from "../../src/rules/load.js";

const { rules } = builtInRules();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-cache-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const session = (...texts: readonly string[]): Session => ({
  id: "s",
  format: "test",
  messages: texts.map((text, index) => ({ id: `m${index}`, role: index % 2 ? "assistant" : "user", text, toolCalls: [] })),
});
const said = session("Make it fast.", "**We decided to use SQLite** because it is small.", "ok", "We won't use Redis for this.");

function run(given = said) {
  const cache = openCache(rules, folder);
  let hits = 0;
  const get: typeof cache.get = (text, context) => {
    const found = cache.get(text, context);
    if (found !== undefined) hits++;
    return found;
  };
  const extraction = extract(given, rules, { cache: { ...cache, get } });
  cache.flush();
  return { extraction, hits };
}

test("what was found before is the same to the letter, statements and all", () => {
  const { continuation, statements } = extract(said, rules);
  for (const expected of [0, 4]) {
    const { extraction, hits } = run();
    expect(hits).toBe(expected);
    expect(JSON.stringify(extraction.continuation)).toBe(JSON.stringify(continuation));
    expect(extraction.statements).toEqual(statements);
  }
});

test("it is for the user alone, and nothing is kept of a message with a secret", () => {
  run(session("The key is sk-abcdefghijklmnop1234.", "We decided to use SQLite."));
  const file = cacheFile(folder);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain("abcdefghijkl");
});

test("other rules, damaged and foreign lines find everything anew", () => {
  run();
  const file = cacheFile(folder);
  const before = readFileSync(file, "utf8");
  rmSync(file);
  appendFileSync(file, `${before.replaceAll(",[", ",[[[")}hello\n{"k":1}\n${before.slice(0, 40)}`);
  expect(run().extraction.continuation).toEqual(extract(said, rules).continuation);
  const other = { ...rules, rules: rules.rules.slice(1) };
  const cache = openCache(other, folder);
  expect(extract(said, other, { cache }).continuation).toEqual(extract(said, other).continuation);
});

test("two that write at once lose nothing, and it stays below its bound", () => {
  const [one, other] = [openCache(rules, folder), openCache(rules, folder)];
  one.put("a", "", "[0]");
  other.put("b", "", "[1]");
  one.flush();
  other.flush();
  const both = openCache(rules, folder);
  expect([both.get("a", ""), both.get("b", "")]).toEqual(["[0]", "[1]"]);
  for (let index = 0; index < 200; index++) {
    const small = openCache(rules, folder, 2_000);
    small.put(`${index}`, "", "[0]");
    small.flush();
  }
  expect(statSync(cacheFile(folder)).size).toBeLessThan(2_100);
  expect(openCache(rules, folder).get("199", "")).toBe("[0]");
  clearCache(folder);
  expect(openCache(rules, folder).get("199", "")).toBeUndefined();
});

test("it lies in the user's cache folder", () => {
  expect(cacheFolder({ XDG_CACHE_HOME: "/x" })).toBe("/x/compaction-rules");
});
