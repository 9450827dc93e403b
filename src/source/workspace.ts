// The project's own notes, read beside the conversation.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { SOURCE_CHARACTERS } from "../limits.js";
import type { ProjectFile } from "../model.js";
import { inside } from "../reach.js";

/** Those of the named files that are in the folder; what cannot be read is as if it were not there. */
export function readProjectFiles(folder: string, names: readonly string[]): readonly ProjectFile[] {
  return names.flatMap((path): readonly ProjectFile[] => {
    try {
      const file = join(folder, path);
      if (!inside(file, folder)) return [];
      if (!statSync(file).isFile() || statSync(file).size > SOURCE_CHARACTERS * 4) return [];
      return [{ path, text: readFileSync(file, "utf8").replace(/^\uFEFF/, "") }];
    } catch {
      return [];
    }
  });
}
