// What sinks are given and what they answer: data, so that a failing one never stops a session.
import type { Rendered } from "../render/render.js";

/** A rendering of a template that says where it is filed. */
export type Note = Pick<Rendered, "text" | "store">;

export type SinkOutcome =
  | { readonly ok: true; readonly uri?: string }
  | { readonly ok: false; readonly level: "debug" | "warn" | "error"; readonly message: string };

export const failed = (level: "debug" | "warn" | "error", message: string): SinkOutcome => ({ ok: false, level, message });

/** The code of a system error, else what it says. */
export function reasonOf(error: unknown): string {
  const { code, message } = (error ?? {}) as NodeJS.ErrnoException;
  return code ?? message ?? String(error);
}
