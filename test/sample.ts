// The session that ships with the project; `npm start` runs on it.
import { readFileSync } from "node:fs";
import type { Session } from "../src/index.js";
import { readSession } from "../src/index.js";

export const SAMPLE = "test/fixtures/sample-session.json";

export const sampleSession = (): Session => readSession(readFileSync(SAMPLE), "sample").session;

/** A session of one message. */
export function says(text: string, role: "user" | "assistant" = "assistant"): Session {
  return { id: "session", format: "test", messages: [{ id: "message", role, text, toolCalls: [] }] };
}
