// How long a compaction of a long session is held up, as a multiple of only reading the messages.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bigSession } from "../big-session.mjs";
import { writeFiles } from "../folders.mjs";

export const name = "11 hook time";
export const alone = true;

const AT_MOST = 2.5;
const ROUNDS = 3;

export async function play({ plugin, open, report }) {
  const probe = fileURLToPath(new URL("../probe.mjs", import.meta.url));
  const log = `${process.env.TMPDIR ?? "/tmp"}/compaction-probe-${process.pid}.jsonl`;
  const world = await open({
    before: [[probe, { log, id: "before", reads: true }]],
    after: [[`${probe}`, { log, id: "after" }]],
  });
  await world.stop();
  const project = world.project("big", { plugin: [plugin] });
  const session = bigSession(project.folder);
  writeFiles(world.root, { "big.json": session });
  await world.importFile(project.folder, join(world.root, "big.json"));
  await world.start();
  const big = await project.session(session.info.id);
  const bytes = readFileSync(join(world.root, "big.json")).length;
  report.figure(`${(await big.messages()).length} messages, ${(bytes / 1e6).toFixed(1)} MB`);
  for (let round = 0; round < ROUNDS; round++) await big.compact();
  const lines = readFileSync(log, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const ratios = [];
  for (const { id, time, reading } of lines) {
    if (id === "before") ratios.push({ time, reading });
    else Object.assign(ratios.at(-1), { hook: time - ratios.at(-1).time });
  }
  for (const [round, { hook, reading }] of ratios.entries()) {
    const told = `compaction ${round + 1}: hook ${hook.toFixed(0)} ms, reading alone ${reading.toFixed(0)} ms, ratio ${(hook / reading).toFixed(2)}`;
    report.figure(told);
  }
  const ratio = ratios.map(({ hook, reading }) => hook / reading).sort((a, b) => a - b)[Math.floor(ratios.length / 2)];
  report.check(`the median ratio is at most ${AT_MOST}`, ratio <= AT_MOST, ratio?.toFixed(2));
  const { answer } = await big.say("Go on.", "Going on.");
  report.check("the session goes on", answer.includes("Going on."), answer);
}
