// What a patch does to files, in the forms agents use: the *** envelope of apply_patch, and unified diffs.
import type { FileLists } from "../model.js";

export interface FileEffect {
  readonly path: string;
  /** Or it has another name now; or what is done to changes that were made before, of the path or of all (an empty path). */
  readonly effect: Exclude<keyof FileLists, "aside"> | "moved" | "reverts" | "keeps" | "stashes" | "restores";
}

const ENVELOPE = /^\*\*\* (Add|Update|Delete) File: (.+?)\s*$/;
const MOVE = /^\*\*\* Move to: (.+?)\s*$/;

export function readPatch(patch: string): readonly FileEffect[] {
  const effects: FileEffect[] = [];
  let before: string | undefined;
  for (const line of patch.split(/\r?\n/)) {
    const [, action, path = ""] = ENVELOPE.exec(line) ?? [];
    const [, target] = MOVE.exec(line) ?? [];
    if (action !== undefined)
      effects.push({ path, effect: action === "Add" ? "created" : action === "Delete" ? "deleted" : "modified" });
    else if (target !== undefined) {
      const moved = effects.pop();
      if (moved) effects.push({ path: moved.path, effect: "moved" });
      effects.push({ path: target, effect: "created" });
    } else if (line.startsWith("--- ")) before = side(line);
    else if (line.startsWith("+++ ") && before !== undefined) {
      const after = side(line);
      if (before === "/dev/null") effects.push({ path: after, effect: "created" });
      else if (after === "/dev/null") effects.push({ path: before, effect: "deleted" });
      else effects.push({ path: after, effect: "modified" });
      before = undefined;
    }
  }
  return effects;
}

const REPORTED = { A: "created", M: "modified", D: "deleted" } as const;

/** What a patch tool reports to have done: a letter and a path on a line. */
export function readPatchReport(output: string): readonly FileEffect[] {
  return output.split(/\r?\n/).flatMap((line) => {
    const [, letter, path] = /^([AMD]) (\S.*?)\s*$/.exec(line) ?? [];
    return letter !== undefined && path !== undefined ? [{ path, effect: REPORTED[letter as keyof typeof REPORTED] }] : [];
  });
}

/** The path of a side of a diff, without the letter that git puts before it and the time behind it. */
function side(line: string): string {
  return line
    .slice(4)
    .replace(/\t.*$/, "")
    .trim()
    .replace(/^[ab]\//, "");
}
