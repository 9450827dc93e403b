import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aggregateDifferences, type HostMessage, sessionDifferences, snapshotRange } from "../../src/lifecycle/index.js";
import { countLines } from "../../src/lifecycle/turn-summaries.js";

describe("differences of turns as one", () => {
  test("first state against last, counted anew", () => {
    expect(
      aggregateDifferences([
        { file: "a", before: "1\n2\n", after: "1\n2\n3\n", additions: 1, deletions: 0 },
        { file: "b", before: "", after: "x\n", additions: 1, deletions: 0 },
        { file: "a", before: "1\n2\n3\n", after: "1\n4\n", additions: 1, deletions: 2 },
      ]),
    ).toEqual([
      { file: "a", before: "1\n2\n", after: "1\n4\n", additions: 1, deletions: 1, status: "modified", net: true },
      { file: "b", before: "", after: "x\n", additions: 1, deletions: 0, status: "added", net: true },
    ]);
  });

  test("what ends as it began is left out", () => {
    const change = { additions: 1, deletions: 1 };
    expect(
      aggregateDifferences([
        { file: "a", before: "1", after: "2", ...change },
        { file: "b", status: "added", ...change },
        { file: "a", before: "2", after: "1", ...change },
        { file: "b", status: "deleted", ...change },
      ]),
    ).toEqual([]);
  });

  test("without both states lines are added up, and it says so", () => {
    expect(
      aggregateDifferences([
        { file: "a", status: "modified", additions: 3, deletions: 1 },
        { file: "a", status: "modified", additions: 2, deletions: 3 },
        { file: "b", status: "added", additions: 5, deletions: 0 },
        { file: "c", status: "modified", additions: 1, deletions: 0 },
        { file: "c", status: "deleted", additions: 0, deletions: 9 },
      ]),
    ).toEqual([
      { file: "a", additions: 5, deletions: 4, status: "modified", net: false },
      { file: "b", additions: 5, deletions: 0, status: "added", net: true },
      { file: "c", additions: 1, deletions: 9, status: "deleted", net: false },
    ]);
  });
});

const step = (type: string, snapshot?: string) => ({ type, ...(snapshot && { snapshot }) });
const session: readonly HostMessage[] = [
  {
    info: {
      id: "u1",
      role: "user",
      summary: { diffs: [{ file: "a", patch: "", additions: 1, deletions: 0, status: "added" }, { patch: "" }] },
    },
    parts: [],
  },
  { info: { id: "a1", role: "assistant" }, parts: [step("step-start"), step("step-start", "s1"), step("step-finish", "s2")] },
  { info: { id: "c1", role: "user", summary: { diffs: [] } }, parts: [{ type: "compaction", auto: true }] },
  {
    info: { id: "s1", role: "assistant", summary: true },
    parts: [step("step-start", "s2"), step("step-finish", "s3"), step("step-finish")],
  },
];

test("OpenCode's own differences are read from the user's messages", () => {
  expect(sessionDifferences(session)).toEqual([{ file: "a", additions: 1, deletions: 0, status: "added", net: true }]);
});

test("a host can compare the first snapshot with the last", () => {
  expect(snapshotRange(session)).toEqual({ from: "s1", to: "s3" });
  expect(snapshotRange(session.slice(0, 1))).toBeUndefined();
});

describe("lines", () => {
  test.each([
    ["", "", 0, 0],
    ["", "a\nb", 2, 0],
    ["a\nb\n", "", 0, 2],
    ["a\nb\nc\n", "a\nx\nc\n", 1, 1],
    ["a\nb\nc\nd", "b\nc\nd\ne", 1, 1],
  ])("%j → %j", (before, after, additions, deletions) => {
    expect(countLines(before, after)).toEqual({ additions, deletions });
  });

  test("are as many as the longest common part leaves over", () => {
    const lines = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 12 });
    const common = (a: readonly string[], b: readonly string[]): number => {
      const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
      for (let i = 1; i <= a.length; i++)
        for (let j = 1; j <= b.length; j++)
          (table[i] as number[])[j] =
            a[i - 1] === b[j - 1] ? (table[i - 1]?.[j - 1] ?? 0) + 1 : Math.max(table[i - 1]?.[j] ?? 0, table[i]?.[j - 1] ?? 0);
      return table[a.length]?.[b.length] ?? 0;
    };
    fc.assert(
      fc.property(lines, lines, (a, b) => {
        const kept = common(a, b);
        const text = (list: readonly string[]) => list.map((line) => `${line}\n`).join("");
        expect(countLines(text(a), text(b))).toEqual({ additions: b.length - kept, deletions: a.length - kept });
      }),
    );
  });

  test("of long texts with nothing in common are counted", () => {
    const many = (name: string) => Array.from({ length: 20_000 }, (_, index) => `${name}${index}`).join("\n");
    expect(countLines(many("a"), many("b"))).toEqual({ additions: 20_000, deletions: 20_000 });
  });
});
