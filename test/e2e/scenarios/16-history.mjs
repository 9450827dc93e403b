// A long session that is compacted again: only its newest messages are asked for, and what the user undid is not carried.
import { join } from "node:path";
import { bigSession } from "../big-session.mjs";
import { writeFiles } from "../folders.mjs";
import { missing, occurrences } from "../report.mjs";

export const name = "16 the history of a long session";

const TURNS = 60;
const LOG_MILLISECONDS = 5_000;
const READ = /(\d+) messages read, (all that there are|the newest)/g;

export async function play({ plugin, open, report }) {
  const world = await open();
  const project = world.project("history", { plugin: [plugin] });
  const content = bigSession(project.folder, { turns: TURNS, outputBytes: 200 });
  writeFiles(world.root, { "long.json": JSON.stringify(content) });
  await world.importFile(project.folder, join(world.root, "long.json"));
  const session = await project.session(content.info.id);

  /** Compacts, and tells how many messages were asked for. */
  async function compact() {
    const from = world.log.length;
    const { block } = await session.compact();
    const told = () => [...world.log.slice(from).matchAll(READ)].map(([, count, which]) => `${count} ${which}`);
    // OpenCode prints a line of the log some time after it was given it.
    for (let waited = 0; told().length === 0 && waited < LOG_MILLISECONDS; waited += 50)
      await new Promise((resolve) => setTimeout(resolve, 50));
    const read = told();
    report.figure(`messages read: ${read.join(", ")}`);
    return { block, read };
  }

  const first = await compact();
  report.check("the first compaction reads all", first.read.join() === `${content.messages.length + 1} all that there are`);

  await session.say("We decided to use Valkey for the session cache.", "Noted.");
  const second = await compact();
  const newest = second.read.length === 1 && second.read[0].endsWith("the newest") && Number.parseInt(second.read[0], 10) < 100;
  report.check("the second one reads the newest messages only", newest, second.read.join());
  const lost = missing(second.block, ["Valkey for the session cache", `The module m${TURNS - 1} must keep`]);
  report.check("what was said before and after is carried", lost.length === 0, `without ${lost.join(", ")}`);

  await session.say("Never deploy on Fridays.", "Noted.");
  await session.say("We decided to use Memcached for the price list.", "Noted.");
  const undone = (await session.messages()).findLast(({ info }) => info.role === "user");
  await project.ask("POST", `/session/${session.id}/revert`, { messageID: undone.info.id });
  await session.say("We decided to use DuckDB for the price list.", "Noted.");
  const third = await compact();
  report.check("after an undo the newest messages suffice, too", third.read.join().endsWith("the newest"), third.read.join());
  const gone = missing(third.block, ["Fridays", "DuckDB for the price list", "Valkey for the session cache"]);
  report.check("what holds is carried", gone.length === 0, `without ${gone.join(", ")}`);
  report.check("what was undone is not", occurrences(third.block, "Memcached") === 0, third.block);
}
