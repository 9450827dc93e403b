// OpenCode's plugin hooks. Thin: they hand messages to the keeper and texts back, and whatever goes wrong stays here.

import { HOOK_MILLISECONDS } from "../limits.js";
import type { Session } from "../model.js";
import { readMessages } from "../source/session.js";
import { createKeeper, type Keeper, type Level } from "./keeper.js";

/** As much of OpenCode's client as is used. */
export interface OpenCodeClient {
  readonly session: { messages(request: { path: { id: string } }): Promise<{ data?: unknown }> };
  readonly app: { log(request: { body: { service: string; level: Level; message: string; extra?: object } }): Promise<unknown> };
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
  parts: { type: string; text?: string; synthetic?: boolean }[];
}

const SERVICE = "compaction-rules";
/** OpenCode's own start goes first. */
const WARM_MILLISECONDS = 200;

export function openCodeHooks({ client, directory }: OpenCodeInput, options: OpenCodeOptions = {}) {
  const deadline = typeof options.deadline === "number" && options.deadline > 0 ? options.deadline : HOOK_MILLISECONDS;
  /** Messages that are summaries, known before their text comes. */
  const summaries = new Set<string>();
  /** Sessions whose summary is being written. */
  const compacting = new Set<string>();
  let keeper: Keeper | undefined;

  let started = false;
  const waiting: (() => void)[] = [];

  const log = (level: Level, message: string): void => {
    // A log that fails must not take the hook with it.
    const send = () =>
      void Promise.resolve()
        .then(() => client.app.log({ body: { service: SERVICE, level, message } }))
        .catch(() => undefined);
    if (started) send();
    else waiting.push(send);
  };

  const keep = (): Keeper => {
    keeper ??= createKeeper(directory, log);
    return keeper;
  };

  // The user waits for a compaction, not for this. OpenCode's client does not answer at start, so it is not asked.
  setTimeout(() => {
    try {
      if (keep().enabled) keep().warm();
    } catch {
      // The first hook will meet the same fault, and say so.
    }
  }, WARM_MILLISECONDS).unref?.();

  async function guarded<T>(what: string, work: () => Promise<T> | T): Promise<T | undefined> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    started = true;
    for (const send of waiting.splice(0)) send();
    try {
      const late = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => {
          log("warn", `${what}: not ready after ${deadline} ms; the session goes on without it`);
          resolve(undefined);
        }, deadline);
        timer.unref?.();
      });
      return await Promise.race([Promise.resolve().then(work), late]);
    } catch (error) {
      log("error", `${what}: ${error instanceof Error ? error.message : "unknown error"}`);
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  async function readHistory(id: string): Promise<Session | undefined> {
    const { data } = await client.session.messages({ path: { id } });
    if (!Array.isArray(data) || data.length === 0) return undefined;
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
        if (text) message.parts = [...message.parts, { ...textPart(message), text, synthetic: true }];
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
