// The input and outcome of sinks. Failures are data, so that a failing sink never stops a session.
import type { Rendered } from "../render/render.js";

/** A rendered template that says where it is stored. */
export type Note = Pick<Rendered, "text" | "store">;

/** Whether a note was written, or why not. */
export type SinkOutcome =
  | { readonly ok: true; readonly uri?: string }
  | { readonly ok: false; readonly level: "debug" | "warn" | "error"; readonly message: string };

export const failed = (level: "debug" | "warn" | "error", message: string): SinkOutcome => ({ ok: false, level, message });

/** The code of a system error, or else its message. */
export function reasonOf(error: unknown): string {
  const { code, message } = (error ?? {}) as NodeJS.ErrnoException;
  return code ?? message ?? String(error);
}

/** The date of a note whose session has none. */
export const timeOfWriting = () => new Date().toISOString();
