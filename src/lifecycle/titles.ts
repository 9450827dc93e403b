// Titles of the user's messages. OpenCode keeps them in `summary.title`, beside the differences of the turn.
import type { Lifecycle } from "../rules/rule-set.js";
import { oneLine } from "../text/forms.js";
import type { Host, HostInfo, HostMessage } from "./host.js";
import { cutToTokens } from "./overflow.js";

/** The title of a user's message: the stored one, or the first line that the user typed. undefined for other messages. */
export function messageTitle(message: HostMessage, rules: Lifecycle): string | undefined {
  const line = oneLine(typedIn(message).trimStart().split("\n", 1)[0] as string);
  if (line === "") return undefined;
  const cut = cutToTokens(line, rules.title, rules);
  return summaryOf(message.info).title ?? (cut === line ? line : `${cut.replace(/\s\S*$/, "")} …`);
}

/** Gives each message of the user a title, if it has none, and has the host store it. */
export async function titleMessages(host: Host, sessionID: string, rules: Lifecycle): Promise<void> {
  for (const message of await host.messages(sessionID)) {
    const own = messageTitle(message, rules);
    const summary = summaryOf(message.info);
    if (own === undefined || summary.title !== undefined) continue;
    // A model that fails or says nothing does not leave the message without a title.
    const written = await host.title?.(typedIn(message)).catch(() => "");
    await host.updateMessage({ ...message.info, summary: { ...summary, title: oneLine(written ?? "") || own } });
  }
}

const summaryOf = ({ summary }: HostInfo) =>
  (typeof summary === "object" && summary !== null ? summary : {}) as { readonly title?: string };

const typedIn = ({ info, parts }: HostMessage): string =>
  (info.role === "user" && parts.find(({ type, synthetic }) => type === "text" && !synthetic)?.text) || "";
