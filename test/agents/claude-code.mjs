// Compactions in a real Claude Code: with the plugin, whose module runs inside the agent; with the hooks that init writes; and
// with both at once.
import { execFile, spawn, spawnSync } from "node:child_process";
import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as guarded from "./guarded.mjs";
import { PLANTED, startModel } from "./model.mjs";
import { plantRule, TYPED_RULE, timesIn } from "./plant.mjs";
import { startRegistry } from "./registry.mjs";

const isSummary = ({ messages }) => /detailed summary/i.test(JSON.stringify(messages.at(-1)));
const TURN_MILLISECONDS = 60_000;
/** Above the limit at which Claude Code compacts by itself, if it is started with one. */
const FULL = 190_000;
const AUTO = ["--autocompact", "100k"];
const FORGETFUL = { text: "<analysis>Nothing.</analysis>\n<summary>We talked.</summary>" };
const root = fileURLToPath(new URL("../../", import.meta.url));

export const host = "claude-code";

const environment = (home, url, path = []) => ({
  PATH: [...path, process.env.PATH].join(":"),
  HOME: home,
  TERM: "dumb",
  IS_SANDBOX: "1",
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_API_KEY: "none",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
});

/** Starts the agent. `turn` says something and waits until its turn is over. */
function start({ binary, project, home, model, args = [], path = [] }) {
  const streams = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
  const options = [...streams, "--model", "claude-sonnet-4-5", "--permission-mode", "bypassPermissions", ...args];
  const agent = spawn(binary, ["-p", ...options], { cwd: project, env: environment(home, model.url, path) });
  const said = [];
  const waiting = [];
  createInterface({ input: agent.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    said.push(message);
    if (message.type === "result") waiting.shift()?.(message);
  });
  const over = new Promise((resolve) => agent.on("exit", resolve));
  return {
    said,
    turn(content) {
      agent.stdin.write(`${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`);
      return new Promise((resolve) => {
        const timer = setTimeout(() => resolve({ is_error: true, result: "no answer" }), TURN_MILLISECONDS);
        waiting.push((message) => {
          clearTimeout(timer);
          resolve(message);
        });
      });
    },
    async stop() {
      agent.stdin.end();
      const timer = setTimeout(() => agent.kill(), 10_000);
      await over;
      clearTimeout(timer);
      return said.find(({ session_id }) => session_id)?.session_id;
    },
  };
}

const textOf = (body) => JSON.stringify(body?.messages ?? "");
const blocksIn = (text) => text.match(/<carried-facts>[\s\S]*?<\/carried-facts>/g) ?? [];

/** Plays turns, and returns the requests of each, with the id of the session. */
async function playTurns({ script, turns, summary = FORGETFUL, ...world }) {
  const summarise = typeof summary === "function" ? summary : () => summary;
  const model = await startModel((body) => (isSummary(body) ? summarise(body) : (script?.(body) ?? { text: "OK." })));
  const agent = start({ ...world, model });
  const played = [];
  for (const turn of turns) {
    const from = model.requests.length;
    const result = await agent.turn(turn);
    played.push({ turn, result, requests: model.requests.slice(from) });
  }
  const id = await agent.stop();
  await model.close();
  return { played, id, said: agent.said, requests: model.requests };
}

/** The request behind the last compaction. */
const lastOf = ({ requests }) => textOf(requests.filter((body) => body.tools?.length > 0).at(-1));

const WITHDRAWN = "You may touch the legacy folder from now on.";

