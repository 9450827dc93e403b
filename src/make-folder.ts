// A folder with those above it, made one by one: Node's own recursive call never comes back where a folder is there and
// nothing can be made in it (/proc).
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

export function makeFolder(path: string, mode: number): void {
  if (makeOne(path, mode)) return;
  makeFolder(dirname(path), mode);
  // Another process may have been faster; what is still not possible never will be.
  if (!makeOne(path, mode)) throw new Error(`${path} cannot be made`);
}

/** Whether it is there now; it is not where the one above it is missing. */
function makeOne(path: string, mode: number): boolean {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT" && dirname(path) !== path) return false;
    if (!isFolder(path)) throw error;
  }
  return true;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
