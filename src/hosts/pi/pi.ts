// pi's extension hooks. What was found goes into pi's own request for the summary, and the answer is audited before pi stores
// it. If that fails, pi compacts by itself, and the lost facts are added after the summary in every request. Errors never reach
// pi, which waits for its extensions without a timeout.

import { withoutBlocks } from "../../audit/block.js";
import { needsOf } from "../../extract/calls/call.js";
import { fileChunks } from "../../files/regular-file.js";
import { mayAllow } from "../../guards/allowed.js";
import { HOOK_MILLISECONDS } from "../../limits.js";
import type { Message, Session } from "../../model.js";
import { newestMessages } from "../../source/session/newest-messages.js";
import { readSessionFrom } from "../../source/session/read-session.js";
import { inSlices, lateIn } from "../../steps.js";
import { createInsideJudge } from "../calls/judge-inside.js";
import { answerCarry, answerHandoff, answerPin } from "../commands.js";
import { carry, handOver, inject } from "../inject.js";
import { createKeeper, type Keeper, receiptFor } from "../keeper.js";
import { recallTools } from "../recall-tools.js";
import { remind, repairSummary } from "../repair-summary.js";
import type { PiApi, PiContext, PiMessage } from "./api.js";
import { type Compact, type CompactionEvent, type CompactionResult, requestSummary } from "./summary.js";

/** @param compactOf pi's own function that asks for a summary @param command our command line */
export function piHooks(pi: PiApi, compactOf: () => Promise<Compact | undefined>, command?: URL): void {
  let keeper: Keeper | undefined;
  // Cached for the current summary, because there are many requests.
  let last: { readonly file: string; readonly summary: string; readonly behind: string | undefined } | undefined;
  /** The summary that was audited before pi stored it. */
  let audited: string | undefined;

  async function quietly<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch {
      // pi would show the error in the middle of the user's work, and the user could do nothing about it.
      return undefined;
    }
  }

  const keep = (cwd: string): Keeper => (keeper ??= createKeeper(cwd, () => {}, "pi"));

  function open({ cwd, sessionManager }: PiContext): { keeper: Keeper; session: Session; file: string } | undefined {
    const own = keep(cwd);
    const file = sessionManager.getSessionFile();
    if (!own.enabled || file === undefined) return undefined;
    const { session } = readSessionFrom(() => fileChunks(file), "pi", needsOf(own.rules), "pi");
    return { keeper: own, session, file };
  }

  const late = () => lateIn(HOOK_MILLISECONDS);
  const options = (session: Session) => ({ late: late(), whole: session.whole === true });

  async function behind(summary: string, context: PiContext): Promise<string | undefined> {
    if (last && last.summary === summary && last.file === context.sessionManager.getSessionFile()) return last.behind;
    const opened = open(context);
    const block = opened && (await inSlices(remind(opened.keeper, opened.session, summary, options(opened.session))));
    last = { file: opened?.file ?? "", summary, behind: block };
    return block;
  }

  /** Undefined if pi is to compact by itself. */
  async function compacted(event: CompactionEvent, context: PiContext): Promise<CompactionResult | undefined> {
    const compact = await compactOf();
    const opened = compact && open(context);
    if (!opened) return undefined;
    const { keeper: own, session } = opened;
    const injection = await inSlices(inject(own, session, { ...options(session), judged: true }));
    const answer = await requestSummary(compact, event, context, injection ?? "");
    if (answer === undefined) return undefined;
    const summary = await inSlices(repairSummary(own, session.id, answer.summary, late()));
    // pi stores what it gets, also nothing.
    if (withoutBlocks(summary) === "") return undefined;
    context.ui?.notify(receiptFor(own, session.id) ?? "");
    audited = summary;
    return { ...answer, summary };
  }

  pi.on("session_before_compact", (event, context) =>
    quietly(async () => {
      const compaction = await compacted(event, context);
      return compaction && { compaction };
    }),
  );
  pi.on("session_compact", (_, context) =>
    quietly(async () => {
      // A model may write the same summary twice, and other facts are lost then.
      last = undefined;
      const opened = open(context);
      const summary = opened?.session.messages.findLast((message) => message.summary === true)?.text;
      if (!opened || summary === undefined || summary === audited) return;
      await inSlices(inject(opened.keeper, opened.session, options(opened.session)));
      await inSlices(repairSummary(opened.keeper, opened.session.id, summary, late()));
      context.ui?.notify(receiptFor(opened.keeper, opened.session.id) ?? "");
    }),
  );
  pi.on("context", ({ messages }, context) =>
    quietly(async () => {
      const at = messages.findIndex(({ role, summary }) => role === "compactionSummary" && typeof summary === "string");
      const { summary = "" } = messages[at] ?? {};
      const isRepaired = withoutBlocks(summary) !== summary.trim();
      const block = at < 0 || isRepaired ? undefined : await behind(summary, context);
      if (block === undefined) return undefined;
      return { messages: messages.with(at, { ...(messages[at] as PiMessage), summary: `${summary}\n\n${block}` }) };
    }),
  );

  const messagesOf = ({ cwd, sessionManager }: PiContext): readonly Message[] => {
    const file = sessionManager.getSessionFile();
    return file === undefined ? [] : newestMessages(file, "pi", needsOf(keep(cwd).rules), mayAllow).messages;
  };
  guardCalls(pi, { keep, quietly, messagesOf });

  pi.registerCommand("pin", {
    description: "Keep a text through every compaction of this project",
    handler: async (args, context) => {
      const text = await quietly(() => answerPin(args, keep(context.cwd)));
      context.ui?.notify(text ?? "nothing is pinned");
    },
  });
  const shows = (name: string, description: string, find: typeof carry, answer: typeof answerCarry) =>
    pi.registerCommand(name, {
      description,
      handler: async (_, context) => {
        const opened = await quietly(async () => open(context));
        const text = opened && (await quietly(() => inSlices(find(opened.keeper, opened.session, options(opened.session)))));
        context.ui?.notify(answer(text ?? ""));
      },
    });
  shows("carry", "Show what the next compaction would carry", carry, answerCarry);
  shows("handoff", "Show what another agent needs to go on with this session", handOver, answerHandoff);

  for (const { name, description, schema, call } of recallTools(command, {}))
    pi.registerTool?.({
      name,
      label: name,
      description,
      parameters: schema,
      execute: async (_, args, signal, __, { cwd }) => ({
        content: [{ type: "text", text: await call(args, cwd, signal) }],
        details: {},
      }),
    });
}

