// The part of pi that is used.
import type { RecallTool } from "../recall-tools.js";
import type { CompactionEvent } from "./summary.js";

/** The part of pi's context that is used. */
export interface PiContext {
  readonly cwd: string;
  readonly sessionManager: { getSessionFile(): string | undefined; getSessionId?(): string };
  readonly ui?: { notify(text: string): void; confirm?(title: string, text: string): Promise<boolean> };
  /** Somebody is there. */
  readonly hasUI?: boolean;
}

/** A message of a request. The summary is the one with the role `compactionSummary`. */
export type PiMessage = { readonly role: string; readonly summary?: string };

export interface PiApi {
  on(event: "context", handler: (event: { messages: PiMessage[] }, context: PiContext) => unknown): void;
  on(event: "session_before_compact", handler: (event: CompactionEvent, context: PiContext) => unknown): void;
  on(event: "session_compact", handler: (event: unknown, context: PiContext) => unknown): void;
  on(event: "tool_call", handler: (event: PiCall, context: PiContext) => unknown): void;
  on(event: "tool_result", handler: (event: PiResult) => unknown): void;
  registerCommand(
    name: string,
    command: { description: string; handler: (args: string, context: PiContext) => Promise<void> },
  ): void;
  registerTool?(tool: {
    readonly name: string;
    readonly label: string;
    readonly description: string;
    readonly parameters: RecallTool["schema"];
    readonly execute: (
      id: string,
      args: unknown,
      signal: AbortSignal | undefined,
      onUpdate: unknown,
      context: PiContext,
    ) => Promise<{ readonly content: readonly { readonly type: "text"; readonly text: string }[]; readonly details: object }>;
  }): void;
}

export type PiCall = { readonly toolName: string; readonly toolCallId: string; readonly input: unknown };

export type PiResult = Pick<PiCall, "toolCallId"> & { readonly content: readonly object[] };
