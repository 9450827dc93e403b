// The types of the pipeline. Every stage may import this file; it imports nothing.

/** Who a message is from. */
export type Role = "user" | "assistant" | "system" | "tool";

/** Who a text comes from: a person, the model, a tool, or a file of the project. */
export type Speaker = "user" | "assistant" | "tool" | "file";

/** A tool call with its result. */
export interface ToolCall {
  readonly name: string;
  readonly input: unknown;
  readonly output: string;
  /** What the host reported about the call; anything but an error counts as success. */
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
  /** Of a summary: earlier messages that it does not cover, because the host kept them unchanged. */
  readonly keeps?: readonly string[];
}

/** A conversation with a coding agent. */
export interface Session {
  readonly id: string;
  readonly format: string;
  /** The project's folder, if the host reports it. */
  readonly folder?: string;
  /** The branch of the last message, if the host reports it. */
  readonly branch?: string;
  readonly messages: readonly Message[];
  /** True if a person opened the session and its user messages hold what was typed. Absent if unknown. */
  readonly typed?: boolean;
  /** The host only appends to the session file, and it was read from its start: what is missing now was undone. */
  readonly whole?: boolean;
}

/** A file of the project that is read in addition to the conversation. */
export interface ProjectFile {
  readonly path: string;
  readonly text: string;
  /** Its name in packs. */
  readonly name?: string;
}

/** A folder of a workflow, with those of its artifacts that exist. */
export interface WorkItem {
  readonly workflow: string;
  readonly name: string;
  readonly folder: string;
  readonly artifacts: readonly (ProjectFile & { readonly name: string; readonly modified: number })[];
}

/** Where a text is in the session. Rules select by it. */
export type Place =
  | "first-request"
  | "last-request"
  | "work-request"
  | "carried-out"
  | "before-change"
  | "before-commit"
  | "turn-end"
  | "last-answer"
  | "session-end"
  | "before-tool"
  | "answer"
  | "asked"
  | "interrupted";

/** An input with an identity. All offsets point into `text`. */
export interface Source {
  readonly id: string;
  readonly ordinal: number;
  readonly role: Role | "file";
  readonly by: Speaker;
  readonly text: string;
  /** Index of the tool call whose output this text is. */
  readonly tool?: number;
  /** Index of this text in an output with several speakers. */
  readonly turn?: number;
  /** The name of the file in packs. */
  readonly file?: string;
  readonly places: ReadonlySet<Place>;
}

/** The Markdown type of a segment. */
export type NodeType = "sentence" | "item" | "task" | "heading" | "cell" | "quote" | "link";

/** A piece of visible text, and where it starts in the source. */
export interface Run {
  readonly at: number;
  readonly source: number;
}

/** The smallest text of a source with a place, as a reader sees it. */
export interface Segment {
  readonly node: NodeType;
  readonly text: string;
  /** Maps positions of `text` to the source; the first run starts at 0. */
  readonly runs: readonly Run[];
  readonly start: number;
  readonly end: number;
  /** The headings above, outermost first. */
  readonly headings: readonly string[];
  /** The line that introduces the list or table of this segment. */
  readonly lead?: string;
  readonly task?: "open" | "done";
  /** The number of lists around it. */
  readonly depth?: number;
  /** The task has no tasks below it. */
  readonly leaf?: boolean;
  /** In a log, the number of newer entries. */
  readonly entry?: number;
  /** It is the first segment of its entry. */
  readonly head?: boolean;
  readonly question: boolean;
  /** It is the first or last segment of its source. */
  readonly part?: "opening" | "closing";
}

/** The kinds of facts. The set is closed. */
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
/** The kind of a fact. */
export type Kind = (typeof KINDS)[number];

/** The place of a fact. `quote` is exactly the source text from `start` to `end`, in UTF-16 units. */
export interface Evidence {
  readonly source: string;
  readonly start: number;
  readonly end: number;
  readonly quote: string;
  readonly rule: string;
  readonly tool?: number;
  /** The quote is in the input of the call, under this key. Otherwise it is in the output. */
  readonly input?: string;
}

/** Whether a fact still counts. `superseded`: later words replaced it. `stale`, `noise`: a model judged it so. */
export type Status = "active" | "superseded" | "stale" | "noise";

