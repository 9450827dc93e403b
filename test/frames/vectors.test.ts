import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { change, type FrameAnswer, type FrameMessage, promptFor } from "../../src/frames/change.js";
import { childContext, fillFrame, viewOf } from "../../src/frames/context.js";
import { EMPTY, type End, type Frame, frameOf, isOpenFrame, type Tree } from "../../src/frames/frame.js";
import { builtInRules } from "../../src/index.js";

type Step = readonly [operation: string, id: string, ...rest: unknown[]];
interface Vector {
  readonly id: string;
  readonly input: readonly Step[];
  readonly expected: {
    readonly trace: readonly { readonly op: Step; readonly result: unknown; readonly statuses: Record<string, string> }[];
    readonly frames: readonly Frame[];
    readonly active: string;
  };
}
const { vectors, count } = JSON.parse(readFileSync("test/vectors/frames.json", "utf8")) as { vectors: Vector[]; count: number };
const { rules } = builtInRules();

/** The vectors' words for what was answered. */
const answered = (answer: FrameAnswer) => (answer === "pushed" || answer === "learnt" ? null : answer);

function play(tree: Tree, [operation, id, ...rest]: Step): { readonly tree: Tree; readonly result: unknown } {
  const apply = (event: Parameters<typeof change>[1]) => {
    const next = change(tree, event);
    return { tree: next.tree, result: answered(next.answer) };
  };
  switch (operation) {
    case "push": {
      const [goal, parent] = rest as [string, string | undefined];
      return apply({ type: "push", id, goal, ...(parent !== undefined && { parent }) });
    }
    case "pop":
      return apply({ type: "pop", id, ...(rest[0] !== undefined && { end: rest[0] as End }) });
    case "artifact":
      return apply({ type: "learn", id, learnt: { artifacts: rest as string[] } });
    case "decision":
      return apply({ type: "learn", id, learnt: { decisions: rest as string[] } });
    case "compacted":
      return apply({ type: "compacted", id, messages: rest[0] as FrameMessage[], now: rest[1] as string });
    case "compacting": {
      const kind = promptFor(tree, id);
      const frame = frameOf(tree, id);
      if (!kind || !frame) return { tree, result: { kind: "none" } };
      return { tree, result: { kind, text: fillFrame(rules, `frame-${kind}`, { frame: viewOf(frame) }) } };
    }
    case "childContext":
      return { tree, result: childContext(frameOf(tree, id) as Frame) };
    default:
      throw new Error(operation);
  }
}

test("the vector file is whole", () => expect(vectors).toHaveLength(count));

test.each(vectors.map((vector) => [vector.id, vector] as const))("%s", (_, { input, expected }) => {
  let tree = EMPTY;
  const trace = input.map((op) => {
    const next = play(tree, op);
    tree = next.tree;
    const statuses = Object.fromEntries(tree.frames.map(({ sessionID, status }) => [sessionID, status]));
    return { op, result: next.result, statuses };
  });
  expect(trace).toEqual(expected.trace);
  expect(tree.frames).toEqual(expected.frames);
  // The frame being worked on: the last pushed of the open ones.
  expect(tree.frames.findLast(isOpenFrame)?.sessionID).toBe(expected.active);
});
