// A real Copilot CLI.
import { join } from "node:path";
import { playsOf } from "./prompts.mjs";

const texts = ({ messages }) => messages.map((message) => JSON.stringify(message.content ?? ""));

export const host = "copilot";

export const plays = playsOf({
  host,
  write:
    (file) =>
    ({ project }) => ({ name: "create", input: { path: join(project, file), file_text: "x\n" } }),
  run: (command) => () => ({ name: "bash", input: { command, description: "run it", mode: "sync", initial_wait: 5 } }),
  compact: "/compact",
  isSummary: (body) => /create a detailed summary/.test(texts(body).at(-1)),
  reply: () => ({ text: "OK." }),
  said: texts,
  last: (body) => texts(body).at(-1),
  start: ({ binary, url, text, isFirst }) => ({
    command: binary,
    args: [...(isFirst ? [] : ["--continue"]), "-p", text],
    env: {
      COPILOT_OFFLINE: "true",
      COPILOT_AUTO_UPDATE: "false",
      // The folder is a throw-away; a user is asked.
      COPILOT_ALLOW_ALL: "true",
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: "none",
      COPILOT_MODEL: "gpt-4.1",
    },
  }),
});
