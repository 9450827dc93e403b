// Resolves where notes are written. A project's configuration may come with a clone, so its notes stay inside the project.
// Only the user's own settings can name folders outside the project, and programs.
import { dirname, isAbsolute, resolve } from "node:path";
import { type Diagnostic, diagnostic } from "../diagnostics.js";
import { homeFolder, isPlaceForNotes } from "../files/folders.js";
import type { LoadedPack } from "./pack.js";

/** Where notes are written, with absolute paths. */
export interface Sinks {
  readonly notes?: {
    readonly folder: string;
    /** The project that the folder must stay in; undefined for a folder of the user. */
    readonly project?: string;
  };
  readonly maenifold?: { readonly command?: string };
}

export interface ResolvedSinks {
  readonly sinks: Sinks;
  readonly diagnostics: readonly Diagnostic[];
}

/** Resolves the sinks. The project's settings override those of the user. */
export function resolveSinks(project: LoadedPack | undefined, user: LoadedPack | undefined): ResolvedSinks {
  const resolved = [...(user ? usersSinks(user) : []), ...(project ? projectSinks(project, user?.file ?? USER_FILE) : [])];
  return {
    sinks: Object.assign({}, ...resolved.map((one) => ("code" in one ? {} : one))),
    diagnostics: [...(user?.diagnostics ?? []), ...resolved.flatMap((one) => ("code" in one ? [one] : []))],
  };
}

/** The path of the user's file, below the folder for user configurations. */
export const USER_PLACE = ["compaction-rules", "config.yaml"] as const;
const USER_FILE = ["~/.config", ...USER_PLACE].join("/");

function projectSinks({ file, root, body, yaml }: LoadedPack, users: string): readonly (Sinks | Diagnostic)[] {
  const { notes, maenifold } = body.sinks ?? {};
  const refuse = (path: readonly string[], message: string, hint: string) =>
    diagnostic("file-reach", message, yaml.locate(["sinks", ...path]), hint);
  const found: (Sinks | Diagnostic)[] = [];
  if (notes) {
    const folder = resolve(dirname(file), notes.folder);
    const hint = `use a folder inside the project that is not hidden, or set one of your own in ${users}`;
    if (!HOME.test(notes.folder) && isPlaceForNotes(folder, root)) found.push({ notes: { folder, project: root } });
    else found.push(refuse(["notes", "folder"], `a project may not write notes to ${notes.folder}`, hint));
  }
  if (maenifold)
    found.push(
      refuse(["maenifold"], "a project may not run programs", `if you want it, put sinks: { maenifold: … } into ${users}`),
    );
  return found;
}

function usersSinks({ file, body, yaml }: LoadedPack): readonly (Sinks | Diagnostic)[] {
  const { notes, maenifold } = body.sinks ?? {};
  const place = (written: string, path: readonly string[], used: (place: string) => Sinks) => {
    if (isAbsolute(written)) return used(written);
    if (!HOME.test(written)) {
      const at = yaml.locate(["sinks", ...path]);
      return diagnostic("file-reach", `${written} is a relative path`, at, "start with ~/ or write the whole path");
    }
    const home = homeFolder();
    // Without a home folder nothing is written.
    return home === undefined ? {} : used(resolve(home, written.slice(2)));
  };
  const { command } = maenifold ?? {};
  return [
    ...Object.keys(body).flatMap((key) =>
      ["sinks", "$schema"].includes(key)
        ? []
        : [diagnostic("unused-key", `"${key}" is ignored in ${file}: only sinks are read`, yaml.locate([key], "key"))],
    ),
    ...(notes ? [place(notes.folder, ["notes", "folder"], (folder) => ({ notes: { folder } }))] : []),
    ...(maenifold && command === undefined ? [{ maenifold: {} }] : []),
    ...(command !== undefined ? [place(command, ["maenifold", "command"], (found) => ({ maenifold: { command: found } }))] : []),
  ];
}

const HOME = /^~[/\\]/;
