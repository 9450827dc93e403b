// OpenCode's plugin hooks. A thin layer: messages go to the keeper, texts come back, and errors never reach OpenCode.
import { inSlices, type Late, lateIn, type Steps } from "../../extract/steps.js";
import { orUndefined } from "../../files/folders.js";
import { textIn } from "../../frames/change.js";
import { type FramesConfigured, frameSettings, hasFrameTexts } from "../../frames/context.js";
import { withoutAnswer } from "../../judge/read-answer.js";
import { HISTORY_TAIL, HOOK_MILLISECONDS, REMEMBERED_SESSIONS } from "../../limits.js";
import type { Session } from "../../model.js";
import { readMessages } from "../../source/session/read-session.js";
import { keepNewest } from "../../text/remember.js";
import { createGuard, type LogClient } from "../guard.js";
import { carry, inject, learn, readAhead } from "../inject.js";
import { createKeeper, forgetSession, type Keeper, readRules, receiptFor, recordSummary, toldRules } from "../keeper.js";
import { recallTools } from "../recall-tools.js";
import { blockFor, repair } from "../repair-summary.js";
import { answerCarry, answerPin, asTyped, type CommandConfig, type CommandPart, markCommand, offerCommands } from "./commands.js";
import { createFrames } from "./frames/frames.js";
import { type FrameClient, listIn } from "./frames/sessions.js";
import { createHistory, createReadAhead, isHuge } from "./history.js";
import { addText, lastSummary, type OpenCodeMessage, sessionInfos, withoutUndone } from "./messages.js";
import { makeOptional, type ToolDefinition, toDefinitions } from "./tool-definitions.js";

/** Share of the deadline in which the host must return the messages; the rest is enough to render the stored facts. */
const MESSAGES_SHARE = 0.7;

export interface OpenCodeClient extends LogClient {
  readonly session: FrameClient;
  readonly tui?: {
    showToast(options: { readonly body: { readonly message: string; readonly variant: "info" } }): Promise<unknown>;
  };
}

export interface OpenCodeInput {
  readonly client: OpenCodeClient;
  readonly directory: string;
}

