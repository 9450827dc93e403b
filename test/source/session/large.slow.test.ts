import { describe, expect, test } from "vitest";
import { readSession } from "../../../src/index.js";

const SIZE = 50_000_000;
const lines = (...records: object[]) => `${records.map((record) => JSON.stringify(record)).join("\n")}\n`;
const said = "We decided to stay.";

// A good record, and one whose line is as long as a paste can be.
const FORMATS: Readonly<Record<string, (text: string) => string>> = {
  "claude-code": (text) =>
    lines(
      ...[said, text].map((content, index) => ({
        type: "user",
        uuid: `u${index}`,
        sessionId: "s",
        message: { role: "user", content },
      })),
    ),
  codex: (text) =>
    lines(
      { type: "session_meta", payload: { id: "s" } },
      ...[said, text].map((words) => ({
        type: "response_item",
        payload: { type: "message", role: "user", content: [{ type: "input_text", text: words }] },
      })),
    ),
  pi: (text) =>
    lines(
      { type: "session", id: "s" },
      ...[said, text].map((content) => ({ type: "message", message: { role: "user", content } })),
    ),
  copilot: (text) =>
    lines(
      { type: "session.start", data: { sessionId: "s" } },
      ...[said, text].map((content, index) => ({ type: "user.message", id: `e${index}`, data: { content } })),
    ),
  gemini: (text) =>
    lines(
      { sessionId: "s", projectHash: "p" },
      ...[said, text].map((words, index) => ({ id: `m${index}`, type: "user", content: [{ text: words }] })),
    ),
  neutral: (text) => lines(...[said, text].map((words, index) => ({ id: `m${index}`, role: "user", text: words }))),
  opencode: (text) =>
    JSON.stringify(
      [said, text].map((words, index) => ({
        info: { id: `m${index}`, sessionID: "s", role: "user" },
        parts: [{ type: "text", text: words }],
      })),
    ),
  conversation: (text) => `**User:**\n${said}\n\n**Assistant:**\n${text}\n`,
};

describe.each(Object.entries(FORMATS))("%s with a line of 50 MB", (format, make) => {
  test("is read", () => {
    const { session } = readSession(make("x".repeat(SIZE)), "name");
    expect(session.format).toBe(format);
    expect(session.messages.map(({ text }) => text.length)).toEqual([said.length, SIZE]);
  });

  test("and what stands before it, when it is cut off", () => {
    const whole = make("x".repeat(SIZE));
    const { session } = readSession(whole.slice(0, -9), "name");
    expect(session.messages[0]?.text).toBe(said);
  });
});
