// What becomes of a call that guards are for. Pure: the state of the session goes in and comes out.
import type { Guard, Spoken } from "../rules/guard.js";
import type { Met } from "./match-guards.js";

export interface Surroundings {
  /** The agent can ask the user, and somebody is there. */
  readonly asks: boolean;
  /** A guard of a pack that nobody trusts only tells. */
  readonly isTrusted: (guard: Guard) => boolean;
}

export interface Decision {
  readonly call: "run" | "ask" | "refuse";
  readonly because: readonly Met[];
  /** The guards whose sentence goes beside the result. */
  readonly tell: readonly Met[];
  /** The guards that speak now, and how. */
  readonly spoken: Spoken;
}

/** @param met without what the user allowed */
export function decide(met: readonly Met[], before: Spoken, { asks, isTrusted }: Surroundings): Decision {
  const does = ({ guard }: Met): Guard["does"] => (isTrusted(guard) ? guard.does : "tell");
  const isNew = (one: Met) => before[one.guard.id]?.[does(one)] === undefined;
  const refused = met.filter((one) => {
    const what = does(one);
    return what === "refuse" || (what === "ask" && !asks) || (what === "once" && isNew(one));
  });
  const asked = refused.length > 0 ? [] : met.filter((one) => does(one) === "ask");
  const tell = refused.length > 0 ? [] : met.filter((one) => does(one) === "tell" && isNew(one));
  const spoken: Record<string, Partial<Record<Guard["does"], number>>> = {};
  for (const one of [...refused, ...asked, ...tell]) {
    const { id } = one.guard;
    spoken[id] = { ...before[id], [does(one)]: (before[id]?.[does(one)] ?? 0) + 1 };
  }
  const call = refused.length > 0 ? "refuse" : asked.length > 0 ? "ask" : "run";
  return { call, because: [...refused, ...asked], tell, spoken: { ...before, ...spoken } };
}
