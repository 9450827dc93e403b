// compaction hook: answers the hooks that an agent runs around its compaction.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { needsOf } from "../extract/calls/call.js";
import { orUndefined } from "../files/folders.js";
import { createAllowance, mayAllow } from "../guards/allowed.js";
import type { Origin } from "../guards/guard-set.js";
import { CALL_HOSTS } from "../hosts/calls/hosts.js";
import { judgeCall } from "../hosts/calls/judge-call.js";
import { prepareGuards, trustedRules } from "../hosts/calls/prepare.js";
import { preparedSets, readPrepared } from "../hosts/calls/prepared.js";
import type { Log } from "../hosts/catcher.js";
import {
  answerHook,
  type CommandHost,
  type HookEvent,
  type HookedSession,
  isAnswered,
  sessionIn,
} from "../hosts/command-hooks.js";
import { loadOrFallBack } from "../hosts/host-rules.js";
import { COMMAND_HOSTS } from "../hosts/hosts.js";
import { createKeeper } from "../hosts/keeper.js";
import {
  COMMAND_HOOK_MILLISECONDS,
  END_SESSION_BYTES,
  EVENT_BYTES,
  EVENT_MILLISECONDS,
  HOOK_SESSION_BYTES,
  LATE_SESSION_BYTES,
} from "../limits.js";
import type { Session } from "../model.js";
import { ownRules } from "../rules/load-rules.js";
import type { RuleSet } from "../rules/rule-set.js";
import type { Needs } from "../source/session/lighten.js";
import { type NewestSession, newestMessages } from "../source/session/newest-messages.js";
import { addTally } from "../state/history.js";
import { lateIn } from "../steps.js";
import { parseJson } from "../text/json.js";
import { passedEvent } from "./guards/answer-fast.js";
import type { Arguments } from "./input/arguments.js";
import { endsInput, openSession } from "./input/open-session.js";
import { CommandError, print, warn } from "./output/terminal.js";

export async function hook({ positionals, flags }: Arguments): Promise<undefined> {
  if (flags.call) return hookCall(positionals[0]);
  const host = COMMAND_HOSTS.find(({ name }) => name === positionals[0]);
  if (!host || positionals.length > 1)
    throw new CommandError("name one agent", COMMAND_HOSTS.map(({ name }) => name).join(" or "));
  const event = await readEvent();
  const { text = "", notice } = await answer(host, event);
  if (host.isInside?.(event)) print(`${JSON.stringify({ text, notice })}\n`);
  else if (text !== "") print(`${host.printed?.(text) ?? text}\n`);
}

/** A call of a tool, if its answer needs more than prepared guards. */
async function hookCall(name: string | undefined): Promise<undefined> {
  const calls = CALL_HOSTS.find((one) => one.name === name);
  const host = COMMAND_HOSTS.find((one) => one.name === name);
  if (!calls || !host) throw new CommandError("name one agent", CALL_HOSTS.map((one) => one.name).join(" or "));
  const event = (passedEvent() as HookEvent | undefined) ?? (await readEvent());
  const call = calls.callOf(event, process.env);
  if (!call) return;
  const project = resolve(call.project);
  const { sets, tables, texts } = readPrepared(project) ?? prepareGuards(loadOrFallBack(project, log), project);
  // Compiling rules takes longer than anything else here, so only those of the guards in question are read.
  const rulesOf = (of: Origin): RuleSet =>
    of === "own" ? ownRules() : ((of === "trusted" ? trustedRules(project) : undefined) ?? loadOrFallBack(project, log)).rules;
  let read: NewestSession | undefined;
  const sessionOf = () => {
    // In a sub-agent, the words of the user are in the session that opened it.
    const session = sessionIn(event) ?? host.sessionOf(event, process.env);
    if (!read && session) read = orUndefined(() => newestMessages(session.file, host.name, needsOf(ownRules()), mayAllow));
    read ??= { messages: [] };
    return read;
  };
  const allowance = (of: Origin, spoke: (id: string) => boolean) => createAllowance(sessionOf(), rulesOf(of), spoke);
  const answer = judgeCall(call, preparedSets({ sets, tables }), texts, allowance);
  if (answer) print(calls.printed(answer));
}

/** The agent may leave standard input open, so read until the event is complete, for a few seconds at most. */
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
  if (typeof event === "object" && event !== null) return event as HookEvent;
  throw new CommandError("there is no event on standard input", "an agent passes it to its hook");
}

const EVENT_ENDS = /\}\s*$/;

function eventIn(chunks: readonly Uint8Array[]): unknown {
  if (!EVENT_ENDS.test(new TextDecoder().decode(chunks.at(-1)).slice(-100))) return undefined;
  return parseJson(new TextDecoder().decode(Buffer.concat(chunks)));
}

/** Counted from the start of the process, as the agent does. */
const isLate = lateIn(COMMAND_HOOK_MILLISECONDS, 0);

const log: Log = (level, message) => {
  if (level === "warn" || level === "error") warn(`compaction: ${message}\n`);
};

/** Of a long session, the start and the end. Where time is up before they are read, less of them: the end may take back what the
 * start says. */
function readTranscript({ file, id }: HookedSession, needs: Needs, host: CommandHost, most = HOOK_SESSION_BYTES): Session {
  const none = { id, format: host.name, messages: [] };
  // A new session has no file yet.
  if (!existsSync(file)) return none;
  const input = endsInput(file, most);
  const isLast = most <= LATE_SESSION_BYTES && input.left > 0;
  const late = new CommandError(`${file} is too large to be read in time; only what is remembered is used`);
  function* open(): Iterable<Uint8Array> {
    for (const chunk of input.open()) {
      if (isLate() && !isLast) throw late;
      yield chunk;
    }
  }
  try {
    const { session } = openSession({ ...input, open }, needs, host.name);
    if (input.left === 0) return { ...session, id };
    warn(`compaction: ${file} is long; ${input.left} bytes in its middle are not read, and what is remembered of them is used\n`);
    return { ...session, id, whole: false };
  } catch (error) {
    if (error !== late) throw error;
    if (most > LATE_SESSION_BYTES) return readTranscript({ file, id }, needs, host, LATE_SESSION_BYTES);
    warn(`compaction: ${late.message}\n`);
    return none;
  }
}

async function answer(host: CommandHost, event: HookEvent): ReturnType<typeof answerHook> {
  if (!isAnswered(host, event)) return {};
  const folder = resolve(typeof event.cwd === "string" ? event.cwd : ".");
  try {
    const keeper = createKeeper(folder, log, host.name);
    if (!keeper.enabled) return {};
    const needs = needsOf(keeper.rules);
    const most = event.hook_event_name === "SessionEnd" ? END_SESSION_BYTES : HOOK_SESSION_BYTES;
    const read = (session: HookedSession) => readTranscript(session, needs, host, most);
    const start = async (session: string, message: string) =>
      (await import("./recall/start.js")).startText(folder, session, message);
    const unheard = async () => (await import("./pin.js")).unheard(folder);
    const { env: environment } = process;
    return await answerHook({ host, event, keeper, read, late: isLate, now: Date.now(), environment, start, unheard });
  } catch (error) {
    const { message: fault } = error as Error;
    warn(`compaction: ${fault}\n`);
    const none = { kinds: {}, overturned: 0, tokens: 0 };
    const session = String(event.session_id ?? "");
    // For doctor and stats. If it cannot be stored, the warning has to do.
    orUndefined(() => addTally(folder, { session, host: host.name, ...none, fault }, undefined));
    return {};
  }
}
