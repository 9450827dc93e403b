// Points of seed 002, each with an input of its own: sub-tasks in sessions of their own, of which only a summary comes back.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  changeFrames,
  FRAME_BUDGET,
  type Frame,
  type FrameEvent,
  type FrameTree,
  frameContext,
  framePrompt,
  NO_FRAMES,
} from "../../src/frames/index.js";
import { memoryOpenCode } from "../hosts/memory-opencode.js";

const NOW = "2027-05-06T07:08:09.000Z";
const play = (...events: readonly FrameEvent[]): FrameTree =>
  events.reduce((tree, event) => changeFrames(tree, event).tree, NO_FRAMES);
const frameIn = (tree: FrameTree, id: string) => tree.frames.find(({ sessionID }) => sessionID === id) as Frame;
const summary = (text: string, id = text) => ({ info: { id, summary: true }, parts: [{ type: "text", text }] });
const opened: readonly FrameEvent[] = [
  { type: "push", id: "top", goal: "Ship the shop" },
  { type: "push", id: "pay", goal: "Take payments", parent: "top" },
];
const compacted = (...messages: ReturnType<typeof summary>[]): FrameEvent => ({
  type: "compacted",
  id: "pay",
  messages,
  now: NOW,
});

describe("the tree", () => {
  test("S2-5: the prompt is chosen by the status", () => {
    expect(framePrompt(play(...opened), "pay")).toBe("continuation");
    const ending = play(...opened, { type: "pop", id: "pay" });
    expect(framePrompt(ending, "pay")).toBe("completion");
    expect(framePrompt(play(...opened, { type: "pop", id: "pay" }, compacted(summary("Done."))), "pay")).toBeUndefined();
    expect(framePrompt(ending, "somebody")).toBeUndefined();
  });

  test("S2-6, S2-7, S2-8, S2-12: a completing frame takes the newest summary with its time", () => {
    const plain = { info: { id: "talk" }, parts: [{ type: "text", text: "No summary." }] };
    const tree = play(...opened, { type: "pop", id: "pay" }, compacted(summary("Old."), summary("Cards work."), plain as never));
    expect(frameIn(tree, "pay")).toMatchObject({
      status: "completed",
      compactionSummary: "Cards work.",
      compactionTimestamp: NOW,
    });
  });

  test("S2-6: a frame that is in progress ignores the event", () => {
    const { answer, tree } = changeFrames(play(...opened), compacted(summary("Half.")));
    expect(answer).toBe("ignored");
    expect(frameIn(tree, "pay")).toMatchObject({ status: "in_progress" });
    expect(frameIn(tree, "pay").compactionSummary).toBeUndefined();
  });

  test("S2-9: without a summary the goal and the artifacts are shown", () => {
    const learnt = { artifacts: ["src/cards.ts"], decisions: ["tokens stay with the bank"] };
    const tree = play(
      ...opened,
      { type: "learn", id: "pay", learnt },
      { type: "pop", id: "pay", end: "failed" },
      { type: "failed", id: "pay" },
    );
    const [child] = frameContext(tree, "top", FRAME_BUDGET).children;
    expect(child).toMatchObject({ goal: "Take payments", status: "failed", summary: "" });
    expect(child?.artifacts.map(({ text }) => text)).toEqual(["src/cards.ts"]);
  });

  test.each(["completed", "failed", "blocked"] as const)("S2-10: it may end as %s, by way of completing", (end) => {
    const ending = play(...opened, { type: "pop", id: "pay", end });
    expect(frameIn(ending, "pay").status).toBe("completing");
    expect(frameIn(changeFrames(ending, compacted(summary("S"))).tree, "pay").status).toBe(end);
  });

  test("S2-14: a summary that never comes does not keep it waiting", () => {
    const ending = play(...opened, { type: "pop", id: "pay", now: NOW });
    const late = changeFrames(ending, { type: "clock", now: "2027-05-06T08:00:00.000Z", milliseconds: 60_000 });
    expect(frameIn(late.tree, "pay")).toMatchObject({ status: "completed", unsummarised: "late" });
  });

  test("S2-15: the root cannot be popped", () => {
    expect(changeFrames(play(...opened), { type: "pop", id: "top" }).answer).toBe("error:root");
  });

  test("S2-16: siblings, ancestors and the session itself have shares of the budget", () => {
    const tree = play(...opened, { type: "pop", id: "pay" }, compacted(summary("word ".repeat(9_000))), {
      type: "push",
      id: "mail",
      goal: "Send receipts",
      parent: "top",
    });
    const { ancestors, siblings, current } = frameContext(tree, "mail", FRAME_BUDGET);
    expect(ancestors.map(({ goal }) => goal)).toEqual(["Ship the shop"]);
    expect(current?.goal).toBe("Send receipts");
    expect(siblings[0]?.summary.length).toBeLessThan(9_000);
    expect(FRAME_BUDGET).toMatchObject({ total: 4_000, ancestors: 1_500, siblings: 1_500, current: 800 });
  });
});

