// Frames: pushed, worked in, popped, nested; what the parent gets to see of them, and what it never does.
import { join } from "node:path";
import { frameBy, framesOf, lockFiles, on, pop, push, readSince, until, write } from "../frames.mjs";
import { missing, occurrences } from "../report.mjs";

export const name = "13 frames";

export async function play({ plugin, open, report }) {
  const world = await open();
  const off = world.project("off", { plugin: [plugin] });
  await (await off.session()).say("Hello.", "Hello.");
  const tools = (request) => request.body.tools.map((tool) => tool.function);
  const first = world.provider.requests.find(({ kind }) => kind === "chat");
  report.check("off unless configured: no tool is there", !tools(first).some(({ name }) => name.startsWith("frame_")));

  const project = world.project("frames", { plugin: [plugin], files: on() });
  await single(world, project, report, tools);
  await nested(world, project, report);
  await ends(world, project, report);
  // The plugin stores behind its answer.
  const isClear = await until(() => lockFiles(world).length === 0, 5);
  report.check("nothing is left of locks and drafts", isClear, lockFiles(world).join(", "));
  report.check("no session error", world.sessionErrors.length === 0, world.sessionErrors.join(" | "));
}

const SECRET = "RAWTEXT of the frame's own work";
const COMPLETION = "Summarize this frame's work for the parent context:";
const CONTINUATION = "The context is being compacted due to length.";

async function single(world, project, report, tools) {
  const session = await project.session();
  world.provider.mode = () => ({ text: "## Done\nJWT login works; tokens live 15 minutes." });
  const from = world.provider.requests.length;
  const turn = await session.say(
    "Build the app. We decided to use Fastify for the server.",
    push("Add the login"),
    { text: SECRET, ...write(join(project.folder, "src/auth.ts"), `// ${SECRET}\n`) },
    { text: `${SECRET}: we decided to keep tokens for 15 minutes.`, ...pop("completed", { summary: "The key is in KMS." }) },
    "Done.",
    "The login is there.",
  );
  const chat = world.provider.requests.slice(from).filter(({ kind }) => kind === "chat");
  const offered = tools(chat[0]);
  const required = Object.fromEntries(
    offered.filter(({ name }) => name.startsWith("frame_")).map(({ name, parameters }) => [name, parameters.required.join()]),
  );
  report.check(
    "the tools are there, with what they need",
    required.frame_push === "goal" && required.frame_pop === "status" && "frame_status" in required,
    JSON.stringify(required),
  );
  report.check("the parent is answered at the end", turn.answer.includes("The login is there."), turn.answer);
  const [prompt = "", ...more] = readSince(world, from, "compaction");
  report.check("the frame was compacted once, by its pop", more.length === 0 && prompt !== "", `${more.length + 1}`);
  report.check(
    "with the completion prompt and its goal",
    prompt.includes(COMPLETION) && prompt.includes("- Goal: Add the login"),
  );
  report.check("and no continuation prompt", !prompt.includes(CONTINUATION));
  const [root, frame] = framesOf(world, session);
  report.check("the frame is completed", frame?.status === "completed" && root?.status === "in_progress", JSON.stringify(frame));
  report.check("its summary is captured", frame?.compactionSummary?.includes("tokens live 15 minutes"), frame?.compactionSummary);
  report.check(
    "and its time, its file",
    frame?.compactionTimestamp > "2020" && frame.artifacts.includes("src/auth.ts"),
    JSON.stringify(frame),
  );
  report.check(
    "it was audited and repaired like any other",
    frame?.compactionSummary?.includes("<carried-facts>"),
    frame?.compactionSummary,
  );
  const [, child] = turn.requests;
  report.check(
    "the frame knows its goal and what it is a part of",
    missing(child, ["Add the login", "<frames>", "use Fastify"]).length === 0,
    child.slice(-900),
  );
  report.check("and none of the parent's messages", occurrences(child, "Build the app. We decided") === 0);
  const last = turn.requests.at(-1);
  report.check(
    "the parent's next request holds the summary",
    missing(last, ["tokens live 15 minutes", "The key is in KMS"]).length === 0,
    last,
  );
  report.check("and no message of the frame", occurrences(last, SECRET) === 0, last.slice(-1500));

  // The parent's own compaction takes the tool's answer out of sight.
  await session.say("Thanks.", "Fine.");
  await session.say("Anything else?", "No.");
  await session.compact("amnesic");
  const { requests } = await session.say("What is there?", "The login.");
  report.check(
    "after the parent's own compaction the summary is still there",
    occurrences(requests[0], "tokens live 15 minutes") > 0,
    requests[0],
  );
  report.check("and still no message of the frame", occurrences(requests[0], SECRET) === 0);
}

