// What a tool call does to files: by the keys that a pack names, or by a patch (the *** envelope of apply_patch, and unified diffs).
// Also reads scripts that call tools, which some agents write instead of calling them.
import type { FileLists, ToolCall } from "../../model.js";
import type { Tool } from "../../rules/tool-set.js";
import { firstText, listAt } from "./input-fields.js";

export interface FileEffect {
  readonly path: string;
  /** Also: a rename, a folder that is made, or what happens to earlier changes of the path, or of all paths if it is empty. */
  readonly effect: Exclude<keyof FileLists, "aside"> | "moved" | "made" | "reverts" | "keeps" | "stashes" | "restores";
  /** The path is a pattern of the shell, which finds the files by it. */
  readonly glob?: true;
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

/** What a patch tool reports: a letter and a path per line. */
export const readPatchReport = (output: string): readonly FileEffect[] =>
  output.split(/\r?\n/).flatMap((line) => {
    const [, letter, path] = /^([AMD]) (\S.*?)\s*$/.exec(line) ?? [];
    return letter !== undefined && path !== undefined ? [{ path, effect: REPORTED[letter as keyof typeof REPORTED] }] : [];
  });

/** The path of one side of a diff, without git's prefix and the timestamp. */
function side(line: string): string {
  return line
    .slice(4)
    .replace(/\t.*$/, "")
    .trim()
    .replace(/^[ab]\//, "");
}

export type ScriptFacts = { readonly commands: readonly string[]; readonly effects: readonly FileEffect[] };

const NO_FACTS: ScriptFacts = { commands: [], effects: [] };
const LITERAL = `"(?:[^"\\\\\\n]|\\\\.)*"|'(?:[^'\\\\\\n]|\\\\.)*'|\`(?:[^\`\\\\]|\\\\[^])*\``;
const LITERALS = new RegExp(LITERAL, "g");
const PATCH = "*** Begin Patch";

/** @param keys of the properties that hold a command line */
export function readScript(script: string, keys: readonly string[]): ScriptFacts {
  // Most calls have no script.
  if (script === "") return NO_FACTS;
  const named = keys.map((key) => key.replace(/[^\w]/g, "\\$&")).join("|");
  const given = keys.length > 0 ? new RegExp(`(?<![\\w$])["']?(?:${named})["']?\\s*:\\s*(${LITERAL})`, "g") : undefined;
  const commands = given ? [...script.matchAll(given)].map(([, literal = ""]) => unquote(literal)) : [];
  const patches = script.includes(PATCH)
    ? (script.match(LITERALS) ?? []).map(unquote).filter((text) => text.includes(PATCH))
    : [];
  return { commands: commands.filter((command) => command.trim() !== ""), effects: patches.flatMap(readPatch) };
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };
const unquote = (literal: string) =>
  literal
    .slice(1, -1)
    .replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (_, code?: string, mark?: string) =>
      code === undefined ? (ESCAPES[mark as string] ?? (mark as string)) : String.fromCharCode(Number.parseInt(code, 16)),
    );

/** What a tool call does by its own input. */
export function effectsOf(
  { input, output }: ToolCall,
  { patch, list, file, to, effect }: Pick<Tool, "patch" | "list" | "file" | "to" | "effect">,
): readonly FileEffect[] {
  const isPatch = patch.length > 0;
  const given = typeof input === "string" ? input : firstText(input, patch);
  // A host may have removed the patch and kept the report.
  const patched = isPatch ? [...readPatch(given ?? ""), ...readPatchReport(output)] : [];
  if (!effect) return patched;
  const entries = list.flatMap((key) => listAt(input, key));
  // Bare text for a patch tool is the patch, not a path.
  const inputs = typeof input === "string" && isPatch ? entries : [input, ...entries];
  const found = inputs.flatMap((one): FileEffect[] => {
    const path = typeof one === "string" ? one : firstText(one, file);
    const target = typeof one === "string" ? undefined : firstText(one, to);
    if (path === undefined || target === undefined) return path === undefined ? [] : [{ path, effect }];
    return [
      { path, effect: "moved" },
      { path: target, effect: "created" },
    ];
  });
  return [...patched, ...found];
}
