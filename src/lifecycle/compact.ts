// Carries out a compaction: gets the summary, stores it and publishes the event. A failure leaves the conversation unchanged.
import { LIFECYCLE_STEPS } from "../limits.js";
import type { Lifecycle } from "../rules/rule-set.js";
import { untilAborted } from "../steps.js";
import { defined } from "../text/json.js";
import type { CompactingOutput, Host, HostInfo, HostMessage, HostModel, HostPart, ModelName, Summary } from "./host.js";
import { clearPruned, compactionPart, findTail, isSummary, messagesInView } from "./messages-in-view.js";
import { isOverflow } from "./overflow.js";

/** A compaction to carry out. */
export interface CompactionTask {
  readonly sessionID: string;
  /** The message that requests it. */
  readonly parentID: string;
  /** The session's messages, oldest first. */
  readonly messages: readonly HostMessage[];
  readonly model: HostModel;
  readonly auto: boolean;
  readonly abort?: AbortSignal;
  readonly path?: HostInfo["path"];
}

const AGENT = "compaction";

/** Carries out a compaction: requests the summary and stores it. */
export async function runCompaction(host: Host, task: CompactionTask, rules: Lifecycle): Promise<"continue" | "stop"> {
  const { sessionID, parentID, messages, model, auto, abort, path } = task;
  const at = messages.findIndex(({ info }) => info.id === parentID);
  const request = messages[at];
  if (!request) throw new RangeError(`no message ${parentID}`);
  const seen = clearPruned(messagesInView(messages.slice(0, at), rules), rules);
  const tail = findTail(seen, model, rules);
  const asked = Promise.resolve().then(() => host.agent?.(AGENT));
  const agent = await asked.catch(() => undefined);
  const name = agent?.model ?? request.info.model;
  const created = host.now();
  const id = host.newId("message");
  const none = { cost: 0, tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } } };
  const named = { id, role: "assistant", parentID, sessionID, mode: AGENT, agent: AGENT, summary: true };
  const started: HostInfo = { ...named, ...(path && { path }), ...none, ...name, time: { created } };
  await host.updateMessage(started);
  const made = await attempt(async () => {
    await asked; // If it failed, that is why there is no summary.
    const prompt = toCompactionPrompt(await hooked(host, sessionID), rules);
    const request = { sessionID, messageID: id, parentID, messages: seen.slice(0, tail), prompt, auto };
    return host.summarise(defined({ ...request, system: agent?.prompt ?? rules.system, model: name ?? undefined, abort }));
  }, abort);
  if ("error" in made) {
    await host.updateMessage({ ...started, error: made.error, time: { created, completed: host.now() } });
    return "stop";
  }

  const { text, finish = "stop", tokens, cost } = made;
  await host.updatePart({ id: host.newId("part"), messageID: started.id, sessionID, type: "text", text });
  const tailStart = seen[tail]?.info.id;
  const part = compactionPart(request);
  if (part && tailStart !== undefined) await host.updatePart({ ...part, tail_start_id: tailStart });
  // The summary counts from here on, so everything that belongs to it is stored before.
  await host.updateMessage({ ...started, finish, ...defined({ tokens, cost }), time: { created, completed: host.now() } });
  // If the user wrote something meanwhile, no synthetic message is needed.
  const spoken = messages.slice(at + 1).some(({ info }) => info.role === "user");
  if (auto && !spoken && rules.continue !== "")
    await storeMessage(host, sessionID, request.info, { type: "text", text: rules.continue, synthetic: true });
  await host.publish({ type: "session.compacted", properties: { sessionID } });
  return "continue";
}

/** The request for a summary: the hook's prompt if it sets one, otherwise the rules' prompt and the hook's contexts. */
export const toCompactionPrompt = ({ prompt, context }: CompactingOutput, rules: Pick<Lifecycle, "prompt">): string =>
  prompt ?? [rules.prompt, ...context].join("\n\n");

/** A hook that fails costs only what it would have added. */
async function hooked(host: Host, sessionID: string): Promise<CompactingOutput> {
  const output: CompactingOutput = { context: [] };
  try {
    await host.compacting?.({ sessionID }, output);
    return output;
  } catch {
    return { context: [] };
  }
}

// One attempt at a summary. The result is a summary with text, or a reason as data.

async function attempt(ask: () => Promise<Summary>, abort?: AbortSignal): Promise<Summary | ReturnType<typeof failed>> {
  if (abort?.aborted) return failed("SummaryAborted");
  try {
    const summary = await untilAborted(ask(), abort);
    if (abort?.aborted) return failed("SummaryAborted");
    if (typeof summary?.text !== "string") return failed("SummaryFailed", "summarise answered without a text");
    // Accepting an empty summary would lose the whole session.
    return summary.text.trim() === "" ? failed("SummaryEmpty") : summary;
  } catch (error) {
    return failed(abort?.aborted ? "SummaryAborted" : "SummaryFailed", error instanceof Error ? error.message : String(error));
  }
}

