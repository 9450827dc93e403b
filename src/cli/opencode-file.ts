// The project's configuration files of OpenCode: which there are, what our entry changes in them, and writing it.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { COPY_BYTES } from "../limits.js";
import { readRegular } from "../regular-file.js";
import { Failure } from "./failure.js";
import { groupIn, type HostChange, mapIn, readHostFile } from "./host-file.js";
import type { JsonGroup, JsonNode } from "./jsonc.js";
import { appendPart, removePart } from "./jsonc-edit.js";

export const ENTRY = "compaction-rules";
const KEY = "plugin";
/** OpenCode reads all of them and takes their entries together. */
const NAMES = ["opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"] as const;
/** What an entry by path may name of the package. */
const OWN_FILES = ["dist/server.js", "dist"] as const;
/** Folders from which OpenCode loads every file. */
const COPIES = [".opencode/plugins", ".opencode/plugin"] as const;
/** OpenCode writes a $schema into a file that has none. */
const FRESH = `{
  "$schema": "https://opencode.ai/config.json",
  "${KEY}": ["${ENTRY}"]
}
`;

export interface HostFile {
  readonly name: string;
  readonly text: string;
  /** It is a link out of the project: read, but not written. */
  readonly foreign: boolean;
  readonly map: JsonGroup;
  /** The list of plugins, when there is one. */
  readonly list?: JsonGroup;
}

export const readHostFiles = (folder: string): readonly HostFile[] => NAMES.flatMap((name) => readOne(name, folder) ?? []);

function readOne(name: string, folder: string): HostFile | undefined {
  const { text, foreign } = readHostFile(folder, name);
  return text === undefined ? undefined : { ...parse(name, text), foreign };
}

function parse(name: string, text: string): Omit<HostFile, "foreign"> {
  const host = { name, text, byHand: `add "${ENTRY}" to "${KEY}" by hand` };
  const map = mapIn(host);
  const list = groupIn(host, map, KEY, "list");
  return { name, text, map, ...(list && { list }) };
}

/** Our entry in any form: with a version, as a path or an address of a file, or with options in a list. */
export function isOurs(node: JsonNode): boolean {
  if (node.type === "list") return node.parts[0] !== undefined && isOurs(node.parts[0].node);
  if (node.type !== "scalar" || typeof node.value !== "string") return false;
  const path = node.value.replaceAll("\\", "/");
  return [path, ...OWN_FILES.flatMap((file) => (path.endsWith(`/${file}`) ? [path.slice(0, -file.length - 1)] : []))].some(
    (one) => one === ENTRY || one.startsWith(`${ENTRY}@`) || one.endsWith(`/${ENTRY}`),
  );
}

/** A file that OpenCode loads by itself and that is the plugin, or loads it. */
export function copyIn(folder: string): string | undefined {
  for (const place of COPIES)
    try {
      for (const { name } of readdirSync(join(folder, place), { withFileTypes: true }).filter((entry) => !entry.isDirectory())) {
        const file = join(folder, place, name);
        if (statSync(file).size <= COPY_BYTES && readRegular(file, COPY_BYTES).includes(ENTRY)) return `${place}/${name}`;
      }
    } catch {
      // There is no such folder, or nothing in it that can be read: OpenCode loads nothing from it either.
    }
  return undefined;
}

/** Into the first file that is there, unless one of them names us. */
export function additions(files: readonly HostFile[]): readonly HostChange[] {
  if (files.some(({ list }) => list?.parts.some(({ node }) => isOurs(node)))) return [];
  const file = files.find(({ foreign }) => !foreign);
  const [link] = files;
  if (!file && link)
    throw new Failure(`${link.name} leads out of the project: nothing was written`, "edit what it leads to by hand");
  if (!file) return [{ name: NAMES[0], before: undefined, after: FRESH }];
  const { name, text, map, list } = file;
  return [
    { name, before: text, after: list ? appendPart(text, list, `"${ENTRY}"`) : appendPart(text, map, `"${KEY}": ["${ENTRY}"]`) },
  ];
}

/** Exactly what was put in. An entry with a version or options is somebody's own. */
export function removals(files: readonly HostFile[]): readonly HostChange[] {
  return files.flatMap(({ name, text, list, foreign }) => {
    const index = list?.parts.findIndex(({ node }) => node.type === "scalar" && node.value === ENTRY) ?? -1;
    if (!list || index < 0 || foreign) return [];
    const after = removePart(text, list, index);
    // The entry may stand there more than once.
    return [{ name, before: text, after: removals([{ ...parse(name, after), foreign }])[0]?.after ?? after }];
  });
}
