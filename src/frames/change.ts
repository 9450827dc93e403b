// The state machine of frames: takes an event, returns the next tree and an answer. It never waits, reads or writes.
import { FRAME_DEPTH, FRAMES } from "../limits.js";
import { defined } from "../text/json.js";
import { ancestorsOf, type End, type Frame, frameOf, isOpenFrame, type Tree, withoutFrames } from "./frame.js";

/** The fields of a host's message that are used here. */
export interface FrameMessage {
  readonly info: { readonly id?: string; readonly summary?: unknown };
  readonly parts: readonly { readonly type: string; readonly text?: string }[];
}

/** What was found in a frame's session, whether or not it gets a summary. */
export interface Learnt {
  readonly artifacts?: readonly string[];
  readonly decisions?: readonly string[];
  /** The current rules. Only for the root, whose user is a person. */
  readonly rules?: readonly string[];
}

/** An event that changes a tree of frames. */
export type FrameEvent =
  | { readonly type: "push"; readonly id: string; readonly goal: string; readonly parent?: string; readonly opener?: string }
  | { readonly type: "learn"; readonly id: string; readonly learnt: Learnt }
  | {
      readonly type: "pop";
      readonly id: string;
      readonly end?: End;
      readonly note?: string;
      readonly now?: string;
      readonly by?: number;
      /** The session's newest summary so far, which is not the one that will end the frame. */
      readonly after?: string;
    }
  /** A process takes charge of a completing frame; `from` is the process that had it before. */
  | { readonly type: "claim"; readonly id: string; readonly by: number; readonly from?: number }
  | { readonly type: "compacted"; readonly id: string; readonly messages: readonly FrameMessage[]; readonly now: string }
  /** The compaction failed. */
  | { readonly type: "failed"; readonly id: string }
  /** The user took back the message that opened it, or deleted its session. */
  | { readonly type: "undone"; readonly opener: string }
  | { readonly type: "deleted"; readonly id: string }
  | { readonly type: "clock"; readonly now: string; readonly milliseconds: number };

/** Why an event is refused. */
export type Refusal = "unknown" | "known" | "root" | "parent" | "depth" | "count" | `status-${Frame["status"]}`;
/** The result of an event. */
export type FrameAnswer =
  | "pushed"
  | "learnt"
  | "completing"
  | "completed"
  | "claimed"
  | "forgotten"
  | "ignored"
  | `error:${Refusal}`;

/** The tree after an event, and the result of the event. */
export type Changed = { readonly tree: Tree; readonly answer: FrameAnswer };

/** Applies an event to a tree of frames. */
export function change(tree: Tree, event: FrameEvent): Changed {
  if (event.type === "push") return push(tree, event);
  if (event.type === "clock") return clock(tree, event);
  if (event.type === "undone") return forget(tree, ({ opener }) => opener === event.opener);
  if (event.type === "deleted") return forget(tree, ({ sessionID }) => sessionID === event.id);
  const frame = frameOf(tree, event.id);
  const next = (changed: Partial<Frame>, answer: FrameAnswer): Changed => ({ tree: withFrame(tree, event.id, changed), answer });
  switch (event.type) {
    case "learn":
      if (!frame) return refuse(tree, "unknown");
      if (!isOpenFrame(frame)) return { tree, answer: "ignored" };
      return next(
        {
          artifacts: union(frame.artifacts, event.learnt.artifacts),
          decisions: union(frame.decisions, event.learnt.decisions),
          ...(frame.parentSessionID === undefined && event.learnt.rules && { rules: event.learnt.rules }),
        },
        "learnt",
      );
    case "pop": {
      if (!frame) return refuse(tree, "unknown");
      if (frame.parentSessionID === undefined) return refuse(tree, "root");
      if (frame.status !== "in_progress") return refuse(tree, `status-${frame.status}`);
      const { end = "completed", now, by, after, note } = event;
      const kept = note ? { note } : {};
      return next({ status: "completing", target: end, ...defined({ since: now, by, after }), ...kept }, "completing");
    }
    case "claim":
      if (frame?.status !== "completing" || frame.by !== event.from) return { tree, answer: "ignored" };
      return next({ by: event.by }, "claimed");
    case "failed":
      if (frame?.status !== "completing") return { tree, answer: "ignored" };
      return next({ ...ended(frame), unsummarised: "failed", after: frame.after }, "completed");
    case "compacted": {
      // Accept a summary that comes late.
      const late = frame?.unsummarised !== undefined && frame.compactionSummary === undefined;
      if (!frame || (frame.status !== "completing" && !late)) return { tree, answer: "ignored" };
      const summary = newestSummary(event.messages, frame.after);
      if (late && summary === "") return { tree, answer: "ignored" };
      const stored = summary === "" ? {} : { compactionSummary: summary, compactionTimestamp: event.now };
      return next({ ...ended(frame), unsummarised: undefined, ...stored }, "completed");
    }
  }
}

