// Paths and names of programs as text, whichever system wrote them: a session may come from another machine.

import { posix } from "node:path";
import { remember } from "./remember.js";

const DRIVE = /^[A-Za-z]:[\\/]/;

/** Is it absolute, on any system? */
export const isAbsolutePath = (path: string): boolean => path.startsWith("/") || DRIVE.test(path);

/** Is it a path of Windows? @param folder where it was written */
export const isWindowsPath = (path: string, folder = ""): boolean =>
  DRIVE.test(path) || DRIVE.test(folder) || (path.includes("\\") && !path.includes("/"));

/** A path of Windows with slashes: C:\Users is C:/Users, and so are c:/Users and the /c/Users of Git's bash. */
export const slashed = (path: string): string =>
  path.replaceAll("\\", "/").replace(/^(?:\/([A-Za-z])(?=\/|$)|([A-Za-z]):)/, (_, a = "", b = "") => `${(a + b).toUpperCase()}:`);

/** What a program is called wherever it is installed, also by a shim of Windows: npm for C:\node\npm.cmd. */
export const programName = (path: string): string =>
  path.replace(/^.*[/\\](?=.)/s, "").replace(/(?<=.)\.(?:cmd|exe|bat|ps1)$/i, "");

/** One form for ./a, a, and its absolute path in the project's folder, if that is known. Windows does not tell cases apart. */
export function normalPath(path: string, folder?: string): string {
  const given = path.trim();
  if (given === "") return "";
  const isWindows = isWindowsPath(given, folder);
  const normal = (one: string) => posix.normalize(isWindows ? slashed(one) : one);
  const folded = (one: string) => (isWindows ? one.toLowerCase() : one);
  const plain = normal(given);
  const root = folder === undefined ? "" : normal(folder).replace(/\/$/, "");
  const isInside = root.length > 1 && folded(plain).startsWith(folded(`${root}/`));
  return isInside ? plain.slice(root.length + 1) : plain.replace(/^\.\//, "");
}

/** The same for the working trees of the project: a file in one of them is the same file. @param worktrees their folders */
export function pathsIn(worktrees: readonly string[], folder?: string): (path: string) => string {
  const whole = (path: string) => (folder === undefined || isAbsolutePath(path) ? path : posix.join(slashed(folder), path));
  const roots = worktrees.map((one) => whole(normalPath(one, folder)).replace(/\/$/, ""));
  return (path) => {
    const normal = normalPath(path, folder);
    const found = roots.length > 0 ? `${whole(normal)}/` : "";
    const root = roots.find((one) => found.startsWith(`${one}/`));
    return root === undefined ? normal : found.slice(root.length + 1, -1);
  };
}

/** Guesses the project's folder: the one that makes the most relative paths equal to an absolute path. */
export function inferFolder(paths: Iterable<string>): string | undefined {
  const all = [...new Set([...paths].map((path) => normalPath(path)))];
  const byName = new Map<string, string[]>();
  for (const path of all.filter(isAbsolutePath)) {
    const name = posix.basename(path);
    byName.set(name, [...(byName.get(name) ?? []), path]);
  }
  const votes = new Map<string, number>();
  for (const path of all.filter((one) => !isAbsolutePath(one) && !one.startsWith(".."))) {
    for (const absolute of byName.get(posix.basename(path)) ?? []) {
      if (absolute.endsWith(`/${path}`))
        votes.set(absolute.slice(0, -path.length), (votes.get(absolute.slice(0, -path.length)) ?? 0) + 1);
    }
  }
  const [best] = [...votes].sort(([a, one], [b, other]) => other - one || a.length - b.length || (a < b ? -1 : 1));
  return best?.[0];
}

/** The same file in several lists, one earlier than the other, gets one form. */
export function sameForm(paths: Iterable<string>, folder?: string): (path: string) => string {
  const root = folder ?? inferFolder(paths);
  return remember((path) => normalPath(path, root) || path);
}
