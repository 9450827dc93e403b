// Where notes are written, as a configuration says it. It comes with the project, which may be anybody's: it runs no
// program of the project, and writes out of it only where the user's own folders are named.
import { dirname, isAbsolute, resolve } from "node:path";
import { type Diagnostic, diagnostic } from "../diagnostics.js";
import { homeFolder } from "../home-folder.js";
import { inside } from "../reach.js";
import type { LoadedPack } from "./load.js";

/** Absolute paths. */
export interface Sinks {
  readonly notes?: {
    readonly folder: string;
    /** The project that the folder lies in and must not leave; undefined for a folder of the user. */
    readonly project?: string;
  };
  readonly maenifold?: { readonly command?: string };
}

export interface ResolvedSinks {
  readonly sinks: Sinks;
  readonly diagnostics: readonly Diagnostic[];
}

export function resolveSinks(config: LoadedPack | undefined): ResolvedSinks {
  const { notes, maenifold } = config?.body.sinks ?? {};
  const resolved = [
    ...(config && notes ? [resolveNotes(notes.folder, config)] : []),
    ...(config && maenifold ? [resolveMaenifold(maenifold.command, config)] : []),
  ];
  return {
    sinks: Object.assign({}, ...resolved.map((one) => ("code" in one ? {} : one))),
    diagnostics: resolved.flatMap((one) => ("code" in one ? [one] : [])),
  };
}

function resolveNotes(written: string, config: LoadedPack): Sinks | Diagnostic {
  const folder = place(written, config);
  if (folder === undefined) return {};
  if (inside(folder, config.root)) return { notes: { folder, project: config.root } };
  if (isUsers(written)) return { notes: { folder } };
  const hint = "keep the notes inside of the project, or begin with ~/ for a folder of your own";
  return diagnostic("file-reach", `${written} leaves ${config.root}`, config.yaml.locate(["sinks", "notes", "folder"]), hint);
}

function resolveMaenifold(written: string | undefined, config: LoadedPack): Sinks | Diagnostic {
  if (written === undefined) return { maenifold: {} };
  const command = place(written, config);
  if (command === undefined) return {};
  if (isUsers(written) && !inside(command, config.root)) return { maenifold: { command } };
  const at = config.yaml.locate(["sinks", "maenifold", "command"]);
  const hint = "begin with ~/ or / for a program outside of it, or leave command out: MAENIFOLD_ROOT and the PATH are searched";
  return diagnostic("file-reach", `${written} is of the project: no program of a project is run`, at, hint);
}

const HOME = /^~[/\\]/;

/** A path that does not depend on the project. */
const isUsers = (path: string) => HOME.test(path) || isAbsolute(path);

/** Undefined for a place in a home folder that nobody knows: nothing is written there. */
function place(path: string, { file }: LoadedPack): string | undefined {
  if (!HOME.test(path)) return resolve(dirname(file), path);
  const home = homeFolder();
  return home === undefined ? undefined : resolve(home, path.slice(2));
}
