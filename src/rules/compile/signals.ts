// Compiles signals, and the cues, options, updates and salience that use them.

import { suggest } from "../../config/load-pack.js";
import { isReserved } from "../../config/merge.js";
import type { PackEntry } from "../../config/pack.js";
import type { Resolved } from "../../config/resolve-packs.js";
import { diagnostic, type Report } from "../../diagnostics.js";
import type { RuleFile, UpdateFile } from "../../generated/pack-file.js";
import { ASKED_SIGNALS, SALIENCE_SIGNALS, SESSION_SIGNALS } from "../../generated/signals.js";
import { FIELD_CODE_POINTS } from "../../limits.js";
import { sameText } from "../../text/words.js";
import type { Signal } from "../condition.js";
import type { Cues, Options, Update } from "../rule-set.js";
import { type Conditions, isEmptied } from "./conditions.js";

type Naming = PackEntry<Pick<RuleFile, "signals" | "not">>;

export interface CompiledSignals {
  readonly all: ReadonlyMap<string, Signal>;
  /** The names that rules and cues may use. */
  readonly known: readonly string[];
  /** The signals that an entry names. Reports unknown ones. */
  readonly named: (entry: Naming, key: "signals" | "not") => readonly string[];
  readonly salience: ReadonlyMap<string, number>;
}

export function compileSignals(packs: Resolved, { condition }: Conditions, report: Report): CompiledSignals {
  const hintFor = (name: string, names: Iterable<string>) => suggest("signals", name, names, packs.packs);
  const signals = new Map<string, Signal>();
  for (const [id, entry] of packs.signals) {
    isEmptied("signal", entry, report);
    signals.set(id, { id, ...condition(entry) });
  }

  // Signals that look at other messages cannot refer to each other: this could recurse forever.
  const near = [...signals.values()].filter(({ in: { opening, after, reply } }) => !opening && !after && !reply);
  const nearby = near.map(({ id }) => id);
  for (const entry of [...packs.signals.values(), ...packs.rules.values(), ...packs.cues.values()]) {
    for (const key of ["opening", "after", "reply"] as const) {
      for (const [index, name] of (entry.value.in?.[key] ?? []).entries()) {
        if (nearby.includes(name)) continue;
        const why = signals.has(name) ? `"${name}" looks at other messages itself` : `there is no signal "${name}"`;
        report(() => diagnostic("unknown-signal", why, entry.at(["in", key, index]), hintFor(name, nearby)));
      }
    }
  }

  const known = [...signals.keys(), ...Object.keys(SESSION_SIGNALS)];
  const isKnown = new Set(known);
  function named(entry: Naming, key: "signals" | "not"): readonly string[] {
    const names = entry.value[key] ?? [];
    for (const [index, name] of names.entries()) {
      if (!isKnown.has(name))
        report(() => diagnostic("unknown-signal", unknownSignal(name), entry.at([key, index]), hintFor(name, known)));
    }
    return names;
  }

  reportMissing(packs, report);
  const weighable = new Set(weighableSignals(signals));
  const salience = new Map<string, number>();
  for (const [id, entry] of packs.salience) {
    if (weighable.has(id)) salience.set(id, entry.value);
    else report(() => diagnostic("unknown-signal", `there is no signal "${id}"`, entry.at(), hintFor(id, weighable)));
  }

  return { all: signals, known, named, salience };
}

/** The names that may have a weight. */
export const weighableSignals = (signals: ReadonlyMap<string, Signal>): readonly string[] => [
  ...signals.keys(),
  ...Object.keys(SESSION_SIGNALS),
  ...Object.keys(SALIENCE_SIGNALS),
];

const unknownSignal = (name: string) =>
  Object.hasOwn(SALIENCE_SIGNALS, name) ? `"${name}" can only be used in salience` : `there is no signal "${name}"`;

/** Warns if the configuration finds and ranks facts but lacks signals that the engine needs. */
function reportMissing({ packs, signals, cues, salience }: Resolved, report: Report): void {
  const config = packs.at(-1);
  if (config?.what !== "config" || cues.size === 0 || salience.size === 0) return;
  const isOff = (name: string) => packs.some(({ body }) => body.signals?.[name]?.off === true);
  const missing = Object.entries(ASKED_SIGNALS).filter(
    ([name]) => !signals.has(name) && !isReserved("signals", name) && !isOff(name),
  );
  if (missing.length === 0) return;
  const message = `no pack declares ${missing.map(([name]) => name).join(", ")}: the engine asks for ${missing.length > 1 ? "these signals" : "this signal"}`;
  const meanings = missing.map(([name, meaning]) => `${name}: ${meaning}`).join(" ");
  const hint = `extend compaction:recommended, or declare ${meanings}`;
  report(diagnostic("missing-signal", message, config.yaml.locate(["extends"], "key"), hint));
}

