// compaction mcp: serves recall to an agent over the Model Context Protocol.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { neutral } from "../../hosts/neutral.js";
import { ownProgram } from "../../hosts/own-program.js";
import { PACKAGE } from "../../hosts/setup.js";
import type { Message } from "../../model.js";
import { isOn } from "../../recall/machine.js";
import { argumentSchema, checkArguments, type OfferedTool, TOOLS } from "../../recall/offered-tools.js";
import { SHOWN_CHARACTERS } from "../../recall/store.js";
import { type Arguments, noPositional } from "../input/arguments.js";
import { requireFolder } from "../input/project.js";
import { messageText } from "../output/lines.js";
import { CommandError, EXIT, print, printJson, warn } from "../output/terminal.js";
import { pinned } from "../pin.js";
import { enabledRules } from "./bring-up-to-date.js";
import { DATA, findResults, PLAIN, resultText } from "./find.js";
import { fromJsonSchema, type jsonSchemaValidator, McpServer, serveStdio } from "./protocol.js";
import { messagesAt } from "./show.js";
import { startText } from "./start.js";

export async function mcp({ values, positionals }: Arguments): Promise<number | undefined> {
  noPositional(positionals, "mcp");
  const project = resolve(values.project ?? ".");
  if (values.call !== undefined) return callOnce(values.call, project);
  if (process.stdin.isTTY) warn("waiting for an agent on standard input; Ctrl-D ends it\n");
  return serveMcp(project);
}

async function callOnce(name: string, project: string): Promise<number | undefined> {
  try {
    const given = JSON.parse(readFileSync(0, "utf8"));
    // No tool: the plugin asks with the first message of a session.
    if (name === "start") return printJson({ text: await startText(project, given.session, given.message) });
    return void print(await answerTool(name, given, project));
  } catch (error) {
    print(`${faultText(error)}\n`);
    return EXIT.couldNotRun;
  }
}

function serveMcp(project: string): undefined {
  // The agent may end while an answer is written.
  process.stdout.on("error", () => process.exit(EXIT.fine));
  serveStdio(() => toServer(project), { onerror: ({ message }) => warn(`compaction: ${message}\n`) });
}

/** The tools check their arguments themselves. */
const TRUSTING = {
  getValidator: () => (data: unknown) => ({ valid: true, data, errorMessage: undefined }),
} as jsonSchemaValidator;

function toServer(project: string): McpServer {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const server = new McpServer({ name: PACKAGE, version }, { capabilities: { tools: {} } });
  for (const tool of TOOLS) {
    const { name, description } = tool;
    const annotations = { readOnlyHint: name !== "pin", destructiveHint: false, openWorldHint: false };
    const declared = { description, annotations, inputSchema: fromJsonSchema(argumentSchema(tool), TRUSTING) };
    server.registerTool(name, declared, async (given) => {
      try {
        return { content: [{ type: "text", text: await answerTool(name, given, project) }] };
      } catch (error) {
        return { content: [{ type: "text", text: faultText(error) }], isError: true };
      }
    });
  }
  return server;
}

// Answers the tools. What they return is quoted, and marked as data. Nobody is asked on a terminal.

const RESULTS = "5";
/** Characters of the message that is asked for; of those beside it, as many as of a result. */
const MESSAGE_CHARACTERS = 4_000;

/** @param given the arguments, as a model wrote them */
async function answerTool(name: string, given: unknown, folder: string): Promise<string> {
  const tool = TOOLS.find((one) => one.name === name);
  if (!tool) throw new CommandError(`there is no tool ${name}`, TOOLS.map((one) => one.name).join(" or "));
  const values = checkArguments(tool, given);
  return ANSWERS[tool.name](values, requireFolder(folder));
}

type ToolAnswer = (values: Readonly<Record<string, string>>, folder: string) => Promise<string>;

const ANSWERS: Readonly<Record<OfferedTool["name"], ToolAnswer>> = {
  recall: async ({ query = "", ...narrowed }, folder) => {
    const notes: string[] = [];
    const values = { most: RESULTS, ...narrowed, project: folder };
    const found = await findResults({ values }, query, undefined, (note) => notes.push(note));
    if (!found) throw notAgreed(folder);
    const results = found.map((one) => neutral(resultText(one, PLAIN, "> ")));
    const head = found.length === 0 ? ["nothing was found\n"] : [`${DATA} Ask show for the message at a place.\n`, ...results];
    return [...head, ...notes].join("\n");
  },
  show: async ({ place = "" }, folder) => {
    const { rules, recall } = enabledRules(folder);
    if (!isOn(recall)) throw notAgreed(folder);
    const { session, messages } = await messagesAt(place, 1, rules, folder);
    const isWanted = ({ id }: Message) => place.replace(/"$/, "").endsWith(`#${id}`);
    const texts = messages.map((message) => {
      const text = cut(message.text, isWanted(message) ? MESSAGE_CHARACTERS : SHOWN_CHARACTERS);
      return neutral(messageText({ ...message, id: `${session}#${message.id}` }, text));
    });
    return [`${DATA}\n`, ...texts].join("\n");
  },
  pin: async ({ text = "" }, folder) => {
    enabledRules(folder);
    return pinned(folder, text.trim());
  },
  try_rule: async ({ yaml = "" }, folder) => {
    // A rule can quote all that was said, as a search does.
    if (!isOn(enabledRules(folder).recall)) throw notAgreed(folder);
    const { tryRule } = await import("../try/try-rule.js");
    return `${DATA}\n\n${neutral(await tryRule(yaml, folder)).replace(/^/gm, "> ")}\n`;
  },
};

const notAgreed = (folder: string) =>
  new CommandError(
    "recall is off: the user has not agreed to an index of the sessions",
    `only the user can switch it on, in a terminal: ${ownProgram(folder)} find QUERY asks`,
  );

function cut(text: string, most: number): string {
  const points = [...text.trim()];
  return points.length > most ? `${points.slice(0, most).join("")}… (${points.length - most} more characters)` : points.join("");
}

function faultText(error: unknown): string {
  const { message, hint } = error as Partial<CommandError>;
  // Names of options are names of arguments here.
  return `${String(message ?? error).replace(/^--/, "")}${hint === undefined ? "" : ` (${hint})`}`;
}
