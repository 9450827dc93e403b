// Carries a compaction out: has the summary made, stores it, and tells. A failure leaves the session as it was.
import type { Lifecycle } from "../rules/lifecycle-set.js";
import { attempt } from "./attempt.js";
import { userMessage } from "./create.js";
import { messagesInView } from "./filter.js";
import { compactionPart, type Host, type HostInfo, type HostMessage, type HostModel } from "./host.js";
import { clearPruned } from "./prune.js";
import { findTail } from "./tail.js";

export interface CompactionTask {
  readonly sessionID: string;
  /** The message that asks for it. */
  readonly parentID: string;
  /** The session's messages, oldest first. */
  readonly messages: readonly HostMessage[];
  readonly model: HostModel;
  readonly auto: boolean;
  readonly abort?: AbortSignal;
  readonly path?: HostInfo["path"];
}

const AGENT = "compaction";

export async function runCompaction(host: Host, task: CompactionTask, rules: Lifecycle): Promise<"continue" | "stop"> {
  const { sessionID, parentID, messages, model, auto, abort, path } = task;
  const at = messages.findIndex(({ info }) => info.id === parentID);
  const request = messages[at];
  if (!request) throw new RangeError(`no message ${parentID}`);
  const seen = clearPruned(messagesInView(messages.slice(0, at), rules), rules);
  const tail = findTail(seen, model, rules);
  const created = host.now();
  const started: HostInfo = {
    id: host.newId("message"),
    role: "assistant",
    parentID,
    sessionID,
    mode: AGENT,
    agent: AGENT,
    summary: true,
    ...(path && { path }),
    cost: 0,
    tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
    ...request.info.model,
    time: { created },
  };
  await host.updateMessage(started);
  const made = await attempt(host, {
    sessionID,
    messageID: started.id,
    parentID,
    messages: seen.slice(0, tail),
    ...(request.info.model && { model: request.info.model }),
    auto,
    ...(abort && { abort }),
  });
  if ("error" in made) {
    await host.updateMessage({ ...started, error: made.error, time: { created, completed: host.now() } });
    return "stop";
  }

  const { text, finish = "stop", tokens, cost } = made;
  await host.updatePart({ id: host.newId("part"), messageID: started.id, sessionID, type: "text", text });
  const tailStart = seen[tail]?.info.id;
  const part = compactionPart(request);
  if (part && tailStart !== undefined) await host.updatePart({ ...part, tail_start_id: tailStart });
  // From here on the summary counts: everything that belongs to it is stored before.
  await host.updateMessage({
    ...started,
    finish,
    ...(tokens && { tokens }),
    ...(cost !== undefined && { cost }),
    time: { created, completed: host.now() },
  });
  // Who has spoken meanwhile needs nobody to speak in his place.
  const spoken = messages.slice(at + 1).some(({ info }) => info.role === "user");
  if (auto && !spoken && rules.continue !== "") await sayContinue(host, request.info, sessionID, rules);
  await host.publish({ type: "session.compacted", properties: { sessionID } });
  return "continue";
}

async function sayContinue(host: Host, { agent, model }: HostInfo, sessionID: string, rules: Lifecycle): Promise<void> {
  const message = userMessage(host, sessionID, agent, model);
  await host.updateMessage(message);
  await host.updatePart({
    id: host.newId("part"),
    messageID: message.id,
    sessionID,
    type: "text",
    text: rules.continue,
    synthetic: true,
  });
}
