// Finds the newest sessions below a folder, to try rules on.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { orUndefined } from "../../files/folders.js";

/** Files and folders that are looked at, so that a large folder does not take for ever. */
const LOOKED = 20_000;
const SESSION = /\.(?:jsonl?|md)$/;

export function recentSessions(folder: string, most: number): readonly string[] {
  const found: { readonly path: string; readonly time: number }[] = [];
  const folders = [folder];
  for (let looked = 0; folders.length > 0 && looked < LOOKED; ) {
    const place = folders.pop() as string;
    // Links are not followed: they may lead back up.
    for (const entry of orUndefined(() => readdirSync(place, { withFileTypes: true })) ?? []) {
      looked++;
      const path = join(place, entry.name);
      if (entry.isDirectory() && entry.name !== "node_modules" && !entry.name.startsWith(".")) folders.push(path);
      const info = entry.isFile() && SESSION.test(entry.name) ? statSync(path, { throwIfNoEntry: false }) : undefined;
      if (info) found.push({ path, time: info.mtimeMs });
    }
  }
  return found
    .sort((a, b) => b.time - a.time)
    .slice(0, most)
    .map(({ path }) => path);
}
