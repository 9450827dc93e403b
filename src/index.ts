// The public API.
export type { Code, Diagnostic, Position, Severity } from "./diagnostics.js";
export { type ExampleReport, testExamples } from "./extract/examples.js";
export { type ExtractOptions, extract } from "./extract/extract.js";
export type { Outcome, Trace, Tracer } from "./extract/find.js";
export { type Audit, type AuditOptions, audit, type FactVerdict } from "./keep/audit.js";
export type { AuditFact } from "./keep/audit-facts.js";
export type { AuditVerdict } from "./keep/audit-judge.js";
export * from "./model.js";
export { lintPacks } from "./render/lint.js";
export { type Rendered, type RenderOptions, render } from "./render/render.js";
export { builtInRules, type LoadedRules, loadRules, loadRulesFrom } from "./rules/load.js";
export type { Rule, RuleSet, Template } from "./rules/rule-set.js";
export { FORMATS, type ReadSession, readSession, SessionError } from "./source/session.js";
export { readProjectFiles } from "./source/workspace.js";