/** @param command our command line */
export function openCodeHooks({ client, directory }: OpenCodeInput, options: OpenCodeOptions = {}, command?: URL) {
  const { deadline = HOOK_MILLISECONDS, frames, refused } = checkOptions(options);
  /** Ids of messages that are summaries, known before their text arrives. */
  const summaries = new Set<string>();
  /** Sessions whose summary is being written. */
  const compacting = new Set<string>();
  let commands: ReadonlySet<string> = new Set();
  let keeper: Keeper | undefined;

  const { log, caught, guarded } = createGuard(client, deadline);
  for (const what of refused) log("warn", what);

  const inTime = <T>(work: (late: Late) => Steps<T>, late = lateIn(deadline)) => inSlices(work(late), late);

  const keep = (): Keeper => (keeper ??= createKeeper(directory, log, "opencode"));
  /** Work that is not done if the project switched the program off. */
  const ifOn =
    <T>(work: (keeper: Keeper) => T) =>
    () =>
      keep().enabled ? work(keep()) : undefined;

  const toSession = (id: string, messages: readonly unknown[]): Session => {
    const session =
      messages.length === 0 ? { format: "opencode", messages: [] } : readMessages(asTyped(messages), id, "opencode").session;
    return { ...session, id, folder: directory };
  };

  async function ask(id: string, limit?: number): Promise<readonly unknown[] | undefined> {
    return listIn(await client.session.messages({ path: { id }, ...(limit !== undefined && { query: { limit } }) }));
  }

  const history = createHistory(
    async (id, limit) => {
      const messages = await ask(id, limit);
      log("info", `${messages?.length ?? 0} messages read, ${limit === undefined ? "all that there are" : "the newest"}`);
      return messages;
    },
    toSession,
    ({ messages }) => !isHuge(messages),
  );

  const { below, infoOf, isBelow } = sessionInfos(client.session);

  const ahead = createReadAhead();
  const idle = createReadAhead(1);
  /** The last messages sent in each working session. */
  const sent = new Map<string, readonly unknown[]>();

  /** Runs when the session is idle, because then nobody waits. */
  async function onIdle(id: string): Promise<void> {
    const messages = sent.get(id);
    sent.delete(id);
    if (!messages || !keep().enabled || (await isBelow(id))) return;
    idle.offer(id, messages.length, () => readRules(keep(), { ...toSession(id, messages), typed: true }));
  }

  // OpenCode asks for tools only once, at startup.
  const framesOf = (own: Keeper) => {
    const { rules } = own;
    const settings = frameSettings(frames ?? own.frames);
    if (settings && !hasFrameTexts(rules)) log("warn", "frames are off: the packs do not have all of their templates");
    if (!settings || !hasFrameTexts(rules)) return undefined;
    const learnt = (id: string, messages: readonly unknown[]) => inTime((late) => learn(own, toSession(id, messages), late));
    return createFrames({ client: client.session, settings, rules, log, learn: learnt });
  };
  // If it fails, the first hook meets the same error and logs it.
  const framed = orUndefined(ifOn(framesOf));
  const recalled = orUndefined(ifOn(({ recall }) => toDefinitions(recallTools(command, recall), directory)));
  const tools: Readonly<Record<string, ToolDefinition>> = { ...recalled, ...framed?.tools };

  return {
    ...(Object.keys(tools).length > 0 && { tool: tools }),

    "experimental.session.compacting": async (
      { sessionID }: { sessionID: string },
      output: { context: string[]; prompt?: string },
    ) => {
      compacting.add(sessionID);
      ahead.stop();
      idle.stop();
      const work = ifOn(async (own) => {
        const late = lateIn(deadline);
        // If the messages do not arrive in time, there must be time left to render the stored facts.
        const [read, info] = await Promise.all([
          guarded("messages", () => history.read(sessionID), deadline * MESSAGES_SHARE),
          guarded("session", () => infoOf(sessionID), deadline * MESSAGES_SHARE),
        ]);
        const session = withoutUndone(read ?? { id: sessionID, format: "opencode", messages: [] }, info);
        // In a session that another one opened, a model speaks as the user. Assume that too if the parent is not known.
        const typed = (info ? info.parentID !== undefined : below.get(sessionID)) === false;
        return inSlices(inject(own, { ...session, typed }, { late, whole: read !== undefined, judged: true }), late);
      });
      const text = await caught("compacting", work);
      if (text && Array.isArray(output.context)) output.context.push(text);
      const prompt = framed && (await guarded("frames", () => framed.prompt(sessionID)));
      if (!prompt || !Array.isArray(output.context)) return;
      if (prompt.instead) output.prompt = prompt.instead(output.context.filter((one) => typeof one === "string"));
      else output.context.push(prompt.text);
    },

    "experimental.compaction.autocontinue": async ({ sessionID }: { sessionID: string }, output: { enabled: boolean }) => {
      const status = framed && (await guarded("frames", () => framed.statusOf(sessionID)));
      // A frame that is ending or has ended must not continue by itself.
      if (status !== undefined && status !== "none" && status !== "in_progress") output.enabled = false;
    },

    "tool.definition": async ({ toolID }: { toolID: string }, output: { jsonSchema?: unknown }) => {
      const tool = tools[toolID];
      if (tool) makeOptional(tool, Object.keys(tool.args).slice(0, 1), output);
    },

    "experimental.text.complete": async (
      { sessionID, messageID }: { sessionID: string; messageID: string },
      output: { text: string },
    ) => {
      if (!summaries.has(messageID)) return;
      compacting.delete(sessionID);
      const { text } = output;
      // Whatever happens below, the verdicts are not part of the summary.
      output.text = withoutAnswer(text);
      const status = framed ? await guarded("frames", () => framed.statusOf(sessionID)) : "none";
      // An ended frame still accepts a late summary. If the status is not known, the template without quotes is used.
      const template = status === "none" || status === "in_progress" ? "repair" : "frame-repair";
      const work = ifOn(async (own) => {
        output.text = await inTime((late) => repair(own, sessionID, text, late, template));
        return receiptFor(own, sessionID);
      });
      const message = await caught("text", work);
      // Nobody waits for it: without a terminal, there is no one to show it to.
      if (message) void guarded("toast", () => client.tui?.showToast({ body: { message, variant: "info" } }));
    },

    /**
     * Adds text to requests without storing it: the facts after an empty summary, which no other hook sees, and the
     * standing rules of earlier sessions.
     */
    "experimental.chat.messages.transform": async (_: unknown, output: { messages: OpenCodeMessage[] }) => {
      const [first] = output.messages;
      const id = first?.info.sessionID;
      if (!id || compacting.has(id)) return;
      const ruling = framed && (await guarded("frames", () => framed.ruledBy(id)));
      const work = ifOn((own) => {
        // Copy the messages first, because text that is added below was not said.
        const messages = output.messages.map(({ info, parts }) => ({ info, parts }));
        ahead.offer(id, messages.length, () => {
          if (!below.has(id)) void infoOf(id).catch(() => undefined);
          return readAhead(own, toSession(id, messages));
        });
        keepNewest(sent, id, messages, REMEMBERED_SESSIONS);
        const summary = output.messages.findLast(({ info }) => info.summary === true);
        if (summary && textIn(summary) === "") addText(summary, blockFor(own, id));
        addText(first, toldRules(own, id, ruling));
      });
      await guarded("transform", work);
      if (framed) addText(first, await guarded("frames", () => framed.context(id, output.messages)));
    },

    config: async (config: CommandConfig) => {
      // Without these commands, OpenCode still works.
      commands = orUndefined(ifOn((own) => offerCommands(config, own))) ?? commands;
    },

    "command.execute.before": async (
      input: { command: string; sessionID: string; arguments: string },
      output: { parts: CommandPart[] },
    ) => {
      if (!commands.has(input.command)) {
        const mark = ifOn(() => markCommand(output.parts, input.arguments));
        return guarded("command", mark);
      }
      const isCarry = input.command === "carry";
      const [read, info] = isCarry
        ? await Promise.all([
            guarded("carry", () => history.read(input.sessionID)),
            guarded("session", () => infoOf(input.sessionID)),
          ])
        : [];
      const session = read && withoutUndone(read, info);
      await caught("command", async () => {
        const own = keep();
        const list = session && (await inTime((late) => carry(own, session, { whole: true, late })));
        const parts = isCarry ? answerCarry(list ?? "", own) : await answerPin(input.arguments, own);
        // Change the list in place, because OpenCode keeps using it.
        output.parts.splice(0, output.parts.length, ...parts);
      });
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
      // A failed compaction is over too.
      if (["session.compacted", "session.idle", "session.error"].includes(event.type)) compacting.delete(id);
      if (framed)
        void framed.onEvent(event.type, id, typeof messageID === "string" ? messageID : undefined).catch(() => undefined);
      if (event.type === "session.idle") await guarded("rules", () => onIdle(id));
      if (event.type === "session.deleted") await guarded("deleted", () => forgetSession(keep(), id));
      if (event.type !== "session.compacted") return;
      const work = ifOn(async (own) => {
        const stored = lastSummary(await ask(id, HISTORY_TAIL)) ?? lastSummary(await ask(id));
        recordSummary(own, id, stored ? textIn(stored) : "");
      });
      await guarded("compacted", work);
    },
  };
}

