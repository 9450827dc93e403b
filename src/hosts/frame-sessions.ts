// What frames ask of OpenCode's sessions.
import type { FrameMessage } from "../frames/change.js";
import { FRAME_LOOK_MILLISECONDS } from "../limits.js";

type Answer<T> = Promise<{ readonly data?: T; readonly error?: unknown }>;

interface Path {
  readonly path: { readonly id: string };
}

export interface SessionInfo {
  readonly id: string;
  readonly parentID?: string;
  readonly title?: string;
  readonly permission?: unknown;
  /** Where the session goes on after an undo: what is stored from there on does not count. */
  readonly revert?: { readonly messageID: string; readonly partID?: string };
}

export interface Model {
  readonly providerID: string;
  readonly modelID: string;
}

/** As much of OpenCode's client as frames use. */
export interface FrameClient {
  /** The newest messages, where a limit is given. */
  readonly messages: (request: Path & { readonly query?: { readonly limit: number } }) => Answer<unknown>;
  readonly get?: (request: Path) => Answer<SessionInfo>;
  readonly create?: (request: { body: object }) => Answer<SessionInfo>;
  readonly promptAsync?: (request: Path & { body: object }) => Answer<unknown>;
  readonly summarize?: (request: Path & { body: Model }) => Answer<unknown>;
  readonly abort?: (request: Path) => Answer<unknown>;
  readonly status?: () => Answer<Readonly<Record<string, { readonly type?: string }>>>;
}

export interface HostMessage extends FrameMessage {
  readonly info: FrameMessage["info"] & {
    readonly id?: string;
    readonly role?: string;
    readonly model?: Partial<Model>;
    readonly providerID?: string;
    readonly modelID?: string;
    readonly variant?: string;
    readonly error?: unknown;
    readonly time?: { readonly completed?: number };
  };
}

export type FrameSessions = ReturnType<typeof frameSessions>;

export function frameSessions(client: FrameClient) {
  const parents = new Map<string, string | undefined>();
  const waiting = new Map<string, Set<() => void>>();

  async function info(id: string): Promise<SessionInfo> {
    const { data } = (await client.get?.({ path: { id } })) ?? {};
    if (!data) throw new Error(`session ${id} is not there`);
    parents.set(id, data.parentID);
    return data;
  }

  /** The session, the one that it belongs to, and so on up. Who belongs to whom never changes. */
  async function lineage(id: string): Promise<readonly [string, ...string[]]> {
    if (!parents.has(id)) await info(id);
    const parent = parents.get(id);
    return parent === undefined || parent === id ? [id] : [id, ...(await lineage(parent))];
  }

  async function messages(id: string): Promise<readonly HostMessage[]> {
    const { data } = await client.messages({ path: { id } });
    return Array.isArray(data) ? (data as HostMessage[]) : [];
  }

  async function create(parent: SessionInfo, title: string): Promise<string> {
    // What the parent may not do, its frame may not do either.
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

  /** Starts a turn and waits until the session has nothing more to do; false when the wait was given up. */
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

  /** Compacts; false when that came to nothing. */
  async function summarise(id: string, history: readonly HostMessage[]): Promise<boolean> {
    const model = modelOf(history);
    if (!model || !client.summarize) return false;
    const { error } = await client.summarize({ path: { id }, body: model });
    return error === undefined;
  }

  return { info, lineage, messages, create, work, idled, stop, summarise };
}

export function modelOf(history: readonly HostMessage[]): Model | undefined {
  for (const { info } of [...history].reverse()) {
    const { providerID, modelID } = info.role === "user" ? (info.model ?? {}) : info;
    if (providerID && modelID) return { providerID, modelID };
  }
  return undefined;
}

/** How hard the model is to think. */
export function variantOf(history: readonly HostMessage[]): { readonly variant?: string } {
  const variant = history.findLast(({ info }) => info.role === "assistant" && info.summary !== true)?.info.variant;
  return variant === undefined ? {} : { variant };
}

/** A summary that is there to the end: one that was broken off holds the beginning of a text, or an error. */
export const isFinished = ({ info }: HostMessage) => info.error === undefined && info.time?.completed !== undefined;
