import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { PiContext, PiMessage } from "../../src/hosts/pi/api.js";
import extension from "../../src/pi.js";

// biome-ignore lint/suspicious/noExplicitAny: pi passes other things to each handler.
type Handler = (event: any, context: PiContext) => unknown;
type Command = { handler: (args: string, context: PiContext) => Promise<void> };

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

/** @param compact pi's own function that asks for a summary */
function load(compact?: (...args: readonly unknown[]) => Promise<unknown>) {
  const handlers = new Map<string, Handler>();
  const commands = new Map<string, Command>();
  const pi = {
    on: (event: string, handler: Handler) => void handlers.set(event, handler),
    registerCommand: (name: string, command: Command) => void commands.set(name, command),
  };
  const packageOf = async (name: string) => {
    if (!compact || !name.startsWith("@mariozechner/")) throw new Error("no such package");
    return { compact };
  };
  extension(pi, packageOf);
  const shown: string[] = [];
  const context = {
    cwd: folder,
    sessionManager: { getSessionFile: () => file },
    ui: { notify: (text: string) => void shown.push(text) },
    model: { id: "m" },
    modelRegistry: { getApiKeyAndHeaders: async () => ({ ok: true, apiKey: "key" }) },
  };
  return {
    shown,
    request: (...messages: readonly unknown[]) =>
      handlers.get("context")?.({ messages }, context) as Promise<{ messages: PiMessage[] } | undefined>,
    compacted: () => handlers.get("session_compact")?.({ messages: [] }, context),
    compact: (event: object = {}) =>
      handlers.get("session_before_compact")?.({ preparation: {}, ...event }, context) as Promise<
        { compaction: { summary: string } } | undefined
      >,
    command: (name: string, args = "") => commands.get(name)?.handler(args, context),
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

  test("a block that is there already stays", async () => {
    const { request } = load();
    const once = (await request(SUMMARY))?.messages ?? [];
    expect(await request(...once)).toBeUndefined();
  });

  test("the same summary of a later compaction lost other facts", async () => {
    const { request, compacted } = load();
    await request(SUMMARY);
    say("user", "The port must be 4317.");
    await compacted();
    expect((await request(SUMMARY))?.messages[0]?.summary).toContain("The port must be 4317.");
  });

  test("what was found goes into the request, and the answer is audited before it is stored", async () => {
    const compact = vi.fn(async (..._: readonly unknown[]) => ({ summary: `We write a parser. ${CHOICE}`, tokensBefore: 7 }));
    const fileOps = { read: new Set(["a"]), written: new Set(), edited: new Set(["b"]) };
    const { compact: ask } = load(compact);
    const answer = await ask({
      preparation: { previousSummary: "Before.\n\n<carried-facts>\n- old\n</carried-facts>", fileOps },
      branchEntries: [{ type: "compaction", fromHook: true, details: { readFiles: ["c"], modifiedFiles: ["d"] } }],
      customInstructions: "Be short.",
    });
    const [preparation, model, key, , instructions] = compact.mock.calls[0] ?? [];
    expect(preparation).toMatchObject({ previousSummary: "Before." });
    expect(preparation).toMatchObject({ fileOps: { read: new Set(["a", "c"]), edited: new Set(["b", "d"]) } });
    expect([model, key]).toEqual([{ id: "m" }, "key"]);
    expect(instructions).toMatch(/^Be short\.\n\n[\s\S]*Never touch the legacy folder\./);
    expect(answer?.compaction).toMatchObject({ tokensBefore: 7 });
    expect(answer?.compaction.summary).toContain(`- rule of the user: ${RULE}`);
    expect(answer?.compaction.summary).not.toContain("- decision:");
  });

  test.each<readonly [string, (() => Promise<unknown>) | undefined]>([
    ["the model fails", async () => Promise.reject(new Error("500"))],
    ["it says nothing", async () => ({ summary: "" })],
    ["pi answers with something else", async () => ({})],
    ["there is no function to ask with", undefined],
  ])("pi compacts by itself where %s", async (_, compact) => {
    expect(await load(compact).compact()).toBeUndefined();
  });

  test("who aborts does not wait", async () => {
    const stop = new AbortController();
    const asked = load(() => new Promise(() => {})).compact({ signal: stop.signal });
    setTimeout(() => stop.abort(), 50);
    expect(await asked).toBeUndefined();
  });

  test("/pin, /carry and /handoff answer without a model", async () => {
    const { command, shown } = load();
    await command("pin", "Deploy only from main.");
    await command("pin");
    await command("carry");
    await command("handoff");
    expect(shown).toEqual([
      expect.stringMatching(/^pinned [0-9a-f]{8} Deploy only from main\.$/),
      expect.stringContaining("nothing is pinned"),
      expect.stringMatching(/Deploy only from main[\s\S]*legacy folder[^\n]*\(user, message \d+\)/),
      expect.stringMatching(/^This hands over[\s\S]*legacy folder/),
    ]);
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
