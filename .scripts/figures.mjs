// All figures in one table: facts and briefs on labelled windows, public sets, audit pairs, names an agent needed, size of src.
//   npm run figures [-- --json FILE] [--against FILE] [--needed] [--bench] [--exam FOLDER]
// It needs ../shared/eval (or COMPACTION_EVAL); audit pairs and the size are measured without it. `--against` shows what changed.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { examFigures } from "./exam.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const shared = process.env.COMPACTION_EVAL ?? join(root, "../shared/eval");
const cli = `${process.execPath} ${join(root, "dist/cli/main.js")}`;
const argument = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const scratch = mkdtempSync(join(tmpdir(), "compaction-figures-"));
const node = (...args) => execFileSync(process.execPath, args, { encoding: "utf8", maxBuffer: 2 ** 28, cwd: scratch });
const json = (...args) => JSON.parse(node(...args, "--json"));
const readJson = (file) => JSON.parse(readFileSync(file, "utf8"));

/** All numbers of a tree, by path. */
function flatten(value, path = "") {
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, one]) => flatten(one, path ? `${path}.${key}` : key));
  return typeof value === "number" || /^\d+\/\d+$/.test(value) ? [[path, value]] : [];
}

/** How often the audit is right, for pairs that kept their fact and for pairs that lost it. */
function auditPairs(file) {
  const pairs = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    // One summary may stand for many facts.
    .flatMap(({ facts, ...one }) =>
      facts ? facts.map((fact, index) => ({ ...one, ...fact, id: `${one.id}-${index}` })) : [one],
    );
  const input = join(scratch, "pairs.jsonl");
  writeFileSync(input, pairs.map(({ id, kind, fact, summary }) => JSON.stringify({ id, kind, fact, summary })).join("\n"));
  const verdicts = new Map(
    node(join(root, "dist/cli/main.js"), "audit", "--cases", input)
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .map(({ id, verdict }) => [id, verdict]),
  );
  const share = (labels, wanted) => {
    const chosen = pairs.filter(({ label }) => labels.includes(label));
    return `${chosen.filter(({ id }) => wanted.includes(verdicts.get(id))).length}/${chosen.length}`;
  };
  const [kept, lost] = [["kept"], ["missing", "altered", "contradicted"]];
  return {
    "preserved, kept": share(["preserved"], kept),
    "preserved, called lost": share(["preserved"], lost),
    "paraphrased, kept": share(["paraphrased"], kept),
    "paraphrased, called lost": share(["paraphrased"], lost),
    "lost or changed, falsely kept": share(["weakened", "mutated", "contradicted", "dropped"], kept),
    "contradicted, named so": share(["contradicted"], ["contradicted"]),
  };
}

function sizeOfSource() {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !name.startsWith("generated"),
  );
  const linesOf = (file) => readFileSync(file, "utf8").split("\n").length - 1;
  const folders = files.map((name) => dirname(name));
  return {
    files: files.length,
    lines: files.reduce((sum, name) => sum + linesOf(join(root, "src", name)), 0),
    "most files in a folder": Math.max(...folders.map((folder) => folders.filter((one) => one === folder).length)),
    "lines of README": linesOf(join(root, "README.md")),
    "lines of audit.yaml": linesOf(join(root, "rules/audit.yaml")),
  };
}

const figures = { source: sizeOfSource(), "exam in test/fixtures": await examFigures() };
try {
  // An exam of your own: FOLDER/exams and FOLDER/sessions, as in test/fixtures/exam.
  const unseen = argument("--exam");
  if (unseen) figures.unseen = await examFigures(join(unseen, "exams"), join(unseen, "sessions"));
  for (const name of readdirSync(join(root, "test/fixtures")).filter((one) => /^audit.*\.jsonl$/.test(one)))
    figures[name] = auditPairs(join(root, "test/fixtures", name));
  if (existsSync(join(shared, "score.mjs"))) {
    const predictions = join(scratch, "predictions.jsonl");
    node(join(shared, "predict.mjs"), "--cli", cli, "--windows", join(shared, "windows"), "--out", predictions);
    figures.windows = json(join(shared, "score.mjs"), "--gold", join(shared, "gold"), "--pred", predictions);
    const data = (name) => join(shared, "public", name);
    const sets = ["--compactbench", data("compactbench-starter.jsonl"), "--conformance", data("conformance-dev.jsonl")];
    figures.public = json(join(shared, "public.mjs"), "--cli", cli, ...sets);
    figures["audit-dev.jsonl"] = auditPairs(join(shared, "audit-dev.jsonl"));
    figures.exam = json(join(shared, "exam/exam.mjs"), "--cli", cli);
    figures["exam on sessions of needed"] = await examFigures(
      join(root, "test/fixtures/exam/needed"),
      join(shared, "needed/dev"),
    );
    if (process.argv.includes("--needed"))
      figures.needed = json(join(shared, "needed/needed.mjs"), join(shared, "needed/dev"), "--cli", cli);
  } else console.error(`${shared} is not there: labelled windows and public sets are not measured`);
  if (process.argv.includes("--bench")) {
    node(join(root, ".scripts/bench.mjs"), "--json", join(scratch, "bench.json"));
    figures.bench = Object.fromEntries(readJson(join(scratch, "bench.json")).figures.map(({ figure, value }) => [figure, value]));
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

const against = argument("--against");
const before = new Map(against ? flatten(readJson(against)) : []);
for (const [path, value] of flatten(figures)) {
  const old = before.get(path);
  console.log(`${path.padEnd(64)} ${value}${old === undefined || old === value ? "" : `   (was ${old})`}`);
}
const file = argument("--json");
if (file) writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
