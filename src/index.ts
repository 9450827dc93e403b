// The public API, with every type that its results contain, so that callers can name them.

export { type Audit, type AuditFact, type AuditOptions, audit, type FactVerdict } from "./audit/audit.js";
export { type Repair, repair } from "./audit/repair.js";
export type { AuditVerdict } from "./audit/verdict.js";
export { type Model, ModelError, type ModelFault, type ModelMessage } from "./compact/ask-model.js";
export { createEndpoint, type EndpointOptions } from "./compact/endpoint.js";
export { splitFileLists, withFileLists } from "./compact/file-lists.js";
export { type SummaryMessage, toPrompt, toSummaryMessage } from "./compact/request.js";
export type { Resolved as ResolvedPacks } from "./config/resolve-packs.js";
export type { Sinks } from "./config/search-config.js";
export type { Code, Diagnostic, Position, Severity } from "./diagnostics.js";
export type { GivenMessage, GivenSession, GivenToolCall } from "./extract/check-session.js";
export type { Outcome, Trace, Tracer } from "./extract/facts/to-item.js";
export { type ExtractOptions, extract } from "./extract/pipeline.js";
export { type ExampleReport, testExamples } from "./extract/test-examples.js";
export {
  type Compacted,
  type CompactOptions,
  compactSession,
  type Switched,
  type SwitchingHost,
  switchSession,
} from "./hosts/compact-session.js";
export * from "./model.js";
export { lintPacks } from "./render/lint.js";
export { type Rendered, type RenderOptions, render } from "./render/render.js";
export type { Selector, Signal } from "./rules/condition.js";
export { builtInRules, type LoadedRules, loadRules, loadRulesFrom } from "./rules/load-rules.js";
export type {
  Category,
  Cues,
  Lifecycle,
  Mark,
  Options as OptionRules,
  Rule,
  RuleSet,
  Section,
  Template,
  Update,
} from "./rules/rule-set.js";
export type { Program, Tool } from "./rules/tool-set.js";
export type { NotesFile, Read, Workflow } from "./rules/workflow-set.js";
export { readWorkspace, type Workspace } from "./source/notes/workspace.js";
export { FORMATS, readSession, SessionError } from "./source/session/read-session.js";
export type { ReadSession } from "./source/session/reader.js";
export {
  type CompactionState,
  carryCompactionState,
  type ListedFiles,
  readCompactionState,
  writeCompactionState,
} from "./state/compaction-state.js";