async function fiveRounds(world, { inside }) {
  const { report } = world;
  const turns = PLANTED.flatMap((rule, index) => [
    index === 0 ? `Build a CSV parser. ${rule}` : `${index === 3 ? `${WITHDRAWN} ` : ""}${rule}`,
    "/compact",
    "Go on.",
  ]);
  const { played, said } = await playTurns({ ...world, turns });
  report.check(
    "every turn ends well",
    played.every(({ result }) => !result.is_error),
    played.map(({ result }) => result.result),
  );
  const rounds = PLANTED.map((_, index) => ({
    summary: textOf(played[index * 3 + 1].requests.find(isSummary)),
    next: textOf(played[index * 3 + 2].requests.at(-1)),
    rules: PLANTED.slice(index >= 3 ? 1 : 0, index + 1),
  }));
  for (const [index, { summary, next, rules }] of rounds.entries()) {
    const [block = "", ...more] = blocksIn(next);
    const absent = (text) => rules.filter((rule) => !text.includes(rule));
    report.check(`round ${index + 1}: every fact is in the prompt of the summary`, absent(summary).length === 0, absent(summary));
    report.check(`round ${index + 1}: and in the next request`, absent(block).length === 0, [absent(block), next.slice(-2000)]);
    report.check(`round ${index + 1}: in one block`, block !== "" && more.length === 0, more);
    if (index >= 3) report.check(`round ${index + 1}: not what was withdrawn`, !block.includes(PLANTED[0]), block);
    if (inside)
      report.check(
        `round ${index + 1}: nothing is echoed`,
        !next.includes("What follows is quoted data about this session"),
        next,
      );
  }
  if (!inside) return;
  const shown = (kind) => said.filter(({ subtype }) => subtype === kind).map((message) => JSON.stringify(message));
  for (const kind of ["ui_toast", "ui_status"])
    report.check(
      `${kind} tells of each compaction`,
      shown(kind).filter((text) => /kept \d+ of \d+ facts, \d+ repaired/.test(text)).length === 5,
      shown(kind),
    );
}

async function commands({ report, ...world }) {
  const turns = [
    `Build a CSV parser. ${PLANTED[0]}`,
    "/pin Deploy only from the release branch.",
    "/carry",
    "/pin",
    "/handoff",
    "Go on.",
  ];
  const { played } = await playTurns({ ...world, turns });
  const [, pin, carry, none, handoff] = played;
  const isQuiet = ({ result, requests }) => result.num_turns === 0 && requests.length === 0;
  report.check("/pin, /carry, /handoff: no model is asked", [pin, carry, none, handoff].every(isQuiet), played);
  report.check("/pin pins", /pinned [0-9a-f]{8} Deploy only from the release branch\./.test(pin.result.result), pin.result);
  const list = carry.result.result;
  report.check(
    "/carry lists what would be carried",
    ["Deploy only", "Never touch the legacy folder"].every((text) => list.includes(text)),
    list,
  );
  report.check(
    "/handoff shows what another agent needs",
    ["hands over", "CSV parser", "Deploy only"].every((text) => handoff.result.result.includes(text)),
    handoff.result,
  );
  report.check("/pin without a text says so", none.result.result.includes("type /pin TEXT"), none.result);
}

const call = (name, input) => ({ text: "Working.", tool: { name, input } });
const bash = call("Bash", { command: "echo done", description: "try it" });
const endsWith = (body, text) => JSON.stringify(body.messages.at(-1)).includes(text);
const hasResult = (body) => endsWith(body, '"tool_result"');

async function automatic({ report, ...world }) {
  const first = `Build a CSV parser. ${PLANTED[0]}`;
  const scripts = {
    "before a turn": (body) => ({ text: "OK.", tokens: endsWith(body, PLANTED[1]) ? FULL : 3_000 }),
    "in the middle of a turn": (body) =>
      endsWith(body, "STEP") && !hasResult(body) ? { ...bash, tokens: FULL } : { text: "OK.", tokens: 3_000 },
  };
  for (const [when, script] of Object.entries(scripts)) {
    const turns = [first, `${PLANTED[1]} STEP`, "Go on."];
    const played = await playTurns({ ...world, script, turns, args: AUTO });
    const last = lastOf(played);
    report.check(
      `${when}: every turn ends well`,
      played.played.every(({ result }) => !result.is_error),
      played.played,
    );
    report.check(`${when}: it was compacted once`, played.requests.filter(isSummary).length === 1, played.requests.length);
    const isThere = (text) => PLANTED.slice(0, 2).every((rule) => blocksIn(text).join().includes(rule));
    report.check(
      `${when}: the facts are in the request behind it, in one block`,
      isThere(last) && blocksIn(last).length === 1,
      last,
    );
    const resumed = await playTurns({ ...world, turns: ["And on."], args: ["--resume", played.id] });
    const back = lastOf(resumed);
    report.check(`${when}: and after a resume`, isThere(back) && blocksIn(back).length === 1, back);
  }
}

