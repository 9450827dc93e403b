// Compiles one rule.
import { isBuiltIn } from "../../config/load-pack.js";
import type { PackEntry } from "../../config/pack.js";
import { diagnostic, type Report } from "../../diagnostics.js";
import type { RuleFile } from "../../generated/pack-file.js";
import { FIELD_CODE_POINTS } from "../../limits.js";
import { sameText } from "../../text/words.js";
import type { Rule } from "../rule-set.js";
import { type Conditions, isEmptied } from "./conditions.js";
import type { Signals } from "./signals.js";

export const DEFAULT_SCORE = 0.5;
/** Keys that a redaction ignores. */
const UNUSED = ["in", "match", "unless", "signals", "not", "length", "nothing"] as const;

/** @returns a compiler that gives at most one rule for an entry; `order` is its position among the rules */
export function createRuleCompiler(
  { condition }: Conditions,
  { named }: Signals,
  nothing: ReadonlySet<string>,
  report: Report,
): (entry: PackEntry<RuleFile>, order: number) => readonly Rule[] {
  return (entry, order) => {
    const { value } = entry;
    const redacts = value.emit === "redact";
    // A redaction only uses its patterns, so a fault in another key must not disable it.
    if (!value.emit || (isEmptied("rule", entry, report) && !(redacts && value.regex?.length))) return [];
    const [asked, placed] = [value.signals ?? [], Object.keys(value.in ?? {})];
    if (!value.match && !value.regex && asked.length === 0 && placed.length === 0) {
      report(
        diagnostic("rule-empty", `the rule "${entry.id}" has no condition`, entry.at(), "give it match, regex, signals or in"),
      );
      return [];
    }
    if (redacts && !value.regex) {
      report(diagnostic("rule-empty", `the rule "${entry.id}" redacts, and needs regex for it`, entry.at(), "give it a regex"));
      return [];
    }
    for (const key of redacts ? UNUSED.filter((one) => one in value) : [])
      report(
        diagnostic(
          "unused-key",
          `"${key}" has no effect on the redaction "${entry.id}"`,
          entry.at([key], "key"),
          "a redaction uses only its regex, in every text",
        ),
      );
    const built: Rule = {
      id: entry.id,
      order,
      ...(!isBuiltIn(entry.from("emit")) && { own: true }),
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
    // If all phrases or patterns are faulty, the rule must not fire on everything.
    const lost = (!redacts && value.match && built.match.length === 0) || (value.regex && built.regex.length === 0);
    return lost ? [] : [built];
  };
}
