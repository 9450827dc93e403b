import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { builtInRules, loadRulesFrom } from "../../src/index.js";
import { chooseLifecycle } from "../../src/lifecycle/index.js";

const { rules } = builtInRules();
const folder = mkdtempSync(join(tmpdir(), "compaction-lifecycle-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const load = (text: string) => {
  const file = join(folder, ".compactionrc");
  writeFileSync(file, text);
  return loadRulesFrom(file);
};

test("uses classic unless another is named, and nothing when the name is unknown", () => {
  expect(chooseLifecycle(rules)?.id).toBe("classic");
  expect(chooseLifecycle(rules, { name: "opencode" })?.id).toBe("opencode");
  expect(chooseLifecycle(rules, { name: "other" })).toBeUndefined();
});

test.each([
  ["1", false],
  ["true", false],
  ["TRUE", false],
  ["0", true],
  ["false", true],
  ["yes", true],
  ["", true],
  [undefined, true],
])("the environment switches off with true or 1 only: %j", (value, on) => {
  const environment = { OPENCODE_DISABLE_AUTOCOMPACT: value, OPENCODE_DISABLE_PRUNE: value };
  for (const name of ["classic", "opencode"]) {
    const chosen = chooseLifecycle(rules, { name, settings: { auto: true, prune: true }, environment });
    expect(chosen).toMatchObject({ auto: on, prune: on });
  }
});

test.each([
  ["16000", 16_000],
  ["0", 32_000],
  ["-1", 32_000],
  ["many", 32_000],
  [undefined, 32_000],
])("the answer's tokens by the environment: %j", (value, answer) => {
  const environment = { OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX: value };
  expect(chooseLifecycle(rules, { name: "opencode", environment })?.answer).toBe(answer);
  expect(chooseLifecycle(rules, { environment })?.answer).toBe(32_000);
});

test("changes one constant and keeps the others when a configuration sets it", () => {
  const { rules: changed, diagnostics } = load("lifecycle: { classic: { protect: 10, keep: memory }, opencode: off }\n");
  expect(diagnostics).toEqual([]);
  expect(chooseLifecycle(changed)).toMatchObject({ protect: 10, minimum: 20_000, keep: new Set(["memory"]) });
  expect(chooseLifecycle(changed, { name: "opencode" })).toBeUndefined();
});

test("refuses a new rule set when one of its numbers is missing", () => {
  const { rules: own, diagnostics } = load("lifecycle: { mine: { counted: input, answer: 9, protect: 1, minimum: 1 } }\n");
  expect(diagnostics).toMatchObject([{ code: "missing-key", at: { line: 1 } }]);
  expect(own.lifecycle.has("mine")).toBe(false);
  expect(own.lifecycle.has("classic")).toBe(true);
});
