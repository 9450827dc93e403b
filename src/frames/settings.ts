// How frames are configured.
import { FRAME_SECONDS, FRAME_SECONDS_MOST } from "../limits.js";
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

/** Options of a plugin are checked by nobody: what is no number is as if it were not given. */
const numberOr = (value: unknown, otherwise: number, least: number): number =>
  typeof value === "number" && value >= least ? value : otherwise;

/** undefined when frames are off. */
export function frameSettings(configured: FramesConfigured | boolean | undefined): FrameSettings | undefined {
  if (!configured) return undefined;
  const { seconds, replacePrompt, budget } = configured === true ? {} : configured;
  const given: Partial<FrameBudget> = budget ?? {};
  const tokens = (share: keyof FrameBudget) => numberOr(given[share], FRAME_BUDGET[share], 0);
  return {
    milliseconds: Math.min(numberOr(seconds, FRAME_SECONDS, 1), FRAME_SECONDS_MOST) * 1_000,
    replacePrompt: replacePrompt === true,
    budget: {
      total: tokens("total"),
      ancestors: tokens("ancestors"),
      siblings: tokens("siblings"),
      current: tokens("current"),
      overhead: tokens("overhead"),
    },
  };
}
