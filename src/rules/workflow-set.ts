// What runs for the continuation: values that are read, sections that are said, workflows with their stages.
import type { Phrase } from "./phrase.js";
import type { Condition } from "./rule-set.js";
import type { Text } from "./text.js";

/** Lines in their order; of a list in the list, the first that can be said. */
export type Say = readonly (readonly Text[])[];
export type Says = ReadonlyMap<string, Say>;

/** A file of the project that is read beside the conversation. */
export interface NotesFile {
  readonly id: string;
  readonly path: string;
  /** Phrases that begin an entry, where the file is a log. */
  readonly entry: readonly Phrase[];
  /** Does it hold the state of the work? */
  readonly state: boolean;
}

/** One way in which a value may stand in a file. */
export interface Way extends Condition {
  /** It is a `Name: value` line that is said once for the whole work. */
  readonly once?: boolean;
}

export interface Read {
  readonly id: string;
  /** The ways in which it may stand there; all that any of them finds counts. */
  readonly ways: readonly Way[];
  readonly not: readonly string[];
  readonly shape: readonly Phrase[];
  readonly group: readonly Phrase[];
  readonly text?: Text;
}

export type When =
  | { readonly artifact: string }
  | { readonly condition: Condition }
  | { readonly all: readonly When[] }
  | { readonly none: readonly When[] };

export interface Stage {
  readonly id: string;
  readonly edits?: string;
  /** Any of these; without one the stage is reached from the start. */
  readonly when: readonly When[];
  readonly say: Says;
  readonly passed: Says;
}

export interface Workflow {
  readonly id: string;
  readonly folder: string;
  readonly skip: readonly string[];
  readonly requires: readonly string[];
  readonly named: readonly string[];
  readonly artifacts: ReadonlyMap<string, string>;
  readonly pick: readonly string[];
  readonly finished: readonly When[];
  readonly read: ReadonlyMap<string, Read>;
  readonly say: Says;
  readonly stages: readonly Stage[];
}

/** Names that a text may use beside what is read, said and kept in artifacts. */
export const BUILT_IN_NAMES = ["name", "stage", "workflow", "artifact", "artifacts", "passed", "changed"] as const;
/** The word of `pick` for the item that has come furthest. */
export const NEWEST = "newest";
