// OpenCode's messages and session infos: reading their text, adding text, and finding what was undone.

import { AHEAD_SESSIONS } from "../../limits.js";
import type { Session } from "../../model.js";
import { asFields } from "../../text/json.js";
import type { FrameClient, SessionInfo } from "./frames/sessions.js";

export type CommandConfig = { command?: Record<string, { template: string; description?: string }> };

export type TypedCommand = { readonly command: string; readonly sessionID: string; readonly arguments: string };

export interface CommandPart {
  type: string;
  text?: string;
  synthetic?: boolean;
  ignored?: boolean;
  metadata?: Record<string, unknown>;
}

export type OpenCodeEvent = { readonly type: string; readonly properties?: Record<string, unknown> };

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

/** Is it a person who speaks as the user? Not in a session that another one opened, and not where the model may put no question
 * to anybody: `opencode run` denies that in the sessions that it opens. */
export function isTyped(info: SessionInfo | undefined): boolean {
  const rules = Array.isArray(info?.permission) ? info.permission.map(asFields) : [];
  const question = rules.findLast(({ permission, pattern }) => permission === "question" && pattern === "*");
  return info !== undefined && info.parentID === undefined && question?.action !== "deny";
}

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

// When the user runs another command, its arguments are the user's words, but its expanded template is not. A stored message does
// not separate the two, so the plugin marks them in `metadata`, which OpenCode keeps and never sends to a model.

const MARK = "compaction-rules";

export function markCommand(parts: CommandPart[], typed: string): void {
  const isText = ({ type, synthetic, ignored }: CommandPart) => type === "text" && !synthetic && !ignored;
  const first = parts.findIndex(isText);
  const marked = parts.map((part, index) => {
    const mark = { command: true, typed: index === first ? typed.trim() : "" };
    return isText(part) ? { ...part, metadata: { ...part.metadata, [MARK]: mark } } : part;
  });
  // Change the list in place, because OpenCode keeps using it.
  parts.splice(0, parts.length, ...marked);
}

/** Replaces the expanded template of a command with what the user typed. */
export const asTyped = (messages: readonly unknown[]): readonly unknown[] =>
  messages.map((message) => {
    const { parts } = (message ?? {}) as { parts?: unknown };
    if (!Array.isArray(parts) || !parts.some(markOf)) return message;
    return { ...(message as object), parts: parts.flatMap(typedIn) };
  });

function typedIn(part: CommandPart): readonly CommandPart[] {
  const mark = markOf(part);
  if (!mark) return [part];
  const typed = typeof mark.typed === "string" && mark.typed !== "" ? [{ type: "text", text: mark.typed }] : [];
  return [{ ...part, synthetic: true }, ...typed];
}

function markOf(part: unknown): { readonly typed?: unknown } | undefined {
  const { metadata } = (part ?? {}) as Partial<CommandPart>;
  const mark = metadata?.[MARK];
  return typeof mark === "object" && mark !== null ? mark : undefined;
}
