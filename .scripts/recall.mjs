// How well `find` answers the questions of labelled windows that were not written for it: the share of questions whose answer
// is in the first result, or in one of the first three, of at most 300 characters each. COMPACTION_EVAL names the folder with
// windows and gold. Beside it: lines with most words of the question, as grep finds them, and the newest sentences.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtInRules, readSession } from "../dist/index.js";
import { search, storePlain, storeSession } from "../dist/recall/index-file.js";
import { toPassages } from "../dist/recall/passages.js";
import { shownOf, withoutEchoes } from "../dist/recall/results.js";

const CHARACTERS = 300;
const folder = process.env.COMPACTION_EVAL ?? "../shared/eval";
const place = mkdtempSync(join(tmpdir(), "compaction-recall-"));
const file = join(place, "recall.db");
const { rules } = builtInRules();
await storePlain(file, [...rules.fillers, ...rules.light]);

const probes = [];
const lines = [];
let characters = 0;
for (const name of readdirSync(join(folder, "windows"))) {
  const path = join(folder, "windows", name);
  const { session } = readSession(readFileSync(path), name);
  const passages = toPassages(session, rules);
  await storeSession(file, { path, size: 0, time: 0, session: session.id, project: "" }, passages);
  const said = session.messages.flatMap(({ text }) => text.split("\n")).filter((line) => line.trim() !== "");
  lines.push(...said.map((line) => line.slice(0, CHARACTERS)));
  characters += said.join("").length + session.messages.flatMap(({ toolCalls }) => JSON.stringify(toolCalls)).join("").length;
  probes.push(...JSON.parse(readFileSync(join(folder, "gold", name), "utf8")).probes);
}

const answers = {
  find: async (question) => withoutEchoes((await search(file, { query: question, most: 60 })) ?? []).map(shownOf),
  "grep of the words": (question) => {
    const words = new Set(question.toLowerCase().match(/\w{3,}/g));
    const count = (line) => [...words].filter((word) => line.toLowerCase().includes(word)).length;
    return lines
      .map((line) => [line, count(line)])
      .sort((a, b) => b[1] - a[1])
      .slice(0, 3)
      .map(([line]) => line);
  },
  "the newest lines": () => lines.slice(-3).reverse(),
};
const holds = (text, { any }) => any.some((all) => all.every((part) => text.toLowerCase().includes(part.toLowerCase())));
console.log(`${probes.length} questions\n\n| | first | first three |\n|---|---|---|`);
for (const [name, answer] of Object.entries(answers)) {
  const places = [];
  for (const probe of probes) {
    const results = (await answer(probe.q)).slice(0, 3);
    if (results.some((text) => text.length > CHARACTERS)) throw new Error(`${name} returns more than ${CHARACTERS} characters`);
    places.push(results.findIndex((text) => holds(text, probe)));
  }
  const share = (most) => (places.filter((at) => at >= 0 && at < most).length / probes.length).toFixed(2);
  console.log(`| ${name} | ${share(1)} | ${share(3)} |`);
}
console.log(`\nindex / text: ${(statSync(file).size / characters).toFixed(2)}`);
rmSync(place, { recursive: true });
