// How long a compaction of a long session is held up, as a multiple of only reading the messages.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bigSession } from "../big-session.mjs";
import { writeFiles } from "../folders.mjs";

export const name = "11 hook time";
export const alone = true;

const AT_MOST = 2.5;
const ROUNDS = 3;

const pluginFile = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

export async function play({ plugin, open, report }) {
  const log = join(tmpdir(), `compaction-probe-${process.pid}.jsonl`);
  const probe = (place) => [[pluginFile("probe.mjs"), { log, place }]];
  const world = await open({ before: probe("before"), after: probe("after"), idle: true });
  const project = world.project("big", {});
  const reader = pluginFile("reader.mjs");

  /** Each on a session of its own, as it was imported. */
  async function measured(file, mark, turnFirst) {
    const content = bigSession(project.folder, { mark });
    const json = JSON.stringify(content);
    writeFiles(world.root, { "big.json": json });
    await world.importFile(project.folder, join(world.root, "big.json"));
    if (mark === "A") report.figure(`${content.messages.length} messages, ${(json.length / 1e6).toFixed(1)} MB`);
    return measure(world, project, content.info.id, file, log, turnFirst);
  }

  for (const { said, turnFirst, marks } of [
    { said: "in a process that has not yet seen the session", turnFirst: false, marks: ["A", "B"] },
    { said: "after a turn, as in a session that somebody works in", turnFirst: true, marks: ["C", "D"] },
  ]) {
    report.figure(said);
    const reading = await measured(reader, marks[0], turnFirst);
    const hook = await measured(plugin, marks[1], turnFirst);
    for (let round = 0; round < ROUNDS; round++) {
      const ratio = hook[round] / reading[round];
      report.figure(`compaction ${round + 1}: ${hook[round]} ms, reading alone ${reading[round]} ms, ratio ${ratio.toFixed(2)}`);
    }
    // Figures and no verdict: a busy machine would decide it. What is held is that every hook answered.
    report.figure(`all: ratio ${(sum(hook) / sum(reading)).toFixed(2)}; at most ${AT_MOST} is the aim`);
    report.check(`every hook answered, ${said}`, hook.length === ROUNDS && hook.every((time) => time >= 0), hook.join(", "));
  }
  rmSync(log, { force: true });
}

/** Milliseconds of the compacting hook of that plugin in a new process. */
async function measure(world, project, id, plugin, log, turnFirst) {
  writeFiles(project.folder, { "opencode.json": { plugin: [plugin] } });
  writeFileSync(log, "");
  await world.start();
  const session = await project.session(id);
  await project.ask("GET", "/config");
  // A plugin may use the time before the first compaction to prepare itself.
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  if (turnFirst) {
    await session.say("Go on with the next module.", "Ready.");
    // A model takes longer to answer than this one.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  }
  for (let round = 0; round < ROUNDS; round++) await session.compact();
  await world.stop();
  const times = readFileSync(log, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).time);
  return Array.from({ length: ROUNDS }, (_, round) => Math.round(times[2 * round + 1] - times[2 * round]));
}
