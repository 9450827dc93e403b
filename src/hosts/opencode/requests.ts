// The hooks of a request and of events: what the model is told, and what is remembered of a session.
import { textIn } from "../../frames/change.js";
import { HISTORY_TAIL, REMEMBERED_SESSIONS } from "../../limits.js";
import { keepNewest } from "../../text/remember.js";
import { readAhead } from "../inject.js";
import { forgetSession, readRules, recordSummary, standingRulesText } from "../keeper.js";
import { blockFor } from "../repair-summary.js";
import type { OpenCodeContext } from "./context.js";
import { addText, isTyped, lastSummary, type OpenCodeEvent, type OpenCodeMessage } from "./messages.js";

/** Adds text to requests without storing it: the facts after an empty summary, which no other hook sees, and the standing rules
 * of earlier sessions. */
export async function onRequest(context: OpenCodeContext, output: { messages: OpenCodeMessage[] }): Promise<void> {
  const { ahead, below, caught, compacting, framed, attempt, ifOn, infoOf, inTime, sent, toSession } = context;
  const [first] = output.messages;
  const id = first?.info.sessionID;
  if (!id || compacting.has(id)) return;
  const ruling = framed && (await attempt("frames", () => framed.ruledBy(id)));
  const work = ifOn(async (own) => {
    // Copy the messages first, because text that is added below was not said.
    const messages = output.messages.map(({ info, parts }) => ({ info, parts }));
    ahead.offer(id, messages.length, () => {
      if (!below.has(id)) void infoOf(id).catch(() => undefined);
      return readAhead(own, toSession(id, messages));
    });
    keepNewest(sent, id, messages, REMEMBERED_SESSIONS);
    const summary = lastSummary(output.messages);
    if (summary && textIn(summary) === "") addText(summary, await inTime((late) => blockFor(own, id, late)));
    addText(first, standingRulesText(own, id, ruling));
    if (own.recall.start) addText(first, await startOf(context, id, messages));
  });
  // It ends by itself, and a timer would throw away what a busy machine was late with.
  await caught("transform", work);
  if (framed) addText(first, await attempt("frames", () => framed.context(id, output.messages)));
}

/** What earlier sessions say about the first message, as long as it is there. */
async function startOf(context: OpenCodeContext, id: string, [first, ...more]: readonly OpenCodeMessage[]): Promise<string> {
  const { isBelow, started, tellStart } = context;
  if (!first) return "";
  const known = started.get(first.info.id);
  if (known !== undefined || more.length > 0) return known ?? "";
  const start = isBelow(id).then((below) => (below ? "" : tellStart(id, textIn(first))));
  keepNewest(started, first.info.id, start, REMEMBERED_SESSIONS);
  return start;
}

interface Properties {
  readonly sessionID?: unknown;
  readonly messageID?: unknown;
  readonly info?: { readonly id?: unknown; readonly summary?: unknown };
}

export async function onEvent(context: OpenCodeContext, event: OpenCodeEvent): Promise<void> {
  const { ask, compacting, framed, attempt, history, ifOn, keep, summaries } = context;
  const { type } = event;
  const { sessionID, messageID, info }: Properties = event.properties ?? {};
  history.onEvent(event);
  if (type === "message.updated" && info?.summary === true && info.id) summaries.add(info.id as string);
  const id = type === "session.deleted" ? (sessionID ?? info?.id) : sessionID;
  if (typeof id !== "string") return;
  // A failed compaction is over too.
  if (["session.compacted", "session.idle", "session.error"].includes(type)) compacting.delete(id);
  if (framed) void framed.onEvent(type, id, typeof messageID === "string" ? messageID : undefined).catch(() => undefined);
  if (type === "session.idle") await attempt("rules", () => onIdle(context, id));
  if (type === "session.deleted") await attempt("deleted", () => forgetSession(keep(), id));
  if (type !== "session.compacted") return;
  const work = ifOn(async (own) => {
    const stored = lastSummary(await ask(id, HISTORY_TAIL)) ?? lastSummary(await ask(id));
    recordSummary(own, id, stored ? textIn(stored) : "");
  });
  await attempt("compacted", work);
}

/** Runs when the session is idle, because then nobody waits. */
async function onIdle({ idle, infoOf, keep, sent, toSession }: OpenCodeContext, id: string): Promise<void> {
  const messages = sent.get(id);
  sent.delete(id);
  if (!messages || !keep().enabled || !isTyped(await infoOf(id))) return;
  idle.offer(id, messages.length, () => readRules(keep(), { ...toSession(id, messages), typed: true }));
}
