// What is known of tools that agents call, and of programs on command lines.
import type { Phrase } from "./phrase.js";

/** A tool, and where its input and output tell what. */
export interface Tool {
  readonly id: string;
  readonly file: readonly string[];
  readonly command: readonly string[];
  readonly effect?: "read" | "created" | "modified" | "deleted";
  readonly patch: readonly string[];
  /** Keys that hold a script which calls tools. */
  readonly script: readonly string[];
  readonly list: readonly string[];
  /** The output tells what the user answered, in sessions of these hosts, */
  readonly answers: readonly string[];
  /** in JSON under these keys, */
  readonly values: readonly string[];
  /** in prose behind one of these texts. */
  readonly said: readonly string[];
  /** Texts behind which the user says why a call of whatever tool was refused. */
  readonly refused: readonly string[];
  /** Behind these, the output repeats what the agent gave. */
  readonly echoes: readonly string[];
  /** What the host says beside the answer. */
  readonly unsaid: readonly Phrase[];
  /** Keys that hold what the call replaces. */
  readonly old: readonly string[];
  /** Keys of an entry of the todo list that a call gives or changes. */
  readonly todo?: {
    readonly text: readonly string[];
    readonly state: readonly string[];
    readonly id: readonly string[];
    readonly merge: readonly string[];
  };
  readonly failed: readonly Phrase[];
  /** What the output says of a call that never ran, or was broken off. */
  readonly unrun: readonly Phrase[];
  /** What the output says of a program whose result is not that of the command line, and what speaks against it. */
  readonly passed: readonly Phrase[];
  readonly faulty: readonly Phrase[];
  /** What the end of its output says of a job that failed, where no result does. */
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
  readonly code: boolean;
  readonly harmless: boolean;
  readonly history?: "reverts" | "keeps" | "stashes" | "restores";
  /** It builds, tests, checks, installs or deploys; and how much a run without operands takes in. */
  readonly job?: "whole" | "named" | "any";
  /** Words in the name of a script that make it a job. */
  readonly scripts: readonly string[];
  readonly as?: string;
  readonly narrow: readonly string[];
  readonly roots: readonly string[];
}
