// A session as the readers in source/ give it: messages with tool calls.

/** Who a message is from. */
export type Role = "user" | "assistant" | "system" | "tool";

/** Who a text comes from: a person, the model, a tool, or a file of the project. */
export type Speaker = "user" | "assistant" | "tool" | "file";

/** A tool call with its result. */
export interface ToolCall {
  readonly name: string;
  readonly input: unknown;
  readonly output: string;
  /** What the host reported about the call, in a word of the table in docs/run.md. With another word, or none, it is not known
   * whether it passed. */
  readonly status?: string;
}

/** A message of a session. */
export interface Message {
  readonly id: string;
  readonly role: Role;
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly time?: string;
  /** Not typed by the user: hooks, command echoes, synthetic prompts. Also an answer to such an echo, and undone messages. */
  readonly meta?: boolean;
  /** The host's own summary of an earlier compaction, which nobody said. */
  readonly summary?: boolean;
  /** Of a summary: its messages are in another file. So it is read, like a note. */
  readonly handed?: boolean;
  /** Of a summary: earlier messages that it does not cover, because the host kept them unchanged. */
  readonly keeps?: readonly string[];
  /** Of a summary: what the host removed from the middle of messages that it kept, by their ids. */
  readonly removed?: Readonly<Record<string, readonly [from: number, to: number]>>;
  /** Of an empty summary: the host wrote none, so only what it kept is left. Absent if the text may be hidden. */
  readonly unwritten?: boolean;
}

/** A conversation with a coding agent. */
export interface Session {
  readonly id: string;
  readonly format: string;
  /** The project's folder, if the host reports it. */
  readonly folder?: string;
  /** The branch of the last message, if the host reports it. */
  readonly branch?: string;
  /** Since when the host reports it. */
  readonly branchTime?: string;
  readonly messages: readonly Message[];
  /** True if a person opened the session and its user messages hold what was typed, false if not. Absent if unknown. */
  readonly typed?: boolean;
  /** The host only appends to the session file, and it was read from its start: what is missing now was undone. */
  readonly whole?: boolean;
}
