// compaction mcp: serves recall to an agent over the Model Context Protocol.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { PACKAGE } from "../../hosts/setup.js";
import { schemaOf, TOOLS } from "../../recall/offered-tools.js";
import { type Arguments, noPositional } from "../input/arguments.js";
import { EXIT, print, warn } from "../output/terminal.js";
import { answerTool, faultText } from "./answer-tool.js";
import { fromJsonSchema, type jsonSchemaValidator, McpServer, serveStdio } from "./protocol.js";

export async function mcp({ values, positionals }: Arguments): Promise<number | undefined> {
  noPositional(positionals, "mcp");
  const project = resolve(values.project ?? ".");
  if (values.call !== undefined) return callOnce(values.call, project);
  if (process.stdin.isTTY) warn("waiting for an agent on standard input; Ctrl-D ends it\n");
  return serveMcp(project);
}

async function callOnce(name: string, project: string): Promise<number | undefined> {
  try {
    return void print(await answerTool(name, JSON.parse(readFileSync(0, "utf8")), project));
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
    const declared = { description, annotations, inputSchema: fromJsonSchema(schemaOf(tool), TRUSTING) };
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
