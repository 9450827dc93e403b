// Reads the project's notes and work items, which complement the conversation.
import { lstatSync, readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { inside, isNotesFile, orUndefined, projectRoot, realPath } from "../../files/folders.js";
import { readRegular } from "../../files/regular-file.js";
import { LOOKED_FOLDERS, SOURCE_CHARACTERS, WORK_ITEMS, WORKSPACE_CHARACTERS } from "../../limits.js";
import type { Notice, ProjectFile, WorkItem } from "../../model.js";

export interface WantedFiles {
  /** `state` is false for a file that holds rules, not state. */
  readonly files: readonly { readonly id: string; readonly path: string; readonly state?: boolean }[];
  readonly workflows: readonly {
    readonly id: string;
    readonly folder: string;
    readonly skip: readonly string[];
    readonly requires: readonly string[];
    readonly artifacts: ReadonlyMap<string, string>;
  }[];
}

/** The notes and work items of a project. */
export interface Workspace {
  readonly files: readonly ProjectFile[];
  readonly items: readonly WorkItem[];
  /** Files that are there but cannot be read. */
  readonly notices: readonly Notice[];
}

/** Reads the notes and work items of the nearest folder that has them, up to the repository's root. A file that cannot be read is
 * skipped, with a notice. */
export function readWorkspace(folder: string, wanted: WantedFiles): Workspace {
  const isState = ({ name }: ProjectFile) => wanted.files.some(({ id, state }) => id === name && state !== false);
  const start = resolve(folder);
  const top = projectRoot(start);
  for (let place = start; ; place = dirname(place)) {
    const found = readFolder(place, wanted);
    if (found.items.length > 0 || found.files.some(isState)) return found;
    if (place === top) return place === start ? found : readFolder(start, wanted);
  }
}

function readFolder(folder: string, { files, workflows }: WantedFiles): Workspace {
  let left = WORKSPACE_CHARACTERS;
  const notices: Notice[] = [];
  const read = (path: string) => {
    const found = left > 0 ? readFile(folder, path) : undefined;
    if (typeof found === "string") notices.push({ code: "notes-unread", message: found, source: path, count: 1 });
    if (typeof found !== "object") return [];
    const text = found.text.slice(0, left);
    left -= text.length;
    return [{ ...found, text }];
  };
  return {
    files: files.flatMap(({ id, path }) => read(path).map(({ text }) => ({ path, name: id, text }))),
    items: workflows.flatMap(({ id, folder: pattern, skip, requires, artifacts }) =>
      foldersLike(folder, pattern.split("/"))
        .filter(({ name }) => !skip.includes(name))
        // Numbers and dates rise, so the last names are the newest.
        .slice(-WORK_ITEMS)
        .map(({ path, name }): WorkItem => {
          const found = [...artifacts].flatMap(([artifact, file]) =>
            read(`${path}/${file}`).map((found) => ({ path: `${path}/${file}`, name: artifact, ...found })),
          );
          return { workflow: id, name, folder: path, artifacts: found };
        })
        .filter((item) => requires.every((artifact) => item.artifacts.some(({ name }) => name === artifact))),
    ),
    notices,
  };
}

/** The text and time of a file, why it cannot be read, or undefined if there is none. */
function readFile(folder: string, path: string) {
  const file = join(folder, path);
  if (!orUndefined(() => lstatSync(file))) return undefined;
  if (!inside(file, folder)) return "it is a link that leads out of the project, and not read";
  if (!isNotesFile(realPath(file))) return "it is a link to a file that is not a text (.md, .txt, .json), and not read";
  const info = orUndefined(() => statSync(file));
  if (info && !info.isFile()) return "it is not a regular file, and not read";
  if (info && info.size > SOURCE_CHARACTERS * 4) return "it is too large, and not read";
  const text = orUndefined(() => readRegular(file, SOURCE_CHARACTERS * 4).toString("utf8"));
  if (!info || text === undefined) return "it cannot be read";
  return { text: text.replace(/^\uFEFF/, ""), modified: Math.floor(info.mtimeMs) };
}

type FoundFolder = { readonly path: string; readonly name: string };

/** The folders that match a pattern: `*` is any folder, `{name}` is any folder and captures its name. */
function foldersLike(root: string, pattern: readonly string[]): readonly FoundFolder[] {
  let looked = 0;
  function below(at: FoundFolder, [step, ...rest]: readonly string[]): readonly FoundFolder[] {
    if (step === undefined) return [at];
    // Symbolic links can lead back up, and the search would not end.
    if (++looked > LOOKED_FOLDERS) return [];
    const names = foldersIn(join(root, at.path), root);
    const wanted = step === "*" || step === "{name}" ? names : names.filter((name) => name === step);
    return wanted.flatMap((name) =>
      below({ path: at.path === "" ? name : `${at.path}/${name}`, name: step === "{name}" ? name : at.name }, rest),
    );
  }
  return below({ path: "", name: "" }, pattern);
}

function foldersIn(folder: string, root: string): readonly string[] {
  const entries = orUndefined(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return (
    entries
      .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && inside(join(folder, entry.name), root))
      .filter((entry) => entry.isDirectory() || orUndefined(() => statSync(join(folder, entry.name)))?.isDirectory())
      .map(({ name }) => name)
      // A work item is shown on one line.
      .filter((name) => !/\p{Cc}/u.test(name))
      .sort()
  );
}