/** What a model said about a fact. */
export interface Judgement {
  /** The compaction in which it was judged. */
  readonly round: number;
  /** Of a stale fact: the later message that ends it. */
  readonly witness?: string;
  /** The kind that the rules gave it, if the model corrected it. */
  readonly was?: Kind;
  /** Of a fact that holds: does it matter? Absent if the model marked none in its answer. */
  readonly marked?: boolean;
}

/** One fact, with its evidence. */
export interface Item {
  readonly kind: Kind;
  readonly text: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly category?: string;
  readonly score: number;
  readonly by: Speaker;
  readonly status: Status;
  readonly evidence: Evidence;
  /** Other places that say the same thing. */
  readonly also: readonly Evidence[];
  readonly judged?: Judgement;
}

/** The files that tool calls read or changed. */
export interface FileLists {
  readonly read: readonly string[];
  readonly created: readonly string[];
  readonly modified: readonly string[];
  readonly deleted: readonly string[];
  /** Changed files that are not worth a mention: created and removed again, renamed, caches and temporary files. */
  readonly aside?: readonly string[];
}

/** A command that a tool call ran. */
export interface Command {
  readonly command: string;
  readonly status: "passed" | "failed" | "unknown";
  readonly source: string;
  readonly tool: number;
}

/** A command that failed. */
export interface Failure {
  readonly command: string;
  readonly source: string;
  readonly tool: number;
  /** The same command passed later. */
  readonly resolved: boolean;
  /** The run that passed. */
  readonly passed?: { readonly source: string; readonly tool: number };
  /** The first line of its output that tells an error. Only if the failure is open. */
  readonly error?: string;
  /** Not worth passing on: a single failure of a command that is not a task, or one that a later failure replaces. */
  readonly minor?: boolean;
  /** It may pass now: a file was changed after it, or a part of it passed. Only if the failure is open. */
  readonly unsure?: boolean;
}

/** An entry of the todo list that the agent keeps with its tools, as the last call left it. */
export interface Todo {
  readonly text: string;
  readonly state: "open" | "doing" | "done";
  readonly source: string;
  readonly tool: number;
}

/** A commit that a command line made, as far as the session tells. */
export interface Commit {
  readonly id?: string;
  /** The first line of its message. */
  readonly text: string;
  /** The command that sent it elsewhere: the last one that passed before the next commit. */
  readonly sent?: string;
  readonly source: string;
  readonly tool: number;
}

/** What the agent works with, by its own calls: the most used and newest first. */
export interface WorkingSet {
  readonly files: readonly string[];
  /** Commands that ran, as they can be typed again. */
  readonly commands: readonly string[];
  /** Addresses, hosts with their ports, ids. */
  readonly references: readonly string[];
  /** Names in what the agent edited, wrote, ran or searched for. */
  readonly names: readonly string[];
  /** The file in which the agent used a name most. */
  readonly homes?: Readonly<Record<string, string>>;
  /** Agents and background commands that were started and not heard of again. */
  readonly running: readonly string[];
  readonly skills: readonly string[];
  /** What it asked the user last, if nobody has answered. */
  readonly asked?: readonly string[];
  /** Commands that the user refused or stopped, and that did not run later. */
  readonly unrun?: readonly string[];
}

/** A line of a document that the agent wrote, in its last version. */
export interface DocumentLine {
  readonly file: string;
  /** The heading above it; empty if there is none. */
  readonly heading: string;
  readonly text: string;
  /** When the document was last written: 0 is the beginning of the session, 1 its end. */
  readonly when: number;
}

/** One of the last calls: a command that was run, or what was done with a file. */
export interface LastCall {
  readonly did: "ran" | "read" | "created" | "modified" | "deleted";
  /** The command line or the path. */
  readonly text: string;
  readonly failed: boolean;
}

/** A section of the continuation, as text. */
export interface SaidSection {
  readonly id: string;
  readonly title: string;
  /** `workflow`: it belongs to the workflow. `carried`: it is for texts that are carried over a compaction. */
  readonly of?: "workflow" | "carried";
  readonly lines: readonly string[];
}

/** Why this stage or work item was chosen. */
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
  /** The artifact that the stage works on, if it exists. */
  readonly artifact?: string;
  readonly artifacts: readonly string[];
  readonly why: { readonly item: Reason; readonly stage: Reason };
}

/** What the project's notes lack: a required section, or the required form of an entry. */
export interface Gap {
  readonly section: string;
  readonly problem: "missing" | "malformed";
  /** The files that should contain it, or the one that contains the entry. */
  readonly source: string;
  readonly start?: number;
  readonly end?: number;
  readonly quote?: string;
}

