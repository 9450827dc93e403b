// Signals that the engine knows by name are declared in the pack schema, and a configuration that lacks them is told.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ASKED_SIGNALS, SALIENCE_SIGNALS, SESSION_SIGNALS } from "../../src/generated/signals.js";
import { builtInRules, loadRules } from "../../src/index.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-signals-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function findings(config: string) {
  writeFileSync(join(folder, ".compactionrc"), config);
  return loadRules(folder).diagnostics.map(({ code, message, hint = "" }) => ({ code, message, hint }));
}

const OWN =
  "extends: []\nsignals: { mine: { match: redis } }\nsalience: { mine: 5 }\ncues: { c: { emit: decision, least: 3, weights: { mine: 5 } } }\n";

test("the built-in packs declare all of them", () => {
  const { signals } = builtInRules().rules;
  expect(Object.keys(ASKED_SIGNALS).filter((name) => !signals.has(name))).toEqual([]);
});

test("warns when a configuration that weighs facts has none of them", () => {
  const [found, ...others] = findings(OWN);
  expect(others).toEqual([]);
  expect(found).toMatchObject({ code: "missing-signal", message: expect.stringContaining("guesses, ") });
  expect(found?.hint).toContain(ASKED_SIGNALS.guesses);
});

test("does not warn when a configuration switches one off or only masks secrets", () => {
  expect(findings("signals: { menu: off }\n")).toEqual([]);
  expect(findings("extends: [compaction:redact]\n")).toEqual([]);
});

test("a signal of salience alone cannot be used in a rule", () => {
  const examples = "examples: [{ text: a, emits: { text: a } }, { text: b, emits: none }]";
  const [found] = findings(`rules: { r: { emit: decision, match: a, signals: late, ${examples} } }\n`);
  expect(found).toMatchObject({ code: "unknown-signal", message: '"late" can only be used in salience' });
});

test("src uses every declared name", () => {
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !name.startsWith("generated"),
  );
  const code = sources.map((name) => readFileSync(join("src", name), "utf8")).join("\n");
  const names = [ASKED_SIGNALS, SESSION_SIGNALS, SALIENCE_SIGNALS].flatMap((list) => Object.keys(list));
  expect(names.filter((name) => !new RegExp(`["']${name}["']|\\b${name}:`).test(code))).toEqual([]);
});
