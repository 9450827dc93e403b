// Lines of summaries about fifteen facts, written before the audit was tried on them.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { AuditVerdict } from "../../src/index.js";
import { judged } from "./judged.js";

type Label = "preserved" | "weakened" | "contradicted" | "dropped";
type Fact = { readonly fact: string; readonly kind: string } & Readonly<Record<Label, readonly string[]>>;

const LABELS: readonly Label[] = ["preserved", "weakened", "contradicted", "dropped"];
const facts = parse(readFileSync("test/fixtures/audit-lines.yaml", "utf8")) as readonly Fact[];
const pairs = facts.flatMap((one) =>
  LABELS.flatMap((label) =>
    one[label].map((line) => ({ label, fact: one.fact, line, verdict: judged(one.fact, line.replace(/^- /, ""), one.kind) })),
  ),
);

test("certifies no fact that a line limits, denies or only touches", () => {
  expect(pairs.filter(({ label, verdict }) => label !== "preserved" && verdict === "kept")).toEqual([]);
});

describe("names what became of a fact", () => {
  const LOST: readonly AuditVerdict[] = ["altered", "contradicted", "missing"];
  test.each<[Label, number, readonly AuditVerdict[]]>([
    ["preserved", 1, ["kept"]],
    ["weakened", 0.9, LOST],
    ["contradicted", 0.66, ["contradicted"]],
    ["dropped", 0.8, ["missing"]],
  ])("%s: at least a share of %d", (label, least, wanted) => {
    const those = pairs.filter((one) => one.label === label);
    expect(those.filter(({ verdict }) => verdict && wanted.includes(verdict)).length / those.length).toBeGreaterThanOrEqual(
      least,
    );
  });
});
