// What a reader has to say about what it could not take.
import type { Notice } from "../model.js";

export function skippedMessages(count: number, message: string): readonly Notice[] {
  return count > 0 ? [{ code: "message-skipped", message, count }] : [];
}
