// The only entry point that compiles packs into a rule set. Reports faults and leaves out what is faulty.
import type { Resolved } from "../../config/resolve-packs.js";
import { collectFindings, type Diagnostic, diagnostic } from "../../diagnostics.js";
import { sameText } from "../../text/words.js";
import type { RuleSet, Section } from "../rule-set.js";
import { createConditions } from "./conditions.js";
import { createContinuity, sectionRules } from "./continuity.js";
import { reportOddValues } from "./odd-values.js";
import { createRuleCompiler } from "./rule.js";
import { compileCues, compileOptions, compileSignals } from "./signals.js";
import { compileAudit, compileCategories, compileLifecycle, compileShell, compileTools } from "./tables.js";
import { compileTemplates } from "./templates.js";
import { compileUpdates } from "./updates.js";

export interface Compiled {
  readonly rules: RuleSet;
  readonly diagnostics: readonly Diagnostic[];
}

export function compileRules(packs: Resolved): Compiled {
  // Collected without duplicates, because a section is compiled twice: for its rules and for the continuation.
  const { report, findings: diagnostics } = collectFindings();
  reportOddValues(packs, report);
  const conditions = createConditions(packs, report);
  const continuity = createContinuity(packs, conditions, report);
  const nothing: ReadonlySet<string> = new Set(packs.nothing.map(sameText));
  const signals = compileSignals(packs, conditions, report);
  const rule = createRuleCompiler(conditions, signals, nothing, report);

  const rules = [...packs.rules.values()].flatMap(rule);
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
      redactions: rules.filter(({ emit }) => emit === "redact"),
      signals: signals.all,
      salience: signals.salience,
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
      fillers: packs.fillers,
      light: packs.light,
    },
    diagnostics,
  };
}

/** In the form that is searched for: lower case, with a final full stop. */
function toAbbreviation(written: string): string {
  const folded = written.trim().toLowerCase().replace(/\s+/g, " ");
  return folded.endsWith(".") ? folded : `${folded}.`;
}
