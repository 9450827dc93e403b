// Ends of frames that go wrong: a restart before the summary, a model that says nothing, fails or hangs, a broken tree.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { frameBy, framesOf, on, pop, push, readSince, until, write } from "../frames.mjs";
import { missing, occurrences } from "../report.mjs";

export const name = "15 frames in trouble";

const COMPLETION = "Summarize this frame's work for the parent context:";

export async function play({ plugin, open, report }) {
  const world = await open();
  await nothing(world, plugin, report);
  await fails(world, plugin, report);
  await hangs(world, plugin, report);
  await restart(world, plugin, report);
}

const script = (project, goal, status = "completed") => [
  push(goal),
  { text: "RAW work.", ...write(join(project.folder, "made.ts"), "//\n") },
  { text: "RAW: we decided to keep the old schema.", ...pop(status, { summary: "Ask Ana about the schema." }) },
  "Done.",
  "On with it.",
];

const KNOWN = ["made.ts", "keep the old schema", "Ask Ana"];

async function nothing(world, plugin, report) {
  const project = world.project("nothing", { plugin: [plugin], files: on() });
  const session = await project.session();
  world.provider.mode = "empty";
  const turn = await session.say("Do it.", ...script(project, "Say nothing"));
  const frame = frameBy(world, session, "Say nothing");
  report.check(
    "an empty summary: the frame is completed, without one",
    frame?.status === "completed" && frame.compactionSummary === undefined,
    JSON.stringify(frame),
  );
  const last = turn.requests.at(-1);
  report.check(
    "an empty summary: the parent gets goal, files and decisions, and is told so",
    missing(last, [...KNOWN, "It has no summary"]).length === 0,
    last.slice(-900),
  );
  report.check("an empty summary: and no message", occurrences(last, "RAW") === 0);
  report.check("an empty summary: the parent goes on", turn.answer.includes("On with it."), turn.answer);
}

async function fails(world, plugin, report) {
  const project = world.project("fails", { plugin: [plugin], files: on() });
  const session = await project.session();
  world.provider.mode = "error";
  const turn = await session.say("Do it.", ...script(project, "Fail to say", "failed"));
  const frame = frameBy(world, session, "Fail to say");
  report.check(
    "a compaction that fails: the frame ends, and says why it has no summary",
    frame?.status === "failed" && frame.unsummarised === "failed",
    JSON.stringify(frame),
  );
  const last = turn.requests.at(-1);
  report.check(
    "a compaction that fails: the parent gets what is known",
    missing(last, [...KNOWN, "its compaction failed"]).length === 0,
    last.slice(-900),
  );
}

async function hangs(world, plugin, report) {
  const project = world.project("hangs", { plugin: [plugin], files: on({ seconds: 3 }) });
  const session = await project.session();
  world.provider.mode = () => ({ hang: true });
  const turn = await session.say("Do it.", ...script(project, "Wait for ever", "blocked"));
  const frame = frameBy(world, session, "Wait for ever");
  report.check(
    "a compaction that never comes: the time ends the frame",
    frame?.status === "blocked" && frame.unsummarised === "late",
    JSON.stringify(frame),
  );
  const last = turn.requests.at(-1);
  report.check(
    "a compaction that never comes: the parent gets what is known, and is told so",
    missing(last, [...KNOWN, "did not come in time"]).length === 0,
    last.slice(-900),
  );
  report.check("a compaction that never comes: the parent goes on", turn.answer.includes("On with it."), turn.answer);
}

async function restart(world, plugin, report) {
  const project = world.project("restart", { plugin: [plugin], files: on() });
  const session = await project.session();
  world.provider.mode = () => ({ hang: true });
  const from = world.provider.requests.length;
  const turn = session.say("Do it.", ...script(project, "Survive")).catch(() => undefined);
  const asked = await until(() => readSince(world, from, "compaction").length === 1);
  report.check("restart: the summary was asked for", asked && frameBy(world, session, "Survive")?.status === "completing");
  await world.restart();
  await turn;
  report.check("restart: the frame is still completing", frameBy(world, session, "Survive")?.status === "completing");
  world.provider.mode = () => ({ text: "LATER summary: it survived." });
  const back = world.provider.requests.length;
  const first = await session.say("Where are we?", "One moment.");
  report.check(
    "restart: the parent is answered at once, and knows that a summary is being made",
    first.answer.includes("One moment.") && missing(first.requests[0], ["Survive", "completing"]).length === 0,
    first.requests[0]?.slice(-1500),
  );
  const ended = await until(() => frameBy(world, session, "Survive")?.status === "completed");
  const frame = frameBy(world, session, "Survive");
  report.check(
    "restart: then it is completed with its summary",
    ended && frame.compactionSummary?.startsWith("LATER summary"),
    JSON.stringify(frame),
  );
  const prompts = readSince(world, back, "compaction");
  report.check(
    "restart: by one compaction, with the completion prompt",
    prompts.length === 1 && prompts[0].includes(COMPLETION),
    `${prompts.length}`,
  );
  const next = await session.say("And now?", "Good.");
  report.check(
    "restart: the parent's next request holds the summary",
    occurrences(next.requests[0], "LATER summary") > 0,
    next.requests[0]?.slice(-1500),
  );
  report.check("restart: and no message of the frame", occurrences(next.requests[0], "RAW") === 0);

  // A tree that cannot be read costs what it knew, and nothing else.
  writeFileSync(join(world.state, `frames-${session.id}.json`), "{ no json");
  const after = await session.say("Still there?", "Still here.");
  report.check("a broken tree: the session goes on", after.answer.includes("Still here."), after.answer);
  world.provider.mode = () => ({ text: "FRESH summary." });
  await session.say("Again.", ...script(project, "Begin again"));
  report.check(
    "a broken tree: frames work again",
    framesOf(world, session).at(-1)?.status === "completed",
    JSON.stringify(framesOf(world, session)),
  );
}
