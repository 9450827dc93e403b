// What a hook needs at a tool call, in one small file: reading packs takes many times as long as a process takes to start. It is
// used as long as every file that it was made from is unchanged.
import { fileStamp, foldsCase, homeFolder, realPath } from "../../files/folders.js";
import type { CallContext, ReadTool } from "../../guards/match-guards.js";
import type { Guard } from "../../rules/guard.js";
import type { Program } from "../../rules/tool-set.js";
import { readState } from "../../state/state.js";

/** Others that an earlier version stored may say what a project wrote in the product's name. */
export const PREPARED_FORM = 2;

export interface PreparedGuards {
  readonly version: 1;
  readonly form: number;
  readonly folder: string;
  /** Files and their stamps; an empty one for a file that is not there. */
  readonly stamps: Readonly<Record<string, string>>;
  readonly guards: readonly Guard[];
  /** Ids of the guards that may only tell. */
  readonly untrusted: readonly string[];
  /** By the names of the tools. */
  readonly tools: Readonly<Record<string, ReadTool>>;
  readonly shell: readonly Program[];
  readonly scratch: readonly string[];
  /** What is said with the sentence of a guard. */
  readonly texts: { readonly once: string; readonly untrusted: string };
}

/** Without a digest, which takes long to load: the file says which folder it is for. */
export const preparedName = (folder: string) => `calls-${folder.replace(/[^\w]+/g, "-").slice(-180)}`;

/** Undefined if there is none, or anything changed since. */
export function readPrepared(folder: string, stateFolder?: string): PreparedGuards | undefined {
  const value = readState(preparedName(folder), stateFolder).value as PreparedGuards | undefined;
  if (value?.folder !== folder || value.form !== PREPARED_FORM) return undefined;
  return Object.entries(value.stamps).every(([file, stamp]) => fileStamp(file) === stamp) ? value : undefined;
}

/** @param at where the call runs */
export function callContext(
  project: string,
  at: string,
  { tools, shell, scratch }: Pick<CallContext, "tools" | "shell" | "scratch">,
): CallContext {
  return { tools, shell, scratch, project, folder: at, home: homeFolder(), real: realPath, folds: foldsCase(project) };
}
