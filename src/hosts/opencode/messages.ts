// OpenCode's messages and session infos: reading their text, adding text, and finding what was undone.

import { AHEAD_SESSIONS } from "../../limits.js";
import type { Session } from "../../model.js";
import type { CommandPart } from "./commands.js";
import type { FrameClient, SessionInfo } from "./frames/sessions.js";

export interface OpenCodeMessage {
  readonly info: { readonly id: string; readonly sessionID?: string; readonly summary?: unknown };
  parts: CommandPart[];
}

export const lastSummary = (messages: readonly unknown[] = []) =>
  (messages as readonly OpenCodeMessage[]).findLast(({ info }) => info.summary === true);

export function addText(message: OpenCodeMessage, text: string | undefined): void {
  if (text) message.parts = [...message.parts, { ...textPart(message), text, synthetic: true, ignored: false }];
}

/** Copies the fields of a neighbouring part, so that OpenCode accepts the new part. */
function textPart({ info, parts }: OpenCodeMessage): { type: string; text?: string } {
  const like = parts.find(({ type }) => type === "text") ?? {};
  return { id: `prt_${info.id}`, messageID: info.id, sessionID: info.sessionID, ...like, type: "text" } as { type: string };
}

// What OpenCode knows about its sessions: the parent, and what was undone.

export function sessionInfos(client: Pick<FrameClient, "get">) {
  /** Whether a session was opened by another one, which never changes. */
  const below = new Map<string, boolean>();

  async function infoOf(id: string): Promise<SessionInfo | undefined> {
    const { data } = (await client.get?.({ path: { id } })) ?? {};
    if (data && below.size < AHEAD_SESSIONS) below.set(id, data.parentID !== undefined);
    return data;
  }

  /** If the host does not say, assume that it was. */
  async function isBelow(id: string): Promise<boolean> {
    const known = below.get(id);
    if (known !== undefined) return known;
    const info = await infoOf(id);
    return info === undefined || info.parentID !== undefined;
  }

  return { below, infoOf, isBelow };
}

/** Removes undone messages, which OpenCode keeps until the next prompt. */
export function withoutUndone(session: Session, info: SessionInfo | undefined): Session {
  const undone = session.messages.findIndex(({ id }) => id === info?.revert?.messageID);
  if (undone < 0) return session;
  return { ...session, messages: session.messages.slice(0, undone + (info?.revert?.partID === undefined ? 0 : 1)) };
}
