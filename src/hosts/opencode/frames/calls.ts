// The tools frame_push, frame_pop and frame_status: what each call does, and how OpenCode gets them.

import { cut } from "../../../extract/facts/field.js";
import { change, type FrameEvent } from "../../../frames/change.js";
import { bareView, cutToBudget, rowsOf, shortenView, viewOf } from "../../../frames/context.js";
import { ENDS, type End, frameOf } from "../../../frames/frame.js";
import { oneLine } from "../../../text/forms.js";
import { defined } from "../../../text/json.js";
import { neutralFrame } from "../../../text/neutral-tags.js";
import { messageOf } from "../../catcher.js";
import {
  type ToolArguments,
  type ToolContext,
  type ToolDefinition,
  type ToolResult,
  toToolDefinition,
} from "../tool-definitions.js";
import type { FrameEnds } from "./ends.js";
import { type ChildMessage, type FramesInput, type FrameTrees, modelOf, variantOf } from "./sessions.js";

const TITLE_CODE_POINTS = 80;

/** Tokens of a summary in the overview; a frame that is asked for by id is shown in full. */
const OVERVIEW_TOKENS = 120;

export function frameCalls(trees: FrameTrees, { settle, mine }: FrameEnds, find: FramesInput["learn"]) {
  const { sessions, settings, log, now, clock, read, update, treeOf, masked, say } = trees;

  /** If the rules fail on a session, its frames work all the same. */
  const learn = async (id: string, messages: readonly ChildMessage[]): ReturnType<FramesInput["learn"]> => {
    try {
      return messages.length === 0 ? {} : await find(id, messages);
    } catch (error) {
      log("warn", `frame ${id}: ${messageOf(error)}`);
      return {};
    }
  };

  const refused = (why: Readonly<Record<string, unknown>>): ToolResult => toolResult("", say("frame-refused", { refused: why }));

  function result(root: string, id: string): ToolResult {
    const frame = frameOf(read(root), id);
    if (!frame) return refused({ unknown: true });
    const view = viewOf(frame, neutralFrame);
    const output = say("frame-result", { frame: shortenView(view, settings.budget.siblings) ?? bareView(view) });
    const summary = frame.compactionSummary !== undefined;
    return toolResult(view.goal, output, { frame: id, sessionId: id, status: frame.status, summary });
  }

  async function push(args: ToolArguments, context: ToolContext): Promise<ToolResult> {
    const goal = textOf(args.goal);
    if (goal === "") return refused({ goal: true });
    const { root, line, tree } = await treeOf(context.sessionID);
    const parent = line.find((id) => frameOf(tree, id)) ?? root;
    const [info, history] = await Promise.all([sessions.info(context.sessionID), sessions.messages(context.sessionID)]);
    const learnt = await learn(context.sessionID, history);
    const rootGoal = (root === context.sessionID && learnt.goal) || (await sessions.info(root)).title || goal;
    const begin: FrameEvent[] = [];
    if (!frameOf(tree, root)) {
      begin.push({ type: "push", id: root, goal: masked(rootGoal) });
      const { rules = [] } = root === context.sessionID ? {} : await learn(root, await sessions.messages(root));
      if (root !== context.sessionID) begin.push({ type: "learn", id: root, learnt: { rules } });
    }
    // If the caller is a session of the host below a frame, its facts are not the frame's facts.
    if (parent === context.sessionID) begin.push({ type: "learn", id: parent, learnt });
    // Check that the frame is possible and that the state can be written before a session is created.
    const { tree: begun } = await update(root, ...begin, clock());
    const { answer } = change(begun, { type: "push", id: "", goal, parent });
    if (answer !== "pushed") return refused(reasonOf(answer));
    const id = await sessions.create(info, cut(oneLine(masked(goal)), TITLE_CODE_POINTS));
    const pushed = await update(root, { type: "push", id, goal: masked(goal), parent, opener: context.messageID });
    // Another call may have ended the parent in the meantime. Then the new session is no frame and gets no work.
    if (pushed.answer !== "pushed") return refused(reasonOf(pushed.answer));
    await context.metadata?.({ title: oneLine(masked(goal)), metadata: { frame: id, sessionId: id } });
    // The goal counts as said; the text after it does not.
    const parts = [
      { type: "text", text: goal },
      { type: "text", text: say("frame-start", {}).trim(), synthetic: true },
    ];
    const body = defined({ agent: context.agent, model: modelOf(history), variant: variantOf(history), parts });
    try {
      if (await sessions.work(id, body, context.abort)) await settle(root, id);
    } catch (error) {
      await update(root, { type: "pop", id, end: "failed", now: now() }, { type: "failed", id });
      throw error;
    }
    return result(root, id);
  }

  async function pop(args: ToolArguments, context: ToolContext): Promise<ToolResult> {
    const end = textOf(args.status) || "completed";
    if (!ENDS.includes(end as End)) return refused({ status: true });
    const { root, tree } = await treeOf(context.sessionID);
    const id = textOf(args.frame) || context.sessionID;
    const own = id === context.sessionID;
    if (!own) {
      const frame = frameOf(tree, id);
      // It may also have been opened by a session that is not a frame, such as one of the host.
      const openers = frame ? [frame.parentSessionID, (await sessions.lineage(id).catch(() => []))[1]] : [];
      if (!frame || !openers.includes(context.sessionID)) return refused({ unknown: true });
      // The user may be working in the session of an ended frame, so it is not stopped.
      if (frame.status !== "in_progress") return refused({ closed: frame.status });
      await sessions.stop(id);
    }
    const history = await sessions.messages(id);
    const after = history.findLast(({ info }) => info.summary === true)?.info.id;
    const note = masked(textOf(args.summary));
    const events: FrameEvent[] = [clock()];
    if (frameOf(tree, id)) events.push({ type: "learn", id, learnt: await learn(id, history) });
    const said = defined({ after, note: note || undefined });
    const { answer } = await update(root, ...events, { type: "pop", id, end: end as End, now: now(), by: process.pid, ...said });
    if (answer !== "completing") return refused(reasonOf(answer));
    mine.add(id);
    const endOverdue = () => void update(root, clock()).catch((error) => log("warn", `frames: ${messageOf(error)}`));
    setTimeout(endOverdue, settings.milliseconds + 1).unref?.();
    if (own) return toolResult(end, say("frame-popped", { frame: { target: end } }), { frame: id, status: "completing" });
    await settle(root, id);
    return result(root, id);
  }

  async function status(args: ToolArguments, context: ToolContext): Promise<ToolResult> {
    const { root } = await treeOf(context.sessionID);
    const { tree } = await update(root, clock());
    const id = textOf(args.frame);
    if (id !== "" && !frameOf(tree, id)) return refused({ unknown: true });
    const rows = rowsOf(tree, neutralFrame).filter((row) => id === "" || row.id === id);
    const frames = rows.map((row) =>
      id === "" && row.summary !== "" ? { ...row, said: [{ text: oneLine(cutToBudget(row.summary, OVERVIEW_TOKENS)) }] } : row,
    );
    return toolResult("", say("frame-tree", { frames }));
  }

  /** A tool that throws would end the session's turn, so an error becomes an answer. */
  const tool = (name: string, execute: ToolDefinition["execute"]): [string, ToolDefinition] => [
    name,
    toToolDefinition(say(`tool-${name}`, {}), async (args, context) => {
      try {
        return await execute(args ?? {}, context);
      } catch (error) {
        log("warn", `${name}: ${messageOf(error)}`);
        return refused({ host: messageOf(error) });
      }
    }),
  ];

  return Object.fromEntries([tool("frame_push", push), tool("frame_pop", pop), tool("frame_status", status)]);
}

const toolResult = (title: string, output: string, metadata: ToolResult["metadata"] = {}): ToolResult => {
  return { title, output: output.trim(), metadata };
};

const textOf = (value: unknown) => (typeof value === "string" ? value.trim() : "");

function reasonOf(answer: string): Readonly<Record<string, unknown>> {
  const [, why = "unknown"] = answer.split("error:");
  return why.startsWith("status-") ? { closed: why.slice("status-".length) } : { [why === "parent" ? "unknown" : why]: true };
}