describe("in OpenCode", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "compaction-points-"));
    vi.stubEnv("XDG_STATE_HOME", join(folder, "state"));
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  const ROOT = "ses_0";
  const stored = (goal: string): Frame | undefined => {
    const file = join(folder, "state", "compaction-rules", `frames-${ROOT}.json`);
    const frames: Frame[] = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).frames : [];
    return frames.find((one) => one.goal === goal);
  };

  test("S2-1, S2-2, S2-3, S2-11, S2-13, S2-18: a popped frame is summarised for its parent, whose prompt is kept", async () => {
    const world = memoryOpenCode(folder);
    world.say(ROOT, "user", "Ship the shop.");
    let asked = "";
    world.summary = (prompt) => {
      asked = prompt;
      return "Receipts are sent by a queue.";
    };
    world.agent = async (id) => {
      world.say(id, "assistant", "PRIVATE: I tried three mail servers.");
      await world.use("frame_pop", id, { status: "completed" });
    };
    const { output } = await world.use("frame_push", ROOT, { goal: "Send receipts" });
    const lines = ["What was accomplished", "Key decisions made", "Artifacts created/modified", "Any issues or blockers"];
    for (const line of [
      "Summarize this frame's work for the parent context:",
      "- Goal: Send receipts",
      ...lines.map((one) => `- ${one}`),
    ])
      expect(asked).toContain(line);
    expect(output).toContain("Receipts are sent by a queue.");
    expect(output).not.toContain("PRIVATE");
    expect(stored("Send receipts")).toMatchObject({
      status: "completed",
      compactionSummary: expect.stringContaining("by a queue"),
    });
    expect(world.calls).toContain("summarize");
    const context = await world.request(ROOT, [{ info: { id: "m", sessionID: ROOT }, parts: [{ type: "text", text: "Next." }] }]);
    expect(context).toContain("Receipts are sent by a queue.");
    expect(context).not.toContain("PRIVATE");
  });

  test("S2-4, S2-17: an overflow asks for what is needed to go on, with the goal as it is written", async () => {
    const world = memoryOpenCode(folder);
    world.say(ROOT, "user", "Ship the shop.");
    const asked: string[] = [];
    world.summary = (prompt) => {
      asked.push(prompt);
      return "So far.";
    };
    world.agent = async (id) => {
      await world.compact(id);
      expect(stored("Charge $1 & $& more")?.status).toBe("in_progress");
      await world.use("frame_pop", id, { status: "blocked" });
    };
    await world.use("frame_push", ROOT, { goal: "Charge $1 & $& more" });
    expect(asked[0]).toContain("- Current progress toward goal: Charge $1 & $& more");
    expect(asked[0]).toContain("- Any pending decisions or blockers");
    expect(stored("Charge $1 & $& more")?.status).toBe("blocked");
  });

  test.each([
    [true, undefined],
    [{ replacePrompt: true }, expect.stringMatching(/Summarize this frame's work[\s\S]*From another plugin\./)],
  ])(
    "X-1: a prompt is replaced only when that is configured, and holds what would have been added: %j",
    async (frames, prompt) => {
      const world = memoryOpenCode(folder, { frames });
      world.say(ROOT, "user", "Ship the shop.");
      const seen: { context: string[]; prompt?: string } = { context: ["From another plugin."] };
      world.compact = async (id) => {
        await world.hooks["experimental.session.compacting"]({ sessionID: id }, seen);
        throw new Error("enough");
      };
      world.agent = async (id) => void (await world.use("frame_pop", id, { status: "completed" }));
      await world.use("frame_push", ROOT, { goal: "Send receipts" });
      expect(seen.prompt).toEqual(prompt);
      expect(seen.context.join("\n").includes("Summarize this frame's work")).toBe(prompt === undefined);
    },
  );
});
