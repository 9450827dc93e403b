// Groups the files of a session: those of one folder together.
import type { Continuation } from "../model.js";
import { isAbsolutePath } from "../text/paths.js";
import { rememberFor } from "../text/remember.js";

/** Removes paths inside a folder that is in the same list. */
export function topmost(paths: readonly string[]): readonly string[] {
  const all = new Set(paths);
  return paths.filter((path) => {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1))
      if (all.has(path.slice(0, end))) return false;
    return true;
  });
}

/** The common folder of all absolute paths, with its slash; empty if there is none or a changed path is relative. */
export const commonFolder = ({ files }: Continuation): string => commonFolderOf(files);

const commonFolderOf = rememberFor((files: Continuation["files"]): string => {
  const aside = new Set(files.aside);
  const changed = ({ created, modified, deleted }: Continuation["files"]) => [...created, ...modified, ...deleted];
  // Relative paths are in the project, so the folder of the absolute ones is not common to all.
  if (changed(files).some((path) => !isAbsolutePath(path) && !aside.has(path))) return "";
  const paths = Object.values(files)
    .flat()
    .filter((path) => isAbsolutePath(path) && !aside.has(path));
  const [first = "", ...rest] = paths;
  let folder = first.slice(0, first.lastIndexOf("/") + 1);
  for (const path of rest)
    while (!path.startsWith(folder)) folder = folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1);
  return folder.length > 1 ? folder : "";
});

/** Most levels of nested braces: more are hard to read. */
const BRACES = 2;

/** Groups paths by their common start: `folder/{a.ts, b/{c.ts, d.ts}}`. */
export function foldPaths(paths: readonly string[], braces = BRACES): readonly string[] {
  const folders = new Map<string, string[]>();
  const plain: string[] = [];
  for (const path of paths) {
    const end = (braces > 1 ? path.indexOf("/", 1) : path.lastIndexOf("/")) + 1;
    if (end === 0) plain.push(path);
    else folders.set(path.slice(0, end), [...(folders.get(path.slice(0, end)) ?? []), path.slice(end)]);
  }
  const folded = [...folders].map(([folder, rest]) => {
    if (rest.length === 1) return folder + rest[0];
    // A folder that has only one folder in it needs no braces.
    const whole = foldPaths(rest, braces);
    const inner = whole.length === 1 ? whole : foldPaths(rest, braces - 1);
    return inner.length === 1 ? folder + inner[0] : `${folder}{${inner.join(", ")}}`;
  });
  return [...plain, ...folded];
}
