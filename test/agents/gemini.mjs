// A real Gemini CLI. Without a terminal it compacts only by itself, before a request, if the last answer says that the context
// is full.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { playsOf } from "./prompts.mjs";

const FULL = 900_000;
/** It escapes the tags in the text of a hook. */
const plain = ({ text = "" }) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">");
const texts = ({ contents }) => contents.map(({ parts }) => parts.map(plain).join("\n"));
const last = (body) => texts(body).findLast((text) => text !== "");
const settings = {
  security: { auth: { selectedType: "gemini-api-key" } },
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false },
};
const RUN = "Run it.";

export const host = "gemini";

export const plays = playsOf({
  host,
  write:
    (file) =>
    ({ project }) => ({ name: "write_file", input: { file_path: join(project, file), content: "x\n" } }),
  run: (command) => () => ({ name: "run_shell_command", input: { command } }),
  compact: RUN,
  isSummary: (body) => JSON.stringify(body.systemInstruction ?? "").includes("distilling chat history"),
  reply: (body) =>
    body.contents.at(-1).parts.some(({ text }) => text === RUN)
      ? { text: "Working.", tool: { name: "run_shell_command", input: { command: "echo done" } }, tokens: FULL }
      : { text: "OK." },
  said: texts,
  last,
  start: ({ binary, node, home, url, text, isFirst }) => {
    mkdirSync(join(home, ".gemini"), { recursive: true });
    writeFileSync(join(home, ".gemini/settings.json"), JSON.stringify(settings));
    return {
      command: node,
      args: [binary, ...(isFirst ? [] : ["--resume", "latest"]), "-p", text, "--yolo", "-m", "gemini-2.5-pro"],
      // The folder is a throw-away; a user is asked.
      env: { GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: "true" },
    };
  },
});
