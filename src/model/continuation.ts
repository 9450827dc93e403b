// The result of an extraction: facts, what calls prove, the state of the project, and statements with their salience.
import type { Command, Commit, DocumentLine, Failure, FileLists, LastCall, Todo, WorkingSet } from "./calls.js";
import type { Item, Kind } from "./item.js";
import type { NodeType, Place, Source } from "./segment.js";
import type { Session, Speaker } from "./session.js";

/** What the reader should know about how the result came about. Never changes the exit code of `run`. */
export interface Notice {
  readonly code: string;
  readonly message: string;
  readonly source?: string;
  readonly count: number;
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
