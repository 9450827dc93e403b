// Measures what a model's verdicts bring, from recorded requests and answers: no model is asked. Build first; `npm run eval` does.
//   node .scripts/judged.mjs --requests DIR             writes DIR/WINDOW.request.txt for each window: give it to a model
//   node .scripts/judged.mjs [--answers DIR] [--record]  scores the answers DIR/WINDOW.txt, or the recorded ones
// `--record` keeps answers. The windows are those of ../shared/eval, or of the folder in COMPACTION_EVAL.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { estimateTokenCount } from "tokenx";
import { toRequest } from "#dist/compact/request.js";
import { offerFacts } from "#dist/hosts/judging.js";
import { neutral } from "#dist/hosts/neutral.js";
import { builtInRules, extract, readSession, render, toPrompt } from "#dist/index.js";
import { applyAnswer } from "#dist/judge/apply-answer.js";
import { withJudged } from "#dist/judge/judged.js";
import { readAnswer, withoutAnswer } from "#dist/judge/read-answer.js";
import { messageNames } from "#dist/source/session/messages.js";
import { atOnce } from "#dist/steps.js";
import { says } from "../test/eval/scorer.mjs";
import { known } from "./known.mjs";
import { median, two } from "./numbers.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const recorded = join(root, "test/fixtures/judge");
const { rules } = builtInRules(root);
const templateOf = (id) => known(rules.templates.get(id), `the template ${id}`);

/** Line of a candidate without its id → its id. */
const linesIn = (text) => new Map([...text.matchAll(/^(f\d+) (.+)$/gm)].map(([, id, line]) => [line, id]));

const namesOf = (folder) => readdirSync(join(folder, "windows")).map((name) => name.replace(/\.json$/, ""));

function openWindow(folder, name) {
  const { session } = readSession(readFileSync(join(folder, "windows", `${name}.json`)), name);
  return { session, extraction: extract(session, rules) };
}

function offerOf({ session, extraction }, template = templateOf("judge-offer")) {
  const all = { ...rules, templates: new Map([...rules.templates, ["judge-offer", template]]) };
  const found = { withVerdicts: () => extraction, now: extraction, memory: undefined };
  const way = { named: true, line: false };
  return atOnce(offerFacts(session, found, all, way)) ?? { ...way, round: 1, candidates: [], text: "" };
}

/** What `compact --model` sends: the prompt for a summary, the offer, and the conversation with masked and cut calls. */
function writeRequests(folder, out) {
  mkdirSync(out, { recursive: true });
  for (const name of namesOf(folder)) {
    const window = openWindow(folder, name);
    const { messages } = window.session;
    const prompt = `${toPrompt({}, rules)}\n\n${offerOf(window).text}`;
    const contexts = [neutral(render(window.extraction, templateOf("judge-injection"), rules).text)];
    const names = messageNames(window.session);
    const { text, omitted } = toRequest({ messages, contexts, rules, quote: neutral, names, prompt });
    writeFileSync(join(out, `${name}.request.txt`), text);
    console.log(`${name}: ${estimateTokenCount(text)} tokens, ${omitted} messages did not fit`);
  }
}

/** The offer of a recorded request. A candidate that today's rules do not find is left out. */
function recordedOffer(request, window) {
  const all = offerOf(window, { ...templateOf("judge-offer"), tokens: 1e9 });
  const items = new Map(all.candidates.map((candidate) => [candidate.id, candidate]));
  const offered = linesIn(request);
  const candidates = [...linesIn(all.text)].flatMap(([line, id]) =>
    offered.has(line) ? [{ ...known(items.get(id), id), id: offered.get(line) }] : [],
  );
  return { round: 1, candidates, text: request, named: all.named, line: all.line };
}

