// Cues that add up, and options that are offered and taken.
import type { Resolved } from "../config/resolve.js";
import { didYouMean } from "../config/suggest.js";
import { diagnostic, type Report } from "../diagnostics.js";
import { FIELD_CODE_POINTS } from "../limits.js";
import type { Signals } from "./compile-signals.js";
import type { Conditions } from "./conditions.js";
import type { Cues, Options } from "./rule-set.js";
import { sameText } from "./words.js";

/** Before the id of cues, in the place of a rule's id. */
export const CUES_PREFIX = "cues:";
/** And what names an option that the user took. */
export const OPTIONS_PREFIX = "options:";

export function compileCues(
  packs: Resolved,
  { selector }: Conditions,
  { all, known: names, named }: Signals,
  report: Report,
): readonly Cues[] {
  return [...packs.cues].flatMap(([id, entry]): readonly Cues[] => {
    const { emit, least, weights = {}, category, length } = entry.value;
    if (!emit || least === undefined) {
      report(diagnostic("missing-key", `the cues "${id}" need emit and least`, entry.at()));
      return [];
    }
    const known = Object.entries(weights).filter(([name]) => {
      if (names.includes(name)) return true;
      const at = entry.at(["weights", name], "key");
      report(() => diagnostic("unknown-signal", `there is no signal "${name}"`, at, didYouMean(name, names)));
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
      const why = `the options "${id}" need labels, and offered or taken: nothing is found by them`;
      report(diagnostic("missing-key", why, entry.at(), 'name each option in turn, as in labels: [["1", a], ["2", b]]'));
    }
    const labelled = (key: "offered" | "taken") => {
      const compiled = phrases(entry, [key], entry.value[key], false);
      const nameless = compiled.find(({ slots }) => !slots.some(({ name }) => name === "label"));
      if (nameless) {
        const at = entry.at([key, (entry.value[key] ?? []).indexOf(nameless.source)]);
        const hint = "put {label:word} where the option's name stands";
        report(diagnostic("phrase-slot", `"${nameless.source}" has no {label}: it names no option`, at, hint));
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
