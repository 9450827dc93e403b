// What init changes in the files of an agent: finds the change, makes it, and remembers the way back.

import { lstatSync, mkdirSync, readdirSync, realpathSync, rmdirSync, rmSync, type Stats, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { inside, orUndefined } from "../../files/folders.js";
import { readRegular, replaceFile } from "../../files/regular-file.js";
import { EMPTY_MAP, type HostEntry, type HostFiles } from "../../hosts/setup.js";
import { PACK_BYTES } from "../../limits.js";
import { changeState, clearState, readState } from "../../state/state.js";
import { digestOf } from "../../text/forms.js";
import { asList, isFields } from "../../text/json.js";
import { CommandError } from "../output/terminal.js";
import { addEntries, hasEntry, pluginCopy, withEntries, withoutEntries } from "./host-entries.js";
import { applyEdits, type TextEdit } from "./jsonc.js";

export interface HostChange {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** How to get back from `after`, when entries are added. */
  readonly undo?: readonly (readonly TextEdit[])[];
}

interface HostFile {
  readonly name: string;
  readonly text: string | undefined;
  /** It leads out of the project: it is read, but never written. */
  readonly foreign: boolean;
}

const isBlank = (text: string | undefined) => text === undefined || text.trim() === "";

type HostEntries = readonly HostEntry[];

/** A file above the folder that the agent reads too and that has our entry. */
export function configuredAbove(kind: HostFiles, entries: HostEntries, folder: string, root: string): string | undefined {
  if (kind.reads !== "above" || folder === root || filesOf(kind, entries, folder).some(({ ours }) => ours)) return undefined;
  for (let above = dirname(folder); ; above = dirname(above)) {
    // A file there that cannot be read is nobody's concern here.
    const found = orUndefined(() => filesOf(kind, entries, above).find(({ ours }) => ours));
    if (found) return join(above, found.name);
    if (above === root || dirname(above) === above) return undefined;
  }
}

function filesOf({ files, byHand }: HostFiles, entries: HostEntries, folder: string) {
  return files.map((name): HostFile & { readonly ours: boolean } => {
    const file = readHostFile(folder, name);
    return { ...file, ours: !isBlank(file.text) && hasEntry({ name, text: file.text ?? "", byHand }, entries) };
  });
}

type Shown = (file: string) => string;

/** What changes, or why nothing does. */
type Changes = readonly HostChange[] | string;

/** Adds the entries to the first existing file, unless one already has them. */
export function additions(kind: HostFiles, entries: HostEntries, folder: string, shown: Shown): Changes {
  const files = filesOf(kind, entries, folder);
  const there = files.filter(({ text }) => text !== undefined);
  const target = there.find(({ ours }) => ours) ?? there.find(({ foreign }) => !foreign) ?? there[0] ?? (files[0] as HostFile);
  const { name, text: before, foreign } = target;
  const copy = pluginCopy(folder, kind.loads);
  const text = before === undefined ? kind.fresh : isBlank(before) && kind.fresh !== "" ? EMPTY_MAP : before;
  const added = addEntries({ name, text, byHand: kind.byHand }, entries);
  const after = copy === undefined ? added.text : before;
  const blank = [{ start: 0, end: text.length, text: before ?? "" }];
  const undo = isBlank(before) ? [...added.undo, blank] : added.undo;
  if (after === before) return `${shown(copy ?? name)} ${kind.does} already: nothing to do`;
  if (foreign) throw new CommandError(`${name} leads outside the project: nothing was written`, "edit its target by hand");
  // Entries of ours that were there before are removed too, so the way back does not end there.
  const isNew = before !== undefined && !there.some((file) => file.name === name && file.ours);
  return [{ name, before, after, ...(isNew && { undo }) }];
}

/** Removes the entries that init wrote, and a file that holds nothing else. @param written entries of a file that init made */
export function removals(
  kind: HostFiles,
  entries: HostEntries,
  folder: string,
  shown: Shown,
  written: readonly HostEntries[],
): Changes {
  const files = filesOf(kind, entries, folder);
  const changes = files.flatMap(({ name, text: before, foreign, ours }): readonly HostChange[] => {
    if (!ours || foreign || before === undefined) return [];
    const exact = undone(join(folder, name), kind.part, before);
    if (exact !== undefined) return [{ name, before, after: exact }];
    const { byHand, fresh } = kind;
    const isMade = written.some((all) => before === withEntries({ name, text: fresh, byHand }, all));
    if (isMade && lstatSync(join(folder, name)).isFile()) return [{ name, before, after: undefined }];
    const after = withoutEntries({ name, text: before, byHand }, entries);
    return after === before ? [] : [{ name, before, after }];
  });
  const left = files.find(({ ours }) => ours) ?? (files.every(({ foreign }) => foreign) ? files[0] : undefined);
  if (changes.length === 0 && left) {
    const what = left.foreign ? "leads outside the project" : `${kind.does} ${kind.otherForm}`;
    const hint = "remove it by hand: --remove only removes the bare entry that init writes";
    throw new CommandError(`${shown(left.name)} ${what}: nothing was written`, hint);
  }
  return changes.length === 0 ? `nothing here ${kind.does}: nothing to do` : changes;
}

export function readHostFile(folder: string, name: string): HostFile {
  const above = dirname(name);
  const place = above === "." ? undefined : infoOf(folder, above);
  if (place && !place.isDirectory())
    throw new CommandError(`${above} is not a folder: nothing was written`, `move ${above} away, and run this again`);
  const foreign = !inside(join(folder, name), folder);
  return { name, text: infoOf(folder, name) && textOf(folder, name), foreign };
}

function infoOf(folder: string, name: string): Stats | undefined {
  const path = join(folder, name);
  try {
    return lstatSync(path, { throwIfNoEntry: false }) && statSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "is a link that leads nowhere" : `cannot be read (${code})`;
    throw new CommandError(`${name} ${why}: nothing was written`, "move it away, and run this again");
  }
}

function textOf(folder: string, name: string): string {
  try {
    const bytes = readRegular(join(folder, name), PACK_BYTES + 1);
    if (bytes.length > PACK_BYTES)
      throw new CommandError(`${name} has more than ${PACK_BYTES} bytes: that is not a configuration`);
    // Text that cannot be decoded could not be written back unchanged.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const why = error instanceof TypeError ? "it is not UTF-8" : code === "EISDIR" ? "it is a folder" : code;
    throw new CommandError(`${name} cannot be read (${why}): nothing was written`);
  }
}

export function writeHostFile(folder: string, { name, before, after, undo }: HostChange, part: string | undefined): void {
  const path = join(folder, name);
  try {
    if (after === undefined) {
      rmSync(path);
      removeEmpty(dirname(path), folder);
    } else if (before === undefined) {
      mkdirSync(dirname(path), { recursive: true });
      replaceFile(path, after);
    }
    // Keep a link inside the project.
    else replaceFile(realpathSync(path), after, { exactMode: statSync(path).mode });
    const written = after !== undefined && digestOf(after, 16);
    // If nothing can be stored, --remove still takes out the entries. If nothing can be cleared, it expires.
    if (undo && written) orUndefined(() => changeState(nameOf(path, part), () => ({ version: 1, file: path, written, undo })));
    else orUndefined(() => clearState(nameOf(path, part)));
  } catch (error) {
    throw new CommandError(`${name} cannot be written (${(error as NodeJS.ErrnoException).code}): it is as it was`);
  }
}

/** Removes a folder that is empty now, and those above it up to the project's. */
function removeEmpty(place: string, folder: string): void {
  if (place === folder || readdirSync(place).length > 0) return;
  rmdirSync(place);
  removeEmpty(dirname(place), folder);
}

// Remembers how init changed a file, so that --remove gives back its bytes. Only places and blanks are stored, no text of the file.

/** @param part tells apart what init writes into the same file */
const nameOf = (path: string, part = "") => `init-${digestOf(path + part, 16)}`;

/** The file as it was before init, unless somebody changed it since. */
export function undone(path: string, part: string | undefined, now: string): string | undefined {
  const { value } = readState(nameOf(path, part));
  if (!isFields(value) || value.written !== digestOf(now, 16)) return undefined;
  return asList(value.undo).reduce<string>((text, edits) => applyEdits(text, edits as readonly TextEdit[]), now);
}
