// The hooks of a compaction: what goes into the prompt, the summary that comes back, and whether the agent continues by itself.

import { withoutAnswer } from "../../judge/read-answer.js";
import { inSlices, lateIn } from "../../steps.js";
import { inject } from "../inject.js";
import { receiptFor } from "../keeper.js";
import { repairSummary } from "../repair-summary.js";
import type { OpenCodeContext } from "./context.js";
import { isTyped } from "./messages.js";

/** Share of the deadline in which the host must return the messages; the rest is enough to render the stored facts. */
const MESSAGES_SHARE = 0.7;

type Compacting = { context: string[]; prompt?: string };

export async function onCompacting(context: OpenCodeContext, sessionID: string, output: Compacting): Promise<void> {
  const { ahead, idle, below, caught, compacting, deadline, framed, attempt, ifOn, readSession } = context;
  compacting.add(sessionID);
  ahead.stop();
  idle.stop();
  const work = ifOn(async (own) => {
    const late = lateIn(deadline);
    // If the messages do not arrive in time, there must be time left to render the stored facts.
    const { session, info } = await readSession(sessionID, "messages", deadline * MESSAGES_SHARE);
    // In a session that another one opened, a model speaks as the user. Assume that too if nothing is known of it.
    const typed = info ? isTyped(info) : below.get(sessionID) === false;
    const read = session ?? { id: sessionID, format: "opencode", messages: [] };
    return inSlices(inject(own, { ...read, typed }, { late, whole: session !== undefined, judged: true }), late);
  });
  const text = await caught("compacting", work);
  if (text && Array.isArray(output.context)) output.context.push(text);
  const prompt = framed && (await attempt("frames", () => framed.prompt(sessionID)));
  if (!prompt || !Array.isArray(output.context)) return;
  if (prompt.instead) output.prompt = prompt.instead(output.context.filter((one) => typeof one === "string"));
  else output.context.push(prompt.text);
}

/** A frame that is ending or has ended must not continue by itself. */
export async function onContinue({ framed, attempt }: OpenCodeContext, sessionID: string, output: { enabled: boolean }) {
  const status = framed && (await attempt("frames", () => framed.statusOf(sessionID)));
  if (status !== undefined && status !== "none" && status !== "in_progress") output.enabled = false;
}

type Written = { readonly sessionID: string; readonly messageID: string };

export async function onText(context: OpenCodeContext, { sessionID, messageID }: Written, output: { text: string }) {
  const { caught, client, compacting, framed, attempt, ifOn, inTime, summaries } = context;
  if (!summaries.has(messageID)) return;
  compacting.delete(sessionID);
  const { text } = output;
  // Whatever happens below, the verdicts are not part of the summary.
  output.text = withoutAnswer(text);
  const status = framed ? await attempt("frames", () => framed.statusOf(sessionID)) : "none";
  // An ended frame still accepts a late summary. If the status is not known, the template without quotes is used.
  const template = status === "none" || status === "in_progress" ? "repair" : "frame-repair";
  const work = ifOn(async (own) => {
    output.text = await inTime((late) => repairSummary(own, sessionID, text, late, { how: template }));
    return receiptFor(own, sessionID);
  });
  const message = await caught("text", work);
  // Nobody waits for it: without a terminal, there is no one to show it to.
  if (message) void attempt("toast", () => client.tui?.showToast({ body: { message, variant: "info" } }));
}
