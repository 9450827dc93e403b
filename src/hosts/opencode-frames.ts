// Frames in OpenCode: a frame is a session that the plugin makes below another one. Its parent waits in a tool call;
// its end is a compaction of its session, and the stored summary is all that its parent gets to see.
import { cut } from "../extract/field.js";
import { redact } from "../extract/redact.js";
import { change, type FrameEvent, type Learnt, promptFor } from "../frames/change.js";
import { beginning, contextOf, shorten, viewOf } from "../frames/context.js";
import { ENDS, type End, type Frame, type FrameStatus, frameOf, type Tree } from "../frames/frame.js";
import { fillFrame, rowsOf } from "../frames/say.js";
import type { FrameSettings } from "../frames/settings.js";
import { changeTree, readTree } from "../frames/store.js";
import { GOAL_CODE_POINTS } from "../limits.js";
import type { RuleSet } from "../rules/rule-set.js";
import { type FrameClient, frameSessions, type HostMessage, isFinished, modelOf, variantOf } from "./frame-sessions.js";
import { type ToolArguments, type ToolContext, type ToolDefinition, type ToolResult, toolOf } from "./frame-tools.js";
import type { Log } from "./keeper.js";
import { neutralFrame } from "./neutral.js";

export interface FramesInput {
  readonly client: FrameClient;
  readonly settings: FrameSettings;
  readonly rules: RuleSet;
  readonly log: Log;
  /** What rules find in a session: its goal, the files it changed, what it settled. */
  readonly learn: (id: string, messages: readonly unknown[]) => Learnt & { readonly goal?: string };
  readonly stateFolder?: string;
}

