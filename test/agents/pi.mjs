// Two compactions in a real pi, with the extension.
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { startModel } from "./model.mjs";

const isSummary = ({ messages }) => /context summarization assistant/i.test(JSON.stringify(messages[0]));
const ANSWER_MILLISECONDS = 60_000;

export const host = "pi";

export const plays = [{ name: "two rounds", play: twoRounds }];

async function twoRounds({ binary, extension, project, home, said, report }) {
  const model = await startModel((body) =>
    isSummary(body)
      ? { text: `We talked about a parser. ${said.choice}` }
      : { text: JSON.stringify(body.messages.at(-1)).includes(said.asked) ? said.answered : "OK." },
  );
  const own = join(home, ".pi/agent");
  mkdirSync(own, { recursive: true });
  const models = [
    { id: "local", name: "local", reasoning: false, input: ["text"], contextWindow: 200_000, maxTokens: 4_000, cost: FREE },
  ];
  const provider = { baseUrl: `${model.url}/v1`, apiKey: "none", api: "openai-completions", models };
  writeFileSync(join(own, "models.json"), JSON.stringify({ providers: { local: provider } }));
  const compaction = { enabled: true, reserveTokens: 2_000, keepRecentTokens: 1 };
  writeFileSync(
    join(own, "settings.json"),
    JSON.stringify({ compaction, retry: { enabled: false }, enableInstallTelemetry: false }),
  );
  const env = { PATH: process.env.PATH, HOME: home, PI_OFFLINE: "1", PI_TELEMETRY: "0", NO_COLOR: "1", TERM: "dumb" };
  const args = [binary, "--mode", "rpc", "--provider", "local", "--model", "local", "-e", extension];
  const agent = spawn(process.execPath, args, { cwd: project, env, stdio: ["pipe", "pipe", "ignore"] });
  const lines = createInterface({ input: agent.stdout });
  const errors = [];
  lines.on("line", (line) => line.includes("extension_error") && errors.push(line));
  const ask = (request, isAnswer) => {
    const answer = new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), ANSWER_MILLISECONDS);
      lines.on("line", function heard(line) {
        const event = JSON.parse(line);
        if (!isAnswer(event)) return;
        clearTimeout(timer);
        lines.off("line", heard);
        resolve(event.success !== false);
      });
    });
    agent.stdin.write(`${JSON.stringify(request)}\n`);
    return answer;
  };
  const prompt = (message) => ask({ id: message, type: "prompt", message }, ({ type }) => type === "agent_end");
  const compact = () => ask({ id: "compact", type: "compact" }, ({ type, id }) => type === "response" && id === "compact");
  const ends = [];
  for (const turn of [said.first, undefined, said.later, undefined, "Go on."])
    ends.push(await (turn === undefined ? compact() : prompt(turn)));
  agent.stdin.end();
  agent.kill();
  await model.close();
  report.check("every turn ends well, and no error is shown", ends.every(Boolean) && errors.length === 0, [...ends, ...errors]);
  // Of a turn that is cut in two, pi asks for two.
  report.check("it was compacted twice", model.requests.filter(isSummary).length >= 2, model.requests.length);
  const [last] = model.requests.slice(-1).map(({ messages }) => JSON.stringify(messages));
  const blocks = last.match(/<carried-facts>[\s\S]*?<\/carried-facts>/g) ?? [];
  report.check("a block is behind the summary, once", blocks.length === 1, last);
  report.check("what the summary lost is in it", blocks.join().includes(said.rule), last);
  report.check("what the summary holds is not", !blocks.join().includes(said.choice), blocks);
}

const FREE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
