// A transcript before and after a compaction, as the samples of ../shared hold them, and what holds for every host.
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { readSession } from "../../../src/index.js";

export function readPair(folder: string) {
  const load = (file: string) => readSession(readFileSync(`${folder}/${file}`), file);
  const before = load("before.jsonl");
  const after = load("after.jsonl");
  expect([...before.notices, ...after.notices]).toEqual([]);
  expect(after.session.id).toBe(before.session.id);
  // Nothing is taken back by a compaction, and nothing in it is said twice.
  expect(after.session.messages.slice(0, before.session.messages.length)).toEqual(before.session.messages);
  const calls = after.session.messages.flatMap(({ toolCalls }) => toolCalls);
  expect(calls.map(({ status }) => status)).toEqual(["completed", "error"]);
  expect(before.session.messages.filter(({ summary }) => summary)).toEqual([]);
  return { before, after };
}
