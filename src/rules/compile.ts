// The one door from what packs say to what runs. Faults become findings; what is faulty is left out.
import type { Resolved } from "../config/resolve.js";
import { collectFindings, type Diagnostic, diagnostic } from "../diagnostics.js";
import { createContinuity } from "./compile-continuity.js";
import { compileCues, compileOptions } from "./compile-cues.js";
import { createRuleCompiler } from "./compile-rule.js";
import { compileSignals } from "./compile-signals.js";
import { compileAudit, compileCategories, compileShell, compileTools } from "./compile-tables.js";
import { compileTemplates } from "./compile-templates.js";
import { createConditions } from "./conditions.js";
import { compileLifecycle } from "./lifecycle.js";
import { reportOddValues } from "./odd-values.js";
import type { RuleSet, Section } from "./rule-set.js";
import { sectionRules } from "./section-rule.js";
import { sameText } from "./words.js";

export interface Compiled {
  readonly rules: RuleSet;
  readonly diagnostics: readonly Diagnostic[];
}

export function compileRules(packs: Resolved): Compiled {
  // What a section holds is compiled for its rules and for the continuation.
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
    },
    diagnostics,
  };
}

/** As it is looked for: in small letters, with its final stop. */
function toAbbreviation(written: string): string {
  const folded = written.trim().toLowerCase().replace(/\s+/g, " ");
  return folded.endsWith(".") ? folded : `${folded}.`;
}
