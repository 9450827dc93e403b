import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

// Five real compactions with 60 questions, see test/fixtures/exam. A change that falls below must say why.
test("a repaired summary has more of the answers than the summary alone, or with the end of the session", () => {
  const code =
    'import("./.scripts/exam.mjs").then(({ examFigures }) => examFigures()).then((all) => console.log(JSON.stringify(all)))';
  const figures = JSON.parse(execFileSync(process.execPath, ["-e", code], { encoding: "utf8" })) as Record<string, number>;
  expect(figures.summary).toBeGreaterThan(0.7);
  expect(figures["summary + block"]).toBeGreaterThanOrEqual((figures.summary as number) + 0.1);
  expect(figures["summary + block"]).toBeGreaterThan(figures["summary + end"] as number);
  expect(figures.brief).toBeGreaterThanOrEqual(0.55);
}, 120_000);
