// OpenCode's plugin hooks. Thin: they hand messages to the keeper and texts back, and whatever goes wrong stays here.

import { isHuge } from "../extract/as-before.js";
import { inSlices } from "../extract/steps.js";
import { hasFrameTexts } from "../frames/say.js";
import { frameSettings } from "../frames/settings.js";
import { keepNewest } from "../keep/newest.js";
import {
  COMPLETION_SHARE,
  HISTORY_TAIL,
  HOOK_MILLISECONDS,
  MESSAGES_SHARE,
  REMEMBERED_SESSIONS,
  WARM_MILLISECONDS,
  WARM_ROUNDS,
} from "../limits.js";
import type { Session } from "../model.js";
import { readMessages } from "../source/session.js";
import { asTyped, markCommand } from "./command-texts.js";
import type { FrameClient } from "./frame-sessions.js";
import { makeOptional } from "./frame-tools.js";
import { createGuard, type LogClient } from "./guard.js";
import { createHistory } from "./history.js";
import { createKeeper, type Keeper } from "./keeper.js";
import { answerCarry, answerPin, type CommandConfig, type CommandPart, offerCommands } from "./opencode-commands.js";
import { createFrames, type Frames } from "./opencode-frames.js";
import { addText, lastSummary, type Message, saidBy } from "./opencode-messages.js";
import { checkOptions, type OpenCodeOptions } from "./opencode-options.js";
import { createReadAhead } from "./read-ahead.js";
import { sessionInfos, withoutUndone } from "./session-infos.js";

/** As much of OpenCode's client as is used. */
export interface OpenCodeClient extends LogClient {
  readonly session: FrameClient;
}

export interface OpenCodeInput {
  readonly client: OpenCodeClient;
  readonly directory: string;
}

/** Says that so many milliseconds are over. */
function lateIn(milliseconds: number): () => boolean {
  const until = performance.now() + milliseconds;
  return () => performance.now() > until;
}

