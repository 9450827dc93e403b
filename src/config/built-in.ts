// The built-in packs: files beside the program, or inside of it where the program is a single file.
import { existsSync, readdirSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { embedded } from "./embedded.js";
import type { PackBody } from "./load.js";
import { packText, prepared } from "./prepared.js";

/** A folder that is nowhere: what is inside of the program has a place too, for messages. */
const NOWHERE = join(sep, "compaction-rules", "rules", sep);

export const rulesFolder = embedded ? NOWHERE : fileURLToPath(new URL("../../rules/", import.meta.url));

export const isBuiltIn = (file: string): boolean => file.startsWith(rulesFolder);

/** The name of a built-in file; of others, an empty text. */
function builtInName(file: string): string {
  return isBuiltIn(file) ? file.slice(rulesFolder.length).split(sep).join("/") : "";
}

/** The text of a built-in file that is inside of the program. */
export function embeddedText(file: string): string | undefined {
  return embedded?.[builtInName(file)];
}

/** What a built-in file with this very text says, where that was prepared. */
export function preparedBody(file: string, text: string): PackBody | undefined {
  const name = builtInName(file);
  const body = prepared && Object.hasOwn(prepared.packs, name) ? prepared.packs[name] : undefined;
  return body && (embedded?.[name] ?? packText(name)) === text ? body : undefined;
}

export function hasBuiltIn(name: string): boolean {
  const file = `${name}.yaml`;
  if (embedded) return Object.hasOwn(embedded, file);
  return (prepared && Object.hasOwn(prepared.packs, file)) || existsSync(rulesFolder + file);
}

export function builtInNames(): readonly string[] {
  const files = embedded ? Object.keys(embedded) : readdirSync(rulesFolder);
  return files.flatMap((name) => (/^[^/]+\.yaml$/.test(name) ? [name.slice(0, -5)] : []));
}
