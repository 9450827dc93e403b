// OpenCode's sessions as frames use them, and the stored trees of frames.

import type { FrameEvent, FrameMessage, Learnt } from "../../../frames/change.js";
import { type FrameSettings, fillFrame } from "../../../frames/context.js";
import { changeTree, listTrees, readTree } from "../../../frames/store.js";
import { redact } from "../../../rules/redact/redact.js";
import type { RuleSet } from "../../../rules/rule-set.js";
import { stateFolder as usualStateFolder } from "../../../state/state.js";
import type { Log } from "../../catcher.js";

/** Milliseconds between two checks whether a frame's session is still busy, in case an event is missed. */
const FRAME_LOOK_MILLISECONDS = 10_000;

type ApiResponse<T> = Promise<{ readonly data?: T; readonly error?: unknown }>;

type Path = { readonly path: { readonly id: string } };

export interface SessionInfo {
  readonly id: string;
  readonly parentID?: string;
  readonly title?: string;
  readonly permission?: unknown;
  /** Where the session continues after an undo: stored messages from there on do not count. */
  readonly revert?: { readonly messageID: string; readonly partID?: string };
}

type SessionModel = { readonly providerID: string; readonly modelID: string };

/** The part of OpenCode's client that frames use. */
export interface FrameClient {
  /** With a limit, only the newest messages. */
  readonly messages: (request: Path & { readonly query?: { readonly limit: number } }) => ApiResponse<unknown>;
  readonly get?: (request: Path) => ApiResponse<SessionInfo>;
  readonly create?: (request: { body: object }) => ApiResponse<SessionInfo>;
  readonly promptAsync?: (request: Path & { body: object }) => ApiResponse<unknown>;
  readonly summarize?: (request: Path & { body: SessionModel }) => ApiResponse<unknown>;
  readonly abort?: (request: Path) => ApiResponse<unknown>;
  readonly status?: () => ApiResponse<Readonly<Record<string, { readonly type?: string }>>>;
}

/** The messages in an answer: its `data`, or the answer itself, as some clients return it. */
export function listIn(answer: unknown): readonly unknown[] | undefined {
  const list = Array.isArray(answer) ? answer : (answer as { readonly data?: unknown } | undefined)?.data;
  return Array.isArray(list) ? list : undefined;
}

export interface ChildMessage extends FrameMessage {
  readonly info: FrameMessage["info"] & {
    readonly id?: string;
    readonly role?: string;
    readonly model?: Partial<SessionModel>;
    readonly providerID?: string;
    readonly modelID?: string;
    readonly variant?: string;
    readonly error?: unknown;
    readonly time?: { readonly completed?: number };
  };
}

