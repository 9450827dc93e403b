// compaction hook: what an agent's hooks around its compaction run.
import { resolve } from "node:path";
import { needsOf } from "../extract/needs.js";
import { answerHook, COMMAND_HOSTS, type CommandHost, type HookEvent, isAnswered } from "../hosts/command-hooks.js";
import { createKeeper } from "../hosts/keeper.js";
import type { Log } from "../hosts/log.js";
import { COMMAND_HOOK_MILLISECONDS } from "../limits.js";
import { parseArguments } from "./arguments.js";
import { EXIT, Failure } from "./failure.js";
import { inputOf, isFile, openSession, readBytes, STANDARD_INPUT } from "./input.js";
import { print, warn } from "./print.js";

export const help = `compaction hook claude-code|codex

Answers the hooks that an agent runs around its compaction: PreCompact, PostCompact, and SessionStart behind a compaction. The
event comes on standard input, as the agent tells it; what is printed goes into the agent's next request. compaction init
--host writes the entries that call it.

Whatever goes wrong, the compaction goes on: a word on standard error, and nothing else.
Exit status: 0, or 1 when it was not called as above.
`;

export async function hook(args: readonly string[]): Promise<number> {
  try {
    const { positionals } = parseArguments(args, {}, "hook");
    const host = COMMAND_HOSTS.find((one) => one === positionals[0]);
    if (!host || positionals.length > 1) throw new Failure("name one agent", COMMAND_HOSTS.join(" or "));
    const text = answer(host, readEvent());
    if (text !== "") await print(`${text}\n`);
    return EXIT.fine;
  } catch (error) {
    // Of Claude Code's hooks, any status but 2 lets the compaction go on.
    warn(`compaction: ${(error as Error).message}\n${error instanceof Failure && error.hint ? `  → ${error.hint}\n` : ""}`);
    return EXIT.findings;
  }
}

function readEvent(): HookEvent {
  try {
    const event: unknown = JSON.parse(new TextDecoder().decode(readBytes(STANDARD_INPUT)));
    if (typeof event === "object" && event !== null) return event;
  } catch {
    // It is no JSON.
  }
  throw new Failure("standard input holds no event", "an agent's hook hands it over");
}

/** Counted from the start of the process, as the agent counts. */
const isLate = () => performance.now() > COMMAND_HOOK_MILLISECONDS;

const log: Log = (level, message) => {
  if (level === "warn" || level === "error") warn(`compaction: ${message}\n`);
};

function answer(host: CommandHost, event: HookEvent): string {
  const { transcript_path: path, cwd, session_id: id } = event;
  // A session that was just begun has no file yet.
  if (!isAnswered(event) || typeof path !== "string" || !isFile(path)) return "";
  try {
    const folder = resolve(typeof cwd === "string" ? cwd : ".");
    const keeper = createKeeper(folder, log, undefined, undefined, true);
    if (!keeper.enabled) return "";
    const { session } = openSession(inputOf(path), needsOf(keeper.rules), host);
    return answerHook(host, event, typeof id === "string" ? { ...session, id } : session, keeper, isLate);
  } catch (error) {
    warn(`compaction: ${(error as Error).message}\n`);
    return "";
  }
}
