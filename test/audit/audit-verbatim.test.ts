// A sentence that the summary has word for word is never called contradicted or altered, whatever else the summary says.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { audit, builtInRules } from "../../src/index.js";
import { cases } from "../runs.js";

const { rules } = builtInRules();
const OTHER = ["contradicted", "altered"];
interface Case {
  readonly kind: string;
  readonly fact: string;
  readonly summary: string;
}

const FOLDER = "test/fixtures";
const files = readdirSync(FOLDER).filter((name) => /^audit.*\.jsonl$/.test(name));
const linesIn = (name: string) => readFileSync(`${FOLDER}/${name}`, "utf8").split("\n");
const all = files
  .flatMap((name) => linesIn(name).flatMap((line): readonly Partial<Case>[] => (line === "" ? [] : [JSON.parse(line)])))
  .filter((one): one is Case => typeof one.fact === "string" && typeof one.summary === "string");
const sampled = cases(
  all,
  all.filter((_, index) => index % 24 === 0),
);

const verdictOf = ({ kind, fact }: Case, summary: string) => {
  const verdict = audit([{ kind, text: fact }], summary, { rules }).verdicts[0];
  return verdict && OTHER.includes(verdict.verdict) ? [fact, verdict.why] : undefined;
};

test.each([
  ["behind the summary", ({ summary, fact }: Case) => `${summary}\n\n${fact}.\n`],
  ["above the summary", ({ summary, fact }: Case) => `${fact}.\n\n${summary}`],
  ["as a point of it", ({ summary, fact }: Case) => `${summary}\n- ${fact}\n`],
  ["in a quotation", ({ summary, fact }: Case) => `${summary}\n\nThe user said: "${fact}"\n`],
])("no fact is, with its sentence %s", (_, summaryOf) => {
  expect(sampled.flatMap((one) => verdictOf(one, summaryOf(one)) ?? [])).toEqual([]);
});

const audited = (fact: string, summary: string, kind = "constraint") =>
  audit([{ kind, text: fact }], summary, { rules }).verdicts[0]?.verdict;

test.each([
  ["We want 062cec9 but not 10ed3d3 yet", "We want 062cec9 and 10ed3d3."],
  ["Do not merge the docs branch before Friday", "Merge the docs branch before Friday."],
  ["Retries are at most 5 per job", "Retries are at least 5 per job."],
])("%j is unsure when the summary has it and its opposite, and contradicted by the opposite alone", (fact, opposite) => {
  expect(audited(fact, `## State\n- ${fact}\n- ${opposite}\n`)).toBe("unsure");
  expect(audited(fact, `## State\n- ${opposite}\n`)).toBe("contradicted");
});

test("a place that denies its own words is still against the fact", () => {
  expect(audited("Use Redis for the job queue", "Do not use Redis for the job queue.", "decision")).toBe("contradicted");
});

test("a quote of the sentence counts when only a part of it is compared", () => {
  const fact = { kind: "constraint", text: "062cec9 but not 10ed3d3", quote: "We want 062cec9 but not 10ed3d3 yet." };
  const summary = "We want 062cec9 but not 10ed3d3 yet.\n\nPicked: 062cec9 and 10ed3d3.";
  expect(OTHER).not.toContain(audit([fact], summary, { rules }).verdicts[0]?.verdict);
});
