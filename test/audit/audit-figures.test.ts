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
      paraphrased: [1, ["kept", "unsure"]],
      weakened: [1, ["unsure"]],
      mutated: [0.3, LOST],
      contradicted: [0.16, ["contradicted"]],
      dropped: [1, ["missing", "unsure"]],
    },
  ],
  [
    "audit-held.jsonl",
    {
      preserved: [0.95, ["kept"]],
      paraphrased: [1, ["kept", "unsure"]],
      weakened: [0.95, ["unsure"]],
      mutated: [0.35, LOST],
      contradicted: [0.31, ["contradicted"]],
      dropped: [1, ["missing", "unsure"]],
    },
  ],
];

/** The verdicts on the pairs of a file. */
const judgedPairs = (file: string) =>
  readFileSync(`test/fixtures/${file}`, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Pair)
    .map(({ id, kind, fact, summary, label }) => ({
      id,
      label,
      verdict: audit([{ kind, text: fact }], summary, { rules }).verdicts[0]?.verdict as AuditVerdict,
    }));

describe.each(SETS)("on the labelled pairs of %s", (file, least) => {
  const judged = judgedPairs(file);

  test("no fact that is lost or changed is certified", () => {
    const kept = judged.filter(({ label, verdict }) => verdict === "kept" && label !== "preserved" && label !== "paraphrased");
    expect(kept).toEqual([]);
  });

  test.each(Object.entries(least))("%s", (label, [share, wanted]) => {
    const those = judged.filter((one) => one.label === label);
    expect(those.filter(({ verdict }) => wanted.includes(verdict)).length / those.length).toBeGreaterThanOrEqual(share);
  });
});

describe("on 300 pairs of somebody who knew neither the audit nor its other pairs, which then showed how to repair it", () => {
  const judged = judgedPairs("audit-unseen-2.jsonl");
  const count = (wanted: readonly AuditVerdict[], ...labels: readonly Pair["label"][]) =>
    judged.filter(({ label, verdict }) => labels.includes(label) && wanted.includes(verdict)).length;

  test("certifies most quotes, and no fact that is lost or changed", () => {
    expect(count(["kept"], "preserved")).toBeGreaterThanOrEqual(62);
    expect(count(["kept"], "weakened", "mutated", "contradicted", "dropped")).toBe(0);
  });

  test("calls no fact lost that is told or quoted, and names a few changes", () => {
    expect(count(LOST, "paraphrased", "preserved")).toBe(0);
    expect(count(["contradicted"], "contradicted")).toBeGreaterThanOrEqual(5);
    expect(count(LOST, "mutated")).toBeGreaterThanOrEqual(15);
  });
});

describe("on pairs that nobody wrote rules for", () => {
  const judged = judgedPairs("audit-told.jsonl");
  const verdictsOn = (label: Pair["label"]) => judged.filter((one) => one.label === label).map(({ verdict }) => verdict);

  test("calls at most one in ten facts lost that a summary tells in other words", () => {
    const verdicts = verdictsOn("paraphrased");
    const lost = verdicts.filter((verdict) => LOST.includes(verdict));
    expect(lost.length / verdicts.length).toBeLessThanOrEqual(1 / 10);
  });

  test("calls no fact lost that a summary quotes", () => {
    expect(verdictsOn("preserved").filter((verdict) => LOST.includes(verdict))).toEqual([]);
  });

  test("calls nearly all facts kept that a summary quotes", () => {
    const verdicts = verdictsOn("preserved");
    expect(verdicts.filter((verdict) => verdict === "kept").length / verdicts.length).toBeGreaterThanOrEqual(0.8);
  });

  test.each(["dropped", "contradicted"] as const)("certifies none that is %s", (label) => {
    expect(verdictsOn(label)).not.toContain("kept");
  });
});

/** The verdicts on all facts of a file with one summary for many facts. */
const wholeSummaries = (file: string) =>
  readFileSync(`test/fixtures/${file}`, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly summary: string; readonly facts: readonly Omit<Pair, "id" | "summary">[] })
    .flatMap(({ summary, facts }) =>
      facts.map(({ label, kind, fact }) => ({
        label,
        fact,
        verdict: audit([{ kind, text: fact }], summary, { rules }).verdicts[0]?.verdict as AuditVerdict,
      })),
    );

describe("on whole summaries, written before the audit was changed for them", () => {
  const judged = wholeSummaries("audit-unseen.jsonl");
  const verdictsOn = (label: string) => judged.flatMap((one) => (one.label === label ? [one.verdict] : []));
  const shareOf = (label: string, wanted: readonly AuditVerdict[]) =>
    verdictsOn(label).filter((verdict) => wanted.includes(verdict)).length / verdictsOn(label).length;

  test("calls at most one in ten facts lost that are told in other words", () => {
    expect(shareOf("paraphrased", LOST)).toBeLessThanOrEqual(1 / 10);
  });

  test("calls no fact lost that is quoted", () => {
    expect(shareOf("preserved", LOST)).toBe(0);
  });

  test("certifies no fact that is lost or changed", () => {
    expect(judged.filter(({ label, verdict }) => (label === "mutated" || label === "dropped") && verdict === "kept")).toEqual([]);
  });
});

describe("on whole summaries that decided on checks of the audit, and showed how to repair two of them", () => {
  const judged = wholeSummaries("audit-held-2.jsonl");
  const count = (wanted: readonly AuditVerdict[], ...labels: readonly string[]) =>
    judged.filter(({ label, verdict }) => labels.includes(label) && wanted.includes(verdict)).length;

  test("certifies nearly all quotes, and no fact that is lost or changed", () => {
    expect(count(["kept"], "preserved")).toBeGreaterThanOrEqual(35);
    expect(count(["kept"], "weakened", "mutated", "contradicted", "dropped")).toBe(0);
  });

  test("calls no quote lost and no fact that is told, and names a few contradictions", () => {
    expect(count(LOST, "paraphrased", "preserved")).toBe(0);
    expect(count(["contradicted"], "contradicted")).toBeGreaterThanOrEqual(3);
  });
});

describe("on summaries in the style of real ones", () => {
  const judged = wholeSummaries("audit-real.jsonl");
  const count = (wanted: readonly AuditVerdict[], ...labels: readonly string[]) =>
    judged.filter(({ label, verdict }) => labels.includes(label) && wanted.includes(verdict)).length;

  test("calls no fact lost that is told or quoted, and certifies nearly all quotes", () => {
    expect(count(LOST, "paraphrased", "preserved")).toBe(0);
    expect(count(["kept"], "preserved")).toBeGreaterThanOrEqual(11);
  });

  test("certifies no fact that is lost or changed", () => {
    expect(count(["kept"], "mutated", "contradicted", "dropped")).toBe(0);
  });
});