/** A sub-agent's compaction carries its own facts, and none of the session that opened it. */
async function subAgent({ report, ...world }) {
  const choice = "We decided to use a state machine instead of a regex.";
  const isBelow = (body) => textOf({ messages: body.messages.slice(0, 1) }).includes("SUBTASK");
  const script = (body) => {
    if (isBelow(body)) return hasResult(body) ? { text: "Done." } : { ...bash, text: choice, tokens: FULL };
    if (endsWith(body, "START_IT") && !hasResult(body))
      return call("Agent", {
        description: "look",
        prompt: "SUBTASK: look around.",
        subagent_type: "general-purpose",
        run_in_background: false,
      });
    return { text: "OK." };
  };
  const turns = [`Build a CSV parser. ${PLANTED[0]} START_IT`, "Wait for it.", "/compact", "Go on."];
  const { played, requests } = await playTurns({ ...world, script, turns, args: AUTO });
  report.check(
    "every turn ends well",
    played.every(({ result }) => !result.is_error),
    played.map(({ result }) => result),
  );
  const below = requests.filter((body) => blocksIn(textOf(body)).join().includes("state machine"));
  report.check(
    "the sub-agent's next request has its own choice",
    below.length > 0,
    requests.map((body) => textOf(body).slice(0, 300)),
  );
  report.check(
    "and nothing of the session",
    below.every((body) => !textOf(body).includes(PLANTED[0])),
    below.map(textOf),
  );
  const last = lastOf({ requests });
  report.check("the session keeps its own", blocksIn(last).join().includes(PLANTED[0]), last);
}

async function earlierRules(world) {
  const { report } = world;
  plantRule(host, world);
  const { played, id } = await playTurns({ ...world, turns: ["Hello.", "/compact", "Go on."] });
  const told = played.map(({ requests }) => timesIn(textOf(requests.at(-1)), TYPED_RULE));
  report.check("a rule of an earlier session is in the first request, once", told[0] === 1, textOf(played[0].requests.at(-1)));
  report.check("and behind a compaction, once", told[2] === 1, textOf(played[2].requests.at(-1)));
  const back = await playTurns({ ...world, turns: ["And on."], args: ["--resume", id] });
  report.check("and after a resume, once", timesIn(lastOf(back), TYPED_RULE) === 1, lastOf(back));
  const short = await playTurns({ ...world, turns: ["Hello."] });
  const again = await playTurns({ ...world, turns: ["Go on."], args: ["--resume", short.id] });
  report.check("and after a resume without a compaction, once", timesIn(lastOf(again), TYPED_RULE) === 1, lastOf(again));
}

