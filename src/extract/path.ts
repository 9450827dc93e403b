// One path is one path: ./a, a, and its absolute form under the project.
import { posix, win32 } from "node:path";

/** @param folder the project's folder, where it is known */
export function normalPath(path: string, folder?: string): string {
  const given = path.trim();
  if (given === "") return "";
  const { normalize, sep } = given.includes("/") || !given.includes("\\") ? posix : win32;
  const plain = normalize(given);
  const root = folder === undefined ? "" : normalize(folder).replace(/[/\\]$/, "");
  return root.length > 1 && plain.startsWith(root + sep) ? plain.slice(root.length + 1) : plain.replace(/^\.[/\\]/, "");
}

/** The folder that makes the most of the relative paths one with an absolute path: the project's, when nobody says it. */
export function inferFolder(paths: Iterable<string>): string | undefined {
  const all = [...new Set([...paths].map((path) => normalPath(path)))];
  const byName = new Map<string, string[]>();
  for (const path of all.filter((one) => one.startsWith("/"))) {
    const name = posix.basename(path);
    byName.set(name, [...(byName.get(name) ?? []), path]);
  }
  const votes = new Map<string, number>();
  for (const path of all.filter((one) => !one.startsWith("/") && !one.startsWith(".."))) {
    for (const absolute of byName.get(posix.basename(path)) ?? []) {
      if (absolute.endsWith(`/${path}`))
        votes.set(absolute.slice(0, -path.length), (votes.get(absolute.slice(0, -path.length)) ?? 0) + 1);
    }
  }
  const [best] = [...votes].sort(([a, one], [b, other]) => other - one || a.length - b.length || (a < b ? -1 : 1));
  return best?.[0];
}