export function openCodeHooks({ client, directory }: OpenCodeInput, options: OpenCodeOptions = {}) {
  const { deadline = HOOK_MILLISECONDS, frames, refused } = checkOptions(options);
  /** Messages that are summaries, known before their text comes. */
  const summaries = new Set<string>();
  /** Sessions whose summary is being written. */
  const compacting = new Set<string>();
  let commands: ReadonlySet<string> = new Set();
  let keeper: Keeper | undefined;

  const { log, guarded } = createGuard(client, deadline);
  for (const what of refused) log("warn", what);

  const keep = (): Keeper => {
    keeper ??= createKeeper(directory, log);
    return keeper;
  };

  // The user waits for a compaction, not for this. OpenCode's client does not answer at start, so it is not asked.
  let isWarm = false;
  const warm = async (round: number): Promise<void> => {
    try {
      if (isWarm || !keep().enabled) return;
      await inSlices(keep().warm(round));
    } catch {
      return; // The first hook will meet the same fault, and say so.
    }
    if (round + 1 < WARM_ROUNDS) later(round + 1);
  };
  const later = (round: number) => setTimeout(() => void warm(round), WARM_MILLISECONDS).unref?.();
  later(0);

  const toSession = (id: string, messages: readonly unknown[]): Session => {
    const session =
      messages.length === 0 ? { format: "opencode", messages: [] } : readMessages(asTyped(messages), id, "opencode").session;
    return { ...session, id, folder: directory };
  };

  async function ask(id: string, limit?: number): Promise<readonly unknown[] | undefined> {
    const { data } = await client.session.messages({ path: { id }, ...(limit !== undefined && { query: { limit } }) });
    return Array.isArray(data) ? data : undefined;
  }

  const history = createHistory(
    async (id, limit) => {
      const messages = await ask(id, limit);
      log("info", `${messages?.length ?? 0} messages read, ${limit === undefined ? "all that there are" : "the newest"}`);
      return messages;
    },
    (id, messages) => keep().recall(toSession(id, messages)),
    ({ messages }) => !isHuge(messages),
  );

  const { below, infoOf, isBelow } = sessionInfos(client.session);

  const ahead = createReadAhead();
  const idle = createReadAhead(1);
  /** What a session that is at work was last sent. */
  const sent = new Map<string, readonly unknown[]>();

  /** Nobody waits for a session that is idle. */
  async function readRules(id: string): Promise<void> {
    const messages = sent.get(id);
    sent.delete(id);
    if (!messages || !keep().enabled || (await isBelow(id))) return;
    idle.offer(id, messages.length, () => keep().readRules({ ...toSession(id, messages), typed: true }));
  }

  // OpenCode asks for tools once, when it starts.
  const framed = ((): Frames | undefined => {
    try {
      const settings = keep().enabled ? frameSettings(frames ?? keep().frames) : undefined;
      if (!settings) return undefined;
      const { rules, learnt } = keep();
      if (!hasFrameTexts(rules)) log("warn", "frames are off: the packs do not have all of their templates");
      const learn = (id: string, messages: readonly unknown[]) =>
        inSlices(learnt(toSession(id, messages), { late: lateIn(deadline) }));
      return hasFrameTexts(rules) ? createFrames({ client: client.session, settings, rules, log, learn }) : undefined;
    } catch {
      return undefined; // The first hook will meet the same fault, and say so.
    }
  })();

  return {
    ...(framed && { tool: framed.tools }),

    "experimental.session.compacting": async (
      { sessionID }: { sessionID: string },
      output: { context: string[]; prompt?: string },
    ) => {
      compacting.add(sessionID);
      isWarm = true;
      ahead.stop();
      idle.stop();
      const text = await guarded(
        "compacting",
        async () => {
          if (!keep().enabled) return undefined;
          const late = lateIn(deadline);
          // Where the messages do not come in time, there must be time for what is remembered.
          const [read, info] = await Promise.all([
            guarded("messages", () => history.read(sessionID), deadline * MESSAGES_SHARE),
            guarded("session", () => infoOf(sessionID), deadline * MESSAGES_SHARE),
          ]);
          const session = withoutUndone(read ?? { id: sessionID, format: "opencode", messages: [] }, info);
          // In a session that another one opened a model speaks as the user; where that is not known, too.
          const typed = (info ? info.parentID !== undefined : below.get(sessionID)) === false;
          return inSlices(keep().inject({ ...session, typed }, { late, whole: read !== undefined }));
        },
        deadline * COMPLETION_SHARE,
      );
      if (text && Array.isArray(output.context)) output.context.push(text);
      const prompt = framed && (await guarded("frames", () => framed.prompt(sessionID)));
      if (!prompt || !Array.isArray(output.context)) return;
      if (prompt.instead) output.prompt = prompt.instead(output.context.filter((one) => typeof one === "string"));
      else output.context.push(prompt.text);
    },

    "experimental.compaction.autocontinue": async ({ sessionID }: { sessionID: string }, output: { enabled: boolean }) => {
      const status = framed && (await guarded("frames", () => framed.statusOf(sessionID)));
      // A frame that ends, or has ended, is not to go on by itself.
      if (status !== undefined && status !== "none" && status !== "in_progress") output.enabled = false;
    },

    "tool.definition": async ({ toolID }: { toolID: string }, output: { jsonSchema?: unknown }) => {
      const tool = framed?.tools[toolID];
      if (tool) makeOptional(tool, Object.keys(tool.args).slice(0, 1), output);
    },

    "experimental.text.complete": async (
      { sessionID, messageID }: { sessionID: string; messageID: string },
      output: { text: string },
    ) => {
      if (!summaries.has(messageID)) return;
      compacting.delete(sessionID);
      const status = framed ? await guarded("frames", () => framed.statusOf(sessionID)) : "none";
      // A frame that has ended still takes a late summary. Where it is not known what the session is, nothing is quoted.
      const template = status === "none" || status === "in_progress" ? "repair" : "frame-repair";
      const mended = await guarded(
        "text",
        () => (keep().enabled ? inSlices(keep().mend(sessionID, output.text, { template, late: lateIn(deadline) })) : undefined),
        deadline * COMPLETION_SHARE,
      );
      if (mended !== undefined) output.text = mended;
    },

    /**
     * What is put into requests, and stored nowhere: the facts of an empty summary, which passes no other hook, where
     * it would stand; and the rules of the sessions before it.
     */
    "experimental.chat.messages.transform": async (_: unknown, output: { messages: Message[] }) => {
      const [first] = output.messages;
      const id = first?.info.sessionID;
      if (!id || compacting.has(id)) return;
      const ruling = framed && (await guarded("frames", () => framed.ruledBy(id)));
      await guarded("transform", () => {
        if (!keep().enabled) return;
        // As they are: what is put into the request below was not said.
        const messages = output.messages.map(({ info, parts }) => ({ info, parts }));
        ahead.offer(id, messages.length, () => {
          if (!below.has(id)) void infoOf(id).catch(() => undefined);
          return keep().readAhead(toSession(id, messages));
        });
        keepNewest(sent, id, messages, REMEMBERED_SESSIONS);
        const summary = output.messages.findLast(({ info }) => info.summary === true);
        if (summary && saidBy(summary) === "") addText(summary, keep().block(id));
        addText(first, keep().standing(id, ruling));
      });
      if (!framed) return;
      const around = await guarded("frames", () => framed.context(id, output.messages));
      addText(first, around);
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
      if (!commands.has(input.command)) {
        await guarded("command", () => (keep().enabled ? markCommand(output.parts, input.arguments) : undefined));
        return;
      }
      const carry = input.command === "carry";
      const [read, info] = carry
        ? await Promise.all([
            guarded("carry", () => history.read(input.sessionID)),
            guarded("session", () => infoOf(input.sessionID)),
          ])
        : [];
      const session = read && withoutUndone(read, info);
      await guarded(
        "command",
        async () => {
          const list = session && (await inSlices(keep().carry(session, { whole: true, late: lateIn(deadline) })));
          const parts = carry ? answerCarry(list ?? "", keep()) : answerPin(input.arguments, keep());
          // In place: OpenCode goes on with the list it gave.
          output.parts.splice(0, output.parts.length, ...parts);
        },
        deadline * COMPLETION_SHARE,
      );
    },

    event: async ({ event }: { event: { type: string; properties?: Record<string, unknown> } }) => {
      const properties = event.properties ?? {};
      history.onEvent(event);
      if (event.type === "message.updated") {
        const info = properties.info as { id?: string; summary?: unknown } | undefined;
        if (info?.summary === true && info.id) summaries.add(info.id);
      }
      const { sessionID, messageID, info } = properties as { sessionID?: unknown; messageID?: unknown; info?: { id?: unknown } };
      const id = event.type === "session.deleted" ? (sessionID ?? info?.id) : sessionID;
      if (typeof id !== "string") return;
      // A compaction that failed is over too.
      if (["session.compacted", "session.idle", "session.error"].includes(event.type)) compacting.delete(id);
      if (framed)
        void framed.onEvent(event.type, id, typeof messageID === "string" ? messageID : undefined).catch(() => undefined);
      if (event.type === "session.idle") await guarded("rules", () => readRules(id));
      if (event.type === "session.deleted") await guarded("deleted", () => keep().forget(id));
      if (event.type !== "session.compacted") return;
      await guarded("compacted", async () => {
        if (!keep().enabled) return;
        const stored = lastSummary(await ask(id, HISTORY_TAIL)) ?? lastSummary(await ask(id));
        keep().record(id, stored ? saidBy(stored) : "");
      });
    },
  };
}
