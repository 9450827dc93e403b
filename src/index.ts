// The public API, with every type that what it gives is made of: whoever exports that must be able to name it.
export type { Resolved as ResolvedPacks } from "./config/resolve.js";
export type { Sinks } from "./config/sinks.js";
export type { Code, Diagnostic, Position, Severity } from "./diagnostics.js";
export { type ExampleReport, testExamples } from "./extract/examples.js";
export { type ExtractOptions, extract } from "./extract/extract.js";
export type { Outcome, Trace, Tracer } from "./extract/find.js";
export type { Place as ShownPlace } from "./extract/place.js";
export {
  type Answer as FrameAnswer,
  type Changed as ChangedFrames,
  change as changeFrames,
  type FrameEvent,
  type FrameMessage,
  promptFor as framePrompt,
} from "./frames/change.js";
export {
  contextOf as frameContext,
  FRAME_BUDGET,
  type FrameBudget,
  type FrameContext,
  type FrameView,
} from "./frames/context.js";
export { EMPTY as NO_FRAMES, type Frame, type Tree as FrameTree } from "./frames/frame.js";
export { type Compacted, type CompactOptions, compactSession } from "./hosts/compact.js";
export { type Audit, type AuditOptions, audit, type FactVerdict } from "./keep/audit.js";
export type { AuditFact } from "./keep/audit-facts.js";
export type { AuditVerdict } from "./keep/audit-judge.js";
export {
  type CompactionState,
  carryCompactionState,
  type ListedFiles,
  readCompactionState,
  writeCompactionState,
} from "./keep/compaction-state.js";
export { chooseLifecycle, type LifecycleChoice, type LifecycleSettings } from "./lifecycle/choose.js";
export { type CompactionTask, runCompaction } from "./lifecycle/compact.js";
export { type CompactionRequest, createCompaction } from "./lifecycle/create.js";
export {
  aggregateDifferences,
  type FileDifference,
  type SessionDifference,
  sessionDifferences,
  snapshotRange,
} from "./lifecycle/differences.js";
export { filterCompacted, messagesInView } from "./lifecycle/filter.js";
export type {
  CompactedEvent,
  Host,
  HostInfo,
  HostMessage,
  HostModel,
  HostPart,
  ModelName,
  Summary,
  SummaryRequest,
  TokenCounts,
  ToolState,
} from "./lifecycle/host.js";
export { compactWhenFull, nextStep, type Step, type Turn } from "./lifecycle/loop.js";
export { isOverflow, type Usage, usableTokens, usedTokens } from "./lifecycle/overflow.js";
export { clearPruned, findPrunable, type Prunable, prune } from "./lifecycle/prune.js";
export { cutToTokens, estimateTokens } from "./lifecycle/tokens.js";
export * from "./model.js";
export { lintPacks } from "./render/lint.js";
export { type Rendered, type RenderOptions, render } from "./render/render.js";
export type { Lifecycle } from "./rules/lifecycle-set.js";
export { builtInRules, type LoadedRules, loadRules, loadRulesFrom } from "./rules/load.js";
export type {
  Category,
  Cues,
  Mark,
  Options as OptionRules,
  Rule,
  RuleSet,
  Section,
  Selector,
  Signal,
  Template,
} from "./rules/rule-set.js";
export type { Program, Tool } from "./rules/tool-set.js";
export type { NotesFile, Read, Workflow } from "./rules/workflow-set.js";
export { type MaenifoldOptions, type MaenifoldSettings, writeMemory } from "./sinks/maenifold.js";
export { type NotesSettings, writeNote } from "./sinks/notes.js";
export type { Note, SinkOutcome } from "./sinks/sink.js";
export { type SinkReport, type SinkSettings, writeToSinks } from "./sinks/write.js";
export { FORMATS, type ReadSession, readSession, SessionError } from "./source/session.js";
export { readWorkspace, type Workspace } from "./source/workspace.js";
export { createEndpoint, type EndpointOptions } from "./summarise/endpoint.js";
export { splitFileLists, withFileLists } from "./summarise/file-lists.js";
export { type Model, ModelError, type ModelFault, type ModelMessage } from "./summarise/model.js";
export { toPrompt } from "./summarise/request.js";
