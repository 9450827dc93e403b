// What OpenCode passes to the plugin: its client, and the options of the plugin's entry in opencode.json. OpenCode does not check
// them, so an invalid option is ignored.
import type { FramesConfigured } from "../../frames/context.js";
import { isFields } from "../../text/json.js";
import type { LogClient } from "../catcher.js";
import type { FrameClient } from "./frames/sessions.js";

export interface OpenCodeClient extends LogClient {
  readonly session: FrameClient;
  readonly tui?: {
    showToast(options: { readonly body: { readonly message: string; readonly variant: "info" } }): Promise<unknown>;
  };
}

export type OpenCodeInput = { readonly client: OpenCodeClient; readonly directory: string };

export interface OpenCodeOptions {
  /** Milliseconds after which a hook returns what is ready. */
  readonly deadline?: number;
  /** Like `frames` in .compactionrc, which it overrides. */
  readonly frames?: FramesConfigured | boolean;
}

/** The valid options, and a message for each invalid one. */
export function checkOptions(given: unknown): OpenCodeOptions & { readonly refused: readonly string[] } {
  const { deadline, frames } = (given ?? {}) as Readonly<Record<keyof OpenCodeOptions, unknown>>;
  const refused: string[] = [];
  const taken = <T>(name: keyof OpenCodeOptions, value: unknown, fits: boolean, wanted: string): { [key: string]: T } => {
    if (fits) return { [name]: value as T };
    if (value !== undefined) refused.push(`option ${name} is ${JSON.stringify(value)}, not ${wanted}: it is not used`);
    return {};
  };
  return {
    ...taken("deadline", deadline, typeof deadline === "number" && deadline > 0, "a number of milliseconds"),
    ...taken("frames", frames, typeof frames === "boolean" || isFields(frames), "true, false or a map"),
    refused,
  };
}
