// Answers a tool call by the guards of a project: what becomes of it, and what is said to whom.
import { resolve } from "node:path";
import { type Decision, decide, type Heard } from "../../guards/decide.js";
import type { GuardSet, Origin } from "../../guards/guard-set.js";
import { type Met, matchGuards } from "../../guards/match-guards.js";
import { doesNow, type Guard, guardKey } from "../../rules/guard.js";
import { changeHeard, readHeard } from "../../state/spoken.js";
import { callContext, type PreparedGuards } from "./prepared.js";

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

/** Finds what the user allowed. @param spoke did the guard with this id speak before? */
type Allowance = (of: Origin, spoke: (id: string) => boolean) => (met: Met) => boolean;

/** @param allowance undefined where no messages are read: then undefined is returned if it is needed */
export function judgeCall(
  call: HostCall,
  sets: readonly GuardSet[],
  texts: PreparedGuards["texts"],
  allowance: Allowance | undefined,
  stateFolder?: string,
): CallAnswer | undefined {
  const project = resolve(call.project);
  const isNow = (guard: Guard) => call.tells === undefined || call.tells === (doesNow(guard) === "tell");
  const matched = sets.map(({ of, guards, rules }) => {
    const now = guards.filter(isNow);
    return { of, guards: now, ...matchGuards(now, call, callContext(project, resolve(project, call.folder), rules)) };
  });
  const unread = matched.some((set) => set.unread);
  if (!unread && matched.every(({ met }) => met.length === 0)) return SILENT;
  const before = readHeard(call.session, stateFolder);
  /** The guards that the user did not allow. */
  const openBy = (isOver: (one: Met) => Met) =>
    matched.flatMap(({ of, guards, met }) => {
      const asked = met.map(isOver);
      if (asked.every(({ guard }) => guard.unless.length === 0)) return met;
      const keys = new Map(guards.map((guard) => [guard.id, guardKey(guard)]));
      const isAllowed = allowance?.(of, (id) => before.spoken[keys.get(id) ?? id] !== undefined);
      return isAllowed ? met.filter((_, index) => !isAllowed(asked[index] as Met)) : undefined;
    });
  const open = openBy((one) => one);
  if (!isKnown(open)) return undefined;
  const decideAt = (stores: boolean, some: readonly Met[]) => (heard: Heard) => decide(some, heard, { asks: call.asks, stores });
  try {
    return toAnswer(changeHeard(call.session, decideAt(true, open), unread, stateFolder), texts);
  } catch {
    // Nothing can be stored, so a guard that speaks once would refuse each call: what the user says ends that.
    const left = openBy((one) => (one.guard.does === "once" ? { ...one, guard: { ...one.guard, unless: ENDED_BY_USER } } : one));
    return isKnown(left) ? toAnswer(decideAt(false, left)(before), texts, true) : undefined;
  }
}

const ENDED_BY_USER: Guard["unless"] = ["user-allowed"];

/** Undefined for the guards of a set if messages must be read to know them. */
const isKnown = (open: readonly (Met | undefined)[]): open is readonly Met[] => open.every((one) => one !== undefined);

function toAnswer({ call, because, tell }: Decision, texts: PreparedGuards["texts"], isUnsaved = false): CallAnswer {
  const said = (all: readonly Met[]) => [...new Set(all.map(({ guard }) => guard.say))].join("\n");
  const once = because.length > 0 && because.every(({ guard }) => guard.does === "once");
  const more = isUnsaved && because.some(({ guard }) => guard.does === "once") ? [texts.unsaved] : once ? [texts.once] : [];
  const reason = because.length > 0 ? [said(because), ...more].join(" ") : undefined;
  const foreign = tell.filter(({ guard }) => guard.untrusted);
  const quoted = foreign.length > 0 ? `${texts.untrusted} ${JSON.stringify(said(foreign))}` : undefined;
  const own = said(tell.filter(({ guard }) => !guard.untrusted));
  const all = [own, quoted].filter(Boolean).join("\n");
  return { call, ...(reason && { reason }), ...(all && { tell: all }), ...(quoted && { shown: quoted }) };
}