// Cues, whose weights add up to a fact, and options that the assistant offers and the user takes.

/** Prefix of the id of cues, where a rule id is expected. */
export const CUES_PREFIX = "cues:";
/** Prefix of the id of options, where a rule id is expected. */
export const OPTIONS_PREFIX = "options:";

/** The score at the threshold, if a pack does not give it. */
const LEAST_SCORE = 0.3;

export function compileCues(
  packs: Resolved,
  { selector }: Conditions,
  { all, known: names, named }: CompiledSignals,
  report: Report,
): readonly Cues[] {
  return [...packs.cues].flatMap(([id, entry]): readonly Cues[] => {
    const { emit, least, score = LEAST_SCORE, weights = {}, category, length } = entry.value;
    if (!emit || least === undefined) {
      report(diagnostic("missing-key", `the cues "${id}" need emit and least`, entry.at()));
      return [];
    }
    const known = Object.entries(weights).filter(([name]) => {
      if (names.includes(name)) return true;
      const at = entry.at(["weights", name], "key");
      report(() => diagnostic("unknown-signal", unknownSignal(name), at, suggest("signals", name, names, packs.packs)));
      return false;
    });
    const degrees = known.filter(([name]) => !all.has(name));
    return [
      {
        id: CUES_PREFIX + id,
        kind: emit,
        in: selector(entry, entry.value.in),
        not: named(entry, "not"),
        least,
        score,
        weights: new Map(known),
        degrees,
        gain: degrees.reduce((sum, [, weight]) => sum + Math.max(0, weight), 0),
        ...(category && { category }),
        length: { min: length?.min ?? 0, max: length?.max ?? FIELD_CODE_POINTS },
      },
    ];
  });
}

export function compileOptions(packs: Resolved, { phrases }: Conditions, report: Report): readonly Options[] {
  return [...packs.options].map(([id, entry]): Options => {
    const { offered, taken, labels = [] } = entry.value;
    if (labels.flat().length === 0 || [...(offered ?? []), ...(taken ?? [])].length === 0) {
      const why = `the options "${id}" need labels, and offered or taken`;
      report(diagnostic("missing-key", why, entry.at(), 'name each option in turn, as in labels: [["1", a], ["2", b]]'));
    }
    const labelled = (key: "offered" | "taken") => {
      const compiled = phrases(entry, [key], entry.value[key], false);
      const nameless = compiled.find(({ slots }) => !slots.some(({ name }) => name === "label"));
      if (nameless) {
        const at = entry.at([key, (entry.value[key] ?? []).indexOf(nameless.source)]);
        const hint = "put {label:word} where the option's name stands";
        report(diagnostic("phrase-slot", `"${nameless.source}" has no {label}`, at, hint));
      }
      return compiled;
    };
    return {
      id: OPTIONS_PREFIX + id,
      offered: labelled("offered"),
      taken: labelled("taken"),
      labels: new Map(labels.flatMap((names, place) => names.map((name) => [sameText(name), place] as const))),
    };
  });
}

// Updates: what makes earlier facts obsolete.

const DEFAULT_SHARE = 0.6;

export function compileUpdates(packs: Resolved, signals: CompiledSignals, report: Report): readonly Update[] {
  return [...packs.updates].flatMap(([id, entry]): readonly Update[] => {
    const { signal, ends = [], match, by, share, about, nearest, within, found, replaces } = entry.value;
    if (signal === undefined || match === undefined || ends.length === 0) {
      report(diagnostic("missing-key", `the update "${id}" needs signal, ends and match`, entry.at()));
      return [];
    }
    if (!isDeclared(signal, entry, ["signal"])) return [];
    const phrasesOf = (key: "if" | "unless") => {
      const names = (entry.value[key] ?? []).filter((name, index) => isDeclared(name, entry, [key, index]));
      return names.length === 0 ? {} : { [key]: names.flatMap((name) => signals.all.get(name)?.match ?? []) };
    };
    return [
      {
        id,
        signal,
        phrases: signals.all.get(signal)?.match ?? [],
        ends: new Set(ends),
        by: by ?? "same-speaker",
        match,
        share: share ?? DEFAULT_SHARE,
        about: about ?? 0,
        nearest: nearest ?? 1,
        within: within ?? Number.POSITIVE_INFINITY,
        found: found ?? false,
        replaces: replaces ?? false,
        ...phrasesOf("if"),
        ...phrasesOf("unless"),
      },
    ];
  });

  /** Only declared signals have phrases, which are needed to check facts of earlier rounds. */
  function isDeclared(name: string, entry: PackEntry<UpdateFile>, path: readonly (string | number)[]): boolean {
    if (signals.all.has(name)) return true;
    const names = [...signals.all.keys()];
    report(() =>
      diagnostic("unknown-signal", `there is no signal "${name}"`, entry.at(path), suggest("signals", name, names, packs.packs)),
    );
    return false;
  }
}
