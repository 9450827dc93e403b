// The types of known tools that agents call, and of known programs on command lines.
import type { Phrase } from "./phrase/phrase.js";

/** A tool, and which keys of its input and output have which meaning. */
export interface Tool {
  readonly id: string;
  readonly file: readonly string[];
  readonly command: readonly string[];
  readonly effect?: "read" | "created" | "modified" | "deleted";
  readonly patch: readonly string[];
  /** Keys of a script that calls tools. */
  readonly script: readonly string[];
  readonly list: readonly string[];
  /** Hosts in whose sessions the output is the user's answer. */
  readonly answers: readonly string[];
  /** Keys of the answer in JSON output. */
  readonly values: readonly string[];
  /** Texts before the answer in prose output. */
  readonly said: readonly string[];
  /** Texts before the user's reason for refusing a call of any tool. */
  readonly refused: readonly string[];
  /** Texts after which the output repeats the agent's input. */
  readonly echoes: readonly string[];
  /** What the host adds to the answer. */
  readonly unsaid: readonly Phrase[];
  /** Keys of the text that the call replaces. */
  readonly old: readonly string[];
  /** Keys of texts that name what the agent works on. */
  readonly mentions: readonly string[];
  /** Keys of the skill that the call loads, and of what the agent is for that it starts. */
  readonly skill: readonly string[];
  readonly agent: readonly string[];
  /** Keys of what the call asks the user. */
  readonly asks: readonly string[];
  /** Output of a call that leaves something running; the slot `id` is its id. */
  readonly started: readonly Phrase[];
  /** A line of the output that tells of a commit: the slots `id` and `text`. */
  readonly committed: readonly Phrase[];
  /** Keys of a todo list entry that a call sets or changes. */
  readonly todo?: {
    readonly text: readonly string[];
    readonly state: readonly string[];
    readonly id: readonly string[];
    readonly merge: readonly string[];
  };
  readonly failed: readonly Phrase[];
  /** Output of a call that never ran or was aborted. */
  readonly unrun: readonly Phrase[];
  /** Output that proves a pass when the command line's result is not the program's, and output that disproves it. */
  readonly passed: readonly Phrase[];
  readonly faulty: readonly Phrase[];
  /** Text at the end of the output that proves a failed job when there is no result. */
  readonly broke: readonly Phrase[];
}

export type Which = "all" | "first" | "last" | "but-first" | "but-last";

/** A program on a command line. */
export interface Program {
  readonly id: string;
  readonly names: readonly string[];
  readonly with: readonly string[];
  readonly without: readonly string[];
  readonly values: readonly string[];
  readonly given: readonly string[];
  readonly skip: number;
  readonly named: boolean;
  readonly read?: Which;
  readonly created?: Which;
  readonly modified?: Which;
  readonly deleted?: Which;
  readonly folder: boolean;
  readonly runs?: "operand" | "rest" | "there";
  readonly patch: boolean;
  readonly harmless: boolean;
  readonly history?: "reverts" | "keeps" | "stashes" | "restores";
  /** It makes a commit, or replaces the last one; `message`: options with the commit's message. */
  readonly commits?: "adds" | "replaces";
  readonly message: readonly string[];
  /** It builds, tests, checks, installs or deploys. The value says what a run without operands covers. */
  readonly job?: "whole" | "named" | "any";
  /** Words in a script's name that make it a job. */
  readonly scripts: readonly string[];
  readonly as?: string;
  readonly narrow: readonly string[];
  readonly roots: readonly string[];
}
