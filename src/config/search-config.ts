// Loads a project's configuration and the user's own, and resolves what both say about notes and about recall.
import { basename, dirname, isAbsolute, resolve } from "node:path";
import { type Diagnostic, diagnostic } from "../diagnostics.js";
import { homeFolder, inside, isPlaceForNotes, projectRoot } from "../files/folders.js";
import { isNo } from "./check-shape.js";
import { findConfig, findLookalikes, findUserConfig, isConfigFile, USER_FILE } from "./find-config.js";
import { loadPack } from "./load-pack.js";
import type { LoadedPack, ReadFailure } from "./pack.js";

/** @returns the configuration, if there is one, and the folder that its packs and templates must be inside */
export function searchConfig(folder: string): { readonly config?: LoadedPack; readonly root: string } {
  const root = projectRoot(resolve(folder));
  const [first, ...others] = findConfig(folder);
  return first === undefined
    ? { root }
    : { config: withUnread(loadPack(first, root, "config", awayFrom(root, first)), others), root };
}

/** A link that came with a clone could lead to any file of the user. */
function awayFrom(root: string, file: string): ReadFailure | undefined {
  if (inside(file, root)) return undefined;
  const message = `${file} is a link to a place outside of ${root}`;
  return { code: "file-unreadable", message, at: { file, line: 1, column: 1 }, hint: "replace the link with the file" };
}

function withUnread(config: LoadedPack, others: readonly string[]): LoadedPack {
  const unread = others.map((file) => {
    const why = `this file is ignored: ${basename(config.file)} is used`;
    return diagnostic("config-unread", why, { file, line: 1, column: 1 }, "keep one of the two");
  });
  return unread.length > 0 ? { ...config, diagnostics: [...config.diagnostics, ...unread] } : config;
}

/** Warns about files that somebody may take for the folder's configuration. */
export function unusedConfigs(folder: string): readonly Diagnostic[] {
  const root = projectRoot(resolve(folder));
  return findLookalikes(folder).map((file) => {
    const [why, hint] = inside(dirname(file), root)
      ? ["a configuration is YAML or JSON, under one of its names", "write it as .compactionrc.yaml"]
      : ["a project does not read your home folder", `put your own settings into ${USER_FILE}`];
    return diagnostic("config-unread", `this file is ignored: ${why}`, { file, line: 1, column: 1 }, hint);
  });
}

/** Loads a file that the user named: a configuration if it has such a name, otherwise a pack. */
export function loadNamed(file: string): LoadedPack {
  const path = resolve(file);
  return loadPack(path, projectRoot(dirname(path)), isConfigFile(path) ? "config" : "pack");
}

export function userConfig(): LoadedPack | undefined {
  const file = findUserConfig();
  return file === undefined ? undefined : loadPack(file, dirname(file), "config");
}

const USERS_KEYS = ["sinks", "recall", "guards", "$schema"];

// Where notes are written. A project's configuration may come with a clone, so its notes stay inside the project. Only the user's
// own settings can name folders outside the project, and programs.

/** Where notes are written, with absolute paths. */
export interface Sinks {
  readonly notes?: {
    readonly folder: string;
    /** The project that the folder must stay in; undefined for a folder of the user. */
    readonly project?: string;
  };
  readonly maenifold?: { readonly command?: string };
}

/** Resolves the sinks. The project's settings override those of the user. */
export function resolveSinks(project: LoadedPack | undefined, user: LoadedPack | undefined) {
  const resolved = [...(user ? usersSinks(user) : []), ...(project ? projectSinks(project, user?.file ?? USER_FILE) : [])];
  const sinks: Sinks = Object.assign({}, ...resolved.map((one) => ("code" in one ? {} : one)));
  const diagnostics = [...(user?.diagnostics ?? []), ...resolved.flatMap((one) => ("code" in one ? [one] : []))];
  return { sinks, diagnostics };
}

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
  const hint = `if you want it, put sinks: { maenifold: … } into ${users}`;
  if (maenifold) found.push(refuse(["maenifold"], "a project may not run programs", hint));
  return found;
}

function usersSinks({ file, body, yaml }: LoadedPack): readonly (Sinks | Diagnostic)[] {
  const { notes, maenifold } = body.sinks ?? {};
  const place = (written: string, path: readonly string[], used: (place: string) => Sinks) => {
    if (isAbsolute(written)) return used(written);
    const home = homeFolder();
    // Without a home folder nothing is written.
    if (HOME.test(written)) return home === undefined ? {} : used(resolve(home, written.slice(2)));
    const at = yaml.locate(["sinks", ...path]);
    return diagnostic("file-reach", `${written} is a relative path`, at, "start with ~/ or write the whole path");
  };
  const { command } = maenifold ?? {};
  return [
    ...Object.keys(body).flatMap((key) => {
      const message = `"${key}" is ignored in ${file}: only sinks, recall and guards are read`;
      return USERS_KEYS.includes(key) ? [] : [diagnostic("unused-key", message, yaml.locate([key], "key"))];
    }),
    ...(notes ? [place(notes.folder, ["notes", "folder"], (folder) => ({ notes: { folder } }))] : []),
    ...(maenifold && command === undefined ? [{ maenifold: {} }] : []),
    ...(command !== undefined ? [place(command, ["maenifold", "command"], (found) => ({ maenifold: { command: found } }))] : []),
  ];
}

const HOME = /^~[/\\]/;

// Whether sessions are indexed, and where. A project's configuration may come with a clone: it can say off, and nothing else.

export interface RecallSettings {
  /** Undefined if nobody says so; then the user is asked. */
  readonly on?: boolean;
  /** The address of a team's server, with its password. */
  readonly store?: string;
  /** With the first message of a session, say what earlier ones decided and left open about what it names. */
  readonly start?: true;
}

export function resolveRecall(project: LoadedPack | undefined, user: LoadedPack | undefined) {
  const asked = project?.body.recall;
  const own = user?.body.recall;
  const isOff = isNo(asked?.use) || isNo(own?.use);
  const starts = own?.start !== undefined && !isNo(own.start);
  const agrees = starts || own?.use !== undefined || own?.store !== undefined;
  const recall: RecallSettings = isOff
    ? { on: false }
    : {
        ...(agrees && { on: true }),
        ...(own?.store !== undefined && { store: own.store }),
        ...(starts && !isNo(asked?.start) && { start: true }),
      };
  const isRefused = asked && (asked.store !== undefined || !isNo(asked.use ?? asked.start));
  return { recall, diagnostics: project && isRefused ? refused(project, user?.file ?? USER_FILE) : [] };
}

function refused({ body, yaml }: LoadedPack, users: string): readonly Diagnostic[] {
  const hint = `if you want it, put recall into ${users}`;
  if (body.recall?.store === undefined)
    return [diagnostic("unused-key", "a project may only switch recall off", yaml.locate(["recall"], "key"), hint)];
  const at = yaml.locate(["recall", "store"], "key");
  return [diagnostic("file-reach", "a project may not say where sessions are stored", at, hint)];
}
