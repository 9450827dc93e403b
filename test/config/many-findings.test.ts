// A slip in a generator gives thousands of findings: they are told up to a bound, in steps that grow with the file alone.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { lintPacks, loadRules } from "../../src/index.js";
import { PATTERNS, PHRASES } from "../../src/limits.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-many-"));
  mkdirSync(join(folder, ".git"));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

const load = (text: string) => {
  writeFileSync(join(folder, ".compactionrc"), text);
  return loadRules(folder);
};
const counted = (codes: readonly string[]) =>
  Object.fromEntries([...new Set(codes)].map((code) => [code, codes.filter((one) => one === code).length]));
const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => `  ${line(index)}\n`).join("");

const SLIPS: readonly (readonly [string, string, (count: number) => string])[] = [
  ["unknown signals", "unknown-signal", (count) => `salience:\n${lines(count, (index) => `rationale${index}: 5`)}`],
  ["unknown rules", "unknown-id", (count) => `rules:\n${lines(count, (index) => `x${index}: off`)}`],
  ["unknown keys", "unknown-key", (count) => lines(count, (index) => `key${index}: 1`).replaceAll("  ", "")],
  [
    "wrong phrases",
    "phrase-syntax",
    (count) => `rules:\n${lines(count, (index) => `r${index}: { emit: note, match: "we say ${index} {text" }`)}`,
  ],
];

describe.each(SLIPS)("thousands of %s", (_, code, text) => {
  test("are reported up to a limit, with the place of the next one", () => {
    const { diagnostics } = load(text(1_000));
    expect(counted(diagnostics.map((finding) => finding.code))).toEqual({ [code]: 100, "more-findings": 1 });
    expect(diagnostics.at(-1)).toMatchObject({ severity: "warning", message: "only the first 100 errors are shown" });
    expect(diagnostics.at(-1)?.at?.line).toBeGreaterThan(100);
  });

  test("are not each compared with all others when there are many", () => {
    const looks = [vi.spyOn(JSON, "stringify"), vi.spyOn(String.prototype, "toLowerCase")];
    const stepsFor = (count: number) => {
      for (const look of looks) look.mockClear();
      load(text(count));
      return looks.reduce((sum, look) => sum + look.mock.calls.length, 0);
    };
    const few = stepsFor(500);
    expect(stepsFor(2_000)).toBeLessThan(few + 1_500 * 10);
  });
});

test("a redaction behind them holds, and warnings hide no error", () => {
  const wrong = lines(300, (index) => `r${index}: { emit: note, match: "we say {text" }`);
  const { rules } = load(`rules:\n${wrong}  cust: { emit: redact, regex: CQRS }\n`);
  expect(rules.redactions.map(({ id }) => id)).toContain("cust");
  const cut = lines(300, (index) => `- word${index} #cut`);
  const { diagnostics } = load(`nothing:\n${cut}salience: { nosuch: 3 }\n`);
  expect(counted(diagnostics.map(({ code }) => code))).toEqual({
    "yaml-cut-phrase": 100,
    "more-findings": 1,
    "unknown-signal": 1,
  });
});

test("reports rules without examples up to the same limit", () => {
  const { packs, diagnostics } = load(`rules:\n${lines(300, (index) => `r${index}: { emit: note, match: "we say ${index}" }`)}`);
  expect(diagnostics).toEqual([]);
  expect(counted(lintPacks(packs).map(({ code }) => code))).toEqual({ "rule-examples": 100, "more-findings": 1 });
});

describe.each([
  ["phrases", PHRASES, (index: number) => `r${index}: { emit: note, match: "the same literal ${index} {text}" }`],
  ["patterns", PATTERNS, (index: number) => `r${index}: { emit: note, regex: "literal${index} (?<text>[a-z]+)" }`],
])("more %s than anybody has", (what, most, line) => {
  test("are ignored and reported once when there are too many", () => {
    const half = most / 2;
    writeFileSync(join(folder, "a.yaml"), `compaction: 1\nname: a\nrules:\n${lines(half, line)}`);
    const rest = lines(half + 50, (index) => line(half + index));
    const { diagnostics, rules } = load(`extends: [compaction:recommended, ./a.yaml]\nrules:\n${rest}`);
    const told = diagnostics.filter(({ code }) => code === "too-many");
    expect(told.map(({ message }) => message)).toEqual([`more than ${most} ${what}: this one and later ones are ignored`]);
    expect(told[0]?.at?.line).toBe(half + 3);
    expect(rules.rules.filter(({ id }) => /^r\d+$/.test(id))).toHaveLength(most);
    expect(rules.redactions).toHaveLength(load("").rules.redactions.length);
  });
});
