// Figures as ratios, measured in one run: absolute times do not travel. `--json FILE` writes them as well.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { builtInRules, extract, readWorkspace, render } from "../dist/index.js";
import { AWKWARD, HOSTILE } from "../test/hostile/inputs.mjs";

const { rules } = builtInRules();
const brief = rules.templates.get("brief");
const parser = unified().use(remarkParse).freeze();
const KB = 1_000;

const session = (texts) => ({
  id: "bench",
  format: "bench",
  messages: texts.map((text, index) => ({ id: `m${index}`, role: index % 2 ? "assistant" : "user", text, toolCalls: [] })),
});
// Texts are cut once for a rule set; what is measured is the first time.
const fresh = () => ({ ...rules, abbreviations: [...rules.abbreviations] });
const run = (texts) => {
  const own = fresh();
  return render(extract(session(texts), own), brief, own);
};

/** CPU milliseconds of a call. */
function cpu(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];

/** Medians of two works, run by turns so that both see the same machine. */
function compare(one, other, rounds) {
  const times = [[], []];
  for (let round = 0; round < rounds; round++) {
    times[0].push(cpu(one));
    times[1].push(cpu(other));
  }
  return times.map(median);
}

/** Messages of real length from the prose of the sample session, none twice the same. */
function prose(size) {
  const sample = JSON.parse(readFileSync(new URL("../test/fixtures/sample-session.json", import.meta.url), "utf8"));
  const parts = sample.messages.map(({ text }) => text);
  const texts = [];
  for (let index = 0, total = 0; total < size; index++) {
    const text = [0, 1, 2].map((step) => `${parts[(index + step) % parts.length]} (${index}.${step})`).join("\n\n");
    texts.push(text);
    total += text.length;
  }
  return texts;
}

const figures = {};
const texts = prose(100 * KB);
run(texts);
texts.map((text) => parser.parse(text));
const [ours, remark] = compare(
  () => run(texts),
  () => texts.map((text) => parser.parse(text)),
  7,
);
figures["run / remark-parse alone, 100 KB of prose"] = ours / remark;

const larger = prose(400 * KB);
const [small, large] = compare(
  () => run(texts),
  () => run(larger),
  5,
);
figures["growth of run from 100 KB to 400 KB of prose"] = large / small;

for (const [name, make] of Object.entries({ ...HOSTILE, ...AWKWARD })) {
  const [a, b] = [make(100 * KB), make(400 * KB)];
  run([make(10 * KB)]);
  const [short, long] = compare(
    () => run([a]),
    () => run([b]),
    3,
  );
  figures[`growth from 100 KB to 400 KB: ${name}`] = long / short;
  figures[`100 KB / 100 KB of prose: ${name}`] = short / small;
}

// Notes: what a compaction hook waits for. Reading is the least that anything can cost.
const folder = mkdtempSync(join(tmpdir(), "compaction-bench-"));
const entry = (index) => {
  const date = new Date(Date.UTC(2026, 0, 1) - index * 86_400_000).toISOString().slice(0, 10);
  return `[Focus: step-${index}] ${date} — Branch main\n- Changed \`src/file-${index}.ts\` so that the reader keeps offsets.\n- Ran the tests; all passed.\n- Decision: keep the cache for entry ${index}.\n\nNext Operator Brief\n\n- Open Work: go on with part ${index}.\n- Blockers: none.\n\n`;
};
const log = (size) => {
  let text = "# Session State\n\n";
  for (let index = 0; text.length < size; index++) text += entry(index);
  return text;
};
const NOTES = {
  "blank lines": [(size) => "\n".repeat(size), 60_000],
  "[Focus: without an end": [(size) => "[Focus: ".repeat(size / 8), 320 * KB],
  "ordinary log entries": [log, 2_600 * KB],
};
const continueNotes = () => {
  const workspace = readWorkspace(folder, rules);
  return extract(session([]), rules, workspace).continuation.sections;
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
  figures[`growth when the notes double: ${name}`] = cost(twice, continueNotes) / one;
  figures[`notes / reading and splitting the file: ${name}, ${Math.round(once.length / KB)} KB`] = one / cost(once, readAndSplit);
}
rmSync(folder, { recursive: true });

console.log(
  `load ${loadavg()
    .map((load) => load.toFixed(2))
    .join(" ")}; four times the input costs four times as much where growth is 4.0\n`,
);
const width = Math.max(...Object.keys(figures).map((name) => name.length));
for (const [name, value] of Object.entries(figures)) console.log(`${name.padEnd(width)}  ${value.toFixed(2)}`);

const file = process.argv[process.argv.indexOf("--json") + 1];
if (process.argv.includes("--json") && file) writeFileSync(file, `${JSON.stringify({ load: loadavg(), figures }, null, 2)}\n`);
