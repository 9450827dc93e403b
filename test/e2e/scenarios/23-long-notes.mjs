// A project with 840 KB of notes: what was said, and what the notes say at their beginning, is injected in time.
import { FEW } from "../facts.mjs";

export const name = "23 long notes";

const FILES = 14;
const LINES = 4_000;
/** The plugin gives up after more than its deadline of three seconds. */
const MOST_MILLISECONDS = 15_000;

const names = Array.from({ length: FILES }, (_, index) => `notes-${index}`);
const tasks = (note) => Array.from({ length: LINES }, (_, index) => `- [ ] ${note} ${index}\n`).join("");

export async function play({ plugin, open, report }) {
  const world = await open();
  const files = {
    ".compactionrc": `extends: compaction:recommended\nfiles:\n${names.map((note) => `  ${note}: ${note}.md\n`).join("")}`,
    "SESSION.md": "Open Work: move the callers to the new parser\n",
    ...Object.fromEntries(names.map((note) => [`${note}.md`, tasks(note)])),
  };
  const project = world.project("long-notes", { plugin: [plugin], files });
  const session = await project.session();
  await session.say(FEW.user, FEW.reply);
  const start = performance.now();
  const { injected, stored } = await session.compact();
  const took = performance.now() - start;
  for (const fact of [...FEW.facts, "move the callers to the new parser"]) {
    report.check(`"${fact}" is injected`, injected.includes(fact), injected);
    report.check(`"${fact}" is in the summary`, stored.includes(fact), stored);
  }
  report.check("the compaction does not wait for all notes", took < MOST_MILLISECONDS, `${Math.round(took)} ms`);
}
