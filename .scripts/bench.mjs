// Figures as ratios, measured in one run, because absolute times do not compare between machines. `--json FILE` writes them,
// `--readme` fills the table of docs/performance.md, `--quick` measures on a tenth of the input, to see that it works, and
// `--stages` says where the time of `run` goes instead.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item";
import { gfmTable } from "micromark-extension-gfm-table";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";
import remarkParse from "remark-parse";
import remarkWikiLink from "remark-wiki-link";
import { unified } from "unified";
import { builtInRules, extract, readSession, readWorkspace, render } from "#dist/index.js";
import { corpus, prose, sessionFiles, talkOf, toSession, writeSession } from "./bench/corpus.mjs";
import { averageOf, generators, growthOf, measureGrowth } from "./bench/growth.mjs";
import { byTurns, cpu, cpuOf, peakOf, wallOf } from "./bench/measure.mjs";
import { stagesOf } from "./bench/stages.mjs";
import { known } from "./known.mjs";
import { median } from "./numbers.mjs";

const option = (name) => process.argv.includes(name);
const jsonFile = option("--json") ? process.argv[process.argv.indexOf("--json") + 1] : undefined;
const scale = option("--quick") ? 0.1 : 1;
/** How many times as long twice the input may take. */
const GROWTH = 2.3;
const KB = 1_000;
const MB = 1_000_000;
const root = fileURLToPath(new URL("../", import.meta.url));
const main = join(root, "dist/cli/main.js");
const folder = mkdtempSync(join(tmpdir(), "compaction-bench-"));
const empty = join(folder, "empty");
mkdirSync(empty);
const before = loadavg();
const { rules } = builtInRules();
// Texts are split once for each rule set. A fresh copy makes every run the first one.
const fresh = (set = rules) => ({ ...set, abbreviations: [...set.abbreviations] });

/** Name, value, aim (undefined: for comparison only), and what was measured. */
const figures = [];
const put = (figure, value, bar, on) => {
  figures.push({ figure, value, ...(bar !== undefined && { bar, holds: value <= bar }), ...(on && { on }) });
  console.error(`${figure}: ${value.toFixed(2)}`);
};

const MEASURES = [
  { what: "CPU", measure: cpuOf },
  { what: "wall", measure: wallOf },
];

function gfm() {
  const data = this.data();
  data.micromarkExtensions = [gfmTable(), gfmTaskListItem()];
  data.fromMarkdownExtensions = [gfmTableFromMarkdown(), gfmTaskListItemFromMarkdown()];
}
const parser = unified().use(remarkParse).use(gfm).use(remarkWikiLink, { aliasDivider: "|" }).freeze();

const sessions = sessionFiles(folder).slice(0, scale === 1 ? undefined : 2);
if (option("--stages")) {
  console.log(stagesOf(main, sessions, empty));
  rmSync(folder, { recursive: true });
  process.exit();
}
const rounds = (count) => (scale === 1 ? count : 1);
const sumOf = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

// What users wait for: the command and the hook, from the start of their process.
const nothing = { args: ["-e", "0"], cwd: empty };
const [node, ...runs] = byTurns(
  [nothing, ...sessions.map((file) => ({ args: [main, "run", file], cwd: empty }))],
  rounds(5),
  cpuOf,
);
const spread = runs.map((run) => run / node).sort((a, b) => a - b);
put(
  "run, cold / node -e 0, CPU, mean of all sessions",
  sumOf(runs) / runs.length / node,
  5,
  `${runs.length} ${corpus}, from ${spread[0].toFixed(1)} to ${spread.at(-1).toFixed(1)}`,
);
const transcript = join(folder, "transcript.jsonl");
writeSession(transcript, 1 * MB * scale);
const event = { hook_event_name: "PreCompact", session_id: "bench", transcript_path: transcript, cwd: empty, trigger: "auto" };
const hook = {
  args: [main, "hook", "claude-code"],
  cwd: empty,
  input: JSON.stringify(event),
  env: { XDG_STATE_HOME: join(folder, "state") },
};
for (const { what, measure } of MEASURES) {
  const [least, answer] = byTurns([nothing, hook], rounds(9), measure);
  put(`hook claude-code before a compaction, cold / node -e 0, ${what}`, answer / least, 5, `${scale} MB transcript`);
}

