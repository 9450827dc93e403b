// Compactions in agents that are told with the next prompt what a summary lost, with the hook that init writes.
import { spawn } from "node:child_process";
import { oneCall, playGuards } from "./guarded.mjs";
import { PLANTED, startModel } from "./model.mjs";
import { plantRule, TYPED_RULE, timesIn } from "./plant.mjs";

const TURN_MILLISECONDS = 60_000;
const blocksIn = (text) => text.match(/<carried-facts>[\s\S]*?<\/carried-facts>/g) ?? [];

/**
 * @param agent `start` gives a process for each prompt, `compact` what to say for a compaction, and the rest reads requests
 */
export const playsOf = (agent) => [
  { name: "two rounds", init: true, play: (world) => twoRounds(agent, world) },
  { name: "rules of earlier sessions", init: true, play: (world) => earlierRules(agent, world) },
  { name: "guards", play: (world) => guards(agent, world) },
];

async function open({ start, isSummary, reply }, world) {
  const model = await startModel((body) => (isSummary(body) ? { text: "We talked." } : reply(body)));
  let isFirst = true;
  const say = (text) => {
    const { command, args, env } = start({ ...world, url: model.url, text, isFirst });
    isFirst = false;
    return new Promise((resolve) => {
      const own = { PATH: process.env.PATH, HOME: world.home, TERM: "dumb", NO_COLOR: "1", CI: "1", ...env };
      const agentProcess = spawn(command, args, { cwd: world.project, env: own, stdio: "ignore" });
      const timer = setTimeout(() => agentProcess.kill("SIGKILL"), TURN_MILLISECONDS);
      agentProcess.on("close", (code) => {
        clearTimeout(timer);
        resolve(code);
      });
    });
  };
  return { model, say };
}

async function twoRounds(agent, world) {
  const { report } = world;
  const { said, last, compact, isSummary } = agent;
  const { model, say } = await open(agent, world);
  const ends = [];
  for (const [round, rule] of PLANTED.slice(0, 2).entries()) {
    for (const text of [round === 0 ? `Build a CSV parser. ${rule}` : rule, "Well.", compact, "Go on."])
      ends.push(await say(text));
    report.check(`round ${round + 1}: it was compacted`, model.requests.filter(isSummary).length > round, model.requests.length);
    const [block = "", ...more] = blocksIn(last(model.requests.at(-1)));
    const absent = PLANTED.slice(0, round + 1).filter((one) => !block.includes(one));
    report.check(`round ${round + 1}: the next prompt tells what the summary lost`, block !== "" && absent.length === 0, [
      absent,
      last(model.requests.at(-1)),
    ]);
    report.check(`round ${round + 1}: in one block`, more.length === 0, more);
    ends.push(await say("And on."));
    report.check(`round ${round + 1}: and the one behind it does not`, blocksIn(last(model.requests.at(-1))).length === 0);
  }
  await model.close();
  report.check(
    "every turn ends well",
    ends.every((code) => code === 0),
    ends,
  );
  report.check(
    "no request has a block twice in one message",
    !said(model.requests.at(-1)).some((text) => blocksIn(text).length > 1),
  );
}

async function earlierRules(agent, world) {
  const { report } = world;
  plantRule("claude-code", world);
  const { model, say } = await open(agent, world);
  const told = [];
  for (const text of ["Hello.", "Well.", agent.compact, "Go on.", "And on."]) {
    await say(text);
    told.push(timesIn(agent.last(model.requests.at(-1)), TYPED_RULE));
  }
  await model.close();
  const [first, second, , behind, later] = told;
  report.check("a rule of an earlier session is told with the first prompt, once", first === 1 && second === 0, told);
  report.check("and behind a compaction, once", behind === 1 && later === 0, told);
}

async function guards({ write, run, ...agent }, world) {
  const call = oneCall();
  const reply = (body) => {
    const tool = call.take();
    return { text: tool ? "Working." : "OK.", ...(tool && { tool: tool(world, body) }) };
  };
  const { model, say } = await open({ ...agent, reply }, world);
  const turn = async (text, tool) => {
    call.want(tool);
    world.report.check(`${text} The turn ends well`, (await say(text)) === 0);
    const { messages, contents } = model.requests.at(-1);
    return JSON.stringify((messages ?? contents).slice(-2));
  };
  await playGuards({ ...world, host: agent.host }, { turn, write, run });
  await model.close();
}
