// Ends frames: compacts the session of a frame and takes the summary from its stored messages. If no summary comes, a timeout
// ends the frame.
import type { FrameEvent } from "../../../frames/change.js";
import { frameOf, type Tree } from "../../../frames/frame.js";
import { messageOf } from "../../catcher.js";
import { type ChildMessage, type FrameTrees, isFinished } from "./sessions.js";

export type FrameEnds = ReturnType<typeof frameEnds>;

export function frameEnds({ sessions, settings, log, now, clock, read, update, masked }: FrameTrees) {
  /** Frames that this process must end. */
  const mine = new Set<string>();
  const settling = new Map<string, Promise<void>>();
  const asked = new Set<string>();

  /** Ends a completing frame: with its summary, or by timeout. */
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
      await update(root, clock());
    }
    const ended = frameOf(read(root), id);
    if (ended?.unsummarised) log("warn", `frame ${id} ended without its summary (${ended.unsummarised})`);
  }

  /** Asks for a compaction only once; otherwise a session that cannot be compacted would be asked forever. */
  async function summarised(root: string, id: string): Promise<void> {
    const before = await sessions.messages(id);
    if (await capture(root, id, before)) return;
    if (asked.has(id)) return new Promise(() => undefined);
    asked.add(id);
    const done = await sessions.summarise(id, before).catch(() => false);
    if (await capture(root, id, await sessions.messages(id))) return;
    if (!done) log("warn", `frame ${id}: its session could not be compacted`);
    await update(root, { type: "failed", id });
  }

  /** Takes the summary from the stored messages; true if the frame is no longer completing. */
  async function capture(root: string, id: string, messages: readonly ChildMessage[]): Promise<boolean> {
    const frame = frameOf(read(root), id);
    if (frame?.status !== "completing" && frame?.unsummarised === undefined) return true;
    const finished = messages.filter((message) => message.info.summary === true && isFinished(message));
    const newest = finished.at(-1)?.info.id;
    // A summary from before the end of the frame, such as after an overflow, does not count.
    if (newest === undefined || newest === frame.after) return false;
    const clean = finished.map((message) => ({
      ...message,
      parts: message.parts.map((part) => (part.text === undefined ? part : { ...part, text: masked(part.text) })),
    }));
    const { answer } = await update(root, { type: "compacted", id, messages: clean, now: now() });
    return answer !== "error:unknown";
  }

  /** Takes over completing frames whose process has ended. */
  async function recover(root: string, tree: Tree): Promise<void> {
    if (!tree.frames.some(({ status }) => status === "completing")) return;
    const { tree: current } = await update(root, clock());
    for (const { sessionID: id, status, by } of current.frames) {
      if (status !== "completing" || mine.has(id) || settling.has(id) || isAlive(by)) continue;
      const claim: FrameEvent = { type: "claim", id, by: process.pid, ...(by !== undefined && { from: by }) };
      if (by !== process.pid && (await update(root, claim)).answer !== "claimed") continue;
      mine.add(id);
      void settle(root, id);
    }
  }

  return { settle, capture, recover, mine };
}

/** Is another process running? Our own id does not count: after a restart it may be the id of the earlier process. */
function isAlive(id: number | undefined): boolean {
  if (id === undefined || id === process.pid) return false;
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
