// Pairs of a fact and a summary, labelled by hand: how often the auditor is right must not fall.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type AuditVerdict, audit, builtInRules } from "../../src/index.js";

interface Pair {
  readonly id: string;
  readonly kind: string;
  readonly fact: string;
  readonly summary: string;
  readonly label: "preserved" | "paraphrased" | "weakened" | "mutated" | "contradicted" | "dropped";
}

const { rules } = builtInRules();
const pairs: readonly Pair[] = readFileSync("test/fixtures/audit.jsonl", "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
const judged = pairs.map(({ id, kind, fact, summary, label }) => ({
  id,
  label,
  verdict: audit([{ kind, text: fact }], summary, { rules }).verdicts[0]?.verdict,
}));

function share(label: Pair["label"], ...wanted: readonly AuditVerdict[]): number {
  const those = judged.filter((one) => one.label === label);
  return those.filter(({ verdict }) => wanted.includes(verdict as AuditVerdict)).length / those.length;
}

describe("on labelled pairs", () => {
  test("no lost fact is certified", () => {
    const kept = judged.filter(({ label, verdict }) => verdict === "kept" && label !== "preserved" && label !== "paraphrased");
    expect(kept).toEqual([]);
  });

  test("every preserved fact is kept", () => {
    expect(judged.filter(({ label, verdict }) => label === "preserved" && verdict !== "kept")).toEqual([]);
  });

  test.each([
    ["paraphrased", 0.8, ["kept"]],
    ["weakened", 1, ["altered", "contradicted", "missing"]],
    ["mutated", 0.95, ["altered", "contradicted", "missing"]],
    ["contradicted", 0.8, ["contradicted"]],
    ["dropped", 1, ["missing"]],
  ] as const)("%s: at least %d", (label, least, wanted) => {
    expect(share(label, ...wanted)).toBeGreaterThanOrEqual(least);
  });
});