// What an agent waits for at each call of a guarded tool: a call that no guard is for, with prepared guards.
const guarded = join(folder, "guarded");
mkdirSync(guarded);
const guards = Array.from(
  { length: 15 },
  (_, index) => `  g${index}: { on: { tool: edit, path: "frozen${index}/**" }, then: refuse, say: "No." }\n`,
);
guards.push('  push: { on: { command: "git push --force" }, then: ask, say: "No." }\n');
writeFileSync(join(guarded, "team.yaml"), `compaction: 1\nname: team\nguards:\n${guards.join("")}`);
writeFileSync(join(guarded, ".compactionrc"), "extends: [compaction:recommended, ./team.yaml]\n");
const callOf = (tool_name, tool_input) => ({
  args: [main, "hook", "claude-code", "--call"],
  cwd: guarded,
  input: JSON.stringify({ hook_event_name: "PreToolUse", session_id: "bench", cwd: guarded, tool_name, tool_input }),
  env: hook.env,
});
const calls = [callOf("Edit", { file_path: "src/a.ts" }), callOf("Bash", { command: "cd src && npm test 2>&1 | tail -5" })];
byTurns(calls, 1, cpuOf);
for (const { what, measure } of MEASURES) {
  const [least, edit, bash] = byTurns([nothing, ...calls], rounds(15), measure);
  put(`hook claude-code --call before an edit / node -e 0, ${what}`, edit / least, 1.3, "16 guards");
  put(`hook claude-code --call before a command line / node -e 0, ${what}`, bash / least, 1.3, "16 guards");
}

// The engine in a process that is warm, beside the parser that most tools read Markdown with.
const brief = known(rules.templates.get("brief"), "the template brief");
const read = sessions.map((file) => readSession(readFileSync(file), "bench").session);
const talks = sessions.map((file) => talkOf(file).map(({ text }) => text));
const briefs = () =>
  read.map((session) => {
    const own = fresh();
    return render(extract(session, own), brief, own);
  });
briefs();
const [ours, remark] = byTurns([briefs, () => talks.map((said) => said.map((text) => parser.parse(text)))], rounds(3));
put("extract and brief, warm / remark-parse of the same talk, CPU", ours / remark, 0.4, `${read.length} ${corpus}`);

const texts = prose(0.25 * MB * scale);
const work = (own) => extract(toSession(texts), own);
/** The given number of rules: the built-in ones and copies of them. Rules with different words may cost more. */
function withRules(count) {
  const own = rules.rules.slice(0, count);
  const more = Array.from({ length: count - own.length }, (_, index) => {
    const rule = known(rules.rules[index % rules.rules.length], "a built-in rule");
    return { ...rule, id: `${rule.id}-${index}`, order: rule.order + 1_000 + index, signals: rule.signals };
  });
  return fresh({ ...rules, rules: [...own, ...more] });
}
const [few, many] = byTurns([() => work(withRules(20)), () => work(withRules(200))], rounds(3));
put("cost at 200 rules / cost at 20 rules, same text, CPU", many / few, 1.5, "copies of the built-in rules");

// Start-up.
const programs = [
  ["-e", "0"],
  [main, "--version"],
  [main, "validate"],
].map((args) => ({ args, cwd: empty }));
const [start, version, validate] = byTurns(programs, rounds(15), wallOf);
put("--version / node -e 0, wall", version / start, 1.2);
put("validate / node -e 0, wall", validate / start, 1.6);

// Memory.
const sizes = [10, 50].map((size) => {
  const file = join(folder, `${size}.jsonl`);
  writeSession(file, size * MB * scale);
  return { args: [main, "run", "--jsonl", file], cwd: empty };
});
const [ten, fifty] = byTurns(sizes, 1, peakOf);
put(
  `peak memory, ${50 * scale} MB session / ${10 * scale} MB session`,
  fifty / ten,
  1.3,
  `${Math.round(ten)} MB and ${Math.round(fifty)} MB, ${corpus}`,
);

