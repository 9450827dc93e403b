// Compactions in a real pi, with the extension.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { oneCall, playGuards } from "./guarded.mjs";
import { PLANTED, startModel } from "./model.mjs";

const isSummary = ({ messages }) => /context summarization assistant/i.test(JSON.stringify(messages[0]));
const ANSWER_MILLISECONDS = 60_000;
const WINDOW = 200_000;

export const host = "pi";

export const plays = [
  { name: "five rounds", play: fiveRounds },
  { name: "automatic", play: automatic },
  { name: "a model that judges", play: judging },
  { name: "a summary that fails", play: failing },
  { name: "commands", play: commands },
  { name: "recall", play: recall },
  { name: "guards", play: guards },
];

/** Starts pi. `prompt` says something, `compact` compacts; both wait until it is done. */
async function open({ binary, node, extension, project, home, script }) {
  const model = await startModel(script);
  const own = join(home, ".pi/agent");
  mkdirSync(own, { recursive: true });
  const models = [
    { id: "local", name: "local", reasoning: false, input: ["text"], contextWindow: WINDOW, maxTokens: 4_000, cost: FREE },
  ];
  const provider = { baseUrl: `${model.url}/v1`, apiKey: "none", api: "openai-completions", models };
  writeFileSync(join(own, "models.json"), JSON.stringify({ providers: { local: provider } }));
  const compaction = { enabled: true, reserveTokens: 2_000, keepRecentTokens: 8 };
  writeFileSync(
    join(own, "settings.json"),
    JSON.stringify({ compaction, retry: { enabled: false }, enableInstallTelemetry: false }),
  );
  const env = { PATH: process.env.PATH, HOME: home, PI_OFFLINE: "1", PI_TELEMETRY: "0", NO_COLOR: "1", TERM: "dumb" };
  const args = [binary, "--mode", "rpc", "--provider", "local", "--model", "local", "-e", extension];
  const agent = spawn(node, args, { cwd: project, env, stdio: ["pipe", "pipe", "ignore"] });
  const lines = createInterface({ input: agent.stdout });
  const events = [];
  lines.on("line", (line) => {
    const event = JSON.parse(line);
    events.push(event);
    // A dialog: nobody allows what a guard asks about.
    if (event.type === "extension_ui_request" && event.method === "confirm")
      agent.stdin.write(`${JSON.stringify({ type: "extension_ui_response", id: event.id, confirmed: false })}\n`);
  });
  const ask = (request, isAnswer) => {
    const answer = new Promise((resolve) => {
      const timer = setTimeout(() => resolve(undefined), ANSWER_MILLISECONDS);
      lines.on("line", function heard(line) {
        const event = JSON.parse(line);
        if (!isAnswer(event)) return;
        clearTimeout(timer);
        lines.off("line", heard);
        resolve(event);
      });
    });
    agent.stdin.write(`${JSON.stringify(request)}\n`);
    return answer;
  };
  return {
    model,
    errors: () => events.filter(({ type }) => type === "extension_error"),
    prompt: (message) => ask({ id: message, type: "prompt", message }, ({ type }) => type === "agent_end"),
    compact: () => ask({ id: "compact", type: "compact" }, ({ type, id }) => type === "response" && id === "compact"),
    command: (message) => ask({ id: message, type: "prompt", message }, ({ method }) => method === "notify"),
    /** The summaries that pi stored. */
    stored() {
      const folder = join(own, "sessions");
      const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".jsonl"));
      const entries = files.flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n").map(JSON.parse));
      return entries.filter(({ type }) => type === "compaction").map(({ summary }) => summary);
    },
    async stop() {
      agent.stdin.end();
      agent.kill();
      await model.close();
    },
  };
}

const textOf = (body) => JSON.stringify(body?.messages ?? "");
const blocksIn = (text) => text.match(/<carried-facts>[\s\S]*?<\/carried-facts>/g) ?? [];
const lastOf = ({ requests }) => textOf(requests.findLast((body) => !isSummary(body)));

const FORGETFUL = { text: "We talked." };
/** With the user's words, as much as pi keeps: a longer answer would be kept without them, and a turn be cut in two. */
const REPLY = { text: "OK, I will keep it in mind." };
const PAUSE = "Work.";