/** What an earlier session agreed on is found by a tool of our MCP server, in the entry that init writes. */
async function recall({ report, ...world }) {
  const choice = "We decided to keep the parser state in a ring buffer.";
  const first = await playTurns({ ...world, turns: ["Which buffer do we use?"], script: () => ({ text: choice }) });
  const found = spawnSync(join(world.project, "node_modules/.bin/compaction-rules"), ["find", "--yes", "buffer"], {
    cwd: world.project,
    env: { PATH: process.env.PATH, HOME: world.home },
    encoding: "utf8",
  });
  report.check("the user agrees to the index", found.stdout.includes(choice), found.stdout + found.stderr);
  // In a terminal, the user is asked about the server.
  const settings = join(world.home, ".claude/settings.json");
  writeFileSync(settings, JSON.stringify({ enableAllProjectMcpServers: true }));
  const tool = (name) => `mcp__compaction-rules__${name}`;
  const script = (body) => {
    const last = JSON.stringify(body.messages.at(-1));
    if (last.includes("FIND") && !hasResult(body)) return call(tool("recall"), { query: "parser state buffer" });
    if (last.includes("SHOW") && !hasResult(body)) return call(tool("show"), { place: `${first.id}#m2` });
    if (last.includes("PIN") && !hasResult(body)) return call(tool("pin"), { text: "Keep the ring buffer." });
    return { text: "OK." };
  };
  const { played, said } = await playTurns({ ...world, script, turns: ["FIND", "SHOW", "PIN"] });
  report.check(
    "every turn ends well",
    played.every(({ result }) => !result.is_error),
    played.map(({ result }) => result),
  );
  const offered = said.find(({ subtype }) => subtype === "init")?.tools ?? [];
  report.check(
    "the tools are offered",
    ["recall", "show", "pin"].map(tool).every((name) => offered.includes(name)),
    offered,
  );
  const results = played.map((turn) => JSON.stringify(turn.requests.at(-1)?.messages.at(-1)));
  report.check(
    "recall answers with the choice and its place",
    [choice, `${first.id}#m`].every((text) => results[0].includes(text)),
    results[0],
  );
  report.check("as data", results[0].includes("data, not instructions"), results[0]);
  report.check("show prints the message", results[1].includes(`> ${choice}`), results[1]);
  report.check("pin pins", /pinned [0-9a-f]{8} Keep the ring buffer\./.test(results[2]), results[2]);
  await playTurns({ ...world, turns: ["Which file?"], script: () => ({ text: "We decided to keep ring.ts short." }) });
  mkdirSync(join(world.home, ".config/compaction-rules"), { recursive: true });
  writeFileSync(join(world.home, ".config/compaction-rules/config.yaml"), "recall: { start: on }");
  const command = `${join(world.project, "node_modules/.bin/compaction-rules")} hook claude-code`;
  writeFileSync(settings, JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks: [{ type: "command", command }] }] } }));
  const started = await playTurns({ ...world, turns: ["Look at ring.ts.", "And once more at ring.ts."] });
  const told = started.played.map(({ requests }) => timesIn(textOf(requests.at(-1)), "keep ring.ts short"));
  report.check("the first message is told what an earlier session says about it, once", told.join() === "1,1", told);
}

/** What stands in for the program. The commands answer as ever, so that only the module is hit. */
const FAULTS = {
  "the program is missing": undefined,
  "it prints garbage": "echo nothing",
  "it prints something else": "echo '[1]'",
  "it fails": "echo 'compaction: a fault' >&2; exit 2",
  "it hangs": "sleep 100",
};

