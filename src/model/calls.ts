// What tool calls prove. extract/calls makes it.

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
