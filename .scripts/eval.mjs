// Measures facts and briefs on labelled windows: those of the project, and those of ../shared/eval if present, or of the
// folders in COMPACTION_EVAL (separated by `:`). Build first; `npm run eval` does.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { builtInRules, extract, readSession, render } from "#dist/index.js";
import { fitWeights, weighBy } from "../test/eval/fit.mjs";
import { BASELINES, judgeBrief, judgeItems, says, sumUp, tableOfKinds } from "../test/eval/scorer.mjs";
import { printJudged } from "./judged.mjs";
import { known } from "./known.mjs";
import { two } from "./numbers.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const given = (process.env.COMPACTION_EVAL ?? join(root, "../shared/eval")).split(":");
const folders = given.filter((folder) => existsSync(join(folder, "gold")));
const { rules } = builtInRules(root);
const brief = known(rules.templates.get("brief"), "the template brief");

/** `repositories.json` maps windows to repositories; otherwise the name of a window begins with its repository. */
function repositoriesOf(folder) {
  const file = join(folder, "repositories.json");
  const named = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  return (id) => named[id] ?? id.split("-")[0];
}

function openWindows(folder) {
  const repositoryOf = repositoriesOf(folder);
  return readdirSync(join(folder, "gold"))
    .filter((name) => name.endsWith(".json"))
    .map((name) => {
      const gold = JSON.parse(readFileSync(join(folder, "gold", name), "utf8"));
      const { session } = readSession(readFileSync(join(folder, "windows", name)), name);
      const extraction = extract(session, rules, /** @type {object} */ ({ signals: true }));
      const items = extraction.continuation.items
        .filter(({ status }) => status === "active")
        .map(({ kind, evidence }) => ({ kind, m: evidence.source, text: evidence.quote, rule: evidence.rule }));
      const labels = gold.items.filter(({ weight, superseded }) => weight >= 2 && !superseded);
      const quotes = labels.flatMap(({ quote, also = [] }) => [quote, ...also.map((one) => one.quote)]);
      const rows = extraction.statements
        .filter(({ salience }) => salience > 0)
        .map(({ signals, text }) => ({ signals, right: quotes.some((quote) => says(text, quote)) }));
      return { gold, session, extraction, rows, repository: repositoryOf(gold.id), judged: judgeItems(items, gold) };
    });
}

function printKinds(windows) {
  const table = tableOfKinds(windows.map(({ judged }) => judged));
  const rows = Object.entries(table).filter(([, { labels, predicted }]) => labels + predicted > 0);
  console.table(
    Object.fromEntries(
      rows.map(([kind, { precision, recall, f1, labels, predicted }]) => [
        kind,
        { precision: two(precision), recall: two(recall), f1: two(f1), labels, predicted },
      ]),
    ),
  );
}

/** The hits of each rule, and in how many repositories one of them is right. */
function rulesOf(windows) {
  const found = new Map();
  for (const { repository, judged } of windows)
    for (const { rule, kind, right } of judged.items) {
      const row = found.get(rule) ?? { kind, hits: 0, right: 0, repositories: new Set() };
      row.hits++;
      if (right) {
        row.right++;
        row.repositories.add(repository);
      }
      found.set(rule, row);
    }
  return found;
}

function printRules(windows) {
  const rows = [...rulesOf(windows)].sort((a, b) => b[1].hits - a[1].hits);
  console.table(
    Object.fromEntries(
      rows.map(([rule, { kind, hits, right, repositories }]) => [
        rule,
        { kind, hits, precision: two(right / hits), "right in": repositories.size },
      ]),
    ),
  );
}

/** Tests on each repository only the rules that were right in two of the others. */
function printLeftOut(windows) {
  const judged = [];
  for (const left of new Set(windows.map(({ repository }) => repository))) {
    const known = rulesOf(windows.filter(({ repository }) => repository !== left));
    const trusted = ({ rule }) => (known.get(rule)?.repositories.size ?? 0) >= 2;
    for (const { repository, judged: all, gold } of windows) {
      if (repository !== left) continue;
      judged.push(judgeItems(all.items.filter(trusted), gold));
    }
  }
  console.log("leave one repository out: rules that are right in two of the others");
  printKinds(judged.map((one) => ({ judged: one })));
}

/** Signals that are too rare to be fitted keep their weights. */
const LEAST_ROWS = 30;
const LEAST_REPOSITORIES = 4;

