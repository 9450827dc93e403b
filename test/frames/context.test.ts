import { estimateTokenCount } from "tokenx";
import { expect, test } from "vitest";
import { change } from "../../src/frames/change.js";
import { contextOf, FRAME_BUDGET, type FrameView, fillFrame, frameSettings } from "../../src/frames/context.js";
import { type Frame, type Tree, toTree } from "../../src/frames/frame.js";
import { builtInRules } from "../../src/index.js";

const frame = (id: string, parent: string | undefined, more: Partial<Frame> = {}): Frame => ({
  sessionID: id,
  ...(parent !== undefined && { parentSessionID: parent }),
  goal: `Goal of ${id}`,
  status: "in_progress",
  artifacts: [],
  decisions: [],
  ...more,
});
const treeOf = (...frames: Frame[]): Tree => toTree({ version: 1, frames });
const words = (count: number) => "word ".repeat(count).trim();
const done = (id: string, parent: string, summary = words(600)) =>
  frame(id, parent, { status: "completed", compactionSummary: `${id} did it. ${summary}` });
const tokens = (views: readonly FrameView[]) => views.reduce((sum, view) => sum + estimateTokenCount(JSON.stringify(view)), 0);
const ids = (views: readonly FrameView[]) => views.map(({ id }) => id);

test("each share has its own budget: many long siblings take nothing from the frames above, and the newest are shown first", () => {
  const above = ["b", "c", "d"].map((id, index) => frame(id, ["a", "b", "c"][index], { decisions: [`choice of ${id}`] }));
  const beside = Array.from({ length: 12 }, (_, n) => done(`s${n}`, "d"));
  const tree = treeOf(frame("a", undefined), ...above, ...beside, frame("me", "d"));
  const { ancestors, siblings, current, hidden } = contextOf(tree, "me", FRAME_BUDGET);
  expect(ids(ancestors)).toEqual(["a", "b", "c", "d"]);
  expect(ancestors.flatMap(({ decisions }) => decisions.map(({ text }) => text))).toEqual(above.flatMap((one) => one.decisions));
  expect(current?.goal).toBe("Goal of me");
  // The newest two whole, the one before as far as there is room, of the others nothing or the goal.
  expect(siblings.at(-1)?.summary).toBe(beside.at(-1)?.compactionSummary);
  expect(siblings.filter(({ summary }) => summary.endsWith("…")).length).toBeLessThanOrEqual(1);
  expect(siblings.length + hidden).toBe(12);
  expect(ids(siblings)).toEqual(beside.map(({ sessionID }) => sessionID).slice(12 - siblings.length));
  expect(tokens(siblings)).toBeLessThan(FRAME_BUDGET.siblings * 1.5);
});

test("siblings that are open, and frames below siblings, are not shown", () => {
  const tree = treeOf(frame("a", undefined), frame("open", "a"), done("s", "a", ""), done("below", "s", ""), frame("me", "a"));
  const { siblings, children } = contextOf(tree, "me", FRAME_BUDGET);
  expect(ids(siblings)).toEqual(["s"]);
  expect(children).toEqual([]);
});

test("without a summary there are goal, files and choices; they give way from the oldest, and the reason is said", () => {
  const artifacts = Array.from({ length: 15 }, (_, n) => `src/${"deep/".repeat(9)}file-${n}.ts`);
  const child = frame("c", "a", {
    status: "failed",
    unsummarised: "late",
    artifacts,
    decisions: ["keep the schema"],
    note: "Ask Ana.",
  });
  const tree = treeOf(frame("a", undefined), child);
  const { rules } = builtInRules();
  const whole = fillFrame(rules, "frame-context", contextOf(tree, "a", FRAME_BUDGET));
  for (const text of ["Goal of c", "file-0.ts", "file-14.ts", "keep the schema", "Ask Ana.", "did not come in time"])
    expect(whole).toContain(text);
  const small = fillFrame(rules, "frame-context", contextOf(tree, "a", { ...FRAME_BUDGET, siblings: 160 }));
  for (const text of ["Goal of c", "file-14.ts", "keep the schema", "Ask Ana."]) expect(small).toContain(text);
  expect(small).not.toContain("file-0.ts");
  const none = fillFrame(rules, "frame-context", contextOf(tree, "a", { ...FRAME_BUDGET, siblings: 10 }));
  expect(none).toContain("1 more frames are not shown");
});

test("what the model said at the end is kept where its summary is too long", () => {
  const child = { ...done("c", "a", words(4_000)), note: "Ask Ana about the schema." };
  const { children } = contextOf(treeOf(frame("a", undefined), child), "a", FRAME_BUDGET);
  expect(children[0]?.note).toBe("Ask Ana about the schema.");
  expect(children[0]?.summary).toMatch(/^c did it\.[\s\S]+…$/);
});

test("a frame whose time lies ahead, because a clock was set back, ends too", () => {
  const since = "2099-01-01T00:00:00Z";
  const tree = treeOf(frame("a", undefined), frame("c", "a", { status: "completing", target: "failed", since }));
  const { tree: next } = change(tree, { type: "clock", now: "2026-01-01T00:00:00Z", milliseconds: 300_000 });
  expect(next.frames[1]).toMatchObject({ status: "failed", unsummarised: "late" });
});

test("ignores options that make no sense, and limits a wait to what a timer can hold", () => {
  const odd = { seconds: "x", budget: { total: Number.NaN, siblings: -1, current: 20 }, replacePrompt: "no" };
  expect(frameSettings(odd as never)).toEqual({
    milliseconds: 300_000,
    replacePrompt: false,
    budget: { ...FRAME_BUDGET, current: 20 },
  });
  expect(frameSettings({ seconds: 1e9 })?.milliseconds).toBeLessThan(2 ** 31);
  expect(frameSettings(false)).toBeUndefined();
});

test("shows nothing when a session has no frame", () => {
  const empty = { ancestors: [], siblings: [], children: [], hidden: 0 };
  expect(contextOf(treeOf(frame("a", undefined)), "other", FRAME_BUDGET)).toEqual(empty);
});

test("reads the sound part of a stored tree that makes no sense", () => {
  const a = frame("a", undefined);
  const b = frame("b", "a");
  const odd = [
    null,
    1,
    {},
    { ...b, sessionID: "loop", parentSessionID: "loop" },
    frame("lost", "nobody"),
    frame("second", undefined),
  ];
  expect(toTree({ version: 1, frames: [a, ...odd, b, b] }).frames).toEqual([a, b]);
  for (const nothing of [undefined, null, 1, [], {}, { frames: {} }]) expect(toTree(nothing).frames).toEqual([]);
});

test("rules of the root are shown to those below it, the youngest where there is no room for all", () => {
  const long = Array.from({ length: 40 }, (_, index) => `Never change the file number ${index} without a test of its own.`);
  const tree = treeOf({ ...frame("root", undefined), rules: long }, frame("me", "root"));
  const { rules = [] } = contextOf(tree, "me", FRAME_BUDGET);
  expect(rules.length).toBeGreaterThan(5);
  expect(rules.map(({ text }) => text)).toEqual(long.slice(-rules.length));
  expect(rules.length).toBeLessThan(long.length);
  expect(contextOf(tree, "root", FRAME_BUDGET)).not.toHaveProperty("rules");
  expect(contextOf(tree, "me", { ...FRAME_BUDGET, total: 0 })).not.toHaveProperty("rules");
});
