// An agent that keeps its session in memory, and a model that says what it is told to.
import type {
  CompactedEvent,
  Host,
  HostInfo,
  HostMessage,
  HostPart,
  Summary,
  SummaryRequest,
} from "../../src/lifecycle/index.js";

export interface MemoryHost extends Host {
  readonly session: { info: HostInfo; parts: HostPart[] }[];
  readonly events: CompactedEvent[];
  readonly requests: SummaryRequest[];
  /** Everything that was stored, in its order. */
  readonly stored: (HostInfo | HostPart)[];
}

export function memoryHost(
  messages: readonly HostMessage[] = [],
  summarise: (request: SummaryRequest) => Promise<Summary> = async () => ({ text: "the summary" }),
): MemoryHost {
  const session = messages.map(({ info, parts }) => ({ info, parts: [...parts] }));
  const events: CompactedEvent[] = [];
  const requests: SummaryRequest[] = [];
  const stored: (HostInfo | HostPart)[] = [];
  let count = 0;
  let time = 0;
  const put = <T>(list: T[], same: (one: T) => boolean, value: T) => {
    const at = list.findIndex(same);
    if (at < 0) list.push(value);
    else list[at] = value;
  };
  return {
    session,
    events,
    requests,
    stored,
    messages: async () => structuredClone(session),
    updateMessage: async (info) => {
      stored.push(info);
      const before = session.find((message) => message.info.id === info.id);
      put(session, (message) => message.info.id === info.id, { info, parts: before?.parts ?? [] });
    },
    updatePart: async (part) => {
      stored.push(part);
      const message = session.find(({ info, parts }) => info.id === part.messageID || parts.some(({ id }) => id === part.id));
      if (!message) throw new Error("a part without its message");
      put(message.parts, ({ id }) => id === part.id, part);
    },
    publish: (event) => events.push(event),
    summarise: (request) => {
      requests.push(request);
      return summarise(request);
    },
    newId: (of) => `new-${of}-${++count}`,
    now: () => ++time,
  };
}
