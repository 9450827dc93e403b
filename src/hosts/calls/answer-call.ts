// Answers the event of a tool call: what a host that starts a command for it passes, and what it takes.
import { resolve } from "node:path";
import { type CallAnswer, type HostCall, judgeCall } from "./judge-call.js";
import { callContext, readPrepared } from "./prepared.js";

type Environment = Readonly<Record<string, string | undefined>>;
export type CallEvent = Readonly<Record<string, unknown>>;

/** How a host tells of calls. */
export interface CallHost {
  readonly name: string;
  /** Undefined if the event is not about a call. */
  readonly callOf: (event: CallEvent, environment: Environment) => HostCall | undefined;
  /** What is printed for an answer; empty for nothing. */
  readonly printed: (answer: CallAnswer) => string;
}

/** What is printed; undefined if the packs or the messages of the user must be read for it. */
export function answerCall(host: CallHost, event: CallEvent, environment: Environment): string | undefined {
  if (environment.COMPACTION_RULES?.toLowerCase() === "off") return "";
  const call = host.callOf(event, environment);
  if (!call) return "";
  const project = resolve(call.project);
  const prepared = readPrepared(project);
  if (!prepared) return undefined;
  const tools = new Map(Object.entries(prepared.tools));
  const context = callContext(project, resolve(project, call.folder), { tools, shell: prepared.shell });
  const answer = judgeCall(call, prepared, context, undefined);
  return answer && host.printed(answer);
}