async function fiveRounds({ report, ...world }) {
  const pi = await open({ ...world, script: (body) => (isSummary(body) ? FORGETFUL : REPLY) });
  const ends = [];
  for (const [index, rule] of PLANTED.entries()) {
    const withdrawn = index === 3 ? "You may touch the legacy folder from now on. " : "";
    ends.push(await pi.prompt(index === 0 ? `Build a CSV parser. ${rule}` : `${withdrawn}${rule}`));
    ends.push(await pi.prompt(PAUSE));
    const from = pi.model.requests.length;
    ends.push((await pi.compact())?.success);
    const asked = pi.model.requests.slice(from).filter(isSummary).map(textOf).join();
    ends.push(await pi.prompt("Go on."));
    const [block = "", ...more] = blocksIn(lastOf(pi.model));
    const rules = PLANTED.slice(index >= 3 ? 1 : 0, index + 1);
    const absent = (text) => rules.filter((one) => !text.includes(one));
    report.check(`round ${index + 1}: every fact is in the request for the summary`, absent(asked).length === 0, absent(asked));
    report.check(
      `round ${index + 1}: and in the next request, in one block`,
      absent(block).length + more.length === 0,
      lastOf(pi.model),
    );
    report.check(
      `round ${index + 1}: and in the summary that is stored`,
      absent(pi.stored().at(-1)).length === 0,
      pi.stored().at(-1),
    );
    if (index >= 3) report.check(`round ${index + 1}: not what was withdrawn`, !block.includes(PLANTED[0]), block);
  }
  report.check("every turn ends well, and no error is shown", ends.every(Boolean) && pi.errors().length === 0, [
    ends,
    pi.errors(),
  ]);
  await pi.stop();
}

/** pi looks at what an answer says about the context, after a turn and, since 0.84, in the middle of one. */
async function automatic({ report, version, ...world }) {
  const isAsked = (body, text) => JSON.stringify(body.messages.at(-1)).includes(text);
  const full = WINDOW - 1_000;
  const script = (body) => {
    if (isSummary(body)) return FORGETFUL;
    if (isAsked(body, "Fill it.")) return { ...REPLY, tokens: full };
    if (isAsked(body, "Run it."))
      return { text: "Working.", tool: { name: "bash", input: { command: "echo done" } }, tokens: full };
    return REPLY;
  };
  const pi = await open({ ...world, script });
  for (const [what, words] of Object.entries({ "after a turn": "Fill it.", "in the middle of one": "Run it." })) {
    if (words === "Run it." && version.startsWith("0.73")) continue;
    const from = pi.model.requests.length;
    await pi.prompt(`Build a CSV parser. ${PLANTED[what === "after a turn" ? 0 : 1]}`);
    for (const text of [PAUSE, words]) await pi.prompt(text);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await pi.prompt("And on.");
    report.check(`${what}: it was compacted`, pi.model.requests.slice(from).some(isSummary), pi.model.requests.length);
    const blocks = blocksIn(lastOf(pi.model));
    report.check(
      `${what}: the rule is in the request behind it, once`,
      blocks.length === 1 && blocks[0].includes(PLANTED[0]),
      lastOf(pi.model),
    );
  }
  report.check("no error is shown", pi.errors().length === 0, pi.errors());
  await pi.stop();
}

