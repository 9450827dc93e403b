// Two compactions in a real Claude Code, with the hooks that init writes.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { startModel } from "./model.mjs";

const isSummary = ({ messages }) => /detailed summary/i.test(JSON.stringify(messages.at(-1)));
const TURN_MILLISECONDS = 60_000;

export const host = "claude-code";

export async function play({ binary, project, home, said, report }) {
  const model = await startModel((body) =>
    isSummary(body)
      ? { text: "<analysis>Nothing.</analysis>\n<summary>We talked.</summary>" }
      : { text: JSON.stringify(body.messages.at(-1)).includes(said.asked) ? said.answered : "OK." },
  );
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    TERM: "dumb",
    IS_SANDBOX: "1",
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: "none",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
  };
  const streams = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
  const agent = spawn(binary, ["-p", ...streams, "--model", "claude-sonnet-4-5"], { cwd: project, env });
  const lines = createInterface({ input: agent.stdout });
  const turn = (content) => {
    agent.stdin.write(`${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), TURN_MILLISECONDS);
      lines.on("line", function ended(line) {
        const { type, is_error: failed } = JSON.parse(line);
        if (type !== "result") return;
        clearTimeout(timer);
        lines.off("line", ended);
        resolve(!failed);
      });
    });
  };
  const ends = [];
  for (const text of [said.first, "/compact", said.later, "/compact", "Go on."]) ends.push(await turn(text));
  agent.stdin.end();
  agent.kill();
  await model.close();
  report.check("every turn ends well", ends.every(Boolean), ends);
  const summaries = model.requests.filter(isSummary).map((body) => JSON.stringify(body.messages.at(-1)));
  report.check(
    "what was found is in the prompt of each summary",
    summaries.length === 2 && summaries.every((text) => text.includes(said.rule)),
    summaries,
  );
  const [last] = model.requests.slice(-1).map((body) => JSON.stringify(body.messages));
  const block = /<carried-facts>[\s\S]*?<\/carried-facts>/g.exec(last)?.[0] ?? "";
  for (const [what, text] of Object.entries({
    "the first rule": said.rule,
    "the later one": said.later,
    "the choice": said.choice,
  }))
    report.check(`${what} is in the request behind the second compaction`, block.includes(text), last);
  report.check("and once", last.split("<carried-facts>").length === 2, last);
}
