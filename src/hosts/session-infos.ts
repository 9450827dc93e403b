// What OpenCode tells of its sessions themselves: whose they are, and what of them was undone.
import { AHEAD_SESSIONS } from "../limits.js";
import type { Session } from "../model.js";
import type { FrameClient, SessionInfo } from "./frame-sessions.js";

export function sessionInfos(client: Pick<FrameClient, "get">) {
  /** Whether another session opened it, which never changes. */
  const below = new Map<string, boolean>();

  async function infoOf(id: string): Promise<SessionInfo | undefined> {
    const { data } = (await client.get?.({ path: { id } })) ?? {};
    if (data && below.size < AHEAD_SESSIONS) below.set(id, data.parentID !== undefined);
    return data;
  }

  /** Where the host does not tell, it may be one. */
  async function isBelow(id: string): Promise<boolean> {
    const known = below.get(id);
    if (known !== undefined) return known;
    const info = await infoOf(id);
    return info === undefined || info.parentID !== undefined;
  }

  return { below, infoOf, isBelow };
}

/** Messages that the user undid are stored until the next prompt. */
export function withoutUndone(session: Session, info: SessionInfo | undefined): Session {
  const undone = session.messages.findIndex(({ id }) => id === info?.revert?.messageID);
  if (undone < 0) return session;
  return { ...session, messages: session.messages.slice(0, undone + (info?.revert?.partID === undefined ? 0 : 1)) };
}
