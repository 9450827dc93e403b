// The only entry point that compiles packs into a rule set. Reports faults and leaves out what is faulty.
import { isBuiltIn } from "../../config/load-pack.js";
import type { PackEntry } from "../../config/pack.js";
import type { Resolved } from "../../config/resolve-packs.js";
import { collectFindings, type Diagnostic, diagnostic, type Report } from "../../diagnostics.js";
import type { RuleFile } from "../../generated/pack-file.js";
import { FIELD_CODE_POINTS } from "../../limits.js";
import { sameText } from "../../text/words.js";
import { maskSaid } from "../redact/mask-pack.js";
import { masker } from "../redact/redact.js";
import type { Rule, RuleSet, Section } from "../rule-set.js";
import { type Conditions, createConditions, isEmptied } from "./conditions.js";
import { createContinuity, sectionRules } from "./continuity.js";
import { reportOddValues } from "./odd-values.js";
import { type CompiledSignals, compileCues, compileOptions, compileSignals, compileUpdates } from "./signals.js";
import { compileAudit, compileCategories, compileLifecycle, compileShell, compileTemplates, compileTools } from "./tables.js";

export type Compiled = { readonly rules: RuleSet; readonly diagnostics: readonly Diagnostic[] };

export function compileRules(given: Resolved): Compiled {
  // Collected without duplicates, because a section is compiled twice: for its rules and for the continuation.
  const { report, findings: diagnostics } = collectFindings();
  reportOddValues(given, report);
  const conditions = createConditions(given, report);
  const nothing: ReadonlySet<string> = new Set(given.nothing.map(sameText));
  const signals = compileSignals(given, conditions, report);
  const rule = createRuleCompiler(conditions, signals, nothing, report);

  const rules = [...given.rules.values()].flatMap(rule);
  const redactions = rules.filter(({ emit }) => emit === "redact");
  const packs = maskSaid(given, masker(redactions));
  const continuity = createContinuity(packs, conditions, report);
  const sections: Section[] = [];
  for (const [id, entry] of packs.sections) {
    const { title, holds, max, headings, fields, task, say, of } = entry.value;
    const reads = headings !== undefined || fields !== undefined || task !== undefined;
    if (!title || (!say && !of && !(holds && reads))) {
      const missing = !title || !holds ? "title, and holds or say" : "headings, fields or task: it would take every item";
      report(diagnostic("missing-key", `the section "${id}" needs ${missing}`, entry.at()));
      continue;
    }
    sections.push({ id, title, ...(holds && { holds }), max: max ?? Number.MAX_SAFE_INTEGER, ...continuity.section(entry) });
    if (holds && reads) for (const one of sectionRules(entry)) rules.push(...rule(one, rules.length));
  }

  const saying = new Set(
    packs.packs.flatMap(({ body }) =>
      Object.entries(body.sections ?? {}).flatMap(([id, { say, of }]) => (say || of ? [id] : [])),
    ),
  );
  const said = [...saying].flatMap((id) => sections.filter((section) => section.id === id && section.say));

  return {
    rules: {
      rules: rules.filter(({ emit }) => emit !== "redact"),
      redactions,
      signals: signals.all,
      salience: signals.salience,
      worth: toNumbers(packs.worth),
      shares: toNumbers(packs.shares),
      news: toNumbers(packs.news),
      cues: compileCues(packs, conditions, signals, report),
      options: compileOptions(packs, conditions, report),
      updates: compileUpdates(packs, signals, report),
      categories: compileCategories(packs, conditions, report),
      sections,
      said,
      ...compileTools(packs, conditions),
      shell: compileShell(packs),
      files: continuity.files(),
      reads: continuity.reads(),
      workflows: continuity.workflows(),
      nothing,
      lifecycle: compileLifecycle(packs, report),
      audit: compileAudit(packs, report),
      templates: compileTemplates(packs, report),
      scratch: packs.scratch,
      abbreviations: packs.abbreviations.map(toAbbreviation),
      restrictions: packs.restrictions,
      documents: packs.documents.map((ending) => ending.toLowerCase()),
      fillers: packs.fillers,
      light: packs.light,
    },
    diagnostics,
  };
}

const toNumbers = (entries: ReadonlyMap<string, PackEntry<number>>): ReadonlyMap<string, number> =>
  new Map([...entries].map(([id, { value }]) => [id, value]));

/** In the form that is searched for: lower case, with a final full stop. */
function toAbbreviation(written: string): string {
  const folded = written.trim().toLowerCase().replace(/\s+/g, " ");
  return folded.endsWith(".") ? folded : `${folded}.`;
}

// One rule.

export const DEFAULT_SCORE = 0.5;
/** Keys that a redaction ignores. */
const UNUSED = ["in", "match", "unless", "signals", "not", "length", "nothing"] as const;

/** @returns a compiler that gives at most one rule for an entry; `order` is its position among the rules */
function createRuleCompiler(
  { condition }: Conditions,
  { named }: CompiledSignals,
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
      const hint = "give it match, regex, signals or in";
      report(diagnostic("rule-empty", `the rule "${entry.id}" has no condition`, entry.at(), hint));
      return [];
    }
    if (redacts && !value.regex) {
      report(diagnostic("rule-empty", `the rule "${entry.id}" redacts, and needs regex for it`, entry.at(), "give it a regex"));
      return [];
    }
    for (const key of redacts ? UNUSED.filter((one) => one in value) : []) {
      const message = `"${key}" has no effect on the redaction "${entry.id}"`;
      report(diagnostic("unused-key", message, entry.at([key], "key"), "a redaction uses only its regex, in every text"));
    }
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