// Hostile input: each step doubles it, from 25 KB to 400 KB.
const steps = [25, 50, 100, 200, 400].slice(0, scale === 1 ? 5 : 2);
const growths = Object.keys(generators).map((name) => {
  const times = measureGrowth(name, steps, GROWTH);
  return { name, value: growthOf(times), average: averageOf(times) };
});
growths.sort((a, b) => b.value - a.value);
const worst = known(growths[0], "a generator of hostile input");
const over = growths.filter(({ value }) => value > GROWTH).map(({ name, value }) => `${name} ${value.toFixed(2)}`);
put(
  `doubling the input, the worst of ${Object.keys(generators).length} generators, 25 KB to ${scale === 1 ? 400 : 50} KB, CPU`,
  worst.value,
  GROWTH,
  over.length > 1 ? over.join(", ") : worst.name,
);
const steepest = growths.reduce((a, b) => (b.average > a.average ? b : a));
put("the same on average from the first to the last, the worst generator", steepest.average, undefined, steepest.name);

// Notes, which a compaction hook waits for, compared with just reading the file.
const entry = (index) => {
  const date = new Date(Date.UTC(2026, 0, 1) - index * 86_400_000).toISOString().slice(0, 10);
  return `[Focus: step-${index}] ${date} — Branch main\n- Changed \`src/file-${index}.ts\` so that the reader keeps offsets.\n- Ran the tests; all passed.\n- Decision: keep the cache for entry ${index}.\n\nNext Operator Brief\n\n- Open Work: go on with part ${index}.\n- Blockers: none.\n\n`;
};
const log = (size) => {
  let text = "# Session State\n\n";
  for (let index = 0; text.length < size; index++) text += entry(index);
  return text;
};
/** @type {Readonly<Record<string, readonly [make: (size: number) => string, size: number]>>} */
const NOTES = {
  "blank lines": [(size) => "\n".repeat(size), 60_000],
  "[Focus: without an end": [(size) => "[Focus: ".repeat(size / 8), 320 * KB],
  "ordinary log entries": [log, 2_600 * KB],
};
const continueNotes = () => {
  const workspace = readWorkspace(folder, rules);
  return extract(toSession([]), rules, workspace).continuation.sections;
};
const readAndSplit = () => readFileSync(join(folder, "SESSION.md"), "utf8").split("\n").length;
for (const [name, [make, size]] of Object.entries(NOTES)) {
  const cost = (text, work) => {
    writeFileSync(join(folder, "SESSION.md"), text);
    for (let round = 0; round < 10; round++) work();
    return median(Array.from({ length: 31 }, () => cpu(work)));
  };
  const [once, twice] = [make(size), make(size * 2)];
  const one = cost(once, continueNotes);
  put(`notes double: ${name}`, cost(twice, continueNotes) / one);
  put(`notes / reading and splitting the file: ${name}, ${Math.round(once.length / KB)} KB`, one / cost(once, readAndSplit));
}
rmSync(folder, { recursive: true });

const load = { before, after: loadavg(), cores: availableParallelism() };
const rounded = (numbers) => numbers.map((number) => number.toFixed(1)).join(" ");
console.log(
  `load ${rounded(load.before)} before, ${rounded(load.after)} after, ${load.cores} cores, Node ${process.versions.node}\n`,
);
const width = Math.max(...figures.map(({ figure }) => figure.length));
for (const { figure, value, bar, holds, on } of figures) {
  const against = bar === undefined ? "" : `  at most ${bar}${holds ? "" : ", NOT MET"}`;
  console.log(`${figure.padEnd(width)}  ${value.toFixed(2).padStart(6)}${against}${on ? `  (${on})` : ""}`);
}
if (jsonFile) writeFileSync(jsonFile, `${JSON.stringify({ load, figures }, null, 2)}\n`);
if (option("--readme")) {
  const [begin, end] = ["<!-- bench: begin -->", "<!-- bench: end -->"];
  const rows = figures
    .filter(({ bar }) => bar !== undefined)
    .map(({ figure, value, bar }) => `| ${figure} | ${value.toFixed(2)} | ${bar} |`);
  const table = ["| figure | measured | aim |", "|---|---|---|", ...rows].join("\n");
  const page = join(root, "docs/performance.md");
  const [head, rest] = readFileSync(page, "utf8").split(begin);
  if (rest?.includes(end) !== true) throw new Error(`${page} has no ${begin} … ${end}`);
  const missed = figures.filter(({ holds }) => holds === false).length;
  const measured = `Load ${rounded(load.before)}, ${load.cores} cores, Node ${process.versions.node}${scale === 1 ? "" : "; on a tenth of the input"}. Of these ${rows.length}, ${missed} miss their aim.`;
  writeFileSync(page, `${head}${begin}\n${table}\n\n${measured}\n${end}${rest.slice(rest.indexOf(end) + end.length)}`);
}