// The options of the plugin's entry in opencode.json. OpenCode does not check them, so an invalid option is ignored.

export interface OpenCodeOptions {
  /** Milliseconds after which a hook returns what is ready. */
  readonly deadline?: number;
  /** Like `frames` in .compactionrc, which it overrides. */
  readonly frames?: FramesConfigured | boolean;
}

/** The valid options, and a message for each invalid one. */
export function checkOptions(given: unknown): OpenCodeOptions & { readonly refused: readonly string[] } {
  const { deadline, frames } = (given ?? {}) as Readonly<Record<keyof OpenCodeOptions, unknown>>;
  const refused: string[] = [];
  const taken = <T>(name: keyof OpenCodeOptions, value: unknown, fits: boolean, wanted: string): { [key: string]: T } => {
    if (fits) return { [name]: value as T };
    if (value !== undefined) refused.push(`option ${name} is ${JSON.stringify(value)}, not ${wanted}: it is not used`);
    return {};
  };
  const isMap = typeof frames === "object" && frames !== null && !Array.isArray(frames);
  return {
    ...taken("deadline", deadline, typeof deadline === "number" && deadline > 0, "a number of milliseconds"),
    ...taken("frames", frames, typeof frames === "boolean" || isMap, "true, false or a map"),
    refused,
  };
}
