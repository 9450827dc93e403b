// Asks for a compaction: a message in the user's place with nothing but that request in it.
import type { Host, HostInfo, ModelName } from "./host.js";

export interface CompactionRequest {
  readonly sessionID: string;
  readonly agent?: string;
  readonly model?: ModelName;
  /** Not asked for by the user. */
  readonly auto: boolean;
}

export async function createCompaction(host: Host, { sessionID, agent, model, auto }: CompactionRequest): Promise<HostInfo> {
  const message = userMessage(host, sessionID, agent, model);
  await host.updateMessage(message);
  await host.updatePart({ id: host.newId("part"), messageID: message.id, sessionID, type: "compaction", auto });
  return message;
}

export const userMessage = (host: Host, sessionID: string, agent?: string, model?: ModelName): HostInfo => ({
  id: host.newId("message"),
  role: "user",
  sessionID,
  ...(agent !== undefined && { agent }),
  ...(model && { model }),
  time: { created: host.now() },
});