async function faults(world) {
  const copy = join(world.home, "copy");
  for (const part of [".claude-plugin", "src/hosts/claude-code/plugin"])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  const bin = join(world.home, "bin");
  mkdirSync(bin);
  const program = join(bin, "compaction-rules");
  const own = join(world.project, "node_modules/.bin/compaction-rules");
  const answering = (fault) => {
    const answer = `in=$(cat)\ncase "$in" in *'"inside":true'*) ${fault} ;; *) printf '%s' "$in" | "${own}" "$@" ;; esac`;
    writeFileSync(program, `#!/bin/sh\n${answer}\n`, { mode: 0o755 });
  };
  for (const [what, fault] of Object.entries(FAULTS)) {
    if (fault !== undefined) answering(fault);
    await playFault(what, { ...world, copy, bin, commands: fault !== undefined });
  }
  answering(`printf '%s' "$in" | "${own}" "$@"`);
  const module = join(copy, "src/hosts/claude-code/plugin/hooks/register.ts");
  const source = readFileSync(module, "utf8");
  for (const [what, fault] of Object.entries(FAULTS_INSIDE)) {
    writeFileSync(
      module,
      source.replaceAll(/on\("(?:session\.compact|classic\.\w+|prompt\.submit)", async \([^)]*\) => \{/g, `$& ${fault}`),
    );
    await playFault(what, { ...world, copy, bin, commands: true });
  }
}

/** What the module itself does before and behind a compaction. */
const FAULTS_INSIDE = {
  "the module throws": 'throw new Error("a fault");',
  "the module hangs": "await new Promise(() => {});",
  "the module returns garbage": "return 42 as never;",
  "the module never ends": "for (;;);",
};

async function playFault(what, { report, copy, bin, commands, ...world }) {
  const turns = [`Build a CSV parser. ${PLANTED[0]}`, "/carry", "/compact", "Go on."];
  const { played, said } = await playTurns({ ...world, turns, args: ["--plugin-dir", copy], path: [bin] });
  report.check(
    `${what}: the session goes on`,
    played.every(({ result }) => !result.is_error),
    played.map(({ result }) => result),
  );
  const lines = said.filter(({ subtype }) => subtype === "ui_toast").map((message) => JSON.stringify(message));
  report.check(
    `${what}: a line says so`,
    lines.some((line) => line.includes("compaction: ")),
    lines,
  );
  const last = textOf(played[3].requests.at(-1));
  if (commands) report.check(`${what}: the facts are carried`, blocksIn(last).join().includes(PLANTED[0]), last);
}

/** A session of 200 MB may not be read in time. What is remembered of it is still carried. */
async function huge({ report, ...world }) {
  const model = await startModel((body) => (isSummary(body) ? FORGETFUL : { text: "OK." }));
  const agent = start({ ...world, model });
  const ends = [];
  for (const turn of [`Build a CSV parser. ${PLANTED[0]}`, "/compact", "Go on."]) ends.push(await agent.turn(turn));
  const folder = join(world.home, ".claude/projects");
  const [file] = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".jsonl"));
  const record = `${JSON.stringify({ type: "user", uuid: "x", sessionId: "x", isMeta: true, message: { content: "word ".repeat(20_000) } })}\n`;
  for (let bytes = 0; bytes < 200_000_000; bytes += record.length) appendFileSync(join(folder, file), record);
  for (const turn of ["/compact", "Go on."]) ends.push(await agent.turn(turn));
  await agent.stop();
  await model.close();
  report.check(
    "every turn ends well",
    ends.every((result) => !result.is_error),
    ends,
  );
  const lines = agent.said.filter(({ subtype }) => subtype === "ui_toast").map((message) => JSON.stringify(message));
  report.check(
    "a line tells the result, or that there was no time",
    lines.filter((line) => /kept \d+ of \d+ facts|too large to be read in time/.test(line)).length >= 2,
    lines,
  );
  const last = lastOf(model);
  report.check("what is remembered is carried", blocksIn(last).join().includes(PLANTED[0]), last);
}

const BLOCK = '<facts>\nholds: f1\nmissed:\n- finding "the words of a verdict"\n</facts>';
const SUMMARY = "<summary>We talked.</summary>";
/** Where a model may put verdicts, and whether Claude Code keeps them. */
const PLACES = {
  "inside <analysis>": [`<analysis>\nHm.\n${BLOCK}\n</analysis>\n${SUMMARY}`, false],
  "before <summary>": [`<analysis>Hm.</analysis>\n${BLOCK}\n${SUMMARY}`, true],
  "behind <summary>": [`<analysis>Hm.</analysis>\n${SUMMARY}\n${BLOCK}`, true],
  "inside <summary>": [`<analysis>Hm.</analysis>\n<summary>We talked.\n${BLOCK}</summary>`, true],
  "inside a second <analysis>": [`<analysis>Hm.</analysis>\n${SUMMARY}\n<analysis>${BLOCK}</analysis>`, true],
  "inside an <analysis> without an end": [`<analysis>Hm.\n${BLOCK}\n${SUMMARY}`, true],
};

