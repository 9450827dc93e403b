// Frames in OpenCode. A frame is a child session that the plugin creates; its parent waits in a tool call. A frame ends with a
// compaction of its session, and the parent sees only the stored summary.

import { promptFor, textIn } from "../../../frames/change.js";
import { contextOf, viewOf } from "../../../frames/context.js";
import { type Frame, type FrameStatus, frameOf, type Tree } from "../../../frames/frame.js";
import { neutralFrame } from "../../../text/neutral-tags.js";
import { messageOf } from "../../catcher.js";
import { frameCalls } from "./calls.js";
import { frameEnds } from "./ends.js";
import { type FramesInput, frameTrees, isFinished } from "./sessions.js";

/** The parts of a request's message that show which frames it mentions. */
export interface RequestMessage {
  readonly parts: readonly {
    readonly type: string;
    readonly tool?: string;
    readonly state?: {
      readonly status?: string;
      readonly metadata?: { readonly frame?: unknown; readonly status?: unknown; readonly summary?: unknown };
      readonly time?: { readonly compacted?: unknown };
    };
  }[];
}

export type Frames = ReturnType<typeof createFrames>;

export function createFrames(input: FramesInput) {
  const trees = frameTrees(input);
  const { sessions, settings, log, read, update, treeOf, rootsOf, say } = trees;
  const ends = frameEnds(trees);

  return {
    tools: frameCalls(trees, ends, input.learn),

    /** The text for the compaction of a session: the frames around it, and what kind of summary to write. */
    async prompt(id: string) {
      const { tree } = await treeOf(id);
      const kind = promptFor(tree, id);
      const frame = frameOf(tree, id);
      if (!kind || !frame) return undefined;
      const view = viewOf(frame, neutralFrame);
      const around = contextText(tree, id, new Set());
      const prompt = say(`frame-${kind}`, { frame: view });
      const text = [around, prompt].filter(Boolean).join("\n");
      if (kind !== "completion" || !settings.replacePrompt) return { text, instead: undefined };
      // OpenCode's prompt contains the previous summary; the one that replaces it must too.
      const before = (await sessions.messages(id)).findLast((message) => message.info.summary === true && isFinished(message));
      const prior = before ? textIn(before) : "";
      const said = prior === "" ? "" : say("frame-prior", { frame: { summary: neutralFrame(prior) } });
      return {
        text,
        instead: (contexts: readonly string[]) =>
          [prompt, around, said, ...contexts].filter((one) => one.trim() !== "").join("\n\n"),
      };
    },

    /** What a request must say about other frames, without what its messages already say. */
    async context(id: string, messages: readonly RequestMessage[]): Promise<string | undefined> {
      const { root, tree } = await treeOf(id);
      if (tree.frames.length === 0) return undefined;
      await ends.recover(root, tree).catch((error) => log("warn", `frames: ${messageOf(error)}`));
      return contextText(read(root), id, toldBy(messages, tree)) || undefined;
    },

    /** The root session whose rules a frame already gets through its context. */
    async ruledBy(id: string): Promise<string | undefined> {
      const { root, tree } = await treeOf(id);
      return root !== id && frameOf(tree, id) && frameOf(tree, root)?.rules ? root : undefined;
    },

    async statusOf(id: string): Promise<FrameStatus | "none"> {
      const { tree } = await treeOf(id);
      return frameOf(tree, id)?.status ?? "none";
    },

    async onEvent(type: string, id: string, message?: string): Promise<void> {
      if (type === "session.deleted") for (const root of rootsOf(id)) await update(root, { type: "deleted", id });
      if (type === "message.removed" && message !== undefined) {
        const { root, tree } = await treeOf(id);
        if (tree.frames.some(({ opener }) => opener === message)) await update(root, { type: "undone", opener: message });
      }
      if (type !== "session.idle" && type !== "session.compacted") return;
      try {
        const { root, tree } = await treeOf(id);
        const frame = frameOf(tree, id);
        if (type === "session.compacted" && frame) await ends.capture(root, id, await sessions.messages(id));
        if (type === "session.idle" && frame?.status === "completing" && ends.mine.has(id)) await ends.settle(root, id);
      } finally {
        if (type === "session.idle") sessions.idled(id);
      }
    },
  };

  function contextText(tree: Tree, id: string, reported: ReadonlySet<string>): string {
    const view = contextOf(tree, id, settings.budget, neutralFrame, reported);
    const alone = frameOf(tree, id)?.parentSessionID === undefined;
    // In the session with the user, the goal is already known.
    if (!view.current || (alone && view.children.length + view.hidden === 0)) return "";
    return say("frame-context", alone ? { ...view, current: undefined } : view);
  }
}

/** Frames whose current end is already reported in a tool's answer in these messages. */
function toldBy(messages: readonly RequestMessage[], tree: Tree): ReadonlySet<string> {
  const reported = messages.flatMap(({ parts }) =>
    parts.flatMap(({ type, state }) => {
      if (type !== "tool" || state?.status !== "completed" || state.time?.compacted !== undefined) return [];
      const { frame: id, status, summary } = state.metadata ?? {};
      const frame: Frame | undefined = typeof id === "string" ? frameOf(tree, id) : undefined;
      const same = frame?.status === status && (frame?.compactionSummary !== undefined) === (summary === true);
      return frame && same ? [frame.sessionID] : [];
    }),
  );
  return new Set(reported);
}
