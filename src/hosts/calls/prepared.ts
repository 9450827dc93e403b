// What a hook needs at a tool call, in one small file: reading packs takes many times as long as a process takes to start. It is
// used as long as every file that it was made from is unchanged.
import { fileStamp, foldsCase, homeFolder, projectRoot, realPath } from "../../files/folders.js";
import type { GuardSet, Origin, Tables } from "../../guards/guard-set.js";
import type { CallContext, ReadTool } from "../../guards/match-guards.js";
import type { Guard } from "../../rules/guard.js";
import { toolsByName } from "../../rules/tool-names.js";
import type { Program } from "../../rules/tool-set.js";
import { readState } from "../../state/state.js";

/** Others that an earlier version stored may say what a project wrote in the product's name, or mix the origins of guards. */
export const PREPARED_FORM = 3;

export interface PreparedGuards {
  readonly version: 1;
  readonly form: number;
  readonly folder: string;
  /** Files and their stamps; an empty one for a file that is not there. */
  readonly stamps: Readonly<Record<string, string>>;
  /** With the index of the tables that each set uses. */
  readonly sets: readonly { readonly of: Origin; readonly guards: readonly Guard[]; readonly tables: number }[];
  readonly tables: readonly PreparedTables[];
  /** What is said with the sentence of a guard. */
  readonly texts: Readonly<Record<"once" | "untrusted" | "unsaved", string>>;
}

export interface PreparedTables {
  /** By the names of the tools. */
  readonly tools: Readonly<Record<string, ReadTool>>;
  readonly shell: readonly Program[];
  readonly scratch: readonly string[];
}

/** Without a digest, which takes long to load: the file says which folder it is for. */
export const preparedName = (folder: string) => `calls-${folder.replace(/[^\w]+/g, "-").slice(-180)}`;

/** Undefined if there is none, or anything changed since. */
export function readPrepared(folder: string, stateFolder?: string): PreparedGuards | undefined {
  const value = readState(preparedName(folder), stateFolder).value as PreparedGuards | undefined;
  if (value?.folder !== folder || value.form !== PREPARED_FORM) return undefined;
  return Object.entries(value.stamps).every(([file, stamp]) => fileStamp(file) === stamp) ? value : undefined;
}

export const preparedSets = ({ sets, tables }: Pick<PreparedGuards, "sets" | "tables">): readonly GuardSet[] =>
  sets.map(({ tables: index, ...set }) => {
    const { tools, shell, scratch } = tables[index] as PreparedTables;
    return { ...set, rules: { tools: toolsByName(new Map(Object.entries(tools))), shell, scratch } };
  });

/** The context of the calls in a session of that folder, or else of the given one. */
export const sessionContext = (given: string) => (folder: string | undefined, rules: Tables) =>
  callContext(folder ?? given, folder ?? given, rules);

/** @param at where the call runs */
export function callContext(project: string, at: string, { tools, shell, scratch }: Tables): CallContext {
  return {
    tools,
    shell,
    scratch,
    project,
    root: projectRoot(project),
    folder: at,
    home: homeFolder(),
    real: realPath,
    folds: foldsCase(project),
  };
}
