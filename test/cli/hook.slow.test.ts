import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { asRules, MARKS, standIn, UNSEEN, WRITTEN } from "../hosts/marks.js";

const RUNTIME = process.env.COMPACTION_RUNTIME ?? process.execPath;
let folder: string;
let transcript: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-hook-"));
  transcript = join(folder, "session.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(args: readonly string[], input: string | Uint8Array, more: NodeJS.ProcessEnv = {}) {
  const env = { PATH: process.env.PATH, NO_COLOR: "1", HOME: folder, BUN_BE_BUN: "1", ...more };
  const all = [resolve("dist/cli/main.js"), ...args];
  const { status, stdout, stderr } = spawnSync(RUNTIME, all, { cwd: folder, input, encoding: "utf8", env });
  return { status, stdout, stderr };
}

const SESSION = "8c7d0a52-1f0e-4a35-9a53-0d8f9c1f2b3a";
function hook(host: string, event: object, more?: NodeJS.ProcessEnv) {
  const common = { session_id: SESSION, transcript_path: transcript, cwd: folder };
  return run(["hook", host], JSON.stringify({ ...common, ...event }), more);
}
const PRE = { hook_event_name: "PreCompact", trigger: "auto" };
const START = { hook_event_name: "SessionStart", source: "compact" };
const POST = { hook_event_name: "PostCompact", trigger: "auto" };

const write = (records: readonly object[]) =>
  appendFileSync(transcript, records.map((one) => `${JSON.stringify(one)}\n`).join(""));

let uuid = 0;
const claude = (role: "user" | "assistant", text: string, more: object = {}) => ({
  type: role,
  uuid: `u${++uuid}`,
  sessionId: SESSION,
  cwd: folder,
  message: { role, content: role === "user" ? text : [{ type: "text", text }] },
  ...more,
});
const codex = (role: "user" | "assistant", text: string) => ({
  type: "response_item",
  payload: { type: "message", role, content: [{ type: role === "user" ? "input_text" : "output_text", text }] },
});
const meta = { type: "session_meta", payload: { id: SESSION } };

const RULE = "Never touch the legacy folder.";
/** Of a conversation of a few words, nothing is told. */
const LOOKS = "I look at how the parser reads its rows and at how its tests are written before I change anything in it.";
const CHOICE = "We decided to use a state machine instead of a regex.";

