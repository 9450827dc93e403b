// State that cannot be written, or not be read.
import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { FEW } from "../facts.mjs";
import { playFew } from "../few.mjs";
import { missing } from "../report.mjs";
import { stateFiles } from "../world.mjs";

export const name = "7 state read-only, truncated, newer";

export async function play({ plugin, open, report }) {
  const world = await open();
  const project = world.project("state", { plugin: [plugin] });
  await damaged(world, await project.session(), report, "truncated", (file) => truncateSync(file, 40));
  await damaged(world, await project.session(), report, "empty", (file) => truncateSync(file, 0));
  await damaged(world, await project.session(), report, "newer", (file) => writeFileSync(file, '{"version":99,"later":true}'));
  lock(world.state);
  const session = await project.session();
  await playFew(session, report, "read-only");
  await session.compact();
  const { requests } = await session.say("Go on.", "Going on.");
  const lost = missing(requests[0], FEW.facts);
  report.check("read-only: the facts are known after a second compaction", lost.length === 0, `without ${lost.join(", ")}`);
  if (process.getuid?.() !== 0) chmodSync(world.state, 0o700);
}

async function damaged(world, session, report, what, damage) {
  const from = world.log.length;
  await playFew(session, report, what);
  const [file] = stateFiles(world.state, session.id);
  if (!report.check(`${what}: there is a state file`, file !== undefined)) return;
  damage(file);
  const content = readFileSync(file, "utf8");
  await session.compact();
  const { answer, requests } = await session.say("Go on.", "Going on.");
  report.check(`${what}: the session goes on`, answer.includes("Going on."), answer);
  const lost = missing(requests[0], FEW.facts);
  report.check(`${what}: the facts are known from the history`, lost.length === 0, `without ${lost.join(", ")}`);
  const files = stateFiles(world.state, session.id);
  const kept = files.some((name) => readFileSync(name, "utf8") === content);
  report.check(`${what}: the file is set aside, not overwritten`, kept, files.join(", "));
  const warned = world.log
    .slice(from)
    .split("\n")
    .some((line) => /WARN/.test(line) && line.includes(session.id));
  report.check(`${what}: the log warns of it`, warned);
}

/** For the superuser no folder is read-only by its mode; but /proc is. */
function lock(folder) {
  if (process.getuid?.() !== 0) return chmodSync(folder, 0o500);
  rmSync(folder, { recursive: true, force: true });
  if (existsSync("/proc/self")) symlinkSync("/proc", folder);
  else writeFileSync(folder, "in the way");
}
