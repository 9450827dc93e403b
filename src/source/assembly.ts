// Messages of hosts that write a tool's answer apart from the call, put together by the call's id.
import type { Message, Role, ToolCall } from "../model.js";

export interface Call extends ToolCall {
  /** What the host calls it; the answer bears the same. */
  readonly id?: string | undefined;
}

export interface Entry {
  readonly id?: string | undefined;
  readonly role: Role;
  readonly text: string;
  readonly calls?: readonly Call[];
  readonly time?: string | undefined;
  readonly meta?: boolean;
  readonly summary?: boolean;
  readonly keeps?: readonly string[];
}

export type Answer = Pick<ToolCall, "output" | "status">;

export interface Assembly {
  /** How many entries there are; `cut` goes back to such a number. */
  readonly length: () => number;
  readonly add: (entry: Entry) => void;
  readonly cut: (length: number) => void;
  /** What the entries from such a number on are called. */
  readonly idsFrom: (length: number) => readonly string[];
  readonly knows: (call: string | undefined) => boolean;
  /** False when there is no such call. */
  readonly answer: (call: string | undefined, answer: Answer) => boolean;
  readonly messages: () => readonly Message[];
}

export function createAssembly(): Assembly {
  const entries: Entry[] = [];
  const calls = new Set<string>();
  const answers = new Map<string, Answer>();
  return {
    length: () => entries.length,
    add: (entry) => {
      for (const { id } of entry.calls ?? []) if (id !== undefined) calls.add(id);
      entries.push(entry);
    },
    cut: (length) => {
      entries.length = Math.min(entries.length, length);
    },
    idsFrom: (length) => entries.slice(length).map((entry, index) => idOf(entry, length + index)),
    knows: (call) => call !== undefined && calls.has(call),
    answer: (call, answer) => {
      if (call === undefined || !calls.has(call)) return false;
      answers.set(call, answer);
      return true;
    },
    messages: () => entries.map((entry, index) => toMessage(entry, index, answers)),
  };
}

const idOf = ({ id }: Entry, index: number) => id ?? String(index + 1);

function toMessage(entry: Entry, index: number, answers: ReadonlyMap<string, Answer>): Message {
  const { role, text, calls = [], time, meta, summary, keeps = [] } = entry;
  return {
    id: idOf(entry, index),
    role,
    text,
    toolCalls: calls.map(({ id: call, ...rest }) => ({ ...rest, ...(call !== undefined && answers.get(call)) })),
    ...(time !== undefined && { time }),
    ...(meta && { meta }),
    ...(summary && { summary }),
    ...(keeps.length > 0 && { keeps }),
  };
}
