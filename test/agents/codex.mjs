// Two compactions in a real Codex, with the hooks that init writes.
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { oneCall, playGuards } from "./guarded.mjs";
import { startModel } from "./model.mjs";
import { plantRule, TYPED_RULE, timesIn } from "./plant.mjs";

const isSummary = ({ input }) => /CONTEXT CHECKPOINT COMPACTION/.test(JSON.stringify(input.at(-1)));
const TURN_MILLISECONDS = 60_000;
/** Above the limit at which Codex compacts before the next turn. */
const FULL = 90_000;

export const host = "codex";

export const plays = [
  { name: "two rounds", init: true, play: twoRounds },
  { name: "rules of earlier sessions", init: true, play: earlierRules },
  { name: "guards", play: guards },
];

/** Starts a model and returns a function that says something in the session and waits until its turn is over. */
async function open({ binary, project, home, script }) {
  const model = await startModel((body) => script(body));
  const own = join(home, ".codex");
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, "config.toml"), configuration(model.url, project));
  const env = { PATH: process.env.PATH, HOME: home, CODEX_HOME: own, TERM: "dumb", NO_KEY: "none" };
  let thread;
  const turn = (text) => {
    // The folder is a throw-away; a user looks at hooks before they run.
    const options = ["--json", "--skip-git-repo-check", "--dangerously-bypass-hook-trust"];
    const args = ["exec", ...(thread ? ["resume"] : []), ...options, ...(thread ? [thread] : []), text];
    return new Promise((resolve) => {
      const agent = spawn(binary, args, { cwd: project, env, stdio: ["ignore", "pipe", "ignore"] });
      const timer = setTimeout(() => agent.kill("SIGKILL"), TURN_MILLISECONDS);
      let out = "";
      agent.stdout.on("data", (chunk) => {
        out += chunk;
      });
      agent.on("close", (code) => {
        clearTimeout(timer);
        thread ??= /"thread_id":"([\w-]+)"/.exec(out)?.[1];
        resolve(code === 0);
      });
    });
  };
  return { model, turn };
}

async function twoRounds({ said, report, ...world }) {
  const script = (body) => {
    if (isSummary(body)) return { text: `We talked about a parser. ${said.choice}` };
    const [last] = body.input.filter(({ role }) => role === "user").slice(-1);
    const asked = JSON.stringify(last);
    if (asked.includes(said.asked)) return { text: said.answered, tokens: FULL };
    return { text: "OK.", tokens: asked.includes(said.later) ? FULL : 1_000 };
  };
  const { model, turn } = await open({ ...world, script });
  const ends = [];
  for (const text of [said.first, said.later, "Go on.", "And on."]) ends.push(await turn(text));
  await model.close();
  report.check("every turn ends well", ends.every(Boolean), ends);
  report.check("it was compacted twice", model.requests.filter(isSummary).length === 2, model.requests.length);
  const [last] = model.requests.slice(-1).map(({ input }) => JSON.stringify(input));
  const blocks = last.match(/<carried-facts>[\s\S]*?<\/carried-facts>/g) ?? [];
  report.check("a block is in the request behind the second compaction, once", blocks.length === 1, last);
  for (const [what, text] of Object.entries({ "the first rule": said.rule, "the later one": said.later }))
    report.check(`${what} is in it`, blocks.join().includes(text), last);
  report.check("what the summary holds is not", !blocks.join().includes(said.choice), blocks);
}

async function earlierRules(world) {
  const { report } = world;
  plantRule(host, world);
  const isFull = ({ input }) => JSON.stringify(input.at(-1)).includes("Fill it.");
  const script = (body) => (isSummary(body) ? { text: "We talked." } : { text: "OK.", tokens: isFull(body) ? FULL : 1_000 });
  const { model, turn } = await open({ ...world, script });
  const told = [];
  for (const text of ["Hello.", "Go on.", "Fill it.", "And on.", "And on."]) {
    await turn(text);
    told.push(timesIn(JSON.stringify(model.requests.at(-1).input), TYPED_RULE));
  }
  await model.close();
  report.check("it was compacted once", model.requests.filter(isSummary).length === 1, model.requests.length);
  report.check(
    "a rule of an earlier session is in every request, once",
    told.every((times) => times === 1),
    told,
  );
}

async function guards(world) {
  const call = oneCall();
  const script = () => {
    const tool = call.take();
    return { text: "OK.", ...(tool && { tool }) };
  };
  const { model, turn } = await open({ ...world, script });
  // The model that is offered for this name has no tool for patches.
  const patch = (file) => `apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: ${file}\n+x\n*** End Patch\nEOF`;
  const run = (cmd) => ({ name: "exec_command", input: { cmd } });
  await playGuards(
    { ...world, host },
    {
      turn: async (text, tool) => {
        call.want(tool);
        world.report.check(`${text} The turn ends well`, await turn(text));
        return JSON.stringify(model.requests.at(-1).input.slice(-3));
      },
      write: (file) => run(patch(file)),
      run,
      scripted: true,
    },
  );
  await model.close();
}

const configuration = (url, project) => `model = "gpt-5.1-codex"
model_provider = "local"
model_auto_compact_token_limit = 50000
check_for_update_on_startup = false
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.local]
name = "local"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "NO_KEY"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false
[analytics]
enabled = false
[projects."${project}"]
trust_level = "trusted"
`;
