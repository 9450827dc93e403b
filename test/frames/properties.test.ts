import fc from "fast-check";
import { estimateTokenCount } from "tokenx";
import { expect, test } from "vitest";
import { change, type FrameEvent, type FrameMessage } from "../../src/frames/change.js";
import { contextOf, FRAME_BUDGET, fillFrame, rowsOf, viewOf } from "../../src/frames/context.js";
import { ancestorsOf, EMPTY, ENDS, type Frame, frameOf, type Tree, toTree } from "../../src/frames/frame.js";
import { builtInRules } from "../../src/index.js";
import { runs } from "../runs.js";

const { rules } = builtInRules();
const MILLISECONDS = 60_000;
const START = Date.parse("2026-01-01T00:00:00Z");
const at = (minutes: number) => new Date(START + minutes * 60_000).toISOString();

const anyId = fc.constantFrom("root", "a", "a", "b", "b", "c");
const anyMinute = fc.nat(30);
/** What was said in a frame's session is marked, so that it can be told from what was said of it. */
const anyMessage: fc.Arbitrary<FrameMessage> = fc.oneof(
  fc.nat(3).map((n) => ({ info: { id: `m${n}` }, parts: [{ type: "text", text: `RAW${n}` }] })),
  fc.nat(3).map((n) => ({ info: { id: `u${n}`, summary: { diffs: [] } }, parts: [{ type: "text", text: `RAW${n}` }] })),
  fc.nat(9).map((n) => ({
    info: { id: `s${n}`, summary: true },
    parts: [
      { type: "reasoning", text: `RAW${n}` },
      { type: "text", text: `SUMMARY${n}` },
    ],
  })),
  fc.nat(9).map((n) => ({ info: { id: `s${n}`, summary: true }, parts: [{ type: "tool", text: `RAW${n}` }] })),
);
const anyText = fc.constantFrom("Auth", "Cost $& cap $1", "</frames>", "{{goal}}", "", "x".repeat(3_000), "😀".repeat(400));

const anyPush = fc.record(
  { type: fc.constant("push" as const), id: anyId, goal: anyText, parent: anyId },
  { requiredKeys: ["type", "id", "goal"] },
);
const anyLearn = fc.record({
  type: fc.constant("learn" as const),
  id: anyId,
  learnt: fc.record({ artifacts: fc.array(anyText), decisions: fc.array(anyText) }),
});
const anyPop = fc.record(
  {
    type: fc.constant("pop" as const),
    id: anyId,
    end: fc.constantFrom(...ENDS),
    now: anyMinute.map(at),
    by: fc.nat(3),
    after: fc.nat(9).map((n) => `s${n}`),
    note: anyText,
  },
  { requiredKeys: ["type", "id"] },
);
const anyCompacted = fc.record({
  type: fc.constant("compacted" as const),
  id: anyId,
  messages: fc.array(anyMessage, { maxLength: 6 }),
  now: anyMinute.map(at),
});
const anyEvent: fc.Arbitrary<FrameEvent> = fc.oneof(
  { weight: 3, arbitrary: anyPush },
  { weight: 1, arbitrary: anyLearn },
  { weight: 4, arbitrary: anyPop },
  { weight: 5, arbitrary: anyCompacted },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant("claim" as const), id: anyId, by: fc.nat(3), from: fc.nat(3) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("failed" as const), id: anyId }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("clock" as const),
      now: anyMinute.map(at),
      milliseconds: fc.constant(MILLISECONDS),
    }),
  },
);
const anyEvents = fc
  .array(anyEvent, { maxLength: 40, size: "max" })
  .map((events): FrameEvent[] => [
    { type: "push", id: "root", goal: "Build" },
    { type: "push", id: "a", goal: "Auth", parent: "root" },
    ...events,
  ]);

const playAll = (events: readonly FrameEvent[]) => events.reduce((tree, event) => change(tree, event).tree, EMPTY);
const every = (check: (events: FrameEvent[]) => void) => fc.assert(fc.property(anyEvents, check), { numRuns: runs(300) });

test("no sequence leaves a frame completing for ever: a clock far enough on ends it, and says that there is no summary", () => {
  every((events) => {
    const before = playAll(events);
    const { tree } = change(before, { type: "clock", now: at(1_000), milliseconds: MILLISECONDS });
    for (const frame of tree.frames) {
      expect(frame.status).not.toBe("completing");
      const was = frameOf(before, frame.sessionID) as Frame;
      if (was.status === "completing") expect(frame).toMatchObject({ status: was.target, unsummarised: "late" });
      else expect(frame).toEqual(was);
    }
  });
});

test("a frame that stays open long enough is completing for no longer than its time", () => {
  every((events) => {
    const tree = playAll(events);
    for (const frame of tree.frames.filter(({ status }) => status === "completing")) {
      const since = frame.since === undefined ? START : Date.parse(frame.since);
      const due = { type: "clock" as const, now: new Date(since + MILLISECONDS).toISOString(), milliseconds: MILLISECONDS };
      expect(frameOf(change(tree, due).tree, frame.sessionID)?.status).toBe(frame.target);
    }
  });
});

