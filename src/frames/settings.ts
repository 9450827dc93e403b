// How frames are configured.
import { FRAME_SECONDS } from "../limits.js";
import { FRAME_BUDGET, type FrameBudget } from "./context.js";

/** As a configuration says it. */
export interface FramesConfigured {
  readonly seconds?: number;
  readonly replacePrompt?: boolean;
  readonly budget?: Partial<FrameBudget>;
}

export interface FrameSettings {
  /** How long the end of a frame waits for its summary. */
  readonly milliseconds: number;
  readonly replacePrompt: boolean;
  readonly budget: FrameBudget;
}

/** undefined when frames are off. */
export function frameSettings(configured: FramesConfigured | boolean | undefined): FrameSettings | undefined {
  if (!configured) return undefined;
  const { seconds = FRAME_SECONDS, replacePrompt = false, budget = {} } = configured === true ? {} : configured;
  return { milliseconds: seconds * 1_000, replacePrompt, budget: { ...FRAME_BUDGET, ...budget } };
}
