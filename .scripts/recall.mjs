// How well `find` answers the questions of labelled windows that were not written for it: the share of questions whose answer
// is in the first result, or in one of the first three, of at most 300 characters each. COMPACTION_EVAL names the folder with
// windows and gold. Beside it: the same on a PostgreSQL server, if there is one; lines with most words of the question, as grep
// finds them; and the newest sentences. With --speed, how much longer a first index of 500 sessions takes than reading them.
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { builtInRules, readSession } from "#dist/index.js";
import { openIndex } from "#dist/recall/index-file.js";
import { toPassages } from "#dist/recall/passages.js";
import { openPostgres } from "#dist/recall/postgres-store.js";
import { shownOf, withoutEchoes } from "#dist/recall/store.js";
import { findServer, startServer } from "../test/postgres/server.mjs";
import { known } from "./known.mjs";

const CHARACTERS = 300;
const folder = process.env.COMPACTION_EVAL ?? "../shared/eval";
const place = mkdtempSync(join(tmpdir(), "compaction-recall-"));
const file = join(place, "recall.db");
const { rules } = builtInRules();
const server = findServer() === undefined ? undefined : startServer();
const index = openIndex(file);
const shared = server && (await openPostgres(server.url, { id: "here", name: "here" }, undefined));
const stores = shared ? [index, shared] : [index];
for (const store of stores) await store.storePlain([...rules.fillers, ...rules.light]);

const probes = [];
const lines = [];
let characters = 0;
for (const name of readdirSync(join(folder, "windows"))) {
  const path = join(folder, "windows", name);
  const { session } = readSession(readFileSync(path), name);
  const passages = toPassages(session, rules);
  for (const store of stores)
    await store.storeSession({ path, size: 0, time: 0, session: session.id || name, project: "" }, passages);
  const said = session.messages.flatMap(({ text }) => text.split("\n")).filter((line) => line.trim() !== "");
  lines.push(...said.map((line) => line.slice(0, CHARACTERS)));
  characters += said.join("").length + session.messages.flatMap(({ toolCalls }) => JSON.stringify(toolCalls)).join("").length;
  probes.push(...JSON.parse(readFileSync(join(folder, "gold", name), "utf8")).probes);
}

const searching = (store) => async (question) =>
  withoutEchoes((await store.search({ query: question, most: 60 })) ?? []).map(shownOf);
const answers = {
  find: searching(index),
  ...(shared && { "find in PostgreSQL": searching(shared) }),
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
await shared?.close();
server?.remove();

if (process.argv.includes("--speed")) {
  const windows = readdirSync(join(folder, "windows"));
  const files = Array.from({ length: 500 }, (_, number) => {
    const name = known(windows[number % windows.length], "a window");
    const path = join(place, `${number}${extname(name)}`);
    copyFileSync(join(folder, "windows", name), path);
    return { path };
  });
  const seconds = async (work) => {
    const began = performance.now();
    await work();
    return (performance.now() - began) / 1000;
  };
  const read = await seconds(() => {
    for (const { path } of files) readSession(readFileSync(path), path);
  });
  const index = openIndex(join(place, "speed.db"));
  const indexed = await seconds(async () => {
    for (const { path } of files) {
      const { session } = readSession(readFileSync(path), path);
      await index.storeSession({ path, size: 0, time: 0, session: session.id, project: "" }, toPassages(session, rules));
    }
  });
  console.log(
    `500 sessions: read in ${read.toFixed(1)} s, indexed in ${indexed.toFixed(1)} s: ${(indexed / read).toFixed(0)} times`,
  );
}
rmSync(place, { recursive: true });
