// The entry point `compaction-rules/lifecycle`: carries out compactions on the messages of a host like OpenCode.

export type { Lifecycle, TokenCount } from "../rules/rule-set.js";
export * from "./compact.js";
export type * from "./host.js";
export { clearPruned, filterCompacted, findPrunable, messagesInView, type Prunable, prune } from "./messages-in-view.js";
export * from "./overflow.js";
export {
  aggregateDifferences,
  type FileDifference,
  messageTitle,
  type SessionDifference,
  sessionDifferences,
  snapshotRange,
  titleMessages,
} from "./turn-summaries.js";