/** As much of a request's message as tells which frames it speaks of. */
interface RequestMessage {
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

/** Characters of a summary in the overview; one frame alone is shown in full. */
const OVERVIEW_TOKENS = 120;

export function createFrames({ client, settings, rules, log, learn: find, stateFolder }: FramesInput) {
  const sessions = frameSessions(client);
  /** Frames that this process ends, so that it takes no other process for dead. */
  const mine = new Set<string>();
  const settling = new Map<string, Promise<void>>();
  const asked = new Set<string>();

  /** A session that rules cannot be asked about has its frames all the same. */
  const learn = (id: string, messages: readonly HostMessage[]): ReturnType<FramesInput["learn"]> => {
    try {
      return messages.length === 0 ? {} : find(id, messages);
    } catch (error) {
      log("warn", `frame ${id}: ${messageOf(error)}`);
      return {};
    }
  };
  /** What is stored holds no secret. */
  const masked = (text: string) => redact(text, rules.redactions);
  const now = () => new Date().toISOString();
  const say = (template: string, view: object) => fillFrame(rules, template, view);
  const update = (root: string, ...events: readonly FrameEvent[]) => changeTree(root, events, stateFolder);
  const clock = (): FrameEvent => ({ type: "clock", now: now(), milliseconds: settings.milliseconds });

  async function treeOf(id: string): Promise<{ readonly root: string; readonly line: readonly string[]; readonly tree: Tree }> {
    const line = await sessions.lineage(id);
    const root = line.at(-1) as string;
    return { root, line, tree: readTree(root, stateFolder) };
  }

  const refused = (why: Readonly<Record<string, unknown>>): ToolResult => ({
    title: "",
    output: say("frame-refused", { refused: why }).trim(),
    metadata: {},
  });

  function result(root: string, id: string): ToolResult {
    const frame = frameOf(readTree(root, stateFolder), id);
    if (!frame) return refused({ unknown: true });
    const view = viewOf(frame, neutralFrame);
    const output = say("frame-result", { frame: shorten(view, settings.budget.siblings) ?? view }).trim();
    const metadata = { frame: id, sessionId: id, status: frame.status, summary: frame.compactionSummary !== undefined };
    return { title: view.goal, output, metadata };
  }

  async function push(args: ToolArguments, context: ToolContext): Promise<ToolResult> {
    const goal = textOf(args.goal);
    if (goal === "") return refused({ goal: true });
    const { root, line, tree } = await treeOf(context.sessionID);
    const parent = line.find((id) => frameOf(tree, id)) ?? root;
    const [info, history] = await Promise.all([sessions.info(context.sessionID), sessions.messages(context.sessionID)]);
    const learnt = learn(context.sessionID, history);
    const rootGoal = (root === context.sessionID && learnt.goal) || (await sessions.info(root)).title || goal;
    const begin: FrameEvent[] = [
      ...(frameOf(tree, root) ? [] : [{ type: "push" as const, id: root, goal: masked(rootGoal) }]),
      { type: "learn", id: parent, learnt },
    ];
    // What cannot be is known before a session is made for it, and so is a state folder that cannot be written.
    const { tree: begun } = update(root, ...begin, clock());
    const { answer } = change(begun, { type: "push", id: "", goal, parent });
    if (answer !== "pushed") return refused(reasonOf(answer));
    const id = await sessions.create(info, cut(oneLine(masked(goal)), TITLE_CODE_POINTS));
    update(root, { type: "push", id, goal: masked(goal), parent });
    await context.metadata?.({ title: oneLine(masked(goal)), metadata: { frame: id, sessionId: id } });
    const model = modelOf(history);
    // The goal is what somebody said; what stands behind it is not.
    const parts = [
      { type: "text", text: goal },
      { type: "text", text: say("frame-start", {}).trim(), synthetic: true },
    ];
    const body = { agent: context.agent, ...(model && { model }), ...variantOf(history), parts };
    try {
      if (await sessions.work(id, body, context.abort)) await settle(root, id);
    } catch (error) {
      update(root, { type: "pop", id, end: "failed", now: now() }, { type: "failed", id });
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
    if (!own && frameOf(tree, id)?.parentSessionID !== context.sessionID) return refused({ unknown: true });
    if (!own) await sessions.stop(id);
    const history = await sessions.messages(id);
    const after = history.findLast(({ info }) => info.summary === true)?.info.id;
    const note = masked(textOf(args.summary));
    const events: FrameEvent[] = [
      clock(),
      ...(frameOf(tree, id) ? [{ type: "learn" as const, id, learnt: learn(id, history) }] : []),
      {
        type: "pop",
        id,
        end: end as End,
        now: now(),
        by: process.pid,
        ...(after !== undefined && { after }),
        ...(note !== "" && { note }),
      },
    ];
    const { answer } = update(root, ...events);
    if (answer !== "completing") return refused(reasonOf(answer));
    mine.add(id);
    setTimeout(() => quietly(() => update(root, clock())), settings.milliseconds + 1).unref?.();
    if (own) {
      const output = say("frame-popped", { frame: { target: end } }).trim();
      return { title: end, output, metadata: { frame: id, status: "completing" } };
    }
    await settle(root, id);
    return result(root, id);
  }

  async function status(args: ToolArguments, context: ToolContext): Promise<ToolResult> {
    const { root } = await treeOf(context.sessionID);
    const { tree } = update(root, clock());
    const id = textOf(args.frame);
    if (id !== "" && !frameOf(tree, id)) return refused({ unknown: true });
    const rows = rowsOf(tree, neutralFrame).filter((row) => id === "" || row.id === id);
    const frames = rows.map((row) =>
      id === "" && row.summary !== "" ? { ...row, said: [{ text: oneLine(beginning(row.summary, OVERVIEW_TOKENS)) }] } : row,
    );
    return { title: "", output: say("frame-tree", { frames }).trim(), metadata: {} };
  }

  /** Ends a frame that is completing: by its summary, else when the time is over. */
  function settle(root: string, id: string): Promise<void> {
    const known = settling.get(id);
    if (known) return known;
    const work = finish(root, id)
      .catch((error: unknown) => log("warn", `frame ${id}: ${messageOf(error)}`))
      .finally(() => settling.delete(id));
    settling.set(id, work);
    return work;
  }

  async function finish(root: string, id: string): Promise<void> {
    const frame = frameOf(readTree(root, stateFolder), id);
    if (frame?.status !== "completing") return;
    const left = Date.parse(frame.since ?? "") + settings.milliseconds - Date.now();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, Math.max(0, left || 0) + 1);
    });
    try {
      await Promise.race([summarised(root, id), late]);
    } finally {
      clearTimeout(timer);
      update(root, clock());
    }
    const ended = frameOf(readTree(root, stateFolder), id);
    if (ended?.unsummarised) log("warn", `frame ${id} ended without its summary (${ended.unsummarised})`);
  }

  /** Asks for one compaction, never for a second: a session that cannot be compacted would be asked for ever. */
  async function summarised(root: string, id: string): Promise<void> {
    const before = await sessions.messages(id);
    if (capture(root, id, before)) return;
    if (asked.has(id)) return new Promise(() => undefined);
    asked.add(id);
    const done = await sessions.summarise(id, before).catch(() => false);
    if (capture(root, id, await sessions.messages(id))) return;
    if (!done) log("warn", `frame ${id}: its session could not be compacted`);
    update(root, { type: "failed", id });
  }

  /** Takes the summary out of the stored messages; true when the frame is not completing any more. */
  function capture(root: string, id: string, messages: readonly HostMessage[]): boolean {
    const frame = frameOf(readTree(root, stateFolder), id);
    if (frame?.status !== "completing" && frame?.unsummarised === undefined) return true;
    const finished = messages.filter((message) => message.info.summary === true && isFinished(message));
    const newest = finished.at(-1)?.info.id;
    // The compaction of an earlier overflow says nothing about this end.
    if (newest === undefined || newest === frame.after) return false;
    const clean = finished.map((message) => ({
      ...message,
      parts: message.parts.map((part) => (part.text === undefined ? part : { ...part, text: masked(part.text) })),
    }));
    return update(root, { type: "compacted", id, messages: clean, now: now() }).answer !== "error:unknown";
  }

  /** Frames that were completing when their process ended are this one's to end. */
  function recover(root: string, tree: Tree): void {
    for (const { sessionID: id, status, by } of tree.frames) {
      if (status !== "completing" || mine.has(id) || settling.has(id) || isAlive(by)) continue;
      const claim: FrameEvent = { type: "claim", id, by: process.pid, ...(by !== undefined && { from: by }) };
      if (by !== process.pid && update(root, claim).answer !== "claimed") continue;
      mine.add(id);
      void settle(root, id);
    }
  }

  function quietly(work: () => unknown): void {
    try {
      work();
    } catch (error) {
      log("warn", `frames: ${messageOf(error)}`);
    }
  }

  /** A tool that throws would end the session's turn: what goes wrong is an answer too. */
  const tool = (name: string, execute: ToolDefinition["execute"]): [string, ToolDefinition] => [
    name,
    toolOf(say(`tool-${name}`, {}), async (args, context) => {
      try {
        return await execute(args ?? {}, context);
      } catch (error) {
        log("warn", `${name}: ${messageOf(error)}`);
        return refused({ host: messageOf(error) });
      }
    }),
  ];

  return {
    tools: Object.fromEntries([tool("frame_push", push), tool("frame_pop", pop), tool("frame_status", status)]),

    /** What the compaction of a session is given: the frames around it, and what kind of summary it is to be. */
    async prompt(
      id: string,
    ): Promise<{ readonly text: string; readonly instead?: (contexts: readonly string[]) => string } | undefined> {
      const { tree } = await treeOf(id);
      const kind = promptFor(tree, id);
      const frame = frameOf(tree, id);
      if (!kind || !frame) return undefined;
      const view = viewOf(frame, neutralFrame);
      const around = contextText(tree, id, new Set());
      const prompt = say(`frame-${kind}`, { frame: view });
      const text = [around, prompt].filter(Boolean).join("\n");
      if (kind !== "completion" || !settings.replacePrompt) return { text };
      // OpenCode's own prompt would hold the summary before this one; ours must not lose it.
      const before = (await sessions.messages(id)).findLast((message) => message.info.summary === true && isFinished(message));
      const prior = before?.parts.flatMap((part) => (part.type === "text" && part.text ? [part.text] : [])).join("\n") ?? "";
      const said = prior === "" ? "" : say("frame-prior", { frame: { summary: neutralFrame(prior) } });
      return { text, instead: (contexts) => [prompt, around, said, ...contexts].filter((one) => one.trim() !== "").join("\n\n") };
    },

    /** What a request of the session is to say of other frames, beyond what its messages say already. */
    async context(id: string, messages: readonly RequestMessage[]): Promise<string | undefined> {
      const { root, tree } = await treeOf(id);
      if (tree.frames.length === 0) return undefined;
      quietly(() => recover(root, tree));
      return contextText(readTree(root, stateFolder), id, toldBy(messages, tree)) || undefined;
    },

    /** undefined for a session that is no frame. */
    async statusOf(id: string): Promise<FrameStatus | undefined> {
      const { tree } = await treeOf(id);
      return frameOf(tree, id)?.status;
    },

    async onEvent(type: string, id: string): Promise<void> {
      if (type !== "session.idle" && type !== "session.compacted") return;
      try {
        const { root, tree } = await treeOf(id);
        const frame = frameOf(tree, id);
        if (type === "session.compacted" && frame) capture(root, id, await sessions.messages(id));
        if (type === "session.idle" && frame?.status === "completing" && mine.has(id)) await settle(root, id);
      } finally {
        if (type === "session.idle") sessions.idled(id);
      }
    },
  };

  function contextText(tree: Tree, id: string, told: ReadonlySet<string>): string {
    const view = contextOf(tree, id, settings.budget, neutralFrame, told);
    const alone = frameOf(tree, id)?.parentSessionID === undefined;
    // The session that the user talks to knows its own goal.
    if (!view.current || (alone && view.children.length + view.hidden === 0)) return "";
    return say("frame-context", alone ? { ...view, current: undefined } : view);
  }
}

