// The nouns of the pipeline. Types only: every stage may import this file, and it imports nothing.

export type Role = "user" | "assistant" | "system" | "tool";

/** Who vouches for a text: a person, the model, a tool, or a file of the project. */
export type Speaker = "user" | "assistant" | "tool" | "file";

export interface ToolCall {
  readonly name: string;
  readonly input: unknown;
  readonly output: string;
  /** What the host said of the call; anything but an error counts as success. */
  readonly status?: string;
}

export interface Message {
  readonly id: string;
  readonly role: Role;
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly time?: string;
  /** A machine put this text into the user's mouth: hooks, command echoes, synthetic prompts; or it answers such an echo, or was undone. */
  readonly meta?: boolean;
  /** The host's own summary of an earlier compaction: not something said. */
  readonly summary?: boolean;
  /** Of a summary: messages before it that it does not cover, since the host kept them beside it as they are. */
  readonly keeps?: readonly string[];
}

export interface Session {
  readonly id: string;
  readonly format: string;
  /** The project's folder, where the host says so. */
  readonly folder?: string;
  readonly messages: readonly Message[];
  /** The host's own record of a session that a person opened: its user messages hold what was typed. Absent where that is not known. */
  readonly typed?: boolean;
  /** From a file that its host only ever appends to, read from its beginning: what it had once and lacks now was undone. */
  readonly whole?: boolean;
}

/** A file of the project that is read beside the conversation. */
export interface ProjectFile {
  readonly path: string;
  readonly text: string;
  /** What packs call it. */
  readonly name?: string;
}

/** A folder of a workflow, with those of its artifacts that are there. */
export interface WorkItem {
  readonly workflow: string;
  readonly name: string;
  readonly folder: string;
  readonly artifacts: readonly (ProjectFile & { readonly name: string; readonly modified: number })[];
}

/** Where a text stands in the session; rules select by it. */
export type Place = "first-request" | "last-request" | "turn-end" | "session-end" | "before-tool" | "answer" | "asked";

/** An input with identity. Offsets of everything found point into `text`. */
export interface Source {
  readonly id: string;
  readonly ordinal: number;
  readonly role: Role | "file";
  readonly by: Speaker;
  readonly text: string;
  /** Index of the tool call whose answer this text is. */
  readonly tool?: number;
  /** Several may speak in one output: which of its texts this is. */
  readonly turn?: number;
  /** What packs call the file. */
  readonly file?: string;
  readonly places: ReadonlySet<Place>;
}

export type NodeType = "sentence" | "item" | "task" | "heading" | "cell" | "quote" | "link";

/** A stretch of visible text and where it begins in the source. */
export interface Run {
  readonly at: number;
  readonly source: number;
}

/** The smallest addressable text of a source, as a reader sees it. */
export interface Segment {
  readonly node: NodeType;
  readonly text: string;
  /** Maps positions of `text` to the source; the first run starts at 0. */
  readonly runs: readonly Run[];
  readonly start: number;
  readonly end: number;
  /** The headings above, outermost first. */
  readonly headings: readonly string[];
  /** The line that introduces the list or table this stands in. */
  readonly lead?: string;
  readonly task?: "open" | "done";
  /** How many lists it stands in. */
  readonly depth?: number;
  /** The task has no tasks below it. */
  readonly leaf?: boolean;
  /** In a log, how many entries are newer. */
  readonly entry?: number;
  /** It begins its entry. */
  readonly head?: boolean;
  readonly question: boolean;
  /** First or last text of its source. */
  readonly part?: "opening" | "closing";
}

export const KINDS = [
  "goal",
  "constraint",
  "decision",
  "rejection",
  "finding",
  "done",
  "remaining",
  "blocker",
  "question",
  "concept",
  "note",
] as const;
export type Kind = (typeof KINDS)[number];

/** The place of a fact. `quote` is exactly the source's text from `start` to `end`, in UTF-16 units. */
export interface Evidence {
  readonly source: string;
  readonly start: number;
  readonly end: number;
  readonly quote: string;
  readonly rule: string;
  readonly tool?: number;
}

export type Status = "active" | "superseded";

export interface Item {
  readonly kind: Kind;
  readonly text: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly category?: string;
  readonly score: number;
  readonly by: Speaker;
  readonly status: Status;
  readonly evidence: Evidence;
  /** The other places where the same thing was said. */
  readonly also: readonly Evidence[];
}

