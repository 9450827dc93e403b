// compaction hook: what an agent's hooks around its compaction run.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { needsOf } from "../extract/needs.js";
import { answerHook, COMMAND_HOSTS, type CommandHost, type HookEvent, isAnswered } from "../hosts/command-hooks.js";
import { createKeeper } from "../hosts/keeper.js";
import type { Log } from "../hosts/log.js";
import { COMMAND_HOOK_MILLISECONDS, EVENT_BYTES, EVENT_MILLISECONDS } from "../limits.js";
import type { Session } from "../model.js";
import type { Needs } from "../source/lighten.js";
import { parseArguments } from "./arguments.js";
import { EXIT, Failure } from "./failure.js";
import { fileInput, openSession } from "./input.js";
import { print, warn } from "./print.js";

export const help = `compaction hook claude-code|codex

Answers the hooks that an agent runs around its compaction: PreCompact, PostCompact, and SessionStart behind a compaction. The
event comes on standard input, as the agent tells it; what is printed goes into the agent's next request. compaction init
--host writes the entries that call it.

Whatever goes wrong, the compaction goes on: a word on standard error, and nothing else.
Exit status: 0, or 1 when there is no event or the answer cannot be printed; never 2, which would forbid the compaction.
`;

export async function hook(args: readonly string[]): Promise<number> {
  try {
    const { positionals } = parseArguments(args, {}, "hook");
    const host = COMMAND_HOSTS.find((one) => one === positionals[0]);
    if (!host || positionals.length > 1) throw new Failure("name one agent", COMMAND_HOSTS.join(" or "));
    const text = answer(host, await readEvent());
    if (text !== "") await print(`${text}\n`);
    return EXIT.fine;
  } catch (error) {
    // Of Claude Code's hooks, any status but 2 lets the compaction go on.
    warn(`compaction: ${(error as Error).message}\n${error instanceof Failure && error.hint ? `  → ${error.hint}\n` : ""}`);
    return EXIT.findings;
  }
}

/** Whoever started the hook may leave its standard input open: it is read until the event is whole, or for some seconds. */
async function readEvent(): Promise<HookEvent> {
  const late = setTimeout(() => process.stdin.destroy(), EVENT_MILLISECONDS);
  const chunks: Uint8Array[] = [];
  let length = 0;
  let event: unknown;
  try {
    for await (const chunk of process.stdin as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      length += chunk.length;
      event = eventIn(chunks);
      if (event !== undefined || length > EVENT_BYTES) break;
    }
  } catch {
    // It cannot be read, or took too long.
  }
  clearTimeout(late);
  if (typeof event === "object" && event !== null) return event;
  throw new Failure("standard input holds no event", "an agent's hook hands it over");
}

const EVENT_ENDS = /\}\s*$/;

/** Undefined while there must be more. */
function eventIn(chunks: readonly Uint8Array[]): unknown {
  try {
    if (!EVENT_ENDS.test(new TextDecoder().decode(chunks.at(-1)).slice(-100))) return undefined;
    return JSON.parse(new TextDecoder().decode(Buffer.concat(chunks)));
  } catch {
    return undefined;
  }
}

/** Counted from the start of the process, as the agent counts. */
const isLate = () => performance.now() > COMMAND_HOOK_MILLISECONDS;

const log: Log = (level, message) => {
  if (level === "warn" || level === "error") warn(`compaction: ${message}\n`);
};

/** Of one that takes too long to read, nothing counts but what is remembered: its end may take back what its beginning says. */
function readTranscript(path: string, needs: Needs, host: CommandHost): Session {
  const input = fileInput(path);
  const late = new Failure(`${path} is too large to be read in time; only what is remembered is used`);
  function* open(): Iterable<Uint8Array> {
    for (const chunk of input.open()) {
      if (isLate()) throw late;
      yield chunk;
    }
  }
  try {
    return openSession({ ...input, open }, needs, host).session;
  } catch (error) {
    if (error !== late) throw error;
    warn(`compaction: ${late.message}\n`);
    return { id: input.name, format: host, messages: [] };
  }
}

function answer(host: CommandHost, event: HookEvent): string {
  const { transcript_path: path, cwd, session_id: id } = event;
  // A session that was just begun has no file yet.
  if (!isAnswered(event) || typeof path !== "string") return "";
  try {
    if (!existsSync(path)) return "";
    const folder = resolve(typeof cwd === "string" ? cwd : ".");
    const keeper = createKeeper(folder, log, undefined, undefined, true);
    if (!keeper.enabled) return "";
    const session = readTranscript(path, needsOf(keeper.rules), host);
    return answerHook(host, event, typeof id === "string" ? { ...session, id } : session, keeper, isLate);
  } catch (error) {
    warn(`compaction: ${(error as Error).message}\n`);
    return "";
  }
}