/** Which prompt a compaction of the session gets. */
export function promptFor(tree: Tree, id: string): "completion" | "continuation" | undefined {
  const status = frameOf(tree, id)?.status;
  return status === "completing" ? "completion" : status === "in_progress" ? "continuation" : undefined;
}

function forget(tree: Tree, isGone: (frame: Frame) => boolean): Changed {
  const left = withoutFrames(tree, isGone);
  return { tree: left, answer: left === tree ? "ignored" : "forgotten" };
}

function push(tree: Tree, { id, goal, parent, opener }: Extract<FrameEvent, { type: "push" }>): Changed {
  if (frameOf(tree, id)) return refuse(tree, "known");
  const above = parent === undefined ? undefined : frameOf(tree, parent);
  if (above === undefined && (parent !== undefined || tree.frames.length > 0)) return refuse(tree, "parent");
  if (above && above.status !== "in_progress") return refuse(tree, `status-${above.status}`);
  if (above && ancestorsOf(tree, above).length + 1 > FRAME_DEPTH) return refuse(tree, "depth");
  if (tree.frames.length >= FRAMES) return refuse(tree, "count");
  const named = { sessionID: id, parentSessionID: parent, goal, opener };
  const frame: Frame = defined({ ...named, status: "in_progress", artifacts: [], decisions: [] });
  return { tree: { ...tree, frames: [...tree.frames, frame] }, answer: "pushed" };
}

/** Ends frames whose compaction did not come in time, with what is known. */
function clock(tree: Tree, { now, milliseconds }: Extract<FrameEvent, { type: "clock" }>): Changed {
  // A missing time counts as over, and so does one far ahead because the clock was set back.
  const due = (frame: Frame) =>
    frame.status === "completing" && !(Math.abs(Date.parse(now) - Date.parse(frame.since ?? "")) < milliseconds);
  if (!tree.frames.some(due)) return { tree, answer: "ignored" };
  const frames = tree.frames.map((frame) =>
    due(frame) ? defined({ ...frame, ...ended(frame), unsummarised: "late" as const, after: frame.after }) : frame,
  );
  return { tree: { ...tree, frames }, answer: "completed" };
}

const refuse = (tree: Tree, why: Refusal): Changed => ({ tree, answer: `error:${why}` });

const ended = ({ target, status }: Frame) => ({
  status: status === "completing" ? (target ?? ("completed" as const)) : status,
  target: undefined,
  since: undefined,
  by: undefined,
  after: undefined,
});

function newestSummary(messages: readonly FrameMessage[], after: string | undefined): string {
  const from = after === undefined ? -1 : messages.findLastIndex(({ info }) => info.id === after);
  const newest = messages.slice(from + 1).findLast(({ info }) => info.summary === true);
  return newest ? textIn(newest) : "";
}

export function textIn({ parts }: Pick<FrameMessage, "parts">): string {
  const texts = parts.flatMap(({ type, text }) => (type === "text" && text ? [text] : []));
  return texts.join("\n").trim();
}

const union = (known: readonly string[], more: readonly string[] = []) => [...new Set([...known, ...more])];

function withFrame(tree: Tree, id: string, changed: { [K in keyof Frame]?: Frame[K] | undefined }): Tree {
  return {
    ...tree,
    frames: tree.frames.map((frame) => (frame.sessionID === id ? (defined({ ...frame, ...changed }) as Frame) : frame)),
  };
}
