// The types of known tools that agents call, and of known programs on command lines. The pack schema describes each key.
import type { ProgramFile, TodoFile, ToolFile } from "../generated/pack-file.js";
import type { Phrase } from "./phrase/phrase.js";

/** What a file says, with nothing left out. */
type Complete<T> = { readonly [K in keyof T]-?: T[K] extends readonly string[] | undefined ? readonly string[] : T[K] };

/** What a tool has if its entry does not say otherwise. */
export const PLAIN_TOOL = {
  file: [],
  to: [],
  command: [],
  patch: [],
  script: [],
  list: [],
  answers: [],
  values: [],
  said: [],
  refused: [],
  echoes: [],
  old: [],
  mentions: [],
  skill: [],
  agent: [],
  asks: [],
} as const satisfies ToolFile;

/** The keys of a tool that list phrases. */
export const TOOL_PHRASES = [
  "unsaid",
  "started",
  "committed",
  "switched",
  "failed",
  "unrun",
  "passed",
  "faulty",
  "broke",
] as const;
export type ToolPhrases = Readonly<Record<(typeof TOOL_PHRASES)[number], readonly Phrase[]>>;

/** A tool, and which keys of its input and output have which meaning. */
export interface Tool extends Complete<Pick<ToolFile, keyof typeof PLAIN_TOOL>>, ToolPhrases {
  readonly id: string;
  readonly effect?: NonNullable<ToolFile["effect"]>;
  readonly todo?: Complete<TodoFile>;
}

/** What a program has if its entry does not say otherwise. */
export const PLAIN_PROGRAM = {
  with: [],
  without: [],
  values: [],
  given: [],
  writes: [],
  fills: [],
  here: false,
  downloads: false,
  skip: 0,
  named: false,
  folder: false,
  patch: false,
  harmless: false,
  sends: false,
  branch: false,
  worktree: false,
  message: [],
  scripts: [],
  narrow: [],
  roots: [],
} as const satisfies ProgramFile;

type Effects = "read" | "created" | "modified" | "deleted" | "made" | "runs" | "history" | "commits" | "job" | "as";
export type Which = NonNullable<ProgramFile["read"]>;

/** A program on a command line. */
export interface Program extends Complete<Pick<ProgramFile, keyof typeof PLAIN_PROGRAM>>, Readonly<Pick<ProgramFile, Effects>> {
  readonly id: string;
  readonly names: readonly string[];
}