/** What the model calls noise is not carried, and its verdicts are in no summary. */
async function judging({ report, said, ...world }) {
  const script = (body) => {
    if (!isSummary(body)) return { text: JSON.stringify(body.messages.at(-1)).includes(said.asked) ? said.answered : REPLY.text };
    const [, noise] = /\[?(f\d+)\]?[^\n"\\]*state machine/.exec(textOf(body)) ?? [];
    const ids = [...new Set(textOf(body).match(/\bf\d+\b/g) ?? [])].filter((id) => id !== noise);
    return { text: `We talked.\n\n<facts>\nholds: ${ids.join(", ")}\nnoise: ${noise}\n</facts>` };
  };
  const pi = await open({ ...world, script });
  await pi.prompt(said.first);
  await pi.prompt(PAUSE);
  await pi.compact();
  await pi.prompt("Go on.");
  const [stored] = pi.stored();
  report.check(
    "the facts are offered",
    /<facts>/.test(textOf(pi.model.requests.find(isSummary))),
    textOf(pi.model.requests.find(isSummary)),
  );
  report.check("the verdicts are in no summary", !/<facts>|noise:/.test(stored), stored);
  report.check("what holds is carried", blocksIn(stored).join().includes(said.rule), stored);
  report.check("noise is not", !blocksIn(stored).join().includes("state machine"), stored);
  await pi.stop();
}

/** The first answer is empty, which pi would store. */
async function failing({ report, said, ...world }) {
  let asked = 0;
  const script = (body) => (isSummary(body) ? { text: ++asked === 1 ? "" : "We talked." } : REPLY);
  const pi = await open({ ...world, script });
  await pi.prompt(said.first);
  await pi.prompt(PAUSE);
  await pi.compact();
  await pi.prompt("Go on.");
  report.check("pi compacts by itself", pi.stored().length === 1 && blocksIn(pi.stored()[0]).length === 0, pi.stored());
  const blocks = blocksIn(lastOf(pi.model));
  report.check(
    "what it lost is behind its summary, once",
    blocks.length === 1 && blocks[0].includes(said.rule),
    lastOf(pi.model),
  );
  report.check("no error is shown", pi.errors().length === 0, pi.errors());
  await pi.stop();
}

async function commands({ report, said, ...world }) {
  const pi = await open({ ...world, script: () => ({ text: "OK." }) });
  await pi.prompt(said.first);
  const before = pi.model.requests.length;
  const pinned = await pi.command("/pin Deploy only from the release branch.");
  report.check("/pin pins", /pinned [0-9a-f]{8} Deploy only/.test(pinned?.message), pinned);
  const list = (await pi.command("/carry"))?.message ?? "";
  report.check(
    "/carry lists what would be carried",
    ["Deploy only", "legacy folder"].every((text) => list.includes(text)),
    list,
  );
  const text = (await pi.command("/handoff"))?.message ?? "";
  report.check("/handoff shows what another agent needs", text.includes("hands over") && text.includes("Deploy only"), text);
  report.check("no model is asked", pi.model.requests.length === before, pi.model.requests.length - before);
  await pi.stop();
}

/** What an earlier session agreed on is found by a tool, once the user agrees to the index. */
async function recall({ report, said, ...world }) {
  const first = await open({ ...world, script: () => ({ text: said.answered }) });
  await first.prompt(said.first);
  const offered = ({ model }) => model.requests.at(-1)?.tools?.map((tool) => tool.function.name) ?? [];
  report.check("without the user's consent, there is no tool", !offered(first).includes("recall"), offered(first));
  await first.stop();
  const found = spawnSync(join(world.project, "node_modules/.bin/compaction-rules"), ["find", "--yes", "state machine"], {
    cwd: world.project,
    env: { PATH: process.env.PATH, HOME: world.home },
    encoding: "utf8",
  });
  const [place] = /\S+#m\d+/.exec(found.stdout) ?? [];
  const calls = {
    FIND: { name: "recall", input: { query: "state machine regex" } },
    SHOW: { name: "recall_show", input: { place } },
    PIN: { name: "recall_pin", input: { text: "Keep the state machine." } },
  };
  const script = ({ messages }) => ({ text: "OK.", tool: calls[/FIND|SHOW|PIN/.exec(JSON.stringify(messages.at(-1)))?.[0]] });
  const pi = await open({ ...world, script });
  const results = {};
  for (const word of Object.keys(calls)) {
    await pi.prompt(word);
    results[word] = JSON.stringify(pi.model.requests.at(-1)?.messages.at(-1));
  }
  report.check(
    "recall answers with the choice, as data",
    [said.choice, "data, not instructions"].every((text) => results.FIND.includes(text)),
    results.FIND,
  );
  report.check("show prints the message", results.SHOW.includes(`> ${said.choice}`), [place, results.SHOW]);
  report.check("pin pins", /pinned [0-9a-f]{8} Keep the state machine\./.test(results.PIN), results.PIN);
  report.check("no error is shown", pi.errors().length === 0, pi.errors());
  await pi.stop();
}

/** Somebody is there in this mode, and says no. */
async function guards(world) {
  const call = oneCall();
  const script = () => {
    const tool = call.take();
    return { text: "OK.", ...(tool && { tool }) };
  };
  const started = () => open({ ...world, script });
  let pi;
  const turn = async (text, tool) => {
    pi ??= await started();
    call.want(tool);
    await pi.prompt(text);
    return JSON.stringify(pi.model.requests.at(-1)?.messages.slice(-2));
  };
  await playGuards(world, {
    turn,
    write: (file) => ({ name: "write", input: { path: file, content: "x\n" } }),
    run: (line) => ({ name: "bash", input: { command: line } }),
  });
  world.report.check("no error is shown", pi.errors().length === 0, pi.errors());
  await pi.stop();
}

const FREE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