export interface FileLists {
  readonly read: readonly string[];
  readonly created: readonly string[];
  readonly modified: readonly string[];
  readonly deleted: readonly string[];
  /** Of the changed ones, what came and went again or has another name now, caches and temporary files: nothing to tell of. */
  readonly aside?: readonly string[];
}

export interface Command {
  readonly command: string;
  readonly status: "passed" | "failed" | "unknown";
  readonly source: string;
  readonly tool: number;
}

export interface Failure {
  readonly command: string;
  readonly source: string;
  readonly tool: number;
  /** The same command passed later. */
  readonly resolved: boolean;
  /** The run that passed. */
  readonly passed?: { readonly source: string; readonly tool: number };
  /** Nothing to pass on: the single failure of a line that is no job, or one for which a later failure stands. */
  readonly minor?: boolean;
}

/** An entry of the list that the agent keeps through its tools, as the last call left it. */
export interface Todo {
  readonly text: string;
  readonly state: "open" | "doing" | "done";
  readonly source: string;
  readonly tool: number;
}

/** A section of the continuation, as it is said. */
export interface SaidSection {
  readonly id: string;
  readonly title: string;
  readonly of?: "workflow";
  readonly lines: readonly string[];
}

/** Why the stage or the work item is the one it is. */
export interface Reason {
  readonly by: "mention" | "stage" | "artifacts" | "time" | "name" | "only" | "named" | "when" | "first";
  /** The phrase or condition, and the place that fulfils it. */
  readonly signal?: string;
  readonly source?: string;
  readonly start?: number;
  readonly end?: number;
  readonly quote?: string;
}

/** The workflow that the project is in. */
export interface WorkflowState {
  readonly type: string;
  readonly stage: string;
  readonly item: string;
  readonly folder: string;
  /** The artifact that the stage works on, where it is there. */
  readonly artifact?: string;
  readonly artifacts: readonly string[];
  readonly why: { readonly item: Reason; readonly stage: Reason };
}

/** What the project's notes lack: a required section, or the demanded form of an entry. */
export interface Gap {
  readonly section: string;
  readonly problem: "missing" | "malformed";
  /** The files that should hold it, or the one that holds the entry. */
  readonly source: string;
  readonly start?: number;
  readonly end?: number;
  readonly quote?: string;
}

/** Something the reader should know about how the result came about. Never changes an exit code of `run`. */
export interface Notice {
  readonly code: string;
  readonly message: string;
  readonly source?: string;
  readonly count: number;
}

export interface Continuation {
  readonly version: 1;
  readonly session: { readonly id: string; readonly format: string };
  readonly items: readonly Item[];
  readonly concepts: readonly string[];
  readonly files: FileLists;
  readonly commands: readonly Command[];
  readonly errors: readonly Failure[];
  readonly todos: readonly Todo[];
  readonly workflow?: WorkflowState;
  /** What the project's notes and workflow say; there where a project was read. */
  readonly sections?: readonly SaidSection[];
  readonly gaps?: readonly Gap[];
  readonly diagnostics: readonly Notice[];
  readonly rendered?: string;
}

/** A sentence with its worth in a brief. */
export interface Statement {
  readonly ordinal: number;
  readonly source: string;
  readonly tool?: number;
  readonly by: Speaker;
  readonly node: NodeType;
  readonly task?: "open" | "done";
  /** Of a cell, where the row of its table begins. */
  readonly row?: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly salience: number;
  readonly kinds: readonly Kind[];
  readonly places: ReadonlySet<Place>;
  /** It is worth nothing by itself: "Let me fix that:". No brief shows it. */
  readonly fills?: boolean;
  /** The assistant's words that it answers, where it only answers: the question, or the option that it takes. */
  readonly answers?: string;
  /** Of a last request, that nothing is left to do about it: the assistant has answered, or it only thanks. */
  readonly settled?: boolean;
  /** How much each signal holds that weighs something; only where it was asked for. */
  readonly signals?: ReadonlyMap<string, number>;
}

/** What one session gives: the typed result, and every statement weighed for composing a brief. */
export interface Extraction {
  readonly continuation: Continuation;
  readonly statements: readonly Statement[];
  /** The items as they are when these stood before the session: what it says may take some of them back. */
  readonly after?: (earlier: readonly Item[]) => readonly Item[];
}