/** Frames whose end a tool's answer in these messages tells as it is now. */
function toldBy(messages: readonly RequestMessage[], tree: Tree): ReadonlySet<string> {
  const told = messages.flatMap(({ parts }) =>
    parts.flatMap(({ type, state }) => {
      if (type !== "tool" || state?.status !== "completed" || state.time?.compacted !== undefined) return [];
      const { frame: id, status, summary } = state.metadata ?? {};
      const frame: Frame | undefined = typeof id === "string" ? frameOf(tree, id) : undefined;
      const same = frame?.status === status && (frame?.compactionSummary !== undefined) === (summary === true);
      return frame && same ? [frame.sessionID] : [];
    }),
  );
  return new Set(told);
}

/** Code points of a session's title. */
const TITLE_CODE_POINTS = 80;

const textOf = (value: unknown) => (typeof value === "string" ? value.trim() : "");
const oneLine = (text: string) => text.replace(/\s+/g, " ");
const messageOf = (error: unknown) => cut(error instanceof Error ? error.message : "unknown error", GOAL_CODE_POINTS);

function reasonOf(answer: string): Readonly<Record<string, unknown>> {
  const [, why = "unknown"] = answer.split("error:");
  return why.startsWith("status-") ? { closed: why.slice("status-".length) } : { [why === "parent" ? "unknown" : why]: true };
}

/** Whether another process still runs; one's own number may be that of a process before a restart. */
function isAlive(id: number | undefined): boolean {
  if (id === undefined || id === process.pid) return false;
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
