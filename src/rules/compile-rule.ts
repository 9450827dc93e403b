// What a rule says → the rule that runs.
import type { Entry } from "../config/resolve.js";
import { diagnostic, type Report } from "../diagnostics.js";
import type { RuleFile } from "../generated/pack-file.js";
import { FIELD_CODE_POINTS } from "../limits.js";
import type { Signals } from "./compile-signals.js";
import type { Conditions } from "./conditions.js";
import { isEmptied } from "./emptied.js";
import type { Rule } from "./rule-set.js";
import { sameText } from "./words.js";

const DEFAULT_SCORE = 0.5;
/** What a redaction does not look at. */
const UNUSED = ["in", "match", "unless", "signals", "not", "length", "nothing"] as const;

/** @returns no rule, or one, for an entry and its place among the others */
export function createRuleCompiler(
  { condition }: Conditions,
  { named }: Signals,
  nothing: ReadonlySet<string>,
  report: Report,
): (entry: Entry<RuleFile>, order: number) => readonly Rule[] {
  return (entry, order) => {
    const { value } = entry;
    const redacts = value.emit === "redact";
    // A redaction looks at its patterns alone: it holds whatever is wrong with the rest.
    if (!value.emit || (isEmptied("rule", entry, report) && !(redacts && value.regex?.length))) return [];
    const [asked, placed] = [value.signals ?? [], Object.keys(value.in ?? {})];
    if (!value.match && !value.regex && asked.length === 0 && placed.length === 0) {
      report(
        diagnostic(
          "rule-empty",
          `the rule "${entry.id}" says neither where nor what`,
          entry.at(),
          "give it match, regex, signals or in",
        ),
      );
      return [];
    }
    if (redacts && !value.regex) {
      report(diagnostic("rule-empty", `the rule "${entry.id}" redacts by regex only`, entry.at(), "give it a regex"));
      return [];
    }
    for (const key of redacts ? UNUSED.filter((one) => one in value) : [])
      report(
        diagnostic(
          "unused-key",
          `"${key}" has no effect on the redaction "${entry.id}"`,
          entry.at([key], "key"),
          "a redaction looks at its regex alone, wherever and by whomever it is said",
        ),
      );
    const built: Rule = {
      id: entry.id,
      order,
      emit: value.emit,
      ...condition(entry),
      signals: named(entry, "signals"),
      not: named(entry, "not"),
      set: value.set ?? {},
      score: value.score ?? DEFAULT_SCORE,
      ...(value.category && { category: value.category }),
      length: { min: value.length?.min ?? 0, max: value.length?.max ?? FIELD_CODE_POINTS },
      nothing: value.nothing ? new Set([...nothing, ...value.nothing.map(sameText)]) : nothing,
    };
    // A rule whose phrases or patterns were all faulty must not fire on everything.
    const lost = (!redacts && value.match && built.match.length === 0) || (value.regex && built.regex.length === 0);
    return lost ? [] : [built];
  };
}
