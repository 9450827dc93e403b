// What every format reader gets and returns, and how answers are joined with their tool calls.
import type { Message, Notice, Role, Session, ToolCall } from "../../model.js";
import { createPairing } from "./pairing.js";
import type { Parsed } from "./parse-json.js";

/** A session, and notices about what was not read. */
export type ReadSession = { readonly session: Session; readonly notices: readonly Notice[] };

/** The content of a file, as text and as parsed JSON; `parsed.values` is empty if it is not JSON. */
export interface Content {
  readonly text: string;
  readonly parsed: Parsed;
  /** The id of a session that has none of its own. */
  readonly name: string;
  readonly named?: boolean;
  /** Which chat of a history with several to read, from 1; the last one if it is not given. */
  readonly chat?: number;
}

/** A reader returns undefined if the content is not in its format. */
export type Reader = (content: Content) => ReadSession | undefined;

export interface MessageFields {
  readonly id: string;
  readonly role: Role;
  readonly text: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly time?: string | undefined;
  readonly meta?: boolean;
  readonly summary?: boolean;
  readonly handed?: boolean;
  readonly keeps?: readonly string[];
}

/** Leaves out what is unknown or false. The common fields come first: V8 then uses one layout for all messages. */
export function toMessage({ id, role, text, toolCalls = [], time, meta, summary, handed, keeps = [] }: MessageFields): Message {
  return {
    id,
    role,
    text,
    toolCalls,
    ...(time !== undefined && { time }),
    ...(meta && { meta }),
    ...(summary && { summary }),
    ...(handed && { handed }),
    ...(keeps.length > 0 && { keeps }),
  };
}

/** What a reader knows of a session beside its messages. */
interface SessionHead {
  readonly id: string;
  readonly format: string;
  readonly folder?: string | undefined;
  readonly branch?: string | undefined;
  readonly branchTime?: string | undefined;
  readonly whole?: boolean;
  readonly typed?: boolean | undefined;
}

/** @param skipped how many messages could not be read, and which are meant */
export function toReadSession(
  head: SessionHead,
  messages: readonly Message[],
  [count, message]: readonly [number, string],
): ReadSession {
  const { id, format, folder, branch, branchTime, whole, typed } = head;
  const session = {
    id,
    format,
    ...(folder && { folder }),
    ...(branch && { branch }),
    ...(branchTime && { branchTime }),
    messages,
    ...(whole && { whole }),
    ...(typed !== undefined && { typed }),
  };
  return { session, notices: count > 0 ? [{ code: "message-skipped", count, message }] : [] };
}

// Assembles messages for hosts that store a tool's answer separately from the call. The call's id joins them; an answer
// without one belongs to the oldest call of the turn that has none yet.

type Call = ToolCall & { readonly id?: string | undefined };

export interface SessionEntry extends Omit<MessageFields, "id" | "toolCalls"> {
  /** The host's id of the call, which the answer repeats. */
  readonly id?: string | undefined;
  readonly calls?: readonly Call[];
}

type CallResult = Pick<ToolCall, "output" | "status">;

export type Assembly = ReturnType<typeof createAssembly>;

export function createAssembly() {
  const entries: SessionEntry[] = [];
  const calls = new Set<string>();
  const pairing = createPairing();
  const answers = new Map<string, CallResult>();
  /** The tools of the calls of this turn that have no answer yet, oldest first. */
  const open = new Map<string, string>();
  const oldest = (name: string | undefined) => {
    for (const [id, tool] of open) return name === undefined || name === tool ? id : undefined;
    return undefined;
  };
  /** Gives a call without an id, or with the id of another one, one that no host uses. */
  const identify = ({ id: host, ...call }: Call): Call => {
    const id = pairing.call(host, () => JSON.stringify([call.name, call.input]));
    calls.add(id);
    if (call.status === undefined && !answers.has(id)) open.set(id, call.name);
    return { ...call, id };
  };
  return {
    length: () => entries.length,
    add: (entry: SessionEntry) => {
      if (entry.role === "user") open.clear();
      entries.push(entry.calls ? { ...entry, calls: entry.calls.map(identify) } : entry);
    },
    cut: (length: number) => {
      open.clear();
      entries.length = Math.min(entries.length, length);
    },
    /** The ids of the entries from this index on. */
    idsFrom: (length: number) => entries.slice(length).map((entry, index) => idOf(entry, length + index)),
    knows: (call: string | undefined) => call !== undefined && calls.has(call),
    /** False if there is no such call. `name`: the tool, if the answer names it. */
    answer: (given: string | undefined, answer: CallResult, name: string | undefined) => {
      const call = given ? pairing.answer(given) : oldest(name);
      if (call === undefined || !calls.has(call)) return false;
      open.delete(call);
      answers.set(call, answer);
      return true;
    },
    messages: (): readonly Message[] =>
      entries.map((entry, index) => {
        const toolCalls = (entry.calls ?? []).map(({ id: call = "", ...rest }) => ({ ...rest, ...answers.get(call) }));
        return toMessage({ ...entry, id: idOf(entry, index), toolCalls });
      }),
  };
}

const idOf = ({ id }: SessionEntry, index: number) => id ?? String(index + 1);
