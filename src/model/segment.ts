// What is read of a session and of the project: texts with an identity, and the segments that they are split into.
import type { Role, Speaker } from "./session.js";

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
  /** It is in the hand-off, which is newer than all entries. */
  readonly handoff?: boolean;
  /** It is the first segment of its entry. */
  readonly head?: boolean;
  readonly question: boolean;
  /** It is the first or last segment of its source. */
  readonly part?: "opening" | "closing";
}
