// What the lifecycle needs from a host. Messages have OpenCode's format; only the fields used here are declared.

/** The tokens of an answer, as counted by the provider. */
export interface TokenCounts {
  readonly input?: number;
  readonly output?: number;
  readonly reasoning?: number;
  readonly cache?: { readonly read?: number; readonly write?: number };
  readonly total?: number;
}

/** The limits of a model. */
export interface HostModel {
  /** In tokens. A context of 0 means no limit. */
  readonly limit: { readonly context: number; readonly input?: number; readonly output?: number };
}

/** A model, identified by its provider and its id. */
export type ModelName = { readonly providerID: string; readonly modelID: string };

/** A part of a message: text, a tool call, a step, or a request for a compaction. */
export interface HostPart {
  readonly type: string;
  readonly id?: string;
  readonly messageID?: string;
  readonly sessionID?: string;
  readonly text?: string;
  readonly synthetic?: boolean;
  readonly tool?: string;
  readonly state?: ToolState;
  /** Of a compaction: the user did not request it. */
  readonly auto?: boolean;
  /** Of a compaction: the first message that stays in view after the summary. */
  readonly tail_start_id?: string;
  /** Of a step: the snapshot of the files at its start or end. */
  readonly snapshot?: string;
}

/** The state of a tool call. */
export interface ToolState {
  readonly status: string;
  readonly input?: unknown;
  readonly output?: string;
  readonly time?: { readonly start?: number; readonly end?: number; readonly compacted?: number };
}

/** A message of the host, without its parts. */
export interface HostInfo {
  readonly id: string;
  readonly role: string;
  readonly sessionID?: string;
  readonly parentID?: string;
  readonly mode?: string;
  readonly agent?: string;
  readonly model?: ModelName;
  readonly providerID?: string;
  readonly modelID?: string;
  readonly path?: { readonly cwd: string; readonly root: string };
  /** True for a summary. In user messages, OpenCode keeps something else under this name. */
  readonly summary?: unknown;
  readonly finish?: string;
  readonly error?: unknown;
  readonly cost?: number;
  readonly tokens?: TokenCounts;
  readonly time?: { readonly created: number; readonly completed?: number };
}

/** A message of the host. */
export type HostMessage = { readonly info: HostInfo; readonly parts: readonly HostPart[] };

/** A request for a summary. */
export interface SummaryRequest {
  readonly sessionID: string;
  /** The message that the summary is stored as. */
  readonly messageID: string;
  /** The message that requested it. */
  readonly parentID: string;
  /** The messages to summarise, oldest first: pruned outputs are cleared, and the earlier summary comes first. */
  readonly messages: readonly HostMessage[];
  /** What the model is asked after these messages. */
  readonly prompt: string;
  /** The directive of the agent that summarises. */
  readonly system: string;
  readonly model?: ModelName;
  readonly auto: boolean;
  readonly abort?: AbortSignal;
}

/** An agent as the user configured it in the host. */
export interface HostAgent {
  readonly model?: ModelName;
  /** Its directive. */
  readonly prompt?: string;
}

/** What a plugin adds to the request for a summary. */
export interface CompactingOutput {
  context: string[];
  /** Replaces the whole request; `context` is not used then. */
  prompt?: string;
}

/** A summary as a model wrote it. */
export interface Summary {
  readonly text: string;
  readonly finish?: string;
  readonly tokens?: TokenCounts;
  readonly cost?: number;
}

/** The event after a finished compaction. */
export interface CompactedEvent {
  readonly type: "session.compacted";
  readonly properties: { readonly sessionID: string };
}

/** The interface that a host implements for the lifecycle. */
export interface Host {
  /** The session's messages, oldest first. */
  messages(sessionID: string): Promise<readonly HostMessage[]>;
  /** Stores a message, new or changed. */
  updateMessage(info: HostInfo): Promise<unknown>;
  /** Stores a part, new or changed. */
  updatePart(part: HostPart): Promise<unknown>;
  publish(event: CompactedEvent): unknown;
  /** Asks the model. Throws if anything goes wrong. */
  summarise(request: SummaryRequest): Promise<Summary>;
  /** The agent that summarises. Without one, the user's model does it. */
  agent?(name: string): Promise<HostAgent | undefined>;
  /** Runs the plugins' hook before the model is asked, OpenCode's `experimental.session.compacting`. */
  compacting?(input: { readonly sessionID: string }, output: CompactingOutput): unknown;
  /** Asks a model for the title of a message. Without it, the title is the start of the message. */
  title?(text: string): Promise<string>;
  /** A new id that sorts after all earlier ones. */
  newId(of: "message" | "part"): string;
  /** Milliseconds since 1970. */
  now(): number;
}
