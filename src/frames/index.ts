// The entry point `compaction-rules/frames`: sub-tasks in sessions of their own, as a tree that events change.

export {
  type Changed as ChangedFrames,
  change as changeFrames,
  type FrameAnswer,
  type FrameEvent,
  type FrameMessage,
  type Learnt as LearntInFrame,
  promptFor as framePrompt,
  type Refusal as FrameRefusal,
} from "./change.js";
export {
  contextOf as frameContext,
  FRAME_BUDGET,
  type FrameBudget,
  type FrameContext,
  type FrameView,
} from "./context.js";
export { EMPTY as NO_FRAMES, type End as FrameEnd, type Frame, type FrameStatus, type Tree as FrameTree } from "./frame.js";
