// Ten compactions by a model that keeps nothing: every fact is known after each.
import { statSync } from "node:fs";
import { estimateTokenCount } from "tokenx";
import { missing, occurrences } from "../report.mjs";
import { rounds } from "../rounds.mjs";
import { stateFiles, storedText } from "../world.mjs";

export const name = "2 ten rounds, 800 tokens of facts";

const BUDGET = 1_000;

export async function play({ plugin, open, report }) {
  const world = await open();
  const project = world.project("ten", {
    plugin: [plugin],
    files: { "package.json": { scripts: { "check:tariffs": "exit 1" } } },
  });
  const session = await project.session();
  const known = [];
  const sizes = [];
  const doubled = [];
  const script = [...rounds(project.folder), { user: "What do we know?", replies: ["Much."], facts: [] }];
  for (const [round, { user, replies, facts }] of script.entries()) {
    const { requests } = await session.say(user, ...replies);
    if (round > 0) {
      const lost = missing(requests[0] ?? "", known);
      report.check(
        `after compaction ${round}: all ${known.length} facts are in the request`,
        lost.length === 0,
        `without ${lost.join(", ")}`,
      );
    }
    known.push(...facts);
    if (round === script.length - 1) break;
    const { stored, block } = await session.compact();
    sizes.push(estimateTokenCount(block));
    doubled.push(...known.filter((needle) => occurrences(stored, needle) > 1));
  }
  report.check(
    "each block is there and within its budget",
    Math.min(...sizes) > 0 && Math.max(...sizes) <= BUDGET,
    `tokens: ${sizes.join(", ")}`,
  );
  report.check("no summary says a fact twice", doubled.length === 0, doubled.join(", "));
  report.figure(`tokens of the blocks: ${sizes.join(", ")}`);
  const unstored = missing(storedText(world.state), known);
  report.check("all are in the state", unstored.length === 0, `without ${unstored.join(", ")}`);
  const files = stateFiles(world.state, session.id).map((file) => `${file} ${(statSync(file).mode & 0o777).toString(8)}`);
  report.check("one file for the session, for its user only", files.length === 1 && files[0].endsWith(" 600"), files.join(", "));
}