/** Where something was said. It identifies a fact. */
export interface FactPlace {
  readonly source: string;
  readonly start: number;
  /** Index of the tool call whose output contains it. */
  readonly tool?: number;
  /** It is in the input of that call, under this key. */
  readonly input?: string;
  /** The places of the texts that are joined to this one. */
  readonly joined?: readonly FactPlace[];
}

/** A key of the place: two facts at the same place have the same one. */
export const placeKey = ({ source, tool, input, start }: FactPlace) =>
  `${source}\n${tool ?? ""}${input === undefined ? "" : `.${input}`}\n${start}`;

/** What the reader should know about how the result came about. Never changes the exit code of `run`. */
export interface Notice {
  readonly code: string;
  readonly message: string;
  readonly source?: string;
  readonly count: number;
}

/** Everything that the next context needs. */
export interface Continuation {
  readonly version: 1;
  readonly session: Pick<Session, "id" | "format" | "branch">;
  readonly items: readonly Item[];
  readonly concepts: readonly string[];
  readonly files: FileLists;
  readonly commands: readonly Command[];
  readonly errors: readonly Failure[];
  readonly todos: readonly Todo[];
  readonly commits?: readonly Commit[];
  readonly working?: WorkingSet;
  readonly workflow?: WorkflowState;
  /** What the project's notes and workflow say. Present when a project was read. */
  readonly sections?: readonly SaidSection[];
  readonly gaps?: readonly Gap[];
  readonly diagnostics: readonly Notice[];
  readonly rendered?: string;
}

/** A sentence with its salience. */
export interface Statement {
  readonly ordinal: number;
  readonly source: string;
  readonly tool?: number;
  readonly by: Speaker;
  readonly node: NodeType;
  readonly task?: "open" | "done";
  /** Of a cell: where its table row starts. */
  readonly row?: number;
  /** Of a list item: the line or heading that introduces its list, without the colon. */
  readonly under?: string;
  /** A file was changed before it was said. */
  readonly afterChange?: boolean;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly salience: number;
  readonly kinds: readonly Kind[];
  readonly places: ReadonlySet<Place>;
  /** Worthless on its own ("Let me fix that:"). No brief shows it. */
  readonly fills?: boolean;
  /** It needs the sentence before it. */
  readonly needsBefore?: boolean;
  /** For a bare answer: the assistant's words that it answers, a question or the chosen option. */
  readonly answers?: string;
  /** For a last request that refers back: the request before it. */
  readonly after?: string;
  /** The assistant proposes it, and nothing was changed before it; the user may have ordered it since. */
  readonly proposed?: "open" | "ordered";
  /** The user only pastes it. */
  readonly pasted?: boolean;
  /** Of a last request: nothing is left to do, because the assistant answered it or it only says thanks. */
  readonly settled?: boolean;
  /** The user's message after which it was said, if that is not the first one. */
  readonly request?: { readonly source: string; readonly pasted: boolean; readonly last: boolean };
  /** The statements that a brief shows on the same line. */
  readonly joined?: readonly Statement[];
  /** The strength of each weighted signal. Present only on request. */
  readonly signals?: ReadonlyMap<string, number>;
}

/** Key of a line → its place among those that a model wants carried; undefined if it was offered and not wanted. */
export type ChosenLines = ReadonlyMap<string, number | undefined>;

/** The result for one session: the continuation, and every statement with its salience. */
export interface Extraction {
  readonly continuation: Continuation;
  readonly statements: readonly Statement[];
  /** The documents that the agent wrote, the newest first. */
  readonly documents?: readonly DocumentLine[];
  /** The last calls, the oldest first. */
  readonly lastCalls?: readonly LastCall[];
  /** The items, given those known before the session: the session may supersede some of them. */
  readonly after?: (earlier: readonly Item[]) => readonly Item[];
  /** The failures, given those from before the session: a later run may have resolved them. */
  readonly errorsAfter?: (earlier: readonly Failure[]) => readonly Failure[];
  /** The messages and files that were not read in time, or only in part. */
  readonly unread?: ReadonlySet<string>;
  /** The texts that were read, secrets masked. */
  readonly sources?: readonly Source[];
  /** The lines that a model chose to be carried. */
  readonly chosen?: ChosenLines;
  /** What the rules find too weak to assert. A model may judge it. */
  readonly propose?: () => Generator<void, readonly Item[]>;
}
