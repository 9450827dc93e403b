// What the lifecycle needs of an agent. Messages are OpenCode's, as they are: only what is read here is named.

export interface TokenCounts {
  readonly input?: number;
  readonly output?: number;
  readonly reasoning?: number;
  readonly cache?: { readonly read?: number; readonly write?: number };
  readonly total?: number;
}

export interface HostModel {
  /** In tokens; a context of 0 is without limit. */
  readonly limit: { readonly context: number; readonly input?: number; readonly output?: number };
}

export interface ModelName {
  readonly providerID: string;
  readonly modelID: string;
}

export interface HostPart {
  readonly type: string;
  readonly id?: string;
  readonly messageID?: string;
  readonly sessionID?: string;
  readonly text?: string;
  readonly synthetic?: boolean;
  readonly tool?: string;
  readonly state?: ToolState;
  /** Of a compaction: it was not asked for by the user. */
  readonly auto?: boolean;
  /** Of a compaction: the first message that stays in view beside its summary. */
  readonly tail_start_id?: string;
  /** Of a step: the state of the files at its start or its end. */
  readonly snapshot?: string;
}

export interface ToolState {
  readonly status: string;
  readonly input?: unknown;
  readonly output?: string;
  readonly time?: { readonly start?: number; readonly end?: number; readonly compacted?: number };
}

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
  /** true of a summary; OpenCode keeps something else under this name in the user's messages. */
  readonly summary?: unknown;
  readonly finish?: string;
  readonly error?: unknown;
  readonly cost?: number;
  readonly tokens?: TokenCounts;
  readonly time?: { readonly created: number; readonly completed?: number };
}

export interface HostMessage {
  readonly info: HostInfo;
  readonly parts: readonly HostPart[];
}

export interface SummaryRequest {
  readonly sessionID: string;
  /** The message that the summary becomes. */
  readonly messageID: string;
  /** The message that asked for it. */
  readonly parentID: string;
  /** What is to be summarised, oldest first: pruned outputs cleared, the earlier summary in front. */
  readonly messages: readonly HostMessage[];
  readonly model?: ModelName;
  readonly auto: boolean;
  readonly abort?: AbortSignal;
}

export interface Summary {
  readonly text: string;
  readonly finish?: string;
  readonly tokens?: TokenCounts;
  readonly cost?: number;
}

export interface CompactedEvent {
  readonly type: "session.compacted";
  readonly properties: { readonly sessionID: string };
}

export interface Host {
  /** The session's messages, oldest first. */
  messages(sessionID: string): Promise<readonly HostMessage[]>;
  /** Stores a message, new or changed. */
  updateMessage(info: HostInfo): Promise<unknown>;
  /** Stores a part, new or changed. */
  updatePart(part: HostPart): Promise<unknown>;
  publish(event: CompactedEvent): unknown;
  /** Asks the model. Whatever goes wrong is thrown. */
  summarise(request: SummaryRequest): Promise<Summary>;
  /** A new id, behind all earlier ones. */
  newId(of: "message" | "part"): string;
  /** Milliseconds since 1970. */
  now(): number;
}

export const isSummary = ({ info }: HostMessage): boolean => info.role === "assistant" && info.summary === true;

export const compactionPart = ({ info, parts }: HostMessage): HostPart | undefined =>
  info.role === "user" ? parts.find(({ type }) => type === "compaction") : undefined;
