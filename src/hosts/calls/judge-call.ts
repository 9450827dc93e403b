// Answers a tool call by the guards of a project: what becomes of it, and what is said to whom.
import { type Decision, decide } from "../../guards/decide.js";
import { type CallContext, type Met, matchGuards } from "../../guards/match-guards.js";
import type { Guard, Spoken } from "../../rules/guard.js";
import { changeHeard, readHeard } from "../../state/spoken.js";
import type { PreparedGuards } from "./prepared.js";

/** A call as a host's event tells of it. */
export interface HostCall {
  readonly session: string;
  readonly tool: string;
  readonly input: unknown;
  /** The folder that the agent works for, and where the call runs. */
  readonly project: string;
  readonly folder: string;
  /** The host can ask, and somebody is there. */
  readonly asks: boolean;
  /** Only where the host has two events: true behind the call, where only guards that tell speak, and false before it. */
  readonly tells?: boolean;
}

export interface CallAnswer {
  readonly call: Decision["call"];
  readonly reason?: string;
  /** What goes beside the result. */
  readonly tell?: string;
  /** What comes from a pack that the user has not trusted: the user must see it too. */
  readonly shown?: string;
}

export const SILENT: CallAnswer = { call: "run" };

type Prepared = Pick<PreparedGuards, "guards" | "untrusted" | "texts">;

/** @param allowance finds what the user allowed. Undefined where no messages are read: then undefined is returned if it is
 * needed. */
export function judgeCall(
  call: HostCall,
  prepared: Prepared,
  context: CallContext,
  allowance: ((spoke: (id: string) => boolean) => (met: Met) => boolean) | undefined,
  stateFolder?: string,
): CallAnswer | undefined {
  const isTrusted = ({ id }: Guard) => !prepared.untrusted.includes(id);
  const isNow = (guard: Guard) => call.tells === undefined || call.tells === (guard.does === "tell" || !isTrusted(guard));
  const { met, unread } = matchGuards(prepared.guards.filter(isNow), call, context);
  if (met.length === 0 && !unread) return SILENT;
  const mayBeAllowed = met.some(({ guard }) => guard.unless.length > 0);
  if (!allowance && mayBeAllowed) return undefined;
  const { spoken: before } = readHeard(call.session, stateFolder);
  const isAllowed = (mayBeAllowed && allowance?.((id) => before[id] !== undefined)) || (() => false);
  const open = met.filter((one) => !isAllowed(one));
  const decideAt = (spoken: Spoken) => decide(open, spoken, { asks: call.asks, isTrusted });
  let decision: Decision;
  try {
    decision = changeHeard(call.session, decideAt, unread, stateFolder);
  } catch {
    // Nothing can be stored.
    decision = decideAt(before);
  }
  return toAnswer(decision, prepared, isTrusted);
}

function toAnswer({ call, because, tell }: Decision, { texts }: Prepared, isTrusted: (guard: Guard) => boolean): CallAnswer {
  const said = (all: readonly Met[]) => [...new Set(all.map(({ guard }) => guard.say))].join("\n");
  const once = because.length > 0 && because.every(({ guard }) => guard.does === "once");
  const reason = because.length > 0 ? [said(because), ...(once ? [texts.once] : [])].join(" ") : undefined;
  const foreign = tell.filter(({ guard }) => !isTrusted(guard));
  const quoted = foreign.length > 0 ? `${texts.untrusted} ${JSON.stringify(said(foreign))}` : undefined;
  const own = said(tell.filter(({ guard }) => isTrusted(guard)));
  const all = [own, quoted].filter(Boolean).join("\n");
  return { call, ...(reason && { reason }), ...(all && { tell: all }), ...(quoted && { shown: quoted }) };
}