/** For each repository, weights fitted on all the others. */
function weightsWithout(windows) {
  const names = [...rules.salience.keys()];
  const holds = ({ signals }, name) => (signals.get(name) ?? 0) > 0;
  return new Map(
    [...new Set(windows.map(({ repository }) => repository))].map((left) => {
      const others = windows.filter(({ repository }) => repository !== left);
      const seldom = names.filter((name) => {
        const where = others.filter(({ rows }) => rows.some((row) => holds(row, name)));
        const rows = where.reduce((sum, one) => sum + one.rows.filter((row) => holds(row, name)).length, 0);
        return rows < LEAST_ROWS || new Set(where.map(({ repository }) => repository)).size < LEAST_REPOSITORIES;
      });
      const fixed = new Map(seldom.map((name) => [name, known(rules.salience.get(name), name) / 100]));
      return [
        left,
        fitWeights(
          others.map(({ rows }) => rows),
          names,
          fixed,
        ),
      ];
    }),
  );
}

function printBriefs(windows, sizes) {
  const rows = {};
  const fitted =
    new Set(windows.map(({ repository }) => repository)).size > LEAST_REPOSITORIES ? weightsWithout(windows) : undefined;
  const weighed = ({ extraction }, weights) => ({
    ...extraction,
    statements: extraction.statements.map((one) => ({
      ...one,
      salience: one.salience > 0 ? weighBy(weights, one.signals) : 0,
    })),
  });
  const briefOf = (extraction, tokens) => render(extraction, brief, rules, { tokens }).text;
  const ways = {
    brief: ({ extraction }, tokens) => briefOf(extraction, tokens),
    ...(fitted && {
      "brief, fitted without": (window, tokens) => briefOf(weighed(window, fitted.get(window.repository)), tokens),
    }),
    ...Object.fromEntries(
      Object.entries(BASELINES).map(([name, textOf]) => [name, ({ session }, tokens) => textOf(session.messages, tokens)]),
    ),
  };
  for (const [name, textOf] of Object.entries(ways)) {
    rows[name] = {};
    for (const tokens of sizes) {
      const { kept, held, stale } = sumUp(windows.map((window) => judgeBrief(textOf(window, tokens), window.gold)));
      rows[name][`${tokens} tokens: kept / held / stale`] = [kept, held, stale].map(two).join(" / ");
    }
  }
  console.table(rows);
  if (fitted)
    console.log(
      "fitted without: the weights of salience by logistic regression on the other repositories, the repository left out; cues and rules as they are",
    );
}

function report(title, windows, sizes) {
  console.log(
    `\n${title}: ${windows.length} windows of ${new Set(windows.map(({ repository }) => repository)).size} repositories`,
  );
  printKinds(windows);
  printRules(windows);
  printLeftOut(windows);
  console.log("briefs: probes kept, labels of weight 2-3 held by a line, overturned labels still held");
  printBriefs(windows, sizes);
}

report("the project's own windows (invented)", openWindows(join(root, "test/fixtures/eval")), [120, 240, 500]);
if (folders.length === 0) {
  console.log("\n../shared/eval is not here: real sessions are not measured");
  process.exit(0);
}
report(`real sessions, by our scorer (${folders.join(", ")})`, folders.flatMap(openWindows), [500, 1_000, 2_000]);

for (const folder of folders.filter((one) => existsSync(join(one, "score.mjs")))) printJudged(folder);

// The final figures come from the scorer there, run on what a user would run.
const scratch = mkdtempSync(join(tmpdir(), "compaction-eval-"));
const cli = `${process.execPath} ${join(root, "dist/cli/main.js")}`;
const node = (...args) => {
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
};
try {
  for (const folder of folders.filter((one) => existsSync(join(one, "score.mjs")))) {
    const predictions = join(scratch, "predictions.jsonl");
    console.log(`\nreal sessions, by the scorer of ${folder}`);
    node(join(folder, "predict.mjs"), "--cli", cli, "--windows", join(folder, "windows"), "--out", predictions);
    node(join(folder, "score.mjs"), "--gold", join(folder, "gold"), "--pred", predictions);
    console.log("\npublic benchmarks' data");
    const data = (name) => join(folder, "public", name);
    const cases = ["--compactbench", data("compactbench-starter.jsonl"), "--conformance", data("conformance-dev.jsonl")];
    node(join(folder, "public.mjs"), "--cli", cli, ...cases);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
