// The compiled types for the continuation: values to read, texts to say, and workflows with their stages.

import type { Condition } from "./condition.js";
import type { Phrase } from "./phrase/phrase.js";
import type { SayText } from "./template/say-text.js";

/** Lines in order. Of each inner list, the first text that can be filled is used. */
export type Say = readonly (readonly SayText[])[];
export type SayByName = ReadonlyMap<string, Say>;

/** A project file that is read together with the conversation. */
export interface NotesFile {
  readonly id: string;
  readonly path: string;
  /** Phrases that begin an entry, if the file is a log. */
  readonly entry: readonly Phrase[];
  /** Phrases that begin a hand-off, which is about the whole project. */
  readonly handoff: readonly Phrase[];
  /** Does it contain the state of the work? */
  readonly state: boolean;
}

/** One way to find a value in a file. */
export interface ReadingWay extends Condition {
  /** It is a `Name: value` line that is written once for the whole work. */
  readonly once?: boolean;
}

/** A value that is read from notes. */
export interface Read {
  readonly id: string;
  /** The ways to find it. All results of all ways count. */
  readonly ways: readonly ReadingWay[];
  readonly not: readonly string[];
  readonly shape: readonly Phrase[];
  readonly group: readonly Phrase[];
  readonly text?: SayText;
  /** Only the newest entry with a value of this topic counts. */
  readonly topic?: string;
  /** Its values end earlier values of the topic. */
  readonly ends?: boolean;
  /** Its values name artifacts that are not approved. */
  readonly doubts?: boolean;
  readonly max?: number;
}

export type When =
  | { readonly artifact: string }
  /** The artifact names the stage. */
  | { readonly names: string }
  | { readonly condition: Condition }
  | { readonly all: readonly When[] }
  | { readonly none: readonly When[] };

export interface Stage {
  readonly id: string;
  readonly edits?: string;
  /** One of these must hold. Without any, the stage is reached from the start. */
  readonly when: readonly When[];
  readonly say: SayByName;
  readonly passed: SayByName;
}

/** The artifacts and ordered stages of a kind of work. */
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
  readonly say: SayByName;
  readonly stages: readonly Stage[];
}

/** Names that every text may use. */
export const BUILT_IN_NAMES = ["name", "stage", "workflow", "artifact", "artifacts", "passed", "changed"] as const;
/** The value of `pick` for the work item that has advanced furthest. */
export const NEWEST = "newest";
