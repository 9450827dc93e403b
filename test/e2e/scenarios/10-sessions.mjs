// A restart between two compactions, two sessions in one project, and a subagent that is compacted.
import { FEW } from "../facts.mjs";
import { playFew } from "../few.mjs";
import { missing, occurrences } from "../report.mjs";
import { readable } from "../summariser.mjs";

export const name = "10 restart and subagents";

export async function play({ plugin, open, report }) {
  const world = await open({ limit: { context: 60_000, output: 4_000 } });
  const project = world.project("sessions", { plugin: [plugin], files: { "a.txt": "alpha\n" } });
  await subagent(world, await project.session(), project, report);
  const session = await project.session();
  await playFew(session, report, "before the restart");
  await world.restart();
  await session.say("More.", "The release is blocked by the missing signing certificate.");
  await session.say("More.", "No more.");
  await session.compact();
  const { requests } = await session.say("Go on.", "Going on.");
  const lost = missing(requests[0], [...FEW.facts, "missing signing certificate"]);
  report.check("after the restart: the facts of both lives are known", lost.length === 0, `without ${lost.join(", ")}`);
  const other = await project.session();
  await other.say("Something else.", "Fine.");
  await other.compact();
  const fresh = (await other.say("Go on.", "Going on.")).requests[0];
  // The user's standing rules may go with a project; what one session decided is its own.
  report.check("another session does not get its decisions", occurrences(fresh, "Valkey for the session cache") === 0);
}

async function subagent(world, session, project, report) {
  const prompt =
    "Explore the code and report. Never touch anything under `migrations/frozen`, and the report must name the owner of each table.";
  const task = { name: "task", args: { description: "explore", prompt, subagent_type: "general" } };
  const read = { name: "read", args: { filePath: `${project.folder}/a.txt` } };
  world.provider.mode = "amnesic";
  const from = world.provider.requests.length;
  const turn = await session.say(
    "We must keep the nightly backup. Delegate the exploration.",
    { tools: [task] },
    // So many tokens make OpenCode compact the subagent's session.
    { text: "Reading.", tools: [read], usage: { input: 58_000, output: 10 } },
    "The subagent's report.",
    "Delegated.",
  );
  report.check("subagent: the parent is answered", turn.answer.includes("Delegated."), turn.answer);
  const made = world.provider.requests.slice(from);
  const at = made.findIndex(({ kind }) => kind === "compaction");
  report.check("subagent: it was compacted", at !== -1);
  const after = made.slice(at + 1).find(({ kind }) => kind === "chat");
  const lost = missing(after ? readable(after.body) : "", ["migrations/frozen", "owner of each table"]);
  report.check("subagent: it still knows its task's rules", lost.length === 0, `without ${lost.join(", ")}`);
  await session.say("Thanks.", "Done.");
  await session.compact();
  const { requests } = await session.say("Go on.", "Going on.");
  report.check("subagent: the parent knows its own", occurrences(requests[0], "nightly backup") > 0);
}
