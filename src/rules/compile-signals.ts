// Signals, and who names them.
import type { Entry, Resolved } from "../config/resolve.js";
import { didYouMean } from "../config/suggest.js";
import { diagnostic, type Report } from "../diagnostics.js";
import type { RuleFile } from "../generated/pack-file.js";
import type { Conditions } from "./conditions.js";
import { isEmptied } from "./emptied.js";
import { BUILT_IN_SIGNALS, SESSION_SIGNALS, type Signal } from "./rule-set.js";

type Naming = Entry<Pick<RuleFile, "signals" | "not">>;

export interface Signals {
  readonly all: ReadonlyMap<string, Signal>;
  /** The names that a rule or cues may ask for. */
  readonly known: readonly string[];
  /** The signals that an entry names; those that do not exist are reported. */
  readonly named: (entry: Naming, key: "signals" | "not") => readonly string[];
  readonly salience: ReadonlyMap<string, number>;
}

export function compileSignals(packs: Resolved, { condition }: Conditions, report: Report): Signals {
  const signals = new Map<string, Signal>();
  for (const [id, entry] of packs.signals) {
    isEmptied("signal", entry, report);
    signals.set(id, { id, ...condition(entry) });
  }

  // Signals that look at other messages are not looked at from other messages: there would be no end to it.
  const near = [...signals.values()].filter(({ in: { opening, after, reply } }) => !opening && !after && !reply);
  const nearby = near.map(({ id }) => id);
  for (const entry of [...packs.signals.values(), ...packs.rules.values(), ...packs.cues.values()]) {
    for (const key of ["opening", "after", "reply"] as const) {
      for (const [index, name] of (entry.value.in?.[key] ?? []).entries()) {
        if (nearby.includes(name)) continue;
        const why = signals.has(name) ? `"${name}" looks at other messages itself` : `there is no signal "${name}"`;
        report(() => diagnostic("unknown-signal", why, entry.at(["in", key, index]), didYouMean(name, nearby)));
      }
    }
  }

  const known = [...signals.keys(), ...SESSION_SIGNALS];
  const isKnown = new Set(known);
  function named(entry: Naming, key: "signals" | "not"): readonly string[] {
    const names = entry.value[key] ?? [];
    for (const [index, name] of names.entries()) {
      if (!isKnown.has(name)) {
        report(() =>
          diagnostic("unknown-signal", `there is no signal "${name}"`, entry.at([key, index]), didYouMean(name, known)),
        );
      }
    }
    return names;
  }

  const weighable = new Set([...known, ...BUILT_IN_SIGNALS]);
  const salience = new Map<string, number>();
  for (const [id, entry] of packs.salience) {
    if (weighable.has(id)) salience.set(id, entry.value);
    else report(() => diagnostic("unknown-signal", `there is no signal "${id}"`, entry.at(), didYouMean(id, weighable)));
  }

  return { all: signals, known, named, salience };
}
