// Compares the scores of facts with the share that is right, on labelled windows, and fits the scores in rules/model/cues.yaml.
// Build first. It needs ../shared/eval (or COMPACTION_EVAL). "Left out": scores fitted without the repository of the window.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { builtInRules, extract, readSession } from "#dist/index.js";
import { groupBy } from "#dist/text/lists.js";
import { judgeItems } from "../test/eval/scorer.mjs";
import { mean, two } from "./numbers.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const folder = process.env.COMPACTION_EVAL ?? join(root, "../shared/eval");
if (!existsSync(join(folder, "gold"))) throw new Error(`${folder} has no labelled windows`);
const { rules } = builtInRules(root);
const cues = new Map(rules.cues.map((one) => [one.id, one]));

/** How many hits the expected share counts for: few hits prove little. */
const PRIOR_HITS = 10;
/** The share to expect of a fact in new sessions, see docs/evaluation.md. */
const EXPECTED = 0.28;

const logit = (share) => Math.log(share / (1 - share));
const shareAt = (odds) => 1 / (1 + Math.exp(-odds));

const hits = readdirSync(join(folder, "gold")).flatMap((name) => {
  const gold = JSON.parse(readFileSync(join(folder, "gold", name), "utf8"));
  const { session } = readSession(readFileSync(join(folder, "windows", name)), name);
  const { items } = extract(session, rules, { statements: false }).continuation;
  const active = items.filter(({ status }) => status === "active");
  const given = active.map(({ kind, score, evidence }) => ({
    kind,
    score,
    m: evidence.source,
    text: evidence.quote,
    rule: evidence.rule,
  }));
  return judgeItems(given, gold).items.map((item) => {
    const own = cues.get(item.rule);
    return { ...item, repository: gold.id.split("-")[0], above: own ? logit(Math.min(0.99, item.score)) - logit(own.score) : 0 };
  });
});

/** The score at the threshold that makes the sum of all scores equal to the number of right facts. */
function scoreAtLeast(rows) {
  let [low, high] = [-5, 5];
  for (let round = 0; round < 40; round++) {
    const at = (low + high) / 2;
    const expected = rows.reduce((sum, { above }) => sum + shareAt(at + above), 0) + PRIOR_HITS * shareAt(at);
    if (expected < rows.filter(({ right }) => right).length + PRIOR_HITS * EXPECTED) low = at;
    else high = at;
  }
  return low;
}

const byRule = groupBy(hits, ({ rule }) => rule);

console.table(
  Object.fromEntries(
    [...byRule].sort().map(([rule, rows]) => {
      const own = cues.get(rule);
      const row = {
        hits: rows.length,
        right: two(mean(rows, ({ right }) => (right ? 1 : 0))),
        "mean score": two(mean(rows, ({ score }) => score)),
        ...(own && { "score at least": two(own.score), fitted: two(shareAt(scoreAtLeast(rows))) }),
      };
      return [rule, row];
    }),
  ),
);

/** The score of a hit, fitted without its repository. The scores of rules are not fitted. */
const leftOut = new Map();
for (const repository of new Set(hits.map((hit) => hit.repository)))
  for (const [rule, rows] of byRule) {
    if (!cues.has(rule)) continue;
    const at = scoreAtLeast(rows.filter((row) => row.repository !== repository));
    for (const row of rows) if (row.repository === repository) leftOut.set(row, shareAt(at + row.above));
  }

function printReliability(title, rows) {
  const bands = [...groupBy(rows, (row) => Math.floor(10 * (leftOut.get(row) ?? row.score)))].sort(([a], [b]) => a - b);
  console.log(title);
  console.table(
    Object.fromEntries(
      bands.map(([band, own]) => [
        `${two(band / 10)}-${two((band + 1) / 10)}`,
        {
          facts: own.length,
          "score, left out": two(mean(own, (row) => leftOut.get(row) ?? row.score)),
          "score, as shipped": two(mean(own, ({ score }) => score)),
          right: two(mean(own, ({ right }) => (right ? 1 : 0))),
        },
      ]),
    ),
  );
}
printReliability("all facts", hits);
printReliability(
  "decisions and rejections",
  hits.filter(({ group }) => group === "decision"),
);

const choices = hits.filter(({ group }) => group === "decision");
for (const bar of [0, 0.25, 0.3, 0.33, 0.36, 0.4, 0.45, 0.5]) {
  const named = choices.filter((row) => (leftOut.get(row) ?? row.score) >= bar);
  console.log(`decisions scored ${two(bar)} or more: ${named.length}, right ${two(mean(named, ({ right }) => (right ? 1 : 0)))}`);
}
