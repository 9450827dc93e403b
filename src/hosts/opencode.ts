// OpenCode's plugin hooks. Thin: they hand messages to the keeper and texts back, and whatever goes wrong stays here.

import { HOOK_MILLISECONDS } from "../limits.js";
import type { Session } from "../model.js";
import { readMessages } from "../source/session.js";
import { createGuard, type LogClient } from "./guard.js";
import { createKeeper, type Keeper } from "./keeper.js";
import { answerCarry, answerPin, type CommandConfig, type CommandPart, offerCommands } from "./opencode-commands.js";

/** As much of OpenCode's client as is used. */
export interface OpenCodeClient extends LogClient {
  readonly session: { messages(request: { path: { id: string } }): Promise<{ data?: unknown }> };
}

export interface OpenCodeInput {
  readonly client: OpenCodeClient;
  readonly directory: string;
}

export interface OpenCodeOptions {
  /** Milliseconds after which a hook hands over what is ready. */
  readonly deadline?: number;
}

interface Message {
  readonly info: { readonly id: string; readonly sessionID?: string; readonly summary?: unknown };
  parts: CommandPart[];
}

/** OpenCode's own start goes first, and what it does meanwhile in between. */
const WARM_MILLISECONDS = 200;
/** As often as it takes until the engine has compiled what is used most. */
const WARM_ROUNDS = 4;

export function openCodeHooks({ client, directory }: OpenCodeInput, options: OpenCodeOptions = {}) {
  const deadline = typeof options.deadline === "number" && options.deadline > 0 ? options.deadline : HOOK_MILLISECONDS;
  /** Messages that are summaries, known before their text comes. */
  const summaries = new Set<string>();
  /** Sessions whose summary is being written. */
  const compacting = new Set<string>();
  let commands: ReadonlySet<string> = new Set();
  let keeper: Keeper | undefined;

  const { log, guarded } = createGuard(client, deadline);

  const keep = (): Keeper => {
    keeper ??= createKeeper(directory, log);
    return keeper;
  };

  // The user waits for a compaction, not for this. OpenCode's client does not answer at start, so it is not asked.
  const warm = (round: number): void => {
    try {
      if (!keep().enabled) return;
      keep().warm(round);
    } catch {
      return; // The first hook will meet the same fault, and say so.
    }
    if (round + 1 < WARM_ROUNDS) later(round + 1);
  };
  const later = (round: number) => setTimeout(() => warm(round), WARM_MILLISECONDS).unref?.();
  later(0);

  async function readHistory(id: string): Promise<Session | undefined> {
    const { data } = await client.session.messages({ path: { id } });
    if (!Array.isArray(data)) return undefined;
    if (data.length === 0) return { id, format: "opencode", folder: directory, messages: [] };
    const { session } = readMessages(data, id, "opencode");
    return { ...session, id, folder: directory };
  }

  return {
    "experimental.session.compacting": async ({ sessionID }: { sessionID: string }, output: { context: string[] }) => {
      compacting.add(sessionID);
      const text = await guarded("compacting", async () => {
        if (!keep().enabled) return undefined;
        const until = Date.now() + deadline;
        const session = (await guarded("messages", () => readHistory(sessionID))) ?? {
          id: sessionID,
          format: "opencode",
          messages: [],
        };
        return keep().inject(session, { late: () => Date.now() > until });
      });
      if (text && Array.isArray(output.context)) output.context.push(text);
    },

    "experimental.text.complete": async (
      { sessionID, messageID }: { sessionID: string; messageID: string },
      output: { text: string },
    ) => {
      if (!summaries.has(messageID)) return;
      compacting.delete(sessionID);
      const mended = await guarded("text", () => (keep().enabled ? keep().mend(sessionID, output.text) : undefined));
      if (mended !== undefined) output.text = mended;
    },

    /**
     * What is put into requests, and stored nowhere: the facts of an empty summary, which passes no other hook, where
     * it would stand; and in a session that has none yet, the rules of the sessions before it.
     */
    "experimental.chat.messages.transform": async (_: unknown, output: { messages: Message[] }) => {
      await guarded("transform", () => {
        const [first] = output.messages;
        const id = first?.info.sessionID;
        if (!id || compacting.has(id) || !keep().enabled) return;
        const summary = output.messages.findLast(({ info }) => info.summary === true);
        const [message, text] = summary
          ? [summary, saidBy(summary) === "" ? keep().block(id) : undefined]
          : [first, keep().standing(id)];
        if (text) message.parts = [...message.parts, { ...textPart(message), text, synthetic: true, ignored: false }];
      });
    },

    config: async (config: CommandConfig) => {
      try {
        if (keep().enabled) commands = offerCommands(config, keep());
      } catch {
        // Without the commands OpenCode is what it was.
      }
    },

    "command.execute.before": async (
      input: { command: string; sessionID: string; arguments: string },
      output: { parts: CommandPart[] },
    ) => {
      if (!commands.has(input.command)) return;
      const carry = input.command === "carry";
      const session = carry ? await guarded("carry", () => readHistory(input.sessionID)) : undefined;
      await guarded("command", () => {
        const parts = carry ? answerCarry(session, keep()) : answerPin(input.arguments, keep());
        // In place: OpenCode goes on with the list it gave.
        output.parts.splice(0, output.parts.length, ...parts);
      });
    },

    event: async ({ event }: { event: { type: string; properties?: Record<string, unknown> } }) => {
      const properties = event.properties ?? {};
      if (event.type === "message.updated") {
        const info = properties.info as { id?: string; summary?: unknown } | undefined;
        if (info?.summary === true && info.id) summaries.add(info.id);
      }
      const id = properties.sessionID;
      if (typeof id !== "string") return;
      // A compaction that failed is over too.
      if (["session.compacted", "session.idle", "session.error"].includes(event.type)) compacting.delete(id);
      if (event.type !== "session.compacted") return;
      await guarded("compacted", async () => {
        if (!keep().enabled) return;
        const { data } = await client.session.messages({ path: { id } });
        const stored = (Array.isArray(data) ? (data as Message[]) : []).findLast(({ info }) => info.summary === true);
        keep().record(id, stored ? saidBy(stored) : "");
      });
    },
  };
}

const saidBy = ({ parts }: Message) =>
  parts
    .flatMap(({ type, text }) => (type === "text" && text ? [text] : []))
    .join("\n")
    .trim();

/** A part like the ones beside it, so that OpenCode takes it for its own. */
function textPart({ info, parts }: Message): { type: string; text?: string } {
  const like = parts.find(({ type }) => type === "text") ?? {};
  return { id: `prt_${info.id}`, messageID: info.id, sessionID: info.sessionID, ...like, type: "text" } as { type: string };
}
