// Adds the entries of an agent to its configuration, and removes them.
import { readdirSync, realpathSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { findUpwards } from "../../files/folders.js";
import { trackedNames } from "../../files/git-index.js";
import { readRegular } from "../../files/regular-file.js";
import { BIN, type HostEntry, PACKAGE } from "../../hosts/setup.js";
import { CommandError } from "../output/terminal.js";
import { appendEdits, applyEdits, inverseOf, type JsonNode, parseJsonc, removePart, type TextEdit } from "./jsonc.js";

const COPY_BYTES = 10_000_000;

/** A file that the agent loads automatically and that is our plugin, or loads it. */
export function pluginCopy(folder: string, places: readonly string[] = []): string | undefined {
  for (const place of places)
    try {
      for (const { name } of readdirSync(join(folder, place), { withFileTypes: true }).filter((entry) => !entry.isDirectory())) {
        const file = join(folder, place, name);
        if (statSync(file).size <= COPY_BYTES && readRegular(file, COPY_BYTES).includes(PACKAGE)) return `${place}/${name}`;
      }
    } catch {
      // The folder does not exist, or the agent cannot read it either.
    }
  return undefined;
}

/** The program as it is installed in the folder, or above it in a monorepo. */
export const installedIn = (folder: string): string | undefined => findUpwards(folder, BIN);

/** Did the program come with the project? Then a stranger wrote it. Also true if nobody can tell, as in an unpacked archive. */
export function isTracked(program: string, root: string): boolean {
  const tracked = trackedNames(root);
  if (!tracked) return true;
  // Some file systems do not tell cases apart.
  const names = new Set([...tracked].map((name) => name.toLowerCase()));
  return [program, realpathSync(program)].some((file) => {
    const steps = relative(root, file).toLowerCase().split(sep);
    // A link or a submodule above it brings it too.
    return steps.some((_, index) => names.has(steps.slice(0, index + 1).join("/")));
  });
}

interface HostText {
  readonly name: string;
  readonly text: string;
  readonly byHand: string;
}

function refuse({ name, text, byHand }: HostText, what: string, offset: number): never {
  const lines = text.slice(0, offset).split("\n");
  const place = `${name}:${lines.length}:${(lines.at(-1) ?? "").length + 1}`;
  throw new CommandError(`${place} cannot be edited, ${what}: nothing was written`, `fix it, or ${byHand}`);
}

/** The file's map and the existing groups below it along a path. */
function groupsAlong({ path, key: own }: HostEntry, host: HostText): readonly JsonNode[] {
  const map = parseJsonc(host.text);
  if ("flaw" in map) return refuse(host, map.flaw, map.offset);
  if (map.type !== "map") return refuse(host, "it is not a map", map.start);
  const groups: JsonNode[] = [map];
  for (const [index, key] of path.entries()) {
    const [found, twice] = (groups.at(-1) as JsonNode).parts.filter((part) => part.key === key);
    if (twice) return refuse(host, `"${key}" stands there twice`, twice.start);
    if (!found) break;
    const type = index < path.length - 1 || own !== undefined ? "map" : "list";
    if (found.node.type !== type) return refuse(host, `"${key}" is not a ${type}`, found.node.start);
    groups.push(found.node);
  }
  return groups;
}

type Test = "isOurs" | "isWritten";

/** The index of an entry of ours in its list or map; below 0 without one. */
const indexIn = (group: JsonNode | undefined, entry: HostEntry, test: Test): number =>
  group?.parts.findIndex(({ key, node }) => key === entry.key && entry[test](node.value)) ?? -1;

/** The table of an entry. One that has other tables below it, or another form, is not as init writes it. */
function tableIn(host: HostText, entry: HostEntry, test: Test) {
  const path = [...entry.path, entry.key ?? ""];
  const table = findTable(host.text, path);
  const other = inTheWay(host.text, path);
  if (!table && other !== undefined) return refuse(host, "the server may be there in another form", other);
  const isIt = table && entry[test](host.text.slice(table.start, table.end)) && (test === "isOurs" || other === undefined);
  return isIt ? table : undefined;
}

export const hasEntry = (host: HostText, entries: readonly HostEntry[]): boolean =>
  entries.some((entry) =>
    entry.table
      ? tableIn(host, entry, "isOurs") !== undefined
      : indexIn(groupsAlong(entry, host)[entry.path.length], entry, "isOurs") >= 0,
  );

export const withEntries = (host: HostText, entries: readonly HostEntry[]): string => addEntries(host, entries).text;

/** Adds the entries. `undo` has the edits that restore the text, to be applied one list after the other. */
export function addEntries(host: HostText, entries: readonly HostEntry[]) {
  let { text } = host;
  const undo: Edits[] = [];
  for (const entry of entries) {
    if (hasEntry({ ...host, text }, [entry])) continue;
    const edits = editsFor(entry, { ...host, text });
    undo.unshift(inverseOf(text, edits));
    text = applyEdits(text, edits);
  }
  return { text, undo };
}

type Edits = readonly TextEdit[];

function editsFor(entry: HostEntry, host: HostText): Edits {
  if (entry.table) return appendTable(host.text, entry.text);
  const groups = groupsAlong(entry, host);
  return appendEdits(host.text, groups.at(-1) as JsonNode, nested(entry.path.slice(groups.length - 1), entry));
}

function nested([first, ...rest]: readonly string[], entry: HostEntry): string {
  const { key, text } = entry;
  if (first === undefined) return key === undefined ? text : `"${key}": ${text}`;
  return rest.length === 0 && key === undefined ? `"${first}": [${text}]` : `"${first}": {\n    ${nested(rest, entry)}\n  }`;
}

/** Removes the entries that init wrote, and maps and lists in nested paths that become empty. */
export function withoutEntries(host: HostText, entries: readonly HostEntry[]): string {
  let { text } = host;
  for (const entry of entries)
    for (;;) {
      const { path, key: own, table } = entry;
      if (table) {
        const found = tableIn({ ...host, text }, entry, "isWritten");
        if (!found) break;
        text = removeTable(text, found);
        continue;
      }
      const groups = groupsAlong(entry, { ...host, text });
      let depth = path.length;
      let index = indexIn(groups[depth], entry, "isWritten");
      if (index < 0) break;
      while ((path.length > 1 || own !== undefined) && depth > 0 && isAlone(text, groups[depth] as JsonNode)) {
        depth--;
        index = (groups[depth] as JsonNode).parts.findIndex(({ key }) => key === path[depth]);
      }
      text = removePart(text, groups[depth] as JsonNode, index);
    }
  return text;
}

/** Does a group contain only one part, and no comments? */
function isAlone(text: string, { parts: [only, ...more], start, end }: JsonNode): boolean {
  const around = text.slice(start + 1, only?.start) + text.slice(only?.end, end - 1);
  return more.length === 0 && /^[\s,]*$/.test(around);
}

// In a TOML file: adds a table to its end, finds it and removes it. Nothing else of the file is parsed: whatever is before it, a
// heading at the end begins a new table, unless a text is still open.

/** Where a table of ours is, with the lines below its heading. Undefined if there is none. */
function findTable(text: string, path: readonly string[]): { readonly start: number; readonly end: number } | undefined {
  const heading = new RegExp(`^[ \\t]*\\[[ \\t]*${keysOf(path)}[ \\t]*\\]`, "m").exec(text);
  if (!heading) return undefined;
  const rest = text.slice(heading.index + heading[0].length);
  const next = /^[ \t]*\[/m.exec(rest);
  return { start: heading.index, end: next ? heading.index + heading[0].length + next.index : text.length };
}

/** Where the file prevents a new table: it is there in another form, it has a table inside, or a string is not closed. */
function inTheWay(text: string, path: readonly string[]): number | undefined {
  const [first = "", second = ""] = path;
  const other = new RegExp(
    `^[ \\t]*(?:\\[[ \\t]*${keysOf(path)}[ \\t]*\\.|${keyOf(first)}[ \\t]*=|(?:${keyOf(first)}[ \\t]*\\.[ \\t]*)?${keyOf(second)}[ \\t]*[.=])`,
    "m",
  ).exec(text);
  if (other) return other.index;
  const isOpen = ['"""', "'''"].some((mark) => text.split(mark).length % 2 === 0);
  return isOpen ? text.length : undefined;
}

const keyOf = (key: string) => `["']?${key}["']?`;
const keysOf = (path: readonly string[]) => path.map(keyOf).join("[ \\t]*\\.[ \\t]*");

/** @param table its heading and lines, with line breaks */
function appendTable(text: string, table: string): readonly TextEdit[] {
  const line = text.includes("\r\n") ? "\r\n" : "\n";
  const gap = text.trim() === "" ? "" : text.endsWith("\n") ? line : line + line;
  return [{ start: text.length, end: text.length, text: gap + table.replaceAll("\n", line) }];
}

function removeTable(text: string, { start, end }: { readonly start: number; readonly end: number }): string {
  const before = text.slice(0, start).replace(/(^|\n)\r?\n$/, "$1");
  return before + text.slice(end);
}