/** @param answers folder of the answers, one text file for each window */
function judgeWindows(folder, answers) {
  return namesOf(folder).flatMap((name) => {
    const places = [answers, recorded].map((place) => join(place, `${name}.request.txt`));
    const request = places.find((place) => existsSync(place));
    const answered = join(answers, answers === recorded ? `${name}.answer.txt` : `${name}.txt`);
    if (!request || !existsSync(answered)) return [];
    const gold = JSON.parse(readFileSync(join(folder, "gold", `${name}.json`), "utf8"));
    const window = openWindow(folder, name);
    const { session, extraction } = window;
    const [asked, said] = [readFileSync(request, "utf8"), readFileSync(answered, "utf8")];
    const offer = recordedOffer(asked, window);
    const judging = { session, sources: known(extraction.sources, "the sources"), rules, items: extraction.continuation.items };
    const { judged, counts } = applyAnswer(said, offer, judging);
    const after = withJudged(extraction, judged, session);
    const added = (asked.split("</conversation>").at(-1) ?? "").replace(toPrompt({}, rules), "");
    const block = estimateTokenCount(said) - estimateTokenCount(withoutAnswer(said));
    const tokens = { request: estimateTokenCount(added), answer: block };
    const ways = {
      "rules alone": itemsOf(extraction),
      judged: itemsOf(after),
      "judged, named": itemsOf(after, isNamed),
      marked: itemsOf(after, isMarked),
    };
    return [{ name, gold, counts, tokens, said, lost: lostQuotes(said, asked, session, after), ...ways }];
  });
}

const isNamed = ({ judged }) => judged?.marked !== false;
const isMarked = ({ judged }) => judged?.marked === true;

const folded = (text) =>
  text
    .replace(/[\s*`]+|\\[nrt]/g, " ")
    .replace(/\\?["'“”‘’]/g, '"')
    .trim();

/** Quotes that are in the message that they name, in the talk or in a call, and were not accepted. */
function lostQuotes(said, asked, session, { continuation }) {
  const names = messageNames(session);
  const known = continuation.items.flatMap(({ evidence, also }) => [evidence, ...also].map(({ quote }) => folded(quote)));
  return (readAnswer(said, asked)?.quotes ?? []).filter(({ message, text }) => {
    const one = session.messages.find(({ id }) => nameKey(names.get(id)) === nameKey(message));
    const isThere = one && folded(JSON.stringify(one)).includes(folded(text));
    return isThere && !known.some((quote) => quote.includes(folded(text)) || folded(text).includes(quote));
  });
}

const nameKey = (name) => name?.replace(/^m0+(?=\d)/, "m");

const itemsOf = ({ continuation }, isOne = (_item) => true) =>
  continuation.items
    .filter((item) => item.status === "active" && isOne(item))
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
  const rows = ["rules alone", "judged", "judged, named", "marked"].map((way) => {
    const { micro, kinds } = score(folder, windows, way);
    const told = overturned(windows, way);
    const row = { precision: two(micro.precision), recall: two(micro.recall), F1: two(micro.f1) };
    const { precision, recall, f1 } = kinds.decision;
    const decisions = { "decisions: P": two(precision), R: two(recall), "decision F1": two(f1) };
    return [way, { ...row, ...decisions, facts: micro.predicted, "overturned, still told": told }];
  });
  console.table(Object.fromEntries(rows));
  const sum = (key) => windows.reduce((total, { counts }) => total + counts[key], 0);
  const keys = ["offered", "holds", "marked", "stale", "noise", "quotes", "rejected"];
  console.log(keys.map((key) => `${key} ${sum(key)}`).join(", "));
  const lost = windows.flatMap((window) => window.lost.map((quote) => ({ window: window.name, ...quote })));
  console.log(`quotes that are exact and were not accepted: ${lost.length}`);
  for (const { window, kind, message, text } of lost) console.log(`  ${window} ${kind} ${message} ${JSON.stringify(text)}`);
  const medianOf = (key) => median(windows.map(({ tokens }) => tokens[key]));
  console.log(`tokens in the median: ${medianOf("request")} added to the prompt, ${medianOf("answer")} to the answer`);
  return windows;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.env.COMPACTION_EVAL ?? join(root, "../shared/eval");
  const option = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
  const requests = option("--requests");
  if (requests) writeRequests(folder, requests);
  const windows = requests ? [] : printJudged(folder, option("--answers") ?? recorded);
  for (const { name, counts, tokens } of windows) console.log(name, JSON.stringify(counts), JSON.stringify(tokens));
  if (process.argv.includes("--record"))
    for (const { name, said } of windows) writeFileSync(join(recorded, `${name}.answer.txt`), said);
}
