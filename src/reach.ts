// How far a name in a pack may reach: never out of the folder that it belongs to.
import { realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

/** Symbolic links count for where they lead. */
export function inside(file: string, folder: string): boolean {
  const target = real(file);
  const base = real(folder);
  return target === base || target.startsWith(base.endsWith(sep) ? base : base + sep);
}

/** Inside of it, and not where programs look for their own files: .git, .github, node_modules. */
export function isPlaceForNotes(folder: string, project: string): boolean {
  const steps = relative(real(project), real(folder)).split(sep);
  return inside(folder, project) && !steps.some((step) => /^\.|^node_modules$/i.test(step));
}

/** The real path, also of what is not there. */
function real(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return dirname(path) === path ? path : join(real(dirname(path)), relative(dirname(path), path));
  }
}