async function nested(world, project, report) {
  const session = await project.session();
  const summaries = { "Inner goal": "INNER summary.", "Middle goal": "MIDDLE summary.", "Second goal": "SECOND summary." };
  world.provider.mode = (body) => {
    const prompt = body.messages.at(-1).content;
    const text = typeof prompt === "string" ? prompt : prompt.map((part) => part.text).join("");
    const [, goal] = /- Goal: (.*)/.exec(text) ?? [];
    return { text: summaries[goal] ?? "" };
  };
  const turn = await session.say(
    "Build it in parts.",
    push("Middle goal"),
    push("Inner goal"),
    { text: "RAWINNER.", ...pop("completed") },
    "Inner done.",
    { text: "RAWMIDDLE.", ...pop("completed") },
    "Middle done.",
    push("Second goal"),
    { text: "RAWSECOND.", ...pop("completed") },
    "Second done.",
    "All done.",
  );
  const [, middle, inner, , middleNext, , rootNext, second, , last] = turn.requests;
  const shown = (what, text, has, hasNot) =>
    report.check(what, missing(text ?? "", has).length === 0 && missing(text ?? "", hasNot).length === hasNot.length, text);
  report.check("nested: all is answered", turn.answer.includes("All done."), turn.answer);
  shown("nested: the middle knows its goal", middle, ["Middle goal"], ["RAWINNER"]);
  shown("nested: the inner knows both goals above it", inner, ["Inner goal", "Middle goal", "Build it in parts"], []);
  shown("nested: the middle gets the inner's summary only", middleNext, ["INNER summary."], ["RAWINNER"]);
  shown(
    "nested: the root gets the middle's summary only",
    rootNext,
    ["MIDDLE summary."],
    ["RAWINNER", "RAWMIDDLE", "INNER summary."],
  );
  shown(
    "nested: a sibling is told of the one before it",
    second,
    ["Second goal", "MIDDLE summary."],
    ["RAWMIDDLE", "INNER summary."],
  );
  shown("nested: the root gets both", last, ["MIDDLE summary.", "SECOND summary."], ["RAWSECOND", "RAWMIDDLE"]);
  const frames = framesOf(world, session);
  report.check(
    "nested: the tree has three levels",
    frames[2]?.parentSessionID === frames[1]?.sessionID && frames[3]?.parentSessionID === session.id,
    JSON.stringify(frames),
  );
}

async function ends(world, project, report) {
  const session = await project.session();
  world.provider.mode = () => ({ text: "The build needs a licence key." });
  const turn = await session.say(
    "Try it.",
    pop("completed"),
    push("Try the build"),
    pop("blocked"),
    "Blocked.",
    push("Try the other build"),
    pop("given up"),
    pop("failed"),
    "Failed.",
    push("Stop in the middle"),
    "I have a question.",
    { tools: [{ name: "frame_status", args: {} }] },
    "Seen.",
  );
  const [, refused, , , , , wrong] = turn.requests;
  report.check("the root cannot be popped", refused.includes("Nothing was changed"), refused);
  report.check("a status that is none is refused", wrong.includes("status must be"), wrong);
  const blocked = frameBy(world, session, "Try the build");
  const failed = frameBy(world, session, "Try the other");
  report.check(
    "blocked and failed keep what was learned",
    [blocked, failed].every((frame) => frame?.compactionSummary?.includes("licence key")),
    JSON.stringify([blocked, failed]),
  );
  report.check("and are blocked and failed", blocked?.status === "blocked" && failed?.status === "failed");
  const stopped = frameBy(world, session, "Stop in the middle");
  report.check("a frame that stops is still in progress", stopped?.status === "in_progress", JSON.stringify(stopped));
  const status = turn.requests.at(-1);
  report.check("frame_status shows them all", missing(status, ["[blocked]", "[failed]", "[in_progress]"]).length === 0, status);
  const after = await session.say("End it.", pop("completed", { frame: stopped?.sessionID }), "Ended.");
  report.check(
    "its parent can end it, and is given its summary",
    after.requests[1]?.includes("is completed: Stop in the middle"),
    after.requests[1],
  );
  await until(() => frameBy(world, session, "Stop in the middle")?.status === "completed", 5);
  report.check("it is completed", frameBy(world, session, "Stop in the middle")?.compactionSummary?.includes("licence key"));
}