const MESSAGES = { SummaryAborted: "it was given up", SummaryEmpty: "the summary is empty", SummaryFailed: "" } as const;

const failed = (name: keyof typeof MESSAGES, message: string = MESSAGES[name]) => ({ error: { name, data: { message } } });

/** A request for a compaction. */
export interface CompactionRequest {
  readonly sessionID: string;
  readonly agent?: string;
  readonly model?: ModelName;
  /** Not requested by the user. */
  readonly auto: boolean;
}

/** Stores a message that requests a compaction. Rejects with a TypeError that names what is wrong, before anything is stored. */
export async function createCompaction(host: Host, request: CompactionRequest): Promise<HostInfo> {
  const { sessionID, auto, agent, model } = request ?? {};
  demand("sessionID", "a text", isText(sessionID));
  demand("auto", "true or false", typeof auto === "boolean");
  demand("agent", "a text", agent === undefined || isText(agent));
  demand("model", "{ providerID, modelID }", model === undefined || (isText(model?.providerID) && isText(model?.modelID)));
  return storeMessage(host, sessionID, request, { type: "compaction", auto });
}

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";

function demand(name: string, what: string, right: boolean): void {
  if (!right) throw new TypeError(`${name} must be ${what}`);
}

async function storeMessage(host: Host, sessionID: string, from: Pick<HostInfo, "agent" | "model">, part: HostPart) {
  const { agent, model } = from;
  const named = { id: host.newId("message"), role: "user", sessionID, agent, model: model ?? undefined };
  const message: HostInfo = defined({ ...named, time: { created: host.now() } });
  await host.updateMessage(message);
  await host.updatePart({ id: host.newId("part"), messageID: message.id, sessionID, ...part });
  return message;
}

// What an agent does before it asks its model: first an open compaction request, then a check of the tokens.

/** A turn of a session that is about to ask its model. */
export interface Turn {
  readonly sessionID: string;
  readonly model: HostModel;
  readonly abort?: AbortSignal;
  readonly path?: HostInfo["path"];
}

/** `proceed`: ask the model. `requested`, `compacted`: call again. `stop`: a compaction failed, and its message says why. */
export type LoopStep = "proceed" | "requested" | "compacted" | "stop";

/** Does the next step that a session needs before its model is asked. */
export async function nextStep(host: Host, turn: Turn, rules: Lifecycle): Promise<LoopStep> {
  const { sessionID, model } = turn;
  const messages = await host.messages(sessionID);
  const { pending, lastUser, lastFinished } = stateOf(messages);
  if (pending) {
    const auto = compactionPart(pending)?.auto ?? false;
    const result = await runCompaction(host, { ...turn, parentID: pending.info.id, messages, auto }, rules);
    return result === "stop" ? "stop" : "compacted";
  }
  const tokens = lastFinished && !isSummary(lastFinished) ? lastFinished.info.tokens : undefined;
  if (!lastUser || !tokens || !isOverflow({ tokens, model }, rules)) return "proceed";
  await storeMessage(host, sessionID, lastUser.info, { type: "compaction", auto: true });
  return "requested";
}

/** Repeats steps until the model can be asked, or a compaction has failed. */
export async function compactWhenFull(host: Host, turn: Turn, rules: Lifecycle): Promise<"proceed" | "stop"> {
  for (let steps = 0; steps < LIFECYCLE_STEPS; steps++) {
    const step = await nextStep(host, turn, rules);
    if (step === "proceed" || step === "stop") return step;
  }
  return "stop";
}

/**
 * The state of a session, read from its end. A request is open if neither an answer nor a failed attempt followed it:
 * otherwise a failed request would block every later turn.
 */
function stateOf(messages: readonly HostMessage[]) {
  const tried = new Set<string | undefined>();
  let pending: HostMessage | undefined;
  let lastUser: HostMessage | undefined;
  for (const message of messages.toReversed()) {
    const { info } = message;
    if (info.role === "assistant" && info.finish)
      return { pending, lastUser: lastUser ?? userBefore(messages, message), lastFinished: message };
    if (isSummary(message) && info.error) tried.add(info.parentID);
    if (info.role !== "user") continue;
    lastUser ??= message;
    // The oldest open request wins.
    if (compactionPart(message) && !tried.has(info.id)) pending = message;
  }
  return { pending, lastUser };
}

const userBefore = (messages: readonly HostMessage[], message: HostMessage) =>
  messages.slice(0, messages.indexOf(message)).findLast(({ info }) => info.role === "user");
