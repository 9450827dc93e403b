// V8 saves memory while a large session is read. With many messages that would take long later, so it is told to stop.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { inputOf, openSession, readWholeSession } from "../../src/cli/input/open-session.js";
import { needsOf } from "../../src/extract/calls/call.js";
import { builtInRules } from "../../src/index.js";

vi.mock("node:v8", async (original) => ({ ...(await original<object>()), setFlagsFromString: vi.fn() }));

let folder: string;
let path: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-tuned-"));
  path = join(folder, "session.json");
  const messages = Array.from({ length: 10_000 }, (_, at) => ({ id: `m${at}`, role: "user", text: `step ${at}` }));
  writeFileSync(path, JSON.stringify({ id: "s", messages }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ["a command that only reads", () => openSession(inputOf(path), needsOf(builtInRules().rules), undefined)],
  ["a command that stores something", () => readWholeSession(path, undefined)],
])("with 10,000 messages, %s lets memory grow again", (_, read) => {
  vi.mocked(setFlagsFromString).mockClear();
  expect(read().session.messages).toHaveLength(10_000);
  expect(setFlagsFromString).toHaveBeenCalledWith("--heap-growing-percent=0");
});
