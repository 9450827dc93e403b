import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Frame } from "../../src/frames/frame.js";
import { memoryOpenCode } from "./memory-opencode.js";

/** A plugin stores behind its answer, and other programs may hold it up. */
const WAIT = 30_000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compaction-frames-"));
  vi.stubEnv("XDG_STATE_HOME", join(folder, "state"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const ROOT = "ses_0";
const treeFile = () => join(folder, "state", "compaction-rules", `frames-${ROOT}.json`);
const frames = (): Frame[] => (existsSync(treeFile()) ? JSON.parse(readFileSync(treeFile(), "utf8")).frames : []);
const frame = (goal: string) => frames().find((one) => one.goal === goal);
function store(...more: object[]): void {
  mkdirSync(join(folder, "state", "compaction-rules"), { recursive: true });
  const root = { sessionID: ROOT, goal: "Build", status: "in_progress", artifacts: [], decisions: [] };
  writeFileSync(treeFile(), JSON.stringify({ version: 1, frames: [root, ...more] }));
}
const completing = (more: object) => ({
  sessionID: "ses_1",
  parentSessionID: ROOT,
  goal: "Left",
  status: "completing",
  target: "completed",
  since: new Date().toISOString(),
  artifacts: [],
  decisions: [],
  ...more,
});
/** A number that no process has. */
const GONE = 2 ** 22 + 1;

describe("what is on", () => {
  test("nothing, unless it is configured, and nothing is asked of OpenCode at its start", () => {
    expect(memoryOpenCode(folder, {}).hooks.tool).toBeUndefined();
    writeFileSync(join(folder, ".compactionrc"), "frames: true\n");
    const { hooks, calls } = memoryOpenCode(folder, {});
    expect(Object.keys(hooks.tool ?? {})).toEqual(["frame_push", "frame_pop", "frame_status"]);
    expect(calls).toEqual([]);
    expect(memoryOpenCode(folder, { frames: false }).hooks.tool).toBeUndefined();
  });

  test("the tools with the built-in texts, whatever the configuration extends, and nothing with everything switched off", () => {
    writeFileSync(join(folder, "own.yaml"), "compaction: 1\nname: own\ntemplates: { tool-frame_push: { text: Obey. } }\n");
    writeFileSync(join(folder, ".compactionrc"), "extends: [./own.yaml]\nframes: true\n");
    expect(JSON.stringify(memoryOpenCode(folder, {}).hooks.tool)).toMatch(/Opens a frame(?!.*Obey)/);
    writeFileSync(join(folder, ".compactionrc"), "enabled: false\nframes: true\n");
    expect(memoryOpenCode(folder, {}).hooks.tool).toBeUndefined();
  });

  test("optional arguments are told as such, and the host's other tools are left alone", async () => {
    const { hooks } = memoryOpenCode(folder);
    const output = { jsonSchema: { type: "object", required: ["a"] } as { required: string[] } };
    await hooks["tool.definition"]({ toolID: "bash" }, output);
    expect(output.jsonSchema.required).toEqual(["a"]);
    await hooks["tool.definition"]({ toolID: "frame_pop" }, output);
    expect(output.jsonSchema.required).toEqual(["status"]);
  });
});

test("a frame ends in a summary for its parent; nothing that is stored holds a secret; its session may do no more than the parent's", async () => {
  const world = memoryOpenCode(folder);
  const secret = "sk-abcdefghijklmnop1234";
  const permission = [{ permission: "edit", pattern: "*", action: "deny" }];
  Object.assign(world.sessions.get(ROOT)?.info ?? {}, { permission });
  world.say(ROOT, "user", "Build it. We decided to use Fastify.");
  world.agent = async (id) => {
    world.say(id, "assistant", "RAW. We decided to keep the tokens short.");
    expect((await world.use("frame_pop", id, { status: "completed", summary: `Key ${secret}.` })).output).toContain("completed");
  };
  world.summary = () => `It works with ${secret}.`;
  const { output } = await world.use("frame_push", ROOT, { goal: `Log in with ${secret}` });
  expect(world.sessions.get("ses_1")?.info).toMatchObject({ parentID: ROOT, permission });
  expect(world.sessions.get("ses_1")?.messages[0]?.parts[0]?.text).toContain(secret);
  expect(frames()[1]).toMatchObject({ status: "completed", decisions: ["keep the tokens short"] });
  expect(output).toContain("It works with █");
  expect(output).not.toContain("RAW");
  expect(readFileSync(treeFile(), "utf8")).not.toContain(secret);
});

test("a frame, and one below it, is told the rules of the user once, and the root is not", async () => {
  const world = memoryOpenCode(folder);
  const rule = "When you edit code, never touch the legacy folder.";
  world.say(ROOT, "user", `Build it. ${rule} Always use tabs in the Makefile.`);
  await world.compact(ROOT);
  world.say(ROOT, "user", "You may use spaces in the Makefile again: not tabs.");
  const requests: string[] = [];
  world.agent = async (id) => {
    requests.push(await world.request(id));
    if (id === "ses_1") await world.use("frame_push", id, { goal: "Part of the part" });
    await world.use("frame_pop", id, { status: "completed" });
  };
  await world.use("frame_push", ROOT, { goal: "Part, and never use Redis" });
  expect(requests).toHaveLength(2);
  for (const request of requests) {
    expect(request.split(rule)).toHaveLength(2);
    expect(request).toMatch(/Rules that the user gave for the whole work, quoted:\n- When/);
  }
  expect(frames().map(({ rules }) => rules?.includes(rule))).toEqual([true, undefined, undefined]);
  expect(await world.request(ROOT)).not.toContain("for the whole work");
});

test("what the parent's messages tell is not told again; what they do not tell any more is", async () => {
  const world = memoryOpenCode(folder);
  const user = world.say(ROOT, "user", "Build it.");
  world.agent = async (id) => void (await world.use("frame_pop", id, { status: "failed" }));
  const { output, metadata } = await world.use("frame_push", ROOT, { goal: "Part" });
  const call = (state: object) => ({ ...user, parts: [{ type: "tool", tool: "frame_push", state } as never] });
  const told = { status: "completed", output, metadata };
  expect(await world.request(ROOT, [structuredClone(user), call(told)])).not.toContain("<frames>");
  expect(await world.request(ROOT, [structuredClone(user), call({ ...told, time: { compacted: 1 } })])).toContain("A summary.");
  expect(await world.request(ROOT, [structuredClone(user), call({ status: "error" })])).toContain("A summary.");
  expect(await world.request(ROOT, [structuredClone(user)])).toContain("A summary.");
});

test.each([
  ["the call that opened it is undone", { type: "message.removed", properties: { sessionID: ROOT, messageID: "m" } }],
  ["its session is deleted", { type: "session.deleted", properties: { info: { id: "ses_1" } } }],
])("a frame is forgotten, with those below it, when %s", async (_, event) => {
  const world = memoryOpenCode(folder);
  const user = world.say(ROOT, "user", "Build it.");
  world.agent = async (id, prompt) => {
    if (prompt.startsWith("Part")) await world.use("frame_push", id, { goal: "Piece" });
    await world.use("frame_pop", id, { status: "completed" });
  };
  await world.use("frame_push", ROOT, { goal: "Part" });
  expect(frames().map(({ goal }) => goal)).toEqual([expect.anything(), "Part", "Piece"]);
  await world.hooks.event({ event: { type: "message.removed", properties: { sessionID: ROOT, messageID: "other" } } });
  expect(frames()).toHaveLength(3);
  await world.hooks.event({ event });
  await vi.waitFor(() => expect(frames()).toHaveLength(1), WAIT);
  expect(await world.request(ROOT, [structuredClone(user)])).not.toContain("<frames>");
});

test("a compaction is told of its frame, and its own request is left as it is", async () => {
  const world = memoryOpenCode(folder);
  world.say(ROOT, "user", "Build it.");
  let prompt = "";
  world.summary = (given) => {
    prompt = given;
    return "Half.";
  };
  world.agent = async (id) => {
    await world.compact(id);
    const output = { enabled: true };
    await world.hooks["experimental.compaction.autocontinue"]({ sessionID: id }, output);
    expect(output.enabled).toBe(true);
    expect(prompt).toContain("Current progress toward goal: </frame> $& {{goal}}".replace("</frame>", "&lt;/frame>"));
    await world.use("frame_pop", id, { status: "completed" });
    await world.hooks["experimental.compaction.autocontinue"]({ sessionID: id }, output);
    expect(output.enabled).toBe(false);
    world.summary = () => "Whole.";
  };
  await world.use("frame_push", ROOT, { goal: "</frame> $& {{goal}}" });
  expect(frames()[1]).toMatchObject({ status: "completed", compactionSummary: expect.stringMatching(/^Whole\./) });
  await world.hooks["experimental.session.compacting"]({ sessionID: "ses_1" }, { context: [] });
  expect(await world.request("ses_1")).not.toContain("<frames>");
});

describe("ends that do not come as they should", () => {
  test("the event of an overflow that is told late does not end the frame", async () => {
    const world = memoryOpenCode(folder, { frames: { seconds: 60 } });
    world.say(ROOT, "user", "Build it.");
    world.summary = () => "Half.";
    world.agent = async (id) => {
      await world.compact(id);
      await world.use("frame_pop", id, { status: "completed" });
      await world.hooks.event({ event: { type: "session.compacted", properties: { sessionID: id } } });
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(frame("Part")?.status).toBe("completing");
      world.summary = () => "Whole.";
    };
    expect((await world.use("frame_push", ROOT, { goal: "Part" })).output).toContain("Whole.");
  });

  test("a summary that never comes is waited for no longer than configured; one that is late is taken all the same", async () => {
    const world = memoryOpenCode(folder, { frames: { seconds: 1 } });
    world.say(ROOT, "user", "Build it.");
    world.summary = () => undefined;
    world.agent = async (id) => void (await world.use("frame_pop", id, { status: "blocked", summary: "Ask Ana." }));
    const { output } = await world.use("frame_push", ROOT, { goal: "Part" });
    expect(output).toMatch(/is blocked: Part[\s\S]+Ask Ana\.[\s\S]+did not come in time/);
    expect(frame("Part")).toMatchObject({ status: "blocked", unsummarised: "late" });
    world.summary = () => "Late.";
    await world.compact("ses_1");
    await vi.waitFor(
      () => expect(frame("Part")).toMatchObject({ status: "blocked", compactionSummary: expect.stringContaining("Late.") }),
      WAIT,
    );
    expect(await world.request(ROOT)).toContain("Late.");
  });

  test("a session that cannot be compacted is asked once", async () => {
    const world = memoryOpenCode(folder);
    world.say(ROOT, "user", "Build it.");
    world.compact = () => Promise.reject(new Error("too large"));
    world.agent = async (id) => void (await world.use("frame_pop", id, { status: "completed" }));
    expect((await world.use("frame_push", ROOT, { goal: "Part" })).output).toContain("its compaction failed");
    await world.hooks.event({ event: { type: "session.idle", properties: { sessionID: "ses_1" } } });
    expect(world.calls.filter((call) => call === "summarize")).toHaveLength(1);
  });

  test("a parent that is stopped stops its frame, which can be ended later", async () => {
    const world = memoryOpenCode(folder);
    world.say(ROOT, "user", "Build it.");
    const controller = new AbortController();
    world.agent = async () => {
      controller.abort();
      await new Promise(() => undefined);
    };
    const { output } = await world.use("frame_push", ROOT, { goal: "Part" }, controller.signal);
    expect(output).toContain("still in_progress: Part");
    expect(world.calls).toContain("abort");
    expect((await world.use("frame_pop", ROOT, { status: "failed", frame: "ses_1" })).output).toContain("A summary.");
    expect(frame("Part")?.status).toBe("failed");
  });

  test("what cannot end is not popped: the root, a stranger, an end that is none", async () => {
    const world = memoryOpenCode(folder);
    store();
    const popped = async (args: object) => (await world.use("frame_pop", ROOT, args)).output;
    expect(await popped({ status: "completed" })).toContain("no frame that can end");
    expect(await popped({ status: "completed", frame: "ses_9" })).toContain("no such frame");
    expect(await popped({ status: "done" })).toContain("status must be");
    expect(frames()).toHaveLength(1);
  });

  test("frames inside of frames have an end, and a goal is needed", async () => {
    const world = memoryOpenCode(folder);
    world.say(ROOT, "user", "Build it.");
    let deepest = "";
    world.agent = async (id) => {
      deepest = (await world.use("frame_push", id, { goal: `Below ${id}` })).output;
      await world.use("frame_pop", id, { status: "completed" });
    };
    await world.use("frame_push", ROOT, { goal: "Part" });
    const made = frames().length;
    expect(made).toBeGreaterThan(3);
    expect(made).toBeLessThan(10);
    expect(frames().every(({ status }, index) => index === 0 || status === "completed")).toBe(true);
    expect(deepest).toContain("is completed");
    expect((await world.use("frame_push", ROOT, { goal: " " })).output).toContain("needs a goal");
  });

  test("a host that fails everywhere costs an answer, never an error", async () => {
    const world = memoryOpenCode(folder);
    for (const tool of ["frame_push", "frame_pop", "frame_status"] as const)
      expect((await world.use(tool, "ses_unknown", { goal: "x", status: "completed" })).output).toContain("Nothing was changed");
    expect(await world.request(ROOT, [])).toBe("");
  });

  test("where nothing can be stored no session is made", async () => {
    const world = memoryOpenCode(folder);
    world.say(ROOT, "user", "Build it.");
    writeFileSync(join(folder, "state"), "no folder");
    expect((await world.use("frame_push", ROOT, { goal: "Part" })).output).toContain("Nothing was changed");
    expect(world.sessions.size).toBe(1);
  });
});

describe("what stays in a frame", () => {
  test("a summary that comes after its time is repaired without the sentences of the frame's messages", async () => {
    const world = memoryOpenCode(folder, { frames: { seconds: 1 } });
    world.say(ROOT, "user", "Build it.");
    world.summary = () => undefined;
    world.agent = async (id) => {
      world.say(id, "assistant", "RAWSENTENCE here: after a long look we decided to use Fastify for the server.");
      await world.use("frame_pop", id, { status: "completed" });
    };
    await world.use("frame_push", ROOT, { goal: "Part" });
    expect(frame("Part")?.unsummarised).toBe("late");
    world.summary = () => "Late.";
    await world.compact("ses_1");
    await vi.waitFor(() => expect(frame("Part")?.compactionSummary).toContain("Fastify"), WAIT);
    expect(frame("Part")?.compactionSummary).not.toContain("RAWSENTENCE");
  });

  test("what a model told a session that it opened is no rule of the user's in others", async () => {
    const world = memoryOpenCode(folder);
    const rule = "Never edit the files below legacy/tariffs.";
    world.say(ROOT, "user", "Build it.");
    world.agent = async (id) => void (await world.use("frame_pop", id, { status: "completed" }));
    await world.use("frame_push", ROOT, { goal: `Add the login. ${rule}` });
    const other = (id: string) => {
      world.sessions.set(id, { info: { id }, messages: [] });
      return world.request(id, [{ info: { id: "m", sessionID: id }, parts: [{ type: "text", text: "Hello." }] }]);
    };
    expect(await other("ses_other")).not.toContain("legacy/tariffs");
    world.say(ROOT, "user", rule);
    await world.compact(ROOT);
    expect(await other("ses_another")).toContain("legacy/tariffs");
  });

  test("the notes of the project are not told as what a frame decided", async () => {
    const world = memoryOpenCode(folder);
    writeFileSync(join(folder, "SESSION.md"), "# Session\n\n## Decisions\n- We decided to use Fastify for the server.\n");
    world.say(ROOT, "user", "Build it.");
    world.agent = async (id) => void (await world.use("frame_pop", id, { status: "completed" }));
    await world.use("frame_push", ROOT, { goal: "Part" });
    expect(frames().flatMap(({ decisions }) => decisions)).toEqual([]);
  });
});

describe("sessions that are no frames", () => {
  test("one of the host's own ends a frame that it opened, and its words are not its parent's", async () => {
    const world = memoryOpenCode(folder);
    world.say(ROOT, "user", "Build it.");
    world.sessions.set("ses_1", { info: { id: "ses_1", parentID: ROOT }, messages: [] });
    world.say("ses_1", "user", "Look. We decided to use Fastify for the server.");
    expect((await world.use("frame_push", "ses_1", { goal: "Part" })).output).toContain("still in_progress");
    expect(frames()[0]?.decisions).toEqual([]);
    expect((await world.use("frame_pop", "ses_1", { status: "failed", frame: "ses_2" })).output).toContain("is failed");
    expect((await world.use("frame_pop", "ses_1", { status: "failed" })).output).toContain("no such frame");
  });
});

test("a frame that has ended is not stopped: the user may be at work in its session", async () => {
  const world = memoryOpenCode(folder);
  world.say(ROOT, "user", "Build it.");
  store(completing({ status: "completed", target: undefined }));
  world.busy.add("ses_1");
  expect((await world.use("frame_pop", ROOT, { status: "failed", frame: "ses_1" })).output).toContain("not in progress any more");
  expect(world.calls).not.toContain("abort");
});

test("a session whose frame could not be stored is given no work", async () => {
  const world = memoryOpenCode(folder);
  world.say(ROOT, "user", "Build it.");
  world.sessions.set("ses_1", { info: { id: "ses_1", parentID: ROOT }, messages: [] });
  world.say("ses_1", "user", "Do the part.");
  store(completing({ status: "in_progress", target: undefined }));
  const pushed = world.use("frame_push", "ses_1", { goal: "Below" });
  world.created = () => store(completing({ status: "completed", target: undefined }));
  expect((await pushed).output).toContain("not in progress any more (completed)");
  expect(world.calls).not.toContain("promptAsync");
});

describe("after a restart", () => {
  const restarted = (more: object) => {
    const world = memoryOpenCode(folder);
    world.say(ROOT, "user", "Build it.");
    world.sessions.set("ses_1", { info: { id: "ses_1", parentID: ROOT }, messages: [] });
    world.say("ses_1", "user", "Do the part.");
    store(completing(more));
    return world;
  };

  test("a frame that was completing is compacted again, by one request of its parent", async () => {
    const world = restarted({ by: GONE });
    expect(await world.request(ROOT)).toContain("its summary is being made");
    await vi.waitFor(() => expect(frame("Left")).toMatchObject({ status: "completed", compactionSummary: "A summary." }), WAIT);
    await world.request(ROOT);
    expect(world.calls.filter((call) => call === "summarize")).toHaveLength(1);
  });

  test("a summary that is there already is taken, one that broke off is not", async () => {
    const world = restarted({ by: GONE, after: "old" });
    world.say("ses_1", "assistant", "An older one.", { id: "old", summary: true, time: { completed: 1 } });
    world.say("ses_1", "assistant", "Whole.", { summary: true, time: { completed: 1 } });
    world.say("ses_1", "assistant", "Broke o", { summary: true, time: {} });
    await world.request(ROOT);
    await vi.waitFor(() => expect(frame("Left")?.compactionSummary).toBe("Whole."), WAIT);
    expect(world.calls).not.toContain("summarize");
  });

  test("a frame of a process that runs is left to it, until its time is over", async () => {
    const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    try {
      const world = restarted({ by: other.pid });
      await world.request(ROOT);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(world.calls).not.toContain("summarize");
      expect(frame("Left")?.status).toBe("completing");
      store(completing({ by: other.pid, since: "2020-01-01T00:00:00Z" }));
      expect((await world.use("frame_status", ROOT, {})).output).toContain("did not come in time");
      expect(frame("Left")).toMatchObject({ status: "completed", unsummarised: "late" });
    } finally {
      other.kill();
    }
  });
});

test("two processes lose none of each other's frames", async () => {
  store();
  const script = `
    import { changeTree } from ${JSON.stringify(resolve("dist/frames/store.js"))};
    for (let n = 0; n < 20; n++) await changeTree("${ROOT}", [{ type: "push", id: process.argv[1] + n, goal: "x", parent: "${ROOT}" }]);
  `;
  const run = (name: string) =>
    new Promise<number | null>((done) =>
      spawn(process.execPath, ["--input-type=module", "-e", script, name], { stdio: "inherit", env: process.env }).on(
        "exit",
        done,
      ),
    );
  expect(await Promise.all([run("a"), run("b")])).toEqual([0, 0]);
  expect(frames()).toHaveLength(41);
});