function frameSessions(client: FrameClient) {
  const parents = new Map<string, string | undefined>();
  const waiting = new Map<string, Set<() => void>>();

  async function info(id: string): Promise<SessionInfo> {
    const { data } = (await client.get?.({ path: { id } })) ?? {};
    if (!data) throw new Error(`session ${id} is not there`);
    parents.set(id, data.parentID);
    return data;
  }

  /** The session, its parent, and so on up to the root. Parents never change, so they are cached. */
  async function lineage(id: string): Promise<readonly [string, ...string[]]> {
    if (!parents.has(id)) await info(id);
    const parent = parents.get(id);
    return parent === undefined || parent === id ? [id] : [id, ...(await lineage(parent))];
  }

  async function messages(id: string): Promise<readonly ChildMessage[]> {
    return (listIn(await client.messages({ path: { id } })) ?? []) as readonly ChildMessage[];
  }

  async function create(parent: SessionInfo, title: string): Promise<string> {
    // A frame gets no more permissions than its parent.
    const permission = Array.isArray(parent.permission) ? { permission: parent.permission } : {};
    const { data } = (await client.create?.({ body: { parentID: parent.id, title, ...permission } })) ?? {};
    if (!data?.id) throw new Error("no session could be made");
    parents.set(data.id, parent.id);
    return data.id;
  }

  async function isBusy(id: string): Promise<boolean> {
    const { data } = (await client.status?.()) ?? {};
    return data !== undefined && (data[id]?.type ?? "idle") !== "idle";
  }

  /** Starts a turn and waits until the session is idle; false if the wait was aborted. */
  async function work(id: string, body: object, abort: AbortSignal | undefined): Promise<boolean> {
    const idle = new Promise<boolean>((resolve) => {
      const done = (finished: boolean) => {
        clearInterval(timer);
        waiting.get(id)?.delete(onIdle);
        resolve(finished);
      };
      const onIdle = () => done(true);
      waiting.set(id, (waiting.get(id) ?? new Set()).add(onIdle));
      const look = async () => {
        if (client.status && !(await isBusy(id).catch(() => true))) done(true);
      };
      const timer = setInterval(() => void look(), FRAME_LOOK_MILLISECONDS);
      timer.unref?.();
      const stop = () => {
        void client.abort?.({ path: { id } }).catch(() => undefined);
        done(false);
      };
      if (abort?.aborted) stop();
      else abort?.addEventListener("abort", stop, { once: true });
    });
    const { error } = (await client.promptAsync?.({ path: { id }, body })) ?? { error: "it takes no prompt" };
    if (error !== undefined) {
      idled(id);
      throw new Error("its session takes no prompt");
    }
    return idle;
  }

  function idled(id: string): void {
    for (const go of waiting.get(id) ?? []) go();
  }

  async function stop(id: string): Promise<void> {
    if (await isBusy(id)) await client.abort?.({ path: { id } });
  }

  /** Compacts a session; false if that fails. */
  async function summarise(id: string, history: readonly ChildMessage[]): Promise<boolean> {
    const model = modelOf(history);
    if (!model || !client.summarize) return false;
    const { error } = await client.summarize({ path: { id }, body: model });
    return error === undefined;
  }

  return { info, lineage, messages, create, work, idled, stop, summarise };
}

export function modelOf(history: readonly ChildMessage[]): SessionModel | undefined {
  const models = history.map(({ info }) => (info.role === "user" ? (info.model ?? {}) : info));
  const { providerID, modelID } = models.findLast((model) => model.providerID && model.modelID) ?? {};
  return providerID && modelID ? { providerID, modelID } : undefined;
}

export const variantOf = (history: readonly ChildMessage[]): string | undefined =>
  history.findLast(({ info }) => info.role === "assistant" && info.summary !== true)?.info.variant;

/** Is the summary complete? An interrupted one contains the beginning of a text, or an error. */
export const isFinished = ({ info }: ChildMessage) => info.error === undefined && info.time?.completed !== undefined;

// The trees of frames of one OpenCode instance: reading, changing, and finding the tree of a session.

export interface FramesInput {
  readonly client: FrameClient;
  readonly settings: FrameSettings;
  readonly rules: RuleSet;
  readonly log: Log;
  /** What rules find in a session: its goal, the files it changed, its decisions and rules. */
  readonly learn: (id: string, messages: readonly unknown[]) => Promise<Learnt & { readonly goal?: string }>;
  readonly stateFolder?: string;
}

export type FrameTrees = ReturnType<typeof frameTrees>;

export function frameTrees({ client, settings, rules, log, stateFolder = usualStateFolder() }: FramesInput) {
  const sessions = frameSessions(client);
  const now = () => new Date().toISOString();
  const read = (root: string) => readTree(root, stateFolder);
  return {
    sessions,
    settings,
    log,
    now,
    /** The current time as an event, which ends frames whose summary is overdue. */
    clock: (): FrameEvent => ({ type: "clock", now: now(), milliseconds: settings.milliseconds }),
    read,
    update: (root: string, ...events: readonly FrameEvent[]) => changeTree(root, events, stateFolder),
    /** The tree of a session, and the sessions from it up to the root. */
    async treeOf(id: string) {
      const line = await sessions.lineage(id);
      const root = line.at(-1) as string;
      return { root, line, tree: read(root) };
    },
    /** The roots of all trees that contain the session, even if it was deleted. */
    rootsOf: (id: string) => listTrees(id, stateFolder).trees.flatMap(({ frames: [root] }) => (root ? [root.sessionID] : [])),
    /** Masks secrets before something is stored. */
    masked: (text: string) => redact(text, rules.redactions),
    say: (template: string, view: object) => fillFrame(rules, template, view),
  };
}
