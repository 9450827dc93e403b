import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { PiContext, PiMessage } from "../../src/hosts/pi/pi.js";
import extension from "../../src/pi.js";

type Handler = (event: { messages: PiMessage[] }, context: PiContext) => unknown;

const RULE = "Never touch the legacy folder.";
const CHOICE = "We decided to use a state machine instead of a regex.";
const SUMMARY: PiMessage = { role: "compactionSummary", summary: `We write a parser. ${CHOICE}` };

let folder: string;
let file: string | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-pi-"));
  vi.stubEnv("XDG_STATE_HOME", join(folder, "state"));
  file = join(folder, "session.jsonl");
  last = null;
  write({ type: "session", version: 3, id: "s1", cwd: folder });
  say("user", `Build a CSV parser. ${RULE}`);
  say("assistant", CHOICE);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

let last: string | null = null;
function write(entry: object) {
  appendFileSync(join(folder, "session.jsonl"), `${JSON.stringify(entry)}\n`);
}
let count = 0;
function say(role: "user" | "assistant", text: string) {
  const id = `e${++count}`;
  write({ type: "message", id, parentId: last, message: { role, content: [{ type: "text", text }] } });
  last = id;
}

function load() {
  const handlers = new Map<string, Handler>();
  extension({ on: (event: string, handler: Handler) => void handlers.set(event, handler) } as never);
  const context = { cwd: folder, sessionManager: { getSessionFile: () => file } };
  return {
    request: (...messages: readonly unknown[]) =>
      handlers.get("context")?.({ messages: messages as PiMessage[] }, context) as Promise<{ messages: PiMessage[] } | undefined>,
    compacted: () => handlers.get("session_compact")?.({ messages: [] }, context),
  };
}

describe("pi", () => {
  test("what the summary lost stands behind it in every request, and nothing else changes", async () => {
    const { request } = load();
    const user = { role: "user", content: "Go on." };
    const first = await request(SUMMARY, user);
    const [summary, ...others] = first?.messages ?? [];
    expect(summary?.summary).toMatch(/^We write a parser\.[\s\S]*\n\n<carried-facts>\n[\s\S]*<\/carried-facts>$/);
    expect(summary?.summary).toContain(`- rule of the user: ${RULE}`);
    expect(summary?.summary).not.toContain("- decision:");
    expect(others).toEqual([user]);
    expect(await request(SUMMARY, user)).toEqual(first);
  });

  test("a block that is there already is replaced", async () => {
    const { request } = load();
    const once = (await request(SUMMARY))?.messages ?? [];
    expect((await request(...once))?.messages).toEqual(once);
  });

  test("a session that was not compacted is left alone", async () => {
    expect(await load().request({ role: "user", content: RULE })).toBeUndefined();
  });

  test("whatever it is handed, it neither throws nor changes anything", async () => {
    const { request, compacted } = load();
    for (const odd of [{ role: "compactionSummary" }, { role: "compactionSummary", summary: 5 }, {}, "text"])
      expect(await request(odd)).toBeUndefined();
    file = undefined;
    expect(await request(SUMMARY)).toBeUndefined();
    file = join(folder, "gone.jsonl");
    expect(await request(SUMMARY)).toBeUndefined();
    writeFileSync(join(folder, "gone.jsonl"), "\u0000\u0001 nothing");
    expect(await request({ ...SUMMARY, summary: "Another." })).toBeUndefined();
    expect(await compacted()).toBeUndefined();
    expect(() => extension({} as never)).not.toThrow();
  });

  test("it is told nothing when it is switched off", async () => {
    vi.stubEnv("COMPACTION_RULES", "off");
    expect(await load().request(SUMMARY)).toBeUndefined();
  });
});