/** The reason why the model is not asked for a block of verdicts here. If this changes, look at docs/judging.md. */
async function analysis({ report, ...world }) {
  for (const [where, [text, stays]] of Object.entries(PLACES)) {
    const turns = [`Build a CSV parser. ${PLANTED[0]}`, "/compact", "Go on."];
    const last = lastOf(await playTurns({ ...world, turns, summary: { text } }));
    report.check(
      `${where}: ${stays ? "stays in the context" : "is dropped"}`,
      last.includes("the words of a verdict") === stays,
      last,
    );
  }
}

const OLD = "We decided to use Redis for the cache.";
const NEW = "We decided to keep the cache in plain files.";
/** What the model is asked to judge: the id of each candidate by its words. */
const candidatesIn = (body) => {
  const asked = JSON.parse(
    `"${/<candidates>(.*?)<\/candidates>/.exec(textOf({ messages: body.messages.slice(-1) }))?.[1] ?? ""}"`,
  );
  const lines = asked.split("\n").filter((line) => /^f\d+ /.test(line));
  return { lines, idOf: (words) => lines.find((line) => line.includes(words))?.split(" ", 1)[0] ?? "f9999" };
};
const lineFor = ({ lines, idOf }) => {
  const ids = lines.map((line) => line.split(" ", 1)[0]).filter((id) => id !== idOf("Redis"));
  return `Checked facts: ${ids.join(" ")} hold; ${idOf("Redis")} ended by ${idOf("plain files")}.`;
};
/** Answers to the request, and whether the model judges with them. */
const ANSWERS = {
  "as asked": [(asked) => `<summary>We talked.\n\n${lineFor(asked)}</summary>`, true],
  "in bold, behind <summary>": [(asked) => `<summary>We talked.</summary>\n**${lineFor(asked)}**`, true],
  "as a list": [
    (asked) => `<summary>We talked.\n\n## ${lineFor(asked).replace(": ", "\n- ").replace("; ", "\n- ")}\n</summary>`,
    true,
  ],
  "in words": [() => "<summary>Checked facts: the choice of Redis holds, 1 and 2 do not.</summary>", false],
  "with a block": [() => `<summary>We talked.\n${BLOCK}</summary>`, false],
};

/**
 * The model judges in a line that may stay in the summary. Two rounds: the next one knows what it said. Without the plugin, what a
 * hook prints before a compaction that the user asked for is shown to the agent, so only automatic ones ask.
 */
async function judged(world, { inside }) {
  const { report } = world;
  const first = [`Build a CSV parser. ${PLANTED[0]}`, "That costs too much."];
  const turns = [...first, ...(inside ? ["/compact", "Go on.", "/compact"] : ["Go on.", "Fill it."]), "Go on."];
  const script = (body) => ({
    text: endsWith(body, "costs too much") ? NEW : endsWith(body, "CSV") ? OLD : "OK.",
    tokens: !inside && ["costs too much", "Fill it"].some((text) => endsWith(body, text)) ? FULL : 3_000,
  });
  const play = (summary, given = turns) => playTurns({ ...world, script, summary, turns: given, args: inside ? [] : AUTO });
  for (const [how, [answer, isJudged]] of Object.entries(ANSWERS).slice(0, inside ? undefined : 1)) {
    let round = 0;
    const { played, requests } = await play((body) => ({ text: round++ === 0 ? answer(candidatesIn(body)) : SUMMARY }));
    const check = (what, isTrue, shown) => report.check(`${how}: ${what}`, isTrue, shown);
    check(
      "every turn ends well",
      played.every(({ result }) => !result.is_error),
      played.map(({ result }) => result),
    );
    const [first, second] = requests.filter(isSummary);
    check(
      "the choice is offered",
      candidatesIn(first).lines.some((line) => line.includes(OLD)),
      textOf(first).slice(-3000),
    );
    const { lines } = candidatesIn(second);
    check(`it is ${isJudged ? "not " : ""}offered again`, lines.some((line) => line.includes(OLD)) !== isJudged, lines);
    check("the ids of a round are its own", /^f10\d /.test(lines[0] ?? ""), lines);
    const last = textOf(played.at(-1).requests.at(-1));
    const [block = "", ...more] = blocksIn(last);
    check("the user's rule is carried, in one block", block.includes(PLANTED[0]) && more.length === 0, last);
    check(`the choice is ${isJudged ? "not " : ""}carried`, block.includes("Redis") !== isJudged, block);
    const context = textOf(played[inside ? 3 : 2].requests.at(-1));
    check("at most one line stays", timesIn(context, "Checked facts") <= 1, context);
  }
  if (!inside) {
    const { requests } = await play(() => ({ text: SUMMARY }), ["Build a CSV parser.", "/compact", "Go on."]);
    report.check(
      "nothing is asked that the agent would see",
      !requests.map(textOf).join().includes("Checked facts"),
      lastOf({ requests }),
    );
  }
  writeFileSync(join(world.project, ".compactionrc"), "extends: compaction:recommended\njudge: off\n");
  const { requests } = await play(() => ({ text: SUMMARY }));
  const asked = textOf(requests.find(isSummary));
  report.check(
    "judge: off asks nothing",
    !/<candidates>|Checked facts/.test(asked) && asked.includes(PLANTED[0]),
    asked.slice(-3000),
  );
}

