// What a script says that calls tools: some agents write one instead of calling them.
import { type FileEffect, readPatch } from "./patch.js";

export interface ScriptFacts {
  readonly commands: readonly string[];
  readonly effects: readonly FileEffect[];
}

const NO_FACTS: ScriptFacts = { commands: [], effects: [] };
const LITERAL = `"(?:[^"\\\\\\n]|\\\\.)*"|'(?:[^'\\\\\\n]|\\\\.)*'|\`(?:[^\`\\\\]|\\\\[^])*\``;
const LITERALS = new RegExp(LITERAL, "g");
const PATCH = "*** Begin Patch";

/** @param keys of the objects that a command line is given in */
export function readScript(script: string, keys: readonly string[]): ScriptFacts {
  // Most calls are given none.
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
