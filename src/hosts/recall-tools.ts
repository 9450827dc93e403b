// The tools of recall inside an agent. Each call starts the command: a search may read sessions for half a minute, and the agent
// would stand still as long.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isOn } from "../recall/machine.js";
import { argumentSchema, nativeName, TOOLS } from "../recall/offered-tools.js";
import { asFields, asText, parseJson } from "../text/json.js";

/** More than a search may take. */
const CALL_MILLISECONDS = 90_000;

export interface RecallTool {
  readonly name: string;
  readonly description: string;
  readonly schema: ReturnType<typeof argumentSchema>;
  /** The answer, or what went wrong. It never throws. */
  readonly call: (args: unknown, folder: string, signal?: AbortSignal) => Promise<string>;
}

/** The tools; none until the user agrees to the index.
 * @param command our command line, which is not there if only the plugin was copied
 * @param settings of recall, as configured */
export function recallTools(command: URL | undefined, settings: Parameters<typeof isOn>[0]): readonly RecallTool[] {
  if (!command || !existsSync(command) || !isOn(settings)) return [];
  return TOOLS.map((tool) => ({
    name: nativeName(tool),
    description: tool.description,
    schema: argumentSchema(tool),
    call: (args, folder, signal) => answerOf([fileURLToPath(command), "mcp", "--call", tool.name], args, folder, signal),
  }));
}

/** The user waits. */
const START_MILLISECONDS = 10_000;

/** Asks what earlier sessions say about the first message of a session. Empty if they say nothing, or not in time. */
export const startTeller = (command: URL | undefined, folder: string) => async (session: string, message: string) => {
  if (!command || !existsSync(command)) return "";
  const call = [fileURLToPath(command), "mcp", "--call", "start"];
  const answer = await answerOf(call, { session, message }, folder, AbortSignal.timeout(START_MILLISECONDS));
  return asText(asFields(parseJson(answer)).text) ?? "";
};

function answerOf(command: readonly string[], args: unknown, cwd: string, signal?: AbortSignal): Promise<string> {
  // An agent that is one file with Bun inside runs a script only if it is told so.
  const env = { ...process.env, BUN_BE_BUN: "1" };
  const options = { cwd, env, timeout: CALL_MILLISECONDS, windowsHide: true, ...(signal && { signal }) };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, command, options, (error, text) => {
      // A number is the status of a program that did start.
      const why = typeof error?.code === "string" ? `: ${error.message}` : "";
      resolve(text === "" ? `there was no answer${why}` : text);
    });
    // It may end before it has read everything.
    child.stdin?.on("error", () => undefined).end(JSON.stringify(args ?? {}));
  });
}