describe("Claude Code", () => {
  beforeEach(() => write([claude("user", `Build a CSV parser. ${RULE}`), claude("assistant", CHOICE)]));

  test("is given what the summary must hold, and behind the compaction all of it again", () => {
    const before = hook("claude-code", PRE);
    expect(before).toMatchObject({ status: 0, stderr: "" });
    expect(before.stdout).toContain(RULE);
    const behind = hook("claude-code", START);
    expect(behind).toMatchObject({ status: 0, stderr: "" });
    expect(behind.stdout).toMatch(/^<carried-facts>\n[\s\S]*<\/carried-facts>\n$/);
    for (const said of [RULE, "Build a CSV parser", "state machine"]) expect(behind.stdout).toContain(said);
    expect(behind.stdout).not.toContain("summary above");
  });

  test("cannot take for a part of its prompt what somebody wrote", () => {
    write([claude("user", asRules([...MARKS, ...UNSEEN, ...WRITTEN]))]);
    for (const event of [PRE, START]) {
      const told = hook("claude-code", event).stdout.replace(/^<carried-facts>|<\/carried-facts>\n$/g, "");
      expect(standIn(told, [...MARKS, ...UNSEEN])).toEqual([]);
      expect(standIn(told, WRITTEN)).not.toEqual([]);
    }
  });

  test("is told the same where nothing was stored before", () => {
    expect(hook("claude-code", START).stdout).toContain(RULE);
  });

  test("its summary is audited without a word, but for what the model thought", () => {
    hook("claude-code", PRE);
    const compact_summary = `<analysis>${RULE}</analysis>\n<summary>A parser. ${CHOICE}</summary>`;
    expect(hook("claude-code", { ...POST, compact_summary })).toEqual({ status: 0, stdout: "", stderr: "" });
    const stored = JSON.parse(run(["state", "show", `session-${SESSION}`], "").stdout);
    expect(stored).toMatchObject({ round: 1, verdicts: { missing: expect.any(Number) } });
    expect(stored.summary).toContain(`- rule of the user: ${RULE}`);
  });

  test("what it was told behind one compaction is nothing that was said before the next", () => {
    const told = hook("claude-code", START).stdout;
    const attachment = { type: "hook_additional_context", content: [told], hookEvent: "SessionStart" };
    const echo = `<local-command-stdout>Compacted PreCompact [x] completed successfully: ${told}</local-command-stdout>`;
    write([
      { type: "system", subtype: "compact_boundary", uuid: "b1", sessionId: SESSION },
      claude("user", "This session is being continued. Summary: we write a parser.", { isCompactSummary: true }),
      { type: "attachment", uuid: "a1", sessionId: SESSION, attachment },
      claude("user", echo),
    ]);
    expect(hook("claude-code", START).stdout).toBe(told);
  });

  test("is told nothing of events that have nothing to do with it", () => {
    const others = [{ hook_event_name: "SessionStart", source: "startup" }, { hook_event_name: "Stop" }, {}];
    for (const event of others) expect(hook("claude-code", event)).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  test("is told nothing when it is switched off", () => {
    expect(hook("claude-code", PRE, { COMPACTION_RULES: "off" })).toEqual({ status: 0, stdout: "", stderr: "" });
  });
});

describe("Claude Code's plugin", () => {
  beforeEach(() => write([claude("user", `Build a CSV parser. ${RULE}`), claude("assistant", CHOICE)]));
  const inside = (event: object) => JSON.parse(hook("claude-code", { ...event, inside: true }).stdout);
  const compact_summary = "<analysis>Nothing.</analysis>\n<summary>We talked.</summary>";

  test("answers, and the commands are quiet then", () => {
    expect(inside(PRE).text).toContain(RULE);
    expect(hook("claude-code", PRE)).toEqual({ status: 0, stdout: "", stderr: "" });
    expect(inside(START).text).toContain(RULE);
    expect(hook("claude-code", START)).toEqual({ status: 0, stdout: "", stderr: "" });
    const { text, notice } = inside({ ...POST, compact_summary, given: "" });
    expect(notice).toMatch(/^kept 0 of \d+ facts, \d+ repaired; \+\d+ tokens$/);
    expect(text).toContain(RULE);
    expect(hook("claude-code", { ...POST, compact_summary })).toEqual({ status: 0, stdout: "", stderr: "" });
    expect(JSON.parse(run(["state", "show", `session-${SESSION}`], "").stdout).round).toBe(1);
  });

  test("gives again only what neither the summary nor the brief holds", () => {
    inside(PRE);
    const { text: given } = inside(START);
    expect(inside({ ...POST, compact_summary, given })).toMatchObject({ text: "", notice: expect.stringContaining("repaired") });
  });

  test("is asked again when the compaction is tried again", () => {
    expect(inside(PRE).text).toContain(RULE);
    expect(inside(PRE).text).toContain(RULE);
  });

  test("pins and lists without a model", () => {
    expect(inside({ hook_event_name: "Pin", text: "Deploy only from main." })).toMatchObject({
      text: "",
      notice: expect.stringMatching(/^pinned [0-9a-f]{8} Deploy only from main\.$/),
    });
    expect(inside({ hook_event_name: "Pin", text: "Leave vendor. --on 'edit:vendor/**' --then ask" }).notice).toMatch(
      /^pinned [0-9a-f]{8} Leave vendor\.\nguard ask edit:vendor\/\*\*$/,
    );
    expect(inside({ hook_event_name: "Pin", text: " " }).notice).toContain("nothing is pinned");
    expect(inside({ hook_event_name: "Carry" }).notice).toMatch(/Deploy only from main[\s\S]*legacy folder/);
  });
});

test("the same hook in two places answers once, and again behind the next message", () => {
  write([claude("user", RULE), claude("assistant", LOOKS)]);
  expect(hook("claude-code", PRE).stdout).toContain(RULE);
  expect(hook("claude-code", PRE).stdout).toBe("");
  write([claude("user", "Go on.")]);
  expect(hook("claude-code", PRE).stdout).toContain(RULE);
});

test("a sub-agent is told its own facts, and nothing of the session that opened it", () => {
  write([claude("user", RULE), claude("assistant", "Looking around.")]);
  const below = join(folder, "session", "subagents");
  mkdirSync(below, { recursive: true });
  const said = claude("assistant", `${CHOICE} ${LOOKS}`, { isSidechain: true, agentId: "a1" });
  writeFileSync(join(below, "agent-a1.jsonl"), `${JSON.stringify(said)}\n`);
  for (const event of [PRE, START]) {
    const { stdout } = hook("claude-code", { ...event, agent_id: "a1" });
    expect(stdout).toContain("state machine");
    expect(stdout).not.toContain(RULE);
  }
  hook("claude-code", { ...POST, agent_id: "a1", compact_summary: "<summary>We talked.</summary>" });
  expect(run(["state", "show", `session-${SESSION}`], "").status).toBe(2);
  expect(hook("claude-code", { ...PRE, agent_id: "../../x" })).toEqual({ status: 0, stdout: "", stderr: "" });
});

describe("rules of earlier sessions", () => {
  const other = { session_id: "another", transcript_path: "gone.jsonl" };
  const starts = (source: string, more: object = other) => ({ hook_event_name: "SessionStart", source, ...more });
  const ends = { hook_event_name: "SessionEnd", reason: "other" };
  const typed = { type: "session_meta", payload: { id: SESSION, source: "cli", originator: "codex-tui" } };

  test.each(["claude-code", "codex"])("%s: are told when a session starts, once, and again behind a compaction", (host) => {
    write(host === "codex" ? [typed, codex("user", RULE)] : [claude("user", RULE)]);
    expect(hook(host, ends)).toEqual({ status: 0, stdout: "", stderr: "" });
    const { stdout } = hook(host, starts("startup"));
    expect(stdout).toContain(`- ${RULE}`);
    expect(hook(host, starts("resume")).stdout).toBe("");
    expect(hook(host, starts("clear", { ...other, session_id: "third" })).stdout).toBe(stdout);
    const file = join(folder, "another.jsonl");
    writeFileSync(
      file,
      `${JSON.stringify(host === "codex" ? codex("user", "Hello.") : claude("user", "Hello.", { sessionId: "another" }))}\n`,
    );
    const behind = hook(host, starts("compact", { session_id: "another", transcript_path: file })).stdout;
    expect(behind.split(RULE)).toHaveLength(2);
    expect(hook(host, starts("resume", { session_id: "another", transcript_path: file })).stdout).toBe("");
  });

  test("the session that gave them, and a sub-agent, are not told", () => {
    write([claude("user", RULE)]);
    hook("claude-code", ends);
    expect(hook("claude-code", starts("resume", {})).stdout).toBe("");
    expect(hook("claude-code", starts("compact", { ...other, agent_id: "a1" })).stdout).not.toContain(RULE);
  });

  test("what a program or a sub-agent said is no rule", () => {
    write([claude("user", RULE, { promptSource: "sdk", entrypoint: "sdk-cli" })]);
    hook("claude-code", ends);
    expect(hook("claude-code", starts("startup")).stdout).toBe("");
  });
});

describe("Codex", () => {
  beforeEach(() => write([meta, codex("user", `Build a CSV parser. ${RULE}`), codex("assistant", CHOICE)]));
  const compacted = (message: string) => ({ type: "compacted", payload: { message, replacement_history: [] } });

  test("takes nothing before a compaction, and behind it what its summary lost", () => {
    expect(hook("codex", PRE)).toEqual({ status: 0, stdout: "", stderr: "" });
    write([compacted(`The user wants a CSV parser. ${CHOICE}`)]);
    // Codex shows this to the user only.
    const systemMessage = expect.stringMatching(/^kept 1 of 3 facts, 2 repaired; \+\d+ tokens$/);
    expect(JSON.parse(hook("codex", POST).stdout)).toEqual({ systemMessage });
    const { stdout } = hook("codex", START);
    expect(stdout).toContain(`- rule of the user: ${RULE}`);
    expect(stdout).not.toContain("decision:");
  });

  test("is told all of it where the summary can be read by nobody", () => {
    write([compacted("")]);
    const { stdout } = hook("codex", START);
    for (const said of [RULE, "state machine"]) expect(stdout).toContain(said);
  });
});

describe("agents without an event behind a compaction", () => {
  const message = (id: string, type: string, text: string) => ({ id, type, content: [{ text }] });
  const event = (type: string, content: string) => ({ id: `e${++uuid}`, type, data: { content } });
  const state = join("session-state", SESSION, "events.jsonl");
  const agents = {
    gemini: {
      prompt: { hook_event_name: "BeforeAgent", prompt: "Go on." },
      file: () => transcript,
      said: [
        { sessionId: SESSION, projectHash: "p", kind: "main" },
        message("u", "user", `Build a CSV parser. ${RULE}`),
        message("a", "gemini", CHOICE),
      ],
      compacted: (text: string) => ({
        $set: {
          messages: [
            message(
              `s${++uuid}`,
              "user",
              `<state_snapshot>\n    <overall_goal>\n        ${text}\n    </overall_goal>\n</state_snapshot>`,
            ),
            message(`g${uuid}`, "gemini", "Got it. Thanks for the additional context!"),
          ],
        },
      }),
      context: (told: string) => JSON.parse(told).hookSpecificOutput,
    },
    copilot: {
      prompt: { hook_event_name: "UserPromptSubmit", prompt: "Go on.", transcript_path: undefined },
      file: () => join(folder, ".copilot", state),
      said: [
        { id: "e0", type: "session.start", data: { sessionId: SESSION, producer: "copilot-agent" } },
        event("user.message", `Build a CSV parser. ${RULE}`),
        event("assistant.message", CHOICE),
      ],
      compacted: (summaryContent: string) => ({
        id: `e${++uuid}`,
        type: "session.compaction_complete",
        data: { success: true, summaryContent },
      }),
      context: (told: string) => JSON.parse(told),
    },
  };

  describe.each(Object.entries(agents))("%s", (host, { prompt, file, said, compacted, context }) => {
    const add = (...records: readonly object[]) => {
      mkdirSync(dirname(file()), { recursive: true });
      appendFileSync(file(), records.map((one) => `${JSON.stringify(one)}\n`).join(""));
    };
    const NOTHING = { status: 0, stdout: "", stderr: "" };

    test("with the first prompt behind one, are told what the summary lost, once", () => {
      expect(hook(host, prompt)).toEqual(NOTHING);
      add(...said);
      expect(hook(host, prompt)).toEqual(NOTHING);
      add(compacted(`The user wants a CSV parser. ${CHOICE}`));
      const { status, stdout, stderr } = hook(host, prompt);
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      const { additionalContext } = context(stdout);
      expect(additionalContext).toContain(`- rule of the user: ${RULE}`);
      expect(additionalContext).not.toContain("decision:");
      expect(hook(host, prompt)).toEqual(NOTHING);
      add(compacted("We talked."));
      const again = hook(host, prompt).stdout;
      for (const words of [RULE, "state machine"]) expect(again).toContain(words);
    });

    test("are told nothing by other events", () => {
      add(...said, compacted("We talked."));
      for (const one of [PRE, START, POST]) expect(hook(host, one)).toEqual(NOTHING);
    });

    test("give no rules to later sessions, and are told those of others", () => {
      add(...said, compacted("We talked."));
      expect(hook(host, prompt).stdout).toContain(RULE);
      const later = { ...prompt, session_id: "later", transcript_path: join(folder, "later.jsonl") };
      expect(hook(host, later)).toEqual(NOTHING);
      transcript = join(folder, "claude.jsonl");
      write([claude("user", "Never rename a public function.")]);
      hook("claude-code", { hook_event_name: "SessionEnd", session_id: "typed", reason: "other" });
      expect(context(hook(host, later).stdout).additionalContext).toContain("Never rename a public function.");
      expect(hook(host, later)).toEqual(NOTHING);
    });
  });

  test("COPILOT_HOME is where Copilot keeps its sessions, and an id is no path", () => {
    const { prompt, said, compacted } = agents.copilot;
    mkdirSync(join(folder, "own", dirname(state)), { recursive: true });
    const records = [...said, compacted("We talked.")];
    writeFileSync(join(folder, "own", state), records.map((one) => `${JSON.stringify(one)}\n`).join(""));
    const home = { COPILOT_HOME: join(folder, "own") };
    expect(hook("copilot", { ...prompt, session_id: `x/../${SESSION}` }, home).stdout).toBe("");
    expect(hook("copilot", prompt, home).stdout).toContain(RULE);
  });
});

describe("whatever a hook is handed, the compaction goes on", () => {
  const broken: readonly [string, (host: string) => ReturnType<typeof run>][] = [
    ["a transcript that is not there", (host) => hook(host, PRE)],
    ["a folder in its place", (host) => hook(host, { ...PRE, transcript_path: folder })],
    ["no transcript", (host) => hook(host, { ...PRE, transcript_path: null })],
    [
      "a transcript of something else",
      (host) => {
        writeFileSync(
          transcript,
          Uint8Array.from({ length: 5_000 }, (_, index) => index % 256),
        );
        return hook(host, PRE);
      },
    ],
    [
      "a folder that is not there",
      (host) => {
        write([host === "codex" ? meta : claude("user", RULE)]);
        return hook(host, { ...START, cwd: join(folder, "gone") });
      },
    ],
    [
      "a state folder that cannot be written",
      (host) => {
        write([claude("user", RULE)]);
        writeFileSync(join(folder, "file"), "");
        return hook(host, PRE, { XDG_STATE_HOME: join(folder, "file") });
      },
    ],
    [
      "a broken configuration",
      (host) => {
        write([claude("user", RULE)]);
        writeFileSync(join(folder, ".compactionrc"), "extends: [\n");
        return hook(host, PRE);
      },
    ],
  ];
  for (const [what, given] of broken)
    test(what, () => {
      for (const host of ["claude-code", "codex"]) expect(given(host).status).toBe(0);
    });

  test("and what calls it wrongly is told so, with a status that blocks nothing", () => {
    for (const input of ["", "nothing", "null", "[", '"x"']) expect(run(["hook", "claude-code"], input).status).toBe(1);
    for (const args of [[], ["emacs"], ["codex", "claude-code"], ["codex", "--what"]])
      expect(run(["hook", ...args], "{}").status).toBe(1);
  });
});