test("no sequence loses a summary: one that ends a frame is stored, also when it is late, and stays as it is", () => {
  every((events) => {
    let tree = EMPTY;
    for (const event of events) {
      const before = tree;
      tree = change(tree, event).tree;
      for (const frame of before.frames) {
        const now = frameOf(tree, frame.sessionID) as Frame;
        if (frame.compactionSummary !== undefined) expect(now).toEqual(frame);
      }
      if (event.type !== "compacted") continue;
      const frame = frameOf(before, event.id);
      const waits = frame?.status === "completing" || (frame?.unsummarised !== undefined && !frame.compactionSummary);
      const seen = frame?.after === undefined ? -1 : event.messages.findLastIndex(({ info }) => info.id === frame.after);
      const newest = event.messages.slice(seen + 1).findLast(({ info }) => info.summary === true);
      const text = newest?.parts.find(({ type }) => type === "text")?.text;
      if (waits && text) expect(frameOf(tree, event.id)?.compactionSummary).toBe(text);
    }
  });
});

test("no sequence shows a message of a frame to another: only summaries are stored or said", () => {
  every((events) => {
    const tree = playAll(events);
    expect(JSON.stringify(tree)).not.toContain("RAW");
    expect(fillFrame(rules, "frame-tree", { frames: rowsOf(tree) })).not.toContain("RAW");
    for (const { sessionID } of tree.frames) expect(textFor(tree, sessionID)).not.toContain("RAW");
  });
});

test("a parent is shown every frame below it that has ended: by its summary, else by its goal and what is known", () => {
  const roomy = { total: 1e6, ancestors: 1e6, siblings: 1e6, current: 1e6, overhead: 0 };
  every((events) => {
    const tree = playAll(events);
    for (const frame of tree.frames) {
      const parent = frame.parentSessionID;
      if (parent === undefined) continue;
      const shown = contextOf(tree, parent, roomy).children.find(({ id }) => id === frame.sessionID);
      expect(shown).toMatchObject({ status: frame.status, summary: frame.compactionSummary ?? "", goal: viewOf(frame).goal });
    }
  });
});

test("the states follow each other as they should, and the root never ends", () => {
  every((events) => {
    let tree = EMPTY;
    for (const event of events) {
      const before = tree;
      tree = change(tree, event).tree;
      expect(tree.frames.length).toBeGreaterThanOrEqual(before.frames.length);
      expect(tree.frames[0]?.status).toBe("in_progress");
      for (const { sessionID, status } of before.frames) {
        const next = frameOf(tree, sessionID)?.status;
        const allowed =
          status === "in_progress" ? [status, "completing"] : status === "completing" ? [status, ...ENDS] : [status];
        expect(allowed).toContain(next);
      }
    }
    expect(toTree(JSON.parse(JSON.stringify(tree)))).toEqual(tree);
    for (const frame of tree.frames) expect(ancestorsOf(tree, frame).at(-1) ?? frame).toBe(tree.frames[0]);
  });
});

const textFor = (tree: Tree, id: string) => fillFrame(rules, "frame-context", contextOf(tree, id, FRAME_BUDGET));

test("what a session is shown stays within the budget", () => {
  const anyFrame = (n: number): fc.Arbitrary<Frame> =>
    fc.record(
      {
        sessionID: fc.constant(`ses_${n}`),
        parentSessionID: n === 0 ? fc.constant(undefined as never) : fc.nat(n - 1).map((parent) => `ses_${parent}`),
        goal: fc.oneof(anyText, fc.string({ maxLength: 400, unit: "grapheme" })),
        status: fc.constantFrom("in_progress" as const, "completing" as const, ...ENDS),
        artifacts: fc.array(fc.string({ maxLength: 200 }), { maxLength: 60 }),
        decisions: fc.array(anyText, { maxLength: 60 }),
        compactionSummary: fc.oneof(anyText, fc.string({ maxLength: 2_000 }), fc.constant("a ".repeat(3_000))),
        note: anyText,
      },
      { requiredKeys: ["sessionID", "parentSessionID", "goal", "status", "artifacts", "decisions"] },
    );
  const anyTree = fc
    .integer({ min: 1, max: 25 })
    .chain((size) => fc.tuple(...Array.from({ length: size }, (_, n) => anyFrame(n))));
  fc.assert(
    fc.property(anyTree, (frames) => {
      const tree = toTree({ version: 1, frames });
      const { sessionID } = tree.frames.at(-1) as Frame;
      for (const id of ["ses_0", sessionID])
        expect(estimateTokenCount(textFor(tree, id))).toBeLessThanOrEqual(FRAME_BUDGET.total);
    }),
    { numRuns: runs(60) },
  );
});
