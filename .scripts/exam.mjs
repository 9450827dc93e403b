// What can an agent still answer after a compaction? Real summaries, with and without the repair block, and exams on their sessions.
// An answer counts by the share of its `essentials` that a text has: strings without which no text can answer the question.
//   node .scripts/exam.mjs [--exams FOLDER --sessions FOLDER] [--out FOLDER]
// Without folders, the sessions in test/fixtures/exam. `--out` writes every text, so that readers can take the exam.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { mean } from "./numbers.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const own = join(root, "test/fixtures/exam");
const BRIEF_TOKENS = 1_000;
const END_CHARACTERS = 4_000;

const readGzip = (path) => gunzipSync(readFileSync(path)).toString("utf8");
const fold = (text) => text.toLowerCase().replace(/[`*_]/g, "").replace(/\s+/g, " ");
const rounded = (number) => Math.round(number * 1_000) / 1_000;

/** The end of the conversation, as a model would read it. */
function endOf(session, scratch) {
  const env = { ...process.env, HOME: scratch, XDG_STATE_HOME: scratch, XDG_CACHE_HOME: scratch, XDG_CONFIG_HOME: scratch };
  const request = execFileSync(process.execPath, [join(root, "dist/cli/main.js"), "judge", session], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return request.slice(0, request.lastIndexOf("</conversation>")).trimEnd().slice(-END_CHARACTERS);
}

/** The texts of a session by their condition. */
async function textsOf(id, sessions, scratch) {
  const { builtInRules, extract, readSession, render, repair } = await import(pathToFileURL(join(root, "dist/index.js")).href);
  const { rules } = builtInRules(scratch);
  const summary = readGzip(join(sessions, `${id}.summary.md.gz`));
  const file = join(scratch, `${id}.jsonl`);
  writeFileSync(file, readGzip(join(sessions, `${id}.session.jsonl.gz`)));
  const extraction = extract(readSession(readFileSync(file, "utf8"), id).session, rules);
  const end = endOf(file, scratch);
  const { text: brief } = render(extraction, rules.templates.get("brief"), rules, { tokens: BRIEF_TOKENS });
  return {
    summary,
    "summary + block": repair(extraction, summary, rules.templates.get("repair"), rules).summary,
    "summary + end": `${summary}\n${end}`,
    brief,
    end,
  };
}

/** The share of the essentials that each text has, by condition. @param {string} [out] where to write the texts */
export async function examFigures(exams = join(own, "exams"), sessions = join(own, "sessions"), out) {
  const scratch = mkdtempSync(join(tmpdir(), "compaction-exam-"));
  const shares = {};
  try {
    for (const name of readdirSync(exams).filter((one) => one.endsWith(".json"))) {
      const { session, questions } = JSON.parse(readFileSync(join(exams, name), "utf8"));
      for (const [condition, text] of Object.entries(await textsOf(session, sessions, scratch))) {
        const folded = fold(text);
        const held = ({ essentials }) => essentials.filter((one) => folded.includes(fold(one))).length / essentials.length;
        shares[condition] = [...(shares[condition] ?? []), ...questions.map(held)];
        if (!out) continue;
        mkdirSync(join(out, session), { recursive: true });
        writeFileSync(join(out, session, `${condition.replace(/\W+/g, "-")}.md`), text);
      }
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return Object.fromEntries(Object.entries(shares).map(([condition, all]) => [condition, rounded(mean(all))]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const argument = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
  console.table(await examFigures(argument("--exams"), argument("--sessions"), argument("--out")));
}
