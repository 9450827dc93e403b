// The entry point `compaction-rules/lifecycle`: carries out compactions on the messages of a host like OpenCode.

export type { Lifecycle, TokenCount } from "../rules/rule-set.js";
export {
  type CompactionRequest,
  type CompactionTask,
  compactWhenFull,
  createCompaction,
  type LoopStep,
  nextStep,
  runCompaction,
  type Turn,
  toCompactionPrompt,
} from "./compact.js";
export type {
  CompactedEvent,
  CompactingOutput,
  Host,
  HostAgent,
  HostInfo,
  HostMessage,
  HostModel,
  HostPart,
  ModelName,
  Summary,
  SummaryRequest,
  TokenCounts,
  ToolState,
} from "./host.js";
export {
  chooseLifecycle,
  cutToTokens,
  estimateTokens,
  isOverflow,
  type LifecycleChoice,
  type LifecycleSettings,
  type Usage,
  usableTokens,
  usedTokens,
} from "./overflow.js";
export {
  aggregateDifferences,
  type FileDifference,
  messageTitle,
  type SessionDifference,
  sessionDifferences,
  snapshotRange,
  titleMessages,
} from "./turn-summaries.js";
export { clearPruned, filterCompacted, findPrunable, messagesInView, type Prunable, prune } from "./view.js";
