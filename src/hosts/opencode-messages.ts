// OpenCode's messages: what they say, and what is put into them.
import type { CommandPart } from "./opencode-commands.js";

export interface Message {
  readonly info: { readonly id: string; readonly sessionID?: string; readonly summary?: unknown };
  parts: CommandPart[];
}

export const lastSummary = (messages: readonly unknown[] = []) =>
  (messages as readonly Message[]).findLast(({ info }) => info.summary === true);

export const saidBy = ({ parts }: Message) =>
  parts
    .flatMap(({ type, text }) => (type === "text" && text ? [text] : []))
    .join("\n")
    .trim();

export function addText(message: Message, text: string | undefined): void {
  if (text) message.parts = [...message.parts, { ...textPart(message), text, synthetic: true, ignored: false }];
}

/** A part like the ones beside it, so that OpenCode takes it for its own. */
function textPart({ info, parts }: Message): { type: string; text?: string } {
  const like = parts.find(({ type }) => type === "text") ?? {};
  return { id: `prt_${info.id}`, messageID: info.id, sessionID: info.sessionID, ...like, type: "text" } as { type: string };
}
