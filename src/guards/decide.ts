// What becomes of a call that guards are for. Pure: the state of the session goes in and comes out.
import { UNTRUSTED_CALL_CHARACTERS, UNTRUSTED_SESSION_CHARACTERS } from "../limits.js";
import { doesNow, type Guard, guardKey, type Spoken } from "../rules/guard.js";
import type { Met } from "./match-guards.js";

export interface Surroundings {
  /** The agent can ask the user, and somebody is there. */
  readonly asks: boolean;
  /** What is said now can be stored. Otherwise nothing untrusted is said: nobody would count it. */
  readonly stores: boolean;
}

/** What guards said in a session. */
export interface Heard {
  readonly spoken: Spoken;
  /** Characters of the sentences that came from files which the user does not trust. */
  readonly untrusted: number;
}

export interface Decision extends Heard {
  readonly call: "run" | "ask" | "refuse";
  readonly because: readonly Met[];
  /** The guards whose sentence goes beside the result. */
  readonly tell: readonly Met[];
}

/** @param met without what the user allowed */
export function decide(met: readonly Met[], { spoken: before, untrusted }: Heard, { asks, stores }: Surroundings): Decision {
  const does = ({ guard }: Met) => doesNow(guard);
  const isNew = (one: Met) => before[guardKey(one.guard)]?.[does(one)] === undefined;
  const refused = met.filter((one) => {
    const what = does(one);
    return what === "refuse" || (what === "ask" && !asks) || (what === "once" && isNew(one));
  });
  const asked = refused.length > 0 ? [] : met.filter((one) => does(one) === "ask");
  const told = refused.length > 0 ? [] : met.filter((one) => does(one) === "tell" && isNew(one));
  const most = stores ? Math.min(UNTRUSTED_CALL_CHARACTERS, UNTRUSTED_SESSION_CHARACTERS - untrusted) : 0;
  const { tell, characters } = within(told, most);
  const spoken: Record<string, Partial<Record<Guard["does"], number>>> = {};
  for (const one of [...refused, ...asked, ...tell]) {
    const key = guardKey(one.guard);
    spoken[key] = { ...before[key], [does(one)]: (before[key]?.[does(one)] ?? 0) + 1 };
  }
  const call = refused.length > 0 ? "refuse" : asked.length > 0 ? "ask" : "run";
  const heard = { spoken: { ...before, ...spoken }, untrusted: untrusted + characters };
  return { call, because: [...refused, ...asked], tell, ...heard };
}

/** Leaves out untrusted guards from the first on that says more than `most` characters with those before it. */
function within(told: readonly Met[], most: number): { readonly tell: readonly Met[]; readonly characters: number } {
  let characters = 0;
  let isFull = false;
  const tell = told.filter(({ guard: { untrusted, say } }) => {
    if (!untrusted) return true;
    const { length } = JSON.stringify(say);
    isFull ||= characters + length > most;
    if (!isFull) characters += length;
    return !isFull;
  });
  return { tell, characters };
}
