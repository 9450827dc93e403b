// As much of OpenCode as frames touch, in memory: sessions, turns that a script plays, compactions that run the hooks.
import { openCodeHooks } from "../../src/hosts/opencode/opencode.js";

interface Part {
  type: string;
  text?: string;
}
export interface StoredMessage {
  info: Record<string, unknown> & { id: string; sessionID: string };
  parts: Part[];
}
type Hooks = ReturnType<typeof openCodeHooks>;
type Tool = "frame_push" | "frame_pop" | "frame_status";

export interface World {
  readonly hooks: Hooks;
  readonly sessions: Map<string, { readonly info: Record<string, unknown>; readonly messages: StoredMessage[] }>;
  readonly calls: string[];
  /** Sessions that are at work. */
  readonly busy: Set<string>;
  /** Runs when a session is made. */
  created: () => void;
  /** What the model does in a session that is given a prompt. */
  agent: (id: string, prompt: string) => Promise<void>;
  /** What the model answers to a compaction; undefined when it never does. */
  summary: (prompt: string) => string | undefined;
  readonly say: (id: string, role: string, text: string, more?: object) => StoredMessage;
  readonly use: (tool: Tool, id: string, args: object, abort?: AbortSignal) => Promise<{ output: string; metadata: object }>;
  compact: (id: string) => Promise<void>;
  readonly request: (id: string, messages?: StoredMessage[]) => Promise<string>;
}

const MODEL = { providerID: "p", modelID: "m" };

/** @param instead what the client answers otherwise than OpenCode does @param command in the place of our command line */
export function memoryOpenCode(
  directory: string,
  options: object = { frames: true },
  instead: object = {},
  command?: URL,
): World {
  // A slow machine must not let hooks give up here.
  const patient = { deadline: 60_000, ...options };
  const sessions: World["sessions"] = new Map();
  const calls: string[] = [];
  let count = 0;
  const open = (info: object): Record<string, unknown> => {
    const id = `ses_${sessions.size}`;
    sessions.set(id, { info: { id, title: `Title of ${id}`, ...info }, messages: [] });
    return sessions.get(id)?.info as Record<string, unknown>;
  };
  const of = (id: string) => {
    const found = sessions.get(id);
    if (!found) throw new Error(`no ${id}`);
    return found;
  };
  const idle = (id: string) => world.hooks.event({ event: { type: "session.idle", properties: { sessionID: id } } });

  type Request = { path: { id: string }; body?: { parts?: { text: string }[] } };
  const session = {
    messages: async ({ path }: Request) => ({ data: structuredClone(of(path.id).messages) }),
    get: async ({ path }: Request) => ({ data: of(path.id).info as never }),
    create: async ({ body }: { body: object }) => {
      world.created();
      return { data: open(body) as never };
    },
    status: async () => ({ data: Object.fromEntries([...world.busy].map((id) => [id, { type: "busy" }])) }),
    abort: async ({ path }: Request) => ({ data: path }),
    promptAsync: async ({ path, body }: Request) => {
      const prompt = (body?.parts ?? []).map(({ text }) => text).join("\n");
      world.say(path.id, "user", prompt, { model: MODEL }).parts = body?.parts?.map((part) => ({ type: "text", ...part })) ?? [];
      void world.agent(path.id, prompt).then(() => idle(path.id));
      return {};
    },
    summarize: async ({ path }: Request) => {
      await world.compact(path.id);
      await idle(path.id);
      return { data: true };
    },
  };
  const told = Object.fromEntries(
    Object.entries({ ...session, ...instead }).map(([name, run]) => [
      name,
      (request: never) => {
        calls.push(name);
        return run(request);
      },
    ]),
  ) as unknown as typeof session;
  const client = { session: told, app: { log: async () => calls.push("log") } };

  const world: World = {
    hooks: openCodeHooks({ client: client as never, directory }, patient, command),
    sessions,
    calls,
    busy: new Set(),
    created: () => undefined,
    agent: async () => undefined,
    summary: () => "A summary.",
    say(id, role, text, more = {}) {
      const message = {
        info: { id: `msg_${count++}`, sessionID: id, role, ...(role === "user" ? { model: MODEL } : MODEL), ...more },
        parts: [{ type: "text", text }],
      };
      of(id).messages.push(message);
      return message;
    },
    async use(tool, id, args, abort) {
      const definition = world.hooks.tool?.[tool];
      if (!definition) throw new Error(`no ${tool}`);
      return definition.execute({ ...args }, { sessionID: id, messageID: "m", agent: "build", ...(abort && { abort }) });
    },
    async compact(id) {
      const output: { context: string[]; prompt?: string } = { context: [] };
      await world.hooks["experimental.session.compacting"]({ sessionID: id }, output);
      const text = world.summary(output.prompt ?? output.context.join("\n\n"));
      if (text === undefined) return new Promise(() => undefined);
      const info = { summary: true, time: { completed: 1 } };
      const message = world.say(id, "assistant", text, info);
      await world.hooks.event({ event: { type: "message.updated", properties: { info: message.info } } });
      const said = { text };
      if (text !== "") await world.hooks["experimental.text.complete"]({ sessionID: id, messageID: message.info.id }, said);
      (message.parts[0] as Part).text = said.text;
      await world.hooks.event({ event: { type: "session.compacted", properties: { sessionID: id } } });
    },
    async request(id, messages = structuredClone(of(id).messages)) {
      await world.hooks["experimental.chat.messages.transform"]({}, { messages } as never);
      return messages.flatMap(({ parts }) => parts.map(({ text }) => text ?? "")).join("\n");
    },
  };
  open({});
  return world;
}
