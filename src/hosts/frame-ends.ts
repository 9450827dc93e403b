// How a frame comes to its end: its session is compacted, the summary is taken out of the stored messages, and where
// none comes the time ends it.
import type { FrameEvent } from "../frames/change.js";
import { frameOf, type Tree } from "../frames/frame.js";
import { type HostMessage, isFinished } from "./frame-sessions.js";
import type { FrameTrees } from "./frame-trees.js";
import { messageOf } from "./guard.js";

export interface FrameEnds {
  /** Ends a frame that is completing: by its summary, else when the time is over. */
  readonly settle: (root: string, id: string) => Promise<void>;
  /** Takes the summary out of the stored messages; true when the frame is not completing any more. */
  readonly capture: (root: string, id: string, messages: readonly HostMessage[]) => boolean;
  /** Frames that were completing when their process ended are this one's to end. */
  readonly recover: (root: string, tree: Tree) => void;
  /** Frames that this process ends. */
  readonly mine: Set<string>;
}

export function frameEnds({ sessions, settings, log, now, clock, read, update, masked }: FrameTrees): FrameEnds {
  const mine = new Set<string>();
  const settling = new Map<string, Promise<void>>();
  const asked = new Set<string>();

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
    const frame = frameOf(read(root), id);
    if (frame?.status !== "completing") return;
    const left = Date.parse(frame.since ?? "") + settings.milliseconds - Date.now();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, Math.min(Math.max(0, left || 0), settings.milliseconds) + 1);
    });
    try {
      await Promise.race([summarised(root, id), late]);
    } finally {
      clearTimeout(timer);
      update(root, clock());
    }
    const ended = frameOf(read(root), id);
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

  function capture(root: string, id: string, messages: readonly HostMessage[]): boolean {
    const frame = frameOf(read(root), id);
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

  function recover(root: string, tree: Tree): void {
    if (!tree.frames.some(({ status }) => status === "completing")) return;
    for (const { sessionID: id, status, by } of update(root, clock()).tree.frames) {
      if (status !== "completing" || mine.has(id) || settling.has(id) || isAlive(by)) continue;
      const claim: FrameEvent = { type: "claim", id, by: process.pid, ...(by !== undefined && { from: by }) };
      if (by !== process.pid && update(root, claim).answer !== "claimed") continue;
      mine.add(id);
      void settle(root, id);
    }
  }

  return { settle, capture, recover, mine };
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