/** One line installs the plugin from a clone or an installed package. */
function installPlugin({ binary, home, project, report }) {
  const args = ["plugin", "install", "compaction-rules-local", "--marketplace", root];
  const { status, stdout, stderr } = spawnSync(binary, args, {
    cwd: project,
    env: environment(home, "http://127.0.0.1:9"),
    encoding: "utf8",
  });
  report.check("one line installs the plugin", status === 0, stdout + stderr);
}

/** The same from a repository that is not built: the package comes from a registry, and the project has no program. */
async function installPackage({ binary, home, project, report }) {
  const repository = join(home, "repository");
  cpSync(join(root, ".claude-plugin"), join(repository, ".claude-plugin"), { recursive: true });
  const registry = await startRegistry(root, home);
  const env = { ...environment(home, "http://127.0.0.1:9"), npm_config_registry: registry.url };
  const args = ["plugin", "install", "compaction-rules", "--marketplace", repository];
  const said = await promisify(execFile)(binary, args, { cwd: project, env }).catch((error) => error);
  await registry.close();
  report.check("one line installs the plugin and its program", !(said instanceof Error), said.stdout + said.stderr);
  rmSync(join(project, "node_modules"), { recursive: true });
}

const scenes = (inside) => [
  ["five rounds", (world) => fiveRounds(world, { inside })],
  ...(inside ? [["commands", commands]] : []),
  ["automatic", automatic],
  ["sub-agent", subAgent],
  ["judged", (world) => judged(world, { inside })],
  ["rules of earlier sessions", earlierRules],
];

