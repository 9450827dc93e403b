import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readSession } from "../../../src/index.js";

const corpus = "../shared/corpus/sessions";
describe.skipIf(!existsSync(corpus))("real sessions of pi (../shared)", () => {
  test.each([
    ["pi-before-compaction.jsonl", 454, 2],
    ["pi-large-session.jsonl", 391, 0],
    ["pi-mouse-follow.jsonl", 38, 0],
  ])("%s has %i tool calls and %i summaries", (file, calls, summaries) => {
    const { session, notices } = readSession(readFileSync(`${corpus}/${file}`), file);
    expect(session.format).toBe("pi");
    expect(session.messages.flatMap(({ toolCalls }) => toolCalls)).toHaveLength(calls);
    expect(session.messages.filter(({ summary }) => summary)).toHaveLength(summaries);
    expect(notices).toEqual([]);
  });
});

const samples = "../shared/harness/pi/samples";
describe.skipIf(!existsSync(samples))("samples of pi 0.73 to 1.5 (../shared)", () => {
  const files = existsSync(samples) ? readdirSync(samples).filter((file) => file.endsWith(".jsonl")) : [];
  const load = (file: string) => readSession(readFileSync(`${samples}/${file}`), file);

  test.each(files)("%s", (file) => {
    const { session, notices } = load(file);
    const said = session.messages.filter(({ meta, summary }) => !meta && !summary);
    expect(session.format).toBe("pi");
    expect(notices).toEqual([]);
    expect(said.filter(({ role }) => role === "user").length).toBeGreaterThan(1);
    expect(said.every(({ text, time }) => text !== "" && time !== undefined)).toBe(true);
    // Of a branch that was left, a summary tells nothing of what came before.
    const expected = /before|branch/.test(file) ? 0 : 1;
    expect(session.messages.filter(({ summary }) => summary)).toHaveLength(expected);
  });

  test.skipIf(!files.includes("pi-1.5-tree-branch-summary.jsonl"))("the branch that was left is left out", () => {
    const { messages } = load("pi-1.5-tree-branch-summary.jsonl").session;
    expect(messages.filter(({ role }) => role === "user").map(({ id }) => id)).toEqual(["9037a615", "c0947d3e"]);
  });
});
