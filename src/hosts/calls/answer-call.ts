// Answers the event of a tool call: what a host that starts a command for it passes, and what it takes.
import { resolve } from "node:path";
import { type CallAnswer, type HostCall, judgeCall } from "./judge-call.js";
import { preparedSets, readPrepared } from "./prepared.js";

type Environment = Readonly<Record<string, string | undefined>>;
export type CallEvent = Readonly<Record<string, unknown>>;

export interface CallHost {
  readonly name: string;
  /** Undefined if the event is not about a call. */
  readonly callOf: (event: CallEvent, environment: Environment) => HostCall | undefined;
  /** What is printed for an answer; empty for nothing. */
  readonly printed: (answer: CallAnswer) => string;
}

interface CallHostParts extends Partial<Pick<CallHost, "printed">> {
  /** The event before a call, and the one behind it if only there a sentence can be told. */
  readonly before?: string;
  readonly after?: string;
  readonly projectOf?: (environment: Environment) => string | undefined;
  /** The variable of another agent, which runs the same hooks beside its own. */
  readonly other?: string;
  /** The agent can ask, and somebody is there. Where it cannot, the call is refused. */
  readonly asks?: (environment: Environment) => boolean;
}

/** Most hosts tell of calls, and take answers, in the same words. */
export function callHost(name: string, parts: CallHostParts = {}): CallHost {
  const { before = "PreToolUse", after, projectOf, other, asks, printed = printedBefore } = parts;
  return {
    name,
    callOf: ({ hook_event_name: event, session_id, agent_id, tool_name: tool, tool_input: input, cwd }, environment) => {
      if ((event !== before && event !== after) || typeof tool !== "string" || typeof cwd !== "string") return undefined;
      if (other !== undefined && environment[other] !== undefined) return undefined;
      const session = [session_id, agent_id].filter((id) => typeof id === "string").join("-");
      const project = projectOf?.(environment) || cwd;
      const tells = after === undefined ? {} : { tells: event === after };
      return { session, tool, input, project, folder: cwd, asks: asks?.(environment) === true, ...tells };
    },
    printed,
  };
}

function printedBefore({ call, reason, tell, shown }: CallAnswer): string {
  const decision = call === "run" ? {} : { permissionDecision: call === "ask" ? call : "deny", permissionDecisionReason: reason };
  const said = { ...decision, ...(tell && { additionalContext: tell }) };
  return Object.keys(said).length === 0 ? "" : printedOutput("PreToolUse", said, shown);
}

/** @param shown to the user */
export const printedOutput = (hookEventName: string, said: object, shown: string | undefined): string =>
  `${JSON.stringify({ hookSpecificOutput: { hookEventName, ...said }, ...(shown && { systemMessage: shown }) })}\n`;

/** What is printed; undefined if the packs or the messages of the user must be read for it. */
export function answerCall(host: CallHost, event: CallEvent, environment: Environment): string | undefined {
  if (environment.COMPACTION_RULES?.toLowerCase() === "off") return "";
  const call = host.callOf(event, environment);
  if (!call) return "";
  const prepared = readPrepared(resolve(call.project));
  if (!prepared) return undefined;
  const answer = judgeCall(call, preparedSets(prepared), prepared.texts, undefined);
  return answer && host.printed(answer);
}
