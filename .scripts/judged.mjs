// Measures what a model's verdicts bring, from recorded requests and answers: no model is asked. Build first; `npm run eval` does.
//   node .scripts/judged.mjs [--answers DIR] [--record]
// `--answers` reads other answers than the recorded ones, `--record` keeps them.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { estimateTokenCount } from "tokenx";
import { atOnce } from "../dist/extract/steps.js";
import { builtInRules, extract, readSession, toPrompt } from "../dist/index.js";
import { applyAnswer } from "../dist/judge/apply-answer.js";
import { withJudged } from "../dist/judge/judged.js";
import { toOffer } from "../dist/judge/offer.js";
import { withoutAnswer } from "../dist/judge/read-answer.js";
import { says } from "../test/eval/scorer.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const recorded = join(root, "test/fixtures/judge");
const { rules } = builtInRules(root);
const two = (number) => number.toFixed(2).replace(/^0/, "");
const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;

/** Line of a candidate without its id → its id. */
const linesIn = (text) => new Map([...text.matchAll(/^(f\d+) (.+)$/gm)].map(([, id, line]) => [line, id]));

/** The offer of a recorded request. A candidate that today's rules do not find is left out. */
function recordedOffer(request, session, extraction) {
  const template = { ...rules.templates.get("judge-offer"), tokens: 1e9 };
  const offering = { rules, round: 1, proposals: atOnce(extraction.propose()), session, named: true };
  const all = toOffer(extraction, template, offering);
  const items = new Map(all.candidates.map((candidate) => [candidate.id, candidate]));
  const offered = linesIn(request);
  const candidates = [...linesIn(all.text)].flatMap(([line, id]) =>
    offered.has(line) ? [{ ...items.get(id), id: offered.get(line) }] : [],
  );
  return { round: 1, candidates, text: request };
}

/** @param answers folder of the answers, one text file for each window */
function judgeWindows(folder, answers) {
  const windows = readdirSync(join(folder, "windows")).map((name) => name.replace(/\.json$/, ""));
  return windows.flatMap((name) => {
    const [request, answer] = [join(recorded, `${name}.request.txt`), join(answers, `${name}.txt`)];
    const answered = answers === recorded ? join(recorded, `${name}.answer.txt`) : answer;
    if (!existsSync(request) || !existsSync(answered)) return [];
    const { session } = readSession(readFileSync(join(folder, "windows", `${name}.json`)), name);
    const gold = JSON.parse(readFileSync(join(folder, "gold", `${name}.json`), "utf8"));
    const extraction = extract(session, rules);
    const [asked, said] = [readFileSync(request, "utf8"), readFileSync(answered, "utf8")];
    const offer = recordedOffer(asked, session, extraction);
    const judging = { session, sources: extraction.sources, rules, items: extraction.continuation.items };
    const { judged, counts } = applyAnswer(said, offer, judging);
    const after = withJudged(extraction, judged, session);
    const added = asked.replace(toPrompt({}, rules), "");
    const block = estimateTokenCount(said) - estimateTokenCount(withoutAnswer(said));
    const tokens = { request: estimateTokenCount(added), answer: block };
    return [{ name, gold, counts, tokens, said, "rules alone": itemsOf(extraction), judged: itemsOf(after) }];
  });
}

const itemsOf = ({ continuation }) =>
  continuation.items
    .filter(({ status }) => status === "active")
    .map(({ kind, evidence }) => ({ kind, m: evidence.source, text: evidence.quote }));

/** Overturned labels that an active fact still tells, and how many there are. */
function overturned(windows, way) {
  const old = windows.flatMap((window) =>
    window.gold.items.filter(({ superseded }) => superseded).map((label) => ({ label, window })),
  );
  const isTold = ({ label, window }) =>
    window[way].some(({ m, text }) => [label, ...(label.also ?? [])].some((spot) => spot.m === m && says(text, spot.quote)));
  return `${old.filter(isTold).length} of ${old.length}`;
}

function score(folder, windows, way) {
  const scratch = mkdtempSync(join(tmpdir(), "compaction-judged-"));
  const file = join(scratch, "predictions.jsonl");
  try {
    writeFileSync(file, windows.map((one) => JSON.stringify({ id: one.gold.id, items: one[way] })).join("\n"));
    const args = [join(folder, "score.mjs"), "--gold", join(folder, "gold"), "--pred", file, "--json"];
    return JSON.parse(spawnSync(process.execPath, args, { encoding: "utf8" }).stdout);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Prints the table. @param folder windows, labels and their scorer */
export function printJudged(folder, answers = recorded) {
  const windows = judgeWindows(folder, answers);
  if (windows.length === 0) return [];
  console.log(`\nfacts judged by a model, recorded on ${windows.length} windows`);
  const rows = ["rules alone", "judged"].map((way) => {
    const { micro, kinds } = score(folder, windows, way);
    const told = overturned(windows, way);
    const row = { precision: two(micro.precision), recall: two(micro.recall), F1: two(micro.f1) };
    return [way, { ...row, "decision F1": two(kinds.decision.f1), facts: micro.predicted, "overturned, still told": told }];
  });
  console.table(Object.fromEntries(rows));
  const sum = (key) => windows.reduce((total, { counts }) => total + counts[key], 0);
  const keys = ["offered", "holds", "stale", "noise", "quotes", "rejected"];
  console.log(keys.map((key) => `${key} ${sum(key)}`).join(", "));
  const medianOf = (key) => median(windows.map(({ tokens }) => tokens[key]));
  console.log(`tokens in the median: ${medianOf("request")} added to the prompt, ${medianOf("answer")} to the answer`);
  return windows;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.env.COMPACTION_EVAL ?? join(root, "../shared/eval");
  const given = process.argv.includes("--answers") ? process.argv[process.argv.indexOf("--answers") + 1] : recorded;
  const windows = printJudged(folder, given);
  for (const { name, counts, tokens } of windows) console.log(name, JSON.stringify(counts), JSON.stringify(tokens));
  if (process.argv.includes("--record"))
    for (const { name, said } of windows) writeFileSync(join(recorded, `${name}.answer.txt`), said);
}