// Guards in pi: a call is blocked before it runs, asked about in a dialog, and told a sentence behind its result.

interface Surroundings {
  readonly keep: (cwd: string) => Keeper;
  /** pi refuses a call if the handler throws. */
  readonly quietly: <T>(work: () => Promise<T>) => Promise<T | undefined>;
  readonly messagesOf: (context: PiContext) => readonly Message[];
}

const QUESTION = "Run this call?";

function guardCalls(pi: PiApi, { keep, quietly, messagesOf }: Surroundings): void {
  const sentences = new Map<string, string>();
  const judge = createInsideJudge();

  pi.on("tool_call", ({ toolName: tool, toolCallId: id, input }, context) =>
    quietly(async () => {
      const { cwd, sessionManager, hasUI: asks = false, ui } = context;
      const keeper = keep(cwd);
      const session = sessionManager.getSessionId?.() ?? "";
      const call = { session, tool, input, project: cwd, folder: cwd, asks };
      const answer = await judge(call, keeper, async () => ({ messages: messagesOf(context), typed: asks }));
      if (answer?.tell !== undefined) sentences.set(id, answer.tell);
      if (answer?.shown !== undefined) ui?.notify(answer.shown);
      const { reason } = answer ?? {};
      if (reason === undefined || (answer?.call === "ask" && (await ui?.confirm?.(QUESTION, reason)))) return undefined;
      return { block: true, reason };
    }),
  );
  pi.on("tool_result", async ({ toolCallId: id, content }) => {
    const text = sentences.get(id);
    sentences.delete(id);
    return text === undefined ? undefined : { content: [...content, { type: "text", text }] };
  });
}
