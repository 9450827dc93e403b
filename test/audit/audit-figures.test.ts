// Pairs of a fact and a summary, labelled by hand: how often the audit is right must not fall.
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
const LOST: readonly AuditVerdict[] = ["altered", "contradicted", "missing"];

/** For each label the least share of pairs that must get one of these verdicts. */
const SETS: readonly (readonly [
  file: string,
  least: Readonly<Record<Pair["label"], readonly [number, readonly AuditVerdict[]]>>,
])[] = [
  [
    "audit.jsonl",
    {
      preserved: [1, ["kept"]],
      paraphrased: [0.19, ["kept"]],
      weakened: [0.95, LOST],
      mutated: [0.9, LOST],
      contradicted: [0.8, ["contradicted"]],
      dropped: [1, ["missing"]],
    },
  ],
  [
    "audit-held.jsonl",
    {
      preserved: [0.95, ["kept"]],
      paraphrased: [0.35, ["kept"]],
      weakened: [0.8, LOST],
      mutated: [0.95, LOST],
      contradicted: [0.8, ["contradicted"]],
      dropped: [1, ["missing"]],
    },
  ],
];

describe.each(SETS)("on the labelled pairs of %s", (file, least) => {
  const judged = readFileSync(`test/fixtures/${file}`, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Pair)
    .map(({ id, kind, fact, summary, label }) => ({
      id,
      label,
      verdict: audit([{ kind, text: fact }], summary, { rules }).verdicts[0]?.verdict as AuditVerdict,
    }));

  test("no fact that is lost or changed is certified", () => {
    const kept = judged.filter(({ label, verdict }) => verdict === "kept" && label !== "preserved" && label !== "paraphrased");
    expect(kept).toEqual([]);
  });

  test.each(Object.entries(least))("%s", (label, [share, wanted]) => {
    const those = judged.filter((one) => one.label === label);
    expect(those.filter(({ verdict }) => wanted.includes(verdict)).length / those.length).toBeGreaterThanOrEqual(share);
  });
});