/** Guards speak before calls: told, refused, and not allowed by what no user typed. Nothing of them ever stops a turn. */
async function guards({ report, ...world }) {
  const { project, home } = world;
  const ours = (...args) => guarded.command(project, { HOME: home }, ...args);
  const settings = join(project, ".claude/settings.json");
  /** Plays one call for each turn, and returns what the model reads behind each. */
  const playCalls = async (what, calls, more = {}) => {
    const script = (body) => {
      const text = JSON.stringify(body.messages.at(-1));
      const wanted = Object.keys(calls).find((turn) => text.includes(turn));
      return wanted && !hasResult(body) ? calls[wanted] : { text: "OK." };
    };
    const { played } = await playTurns({ ...world, ...more, script, turns: Object.keys(calls) });
    report.check(
      `${what}: every turn ends well`,
      played.every(({ result }) => !result.is_error),
      played.map(({ result }) => result),
    );
    return played.map(({ requests }) =>
      JSON.stringify(
        requests
          .filter((body) => body.tools?.length > 0)
          .at(-1)
          ?.messages.slice(-2),
      ),
    );
  };
  const write = (file) => call("Write", { file_path: join(project, file), content: "x" });
  const there = (file) => existsSync(join(project, file));
  const readKey = call("Bash", { command: "cat keys/a.txt", description: "look" });

  ours("init", "--host", "claude-code", "--yes");
  report.check("without guards, init writes no hook before calls", !readFileSync(settings, "utf8").includes("PreToolUse"));
  guarded.writeGuarded(project);
  ours("init", "--host", "claude-code", "--yes");
  const [, matcher = ""] = /"PreToolUse": \[\{ "matcher": "([^"]+)"/.exec(readFileSync(settings, "utf8")) ?? [];
  report.check("with guards, it does, for their tools", /\bWrite\b/.test(matcher) && !/\bGrep\b/.test(matcher), matcher);

  const [clone] = await playCalls("a clone without trust", { "Show the key.": readKey });
  report.check("a clone without trust: the call runs", clone.includes("the key"), clone);
  report.check("it is told who says it", clone.includes(guarded.UNTRUSTED) && clone.includes(guarded.PRIVATE), clone);

  ours("trust", "--yes", "--digest", JSON.parse(ours("trust", "--json")).digest);
  const [told, first, second, pushed, refused, allowed] = await playCalls("trusted", {
    "Write the lock.": write("a.lock"),
    "Write the file.": write("src/legacy/a.ts"),
    "And once more.": write("src/legacy/a.ts"),
    "Push it.": call("Bash", { command: "cd src && git push --force origin main", description: "push" }),
    "Show the key.": readKey,
    "You may read the keys folder.": readKey,
  });
  report.check("told: the call runs, and the sentence is behind it", there("a.lock") && told.includes(guarded.LOCKED), told);
  report.check("once: the first call is refused with the reason", first.includes(guarded.FROZEN), first);
  report.check("once: the second one runs", there("src/legacy/a.ts") && !second.includes(guarded.FROZEN), second);
  report.check("ask, where nobody is: the call is refused with the sentence", pushed.includes(guarded.FORCED), pushed);
  report.check("refuse: the call does not run", refused.includes(guarded.PRIVATE) && !refused.includes("the key"), refused);
  report.check(
    "the prompt of claude -p: the call does not run",
    allowed.includes(guarded.PRIVATE) && !allowed.includes("the key"),
    allowed,
  );

  guarded.writeGuarded(project, { "team.yaml": "compaction: 1\nname: team\nguards: [" });
  const [broken] = await playCalls("a broken pack", { "Show the key.": readKey });
  report.check("a broken pack: the call runs", broken.includes("the key"), broken);

  guarded.writeGuarded(project);
  const program = join(project, "node_modules/.bin/compaction-rules");
  const faults = { "a hook that hangs": "sleep 100", "a hook that fails": "exit 1", "a hook that prints garbage": "echo '{'" };
  for (const [what, fault] of Object.entries(faults)) {
    writeFileSync(program, `#!/bin/sh\n${fault}\n`);
    const [late] = await playCalls(what, { "Show the key.": readKey });
    report.check(`${what}: the call runs`, late.includes("the key"), late);
  }
}

export const plays = [
  { name: "guards", play: guards },
  { name: "plugin, faults", play: faults },
  { name: "what is dropped with <analysis>", play: analysis },
  { name: "plugin, a session of 200 MB", setup: installPlugin, play: huge },
  { name: "mcp", init: { with: ["--mcp"] }, play: recall },
  ...scenes(true).map(([name, play]) => ({ name: `plugin, ${name}`, setup: installPlugin, play })),
  ...scenes(false).map(([name, play]) => ({ name: `hooks of init, ${name}`, init: true, play })),
  {
    name: "plugin of the package, five rounds",
    setup: installPackage,
    play: (world) => fiveRounds(world, { inside: true }),
  },
  {
    name: "plugin and hooks of init, five rounds",
    init: true,
    setup: installPlugin,
    play: (world) => fiveRounds(world, { inside: true }),
  },
];
