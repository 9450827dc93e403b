// Where notes are written. A project's configuration may come with a clone of anybody's: its notes stay inside of the project.
// What leaves the project, folders and programs, is said in the user's own settings and nowhere else.
import { dirname, isAbsolute, resolve } from "node:path";
import { type Diagnostic, diagnostic } from "../diagnostics.js";
import { homeFolder } from "../home-folder.js";
import { isPlaceForNotes } from "../reach.js";
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

/** Where both say where notes go, the project does. */
export function resolveSinks(project: LoadedPack | undefined, user: LoadedPack | undefined): ResolvedSinks {
  const resolved = [...(user ? usersSinks(user) : []), ...(project ? projectSinks(project, user?.file ?? USER_FILE) : [])];
  return {
    sinks: Object.assign({}, ...resolved.map((one) => ("code" in one ? {} : one))),
    diagnostics: [...(user?.diagnostics ?? []), ...resolved.flatMap((one) => ("code" in one ? [one] : []))],
  };
}

/** Below the folder of the user's configurations. */
export const USER_PLACE = ["compaction-rules", "config.yaml"] as const;
const USER_FILE = ["~/.config", ...USER_PLACE].join("/");

function projectSinks({ file, root, body, yaml }: LoadedPack, users: string): readonly (Sinks | Diagnostic)[] {
  const { notes, maenifold } = body.sinks ?? {};
  const refuse = (path: readonly string[], message: string, hint: string) =>
    diagnostic("file-reach", message, yaml.locate(["sinks", ...path]), hint);
  const found: (Sinks | Diagnostic)[] = [];
  if (notes) {
    const folder = resolve(dirname(file), notes.folder);
    const hint = `name a folder inside of the project that is not hidden; one of your own is named in ${users}`;
    if (!HOME.test(notes.folder) && isPlaceForNotes(folder, root)) found.push({ notes: { folder, project: root } });
    else found.push(refuse(["notes", "folder"], `a project writes no notes to ${notes.folder}`, hint));
  }
  if (maenifold)
    found.push(refuse(["maenifold"], "a project runs no program", `if you want it, put sinks: { maenifold: … } into ${users}`));
  return found;
}

function usersSinks({ file, body, yaml }: LoadedPack): readonly (Sinks | Diagnostic)[] {
  const { notes, maenifold } = body.sinks ?? {};
  const place = (written: string, path: readonly string[], used: (place: string) => Sinks) => {
    if (isAbsolute(written)) return used(written);
    if (!HOME.test(written)) {
      const at = yaml.locate(["sinks", ...path]);
      return diagnostic("file-reach", `${written} depends on the folder that you are in`, at, "begin with ~/ or write it out");
    }
    const home = homeFolder();
    // In a home folder that nobody knows nothing is written.
    return home === undefined ? {} : used(resolve(home, written.slice(2)));
  };
  const { command } = maenifold ?? {};
  return [
    ...Object.keys(body).flatMap((key) =>
      ["sinks", "$schema"].includes(key)
        ? []
        : [diagnostic("unused-key", `"${key}" is not read in ${file}: only sinks are`, yaml.locate([key], "key"))],
    ),
    ...(notes ? [place(notes.folder, ["notes", "folder"], (folder) => ({ notes: { folder } }))] : []),
    ...(maenifold && command === undefined ? [{ maenifold: {} }] : []),
    ...(command !== undefined ? [place(command, ["maenifold", "command"], (found) => ({ maenifold: { command: found } }))] : []),
  ];
}

const HOME = /^~[/\\]/;
