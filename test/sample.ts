// The session that ships with the project; `npm start` runs on it.
import { readFileSync } from "node:fs";
import { type Message, readSession, type Session } from "../src/index.js";

export const SAMPLE = "test/fixtures/sample-session.json";

export const sampleSession = (): Session => readSession(readFileSync(SAMPLE), "sample").session;

/** A session of one message. */
export function says(text: string, role: "user" | "assistant" = "assistant"): Session {
  return { id: "session", format: "test", messages: [{ id: "message", role, text, toolCalls: [] }] };
}

/** A message of the user's in the middle of a session. */
export function saysBetween(text: string): Session {
  const messages: Message[] = [
    { id: "m1", role: "user", text: "Add a cache to the search.", toolCalls: [] },
    { id: "m2", role: "assistant", text: "It is there now.", toolCalls: [] },
    { id: "m3", role: "user", text, toolCalls: [] },
    { id: "m4", role: "assistant", text: "Looking.", toolCalls: [] },
  ];
  return { id: "s", format: "neutral", messages };
}
