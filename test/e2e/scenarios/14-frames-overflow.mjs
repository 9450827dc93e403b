// An overflow inside of a frame, and a completion prompt that takes the place of OpenCode's own.
import { join } from "node:path";
import { frameBy, on, pop, push, readSince, write } from "../frames.mjs";
import { missing, occurrences } from "../report.mjs";
import { promptOf } from "../summariser.mjs";

export const name = "14 frames that overflow";

const COMPLETION = "Summarize this frame's work for the parent context:";
const CONTINUATION = "The context is being compacted due to length.";

export async function play({ plugin, open, report }) {
  const world = await open({ limit: { context: 60_000, output: 4_000 } });
  await overflow(world, plugin, report);
  await replaced(world, plugin, report);
  report.check("no session error", world.sessionErrors.length === 0, world.sessionErrors.join(" | "));
}

/** A frame whose first step fills its context. */
const script = (project) => [
  push("Port the parser"),
  {
    text: "RAWEARLY: the grammar is LL(1).",
    ...write(join(project.folder, "parser.ts"), "//\n"),
    usage: { input: 58_000, output: 10 },
  },
  { text: "RAWLATE: going on.", ...pop("completed") },
  "Done.",
  "The parser is ported.",
];

async function overflow(world, plugin, report) {
  const project = world.project("overflow", { plugin: [plugin], files: on() });
  const session = await project.session();
  const seen = [];
  world.provider.mode = (body) => {
    seen.push({ prompt: promptOf(body), status: frameBy(world, session, "Port the parser")?.status });
    return { text: seen.length === 1 ? "FIRSTHALF summary." : "WHOLE summary: the parser is ported." };
  };
  const turn = await session.say("Port it all.", ...script(project));
  report.check("overflow: the parent is answered", turn.answer.includes("The parser is ported."), turn.answer);
  report.check("overflow: two compactions", seen.length === 2, `${seen.length}`);
  const [first, second] = seen;
  report.check(
    "overflow: the first has the continuation prompt and the frame is in progress",
    first?.status === "in_progress" &&
      first.prompt.includes(CONTINUATION) &&
      first.prompt.includes("goal: Port the parser") &&
      !first.prompt.includes(COMPLETION),
    first?.prompt.slice(-900),
  );
  report.check(
    "overflow: the second has the completion prompt and the frame is completing",
    second?.status === "completing" && second.prompt.includes(COMPLETION) && !second.prompt.includes(CONTINUATION),
    second?.prompt.slice(-900),
  );
  report.check(
    "overflow: after it the frame goes on, and knows its goal",
    missing(turn.requests[2] ?? "", ["FIRSTHALF", "Port the parser"]).length === 0,
    turn.requests[2],
  );
  const frame = frameBy(world, session, "Port the parser");
  report.check(
    "overflow: the summary of the end is the frame's",
    frame?.status === "completed" && frame.compactionSummary.startsWith("WHOLE summary"),
    JSON.stringify(frame),
  );
  const last = turn.requests.at(-1);
  report.check("overflow: the parent holds it", occurrences(last, "WHOLE summary") > 0, last);
  report.check(
    "overflow: and nothing else of the frame",
    ["RAWEARLY", "RAWLATE", "FIRSTHALF"].every((raw) => occurrences(last, raw) === 0),
    last.slice(-1500),
  );
}

async function replaced(world, plugin, report) {
  const other =
    "export default { id: 'other', server: async () => ({ 'experimental.session.compacting': async (_, output) => { output.context.push('OTHERPLUGIN context'); } }) };\n";
  const project = world.project("replaced", {
    plugin: ["./other.js", plugin],
    files: { ...on({ replacePrompt: true }), "other.js": other },
  });
  const session = await project.session();
  const from = world.provider.requests.length;
  world.provider.mode = (body) => ({ text: promptOf(body).includes(COMPLETION) ? "WHOLE summary." : "FIRSTHALF summary." });
  await session.say("Port it all.", ...script(project));
  // With another prompt the request is told by its system message all the same.
  const [first = "", second = ""] = readSince(world, from, "compaction");
  report.check(
    "replaced: an overflow leaves OpenCode's prompt as it is",
    first.includes("## Objective") && first.includes(CONTINUATION),
    first.slice(-900),
  );
  report.check(
    "replaced: the end has its own prompt",
    second.includes(COMPLETION) && !second.includes("Do not mention the summary process"),
    second.slice(0, 900),
  );
  const lost = missing(second, ["OTHERPLUGIN context", "FIRSTHALF summary", "quoted data about this session"]);
  report.check("replaced: with all contexts and the summary before", lost.length === 0, `without ${lost.join(", ")}`);
  report.check(
    "replaced: the summary is captured",
    frameBy(world, session, "Port the parser")?.compactionSummary?.startsWith("WHOLE summary."),
  );
}
