// Writes a note as a Markdown file below a base folder.
//
// Each later round gets its own numbered file, because nothing that was written is read or written again: two processes
// cannot lose each other's notes, a person's edits stay, and no file grows without bound.
import { lstat, mkdir, open, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { isPlaceForNotes, makeFolder } from "../files/folders.js";
import { replaceFile } from "../files/regular-file.js";
import { NAME_BYTES } from "../limits.js";
import type { Rendered } from "../render/render.js";

/** Notes of one session on one day. A session that is compacted more often is in a loop. */
const NOTE_FILES = 1_000;

/** Where notes are written as files. */
export interface NotesSettings {
  /** The base folder, as an absolute path. */
  readonly folder: string;
  /** The project that the base folder must stay in. Without one, only the user can read the notes. */
  readonly project?: string;
}

/** Writes a note as a Markdown file. Never rejects: errors are in the outcome. @returns the path of the file as `uri` */
export async function writeNote(note: Note, settings: NotesSettings): Promise<SinkOutcome> {
  if (note.text.trim() === "") return failed("debug", "there is nothing to note");
  const path = notePath(note);
  if (!path) return failed("warn", "no note is written: its template names no file to store it in");
  let place = settings.folder;
  try {
    const folder = await makeFolders(path.folders, settings);
    if (typeof folder !== "string") return folder;
    place = join(folder, path.file);
    return await writeNew(folder, path.file, withFrontMatter(note), settings.project === undefined ? 0o600 : 0o666);
  } catch (error) {
    return failed("warn", `the note ${place} cannot be written (${reasonOf(error)})`);
  }
}

async function makeFolders(names: readonly string[], { folder, project }: NotesSettings): Promise<string | SinkOutcome> {
  const mode = project === undefined ? 0o700 : 0o777;
  if (project !== undefined && !isPlaceForNotes(folder, project))
    return failed("warn", `no note is written: ${folder} leaves the project, or is hidden in it`);
  makeFolder(folder, mode);
  const base = await realpath(folder);
  let place = base;
  for (const name of names) {
    place = join(place, name);
    if (!isPlaceForNotes(place, base)) return failed("warn", `no note is written: ${place} is a link that leaves ${folder}`);
    // A broken link fails as well: no folder is created through it.
    await mkdir(place, { mode }).catch(async (error) => {
      if (error.code !== "EEXIST" || (await lstat(place)).isFile()) throw error;
    });
  }
  return place;
}

/** Writes under the first free name. A reader sees the whole note or an empty file, never a part. */
async function writeNew(folder: string, file: string, text: string, mode: number): Promise<SinkOutcome> {
  for (let number = 1; number <= NOTE_FILES; number++) {
    const target = join(folder, numbered(file, number));
    if (!(await reserve(target, mode))) continue;
    try {
      replaceFile(target, text, { mode });
    } catch (error) {
      await rm(target, { force: true });
      throw error;
    }
    return { ok: true, uri: target };
  }
  return failed("warn", `no note is written: there are ${NOTE_FILES} named like ${file} in ${folder}`);
}

/** Creates the file unless a file or a link exists: neither is written through. */
async function reserve(file: string, mode: number): Promise<boolean> {
  try {
    await (await open(file, "wx", mode)).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Adds title and tags, which would be lost otherwise. A template's own front matter is kept. */
function withFrontMatter({ text, store }: Note): string {
  const body = text.endsWith("\n") ? text : `${text}\n`;
  const { title, tags = [] } = store ?? {};
  if (text.startsWith("---\n") || (title === undefined && tags.length === 0)) return body;
  // JSON is valid YAML, whatever the title contains.
  const lines = [...(title === undefined ? [] : [`title: ${JSON.stringify(title)}`]), `tags: ${JSON.stringify(tags)}`];
  return `---\n${lines.join("\n")}\n---\n\n${body}`;
}

// Turns names from a template into names that are valid on every file system and cannot leave the folder.

/** The folders of a note below the base, and its file; undefined if the template names neither file nor title. */
function notePath({ store }: Note): { readonly folders: readonly string[]; readonly file: string } | undefined {
  const name = safeName(store?.file ?? store?.title ?? "");
  if (name === "") return undefined;
  // Always Markdown, so that no program takes it for its settings.
  const file = /\.md$/i.test(name) ? name : safeName(`${name}.md`);
  return { folders: (store?.folder ?? "").split(/[/\\]/).map(safeName).filter(Boolean), file };
}

/** The same name with a number before its ending: `session-1a2b3c4d-2.md`. */
export function numbered(file: string, number: number): string {
  if (number === 1) return file;
  const dot = file.lastIndexOf(".");
  return dot > 0 ? `${file.slice(0, dot)}-${number}${file.slice(dot)}` : `${file}-${number}`;
}

// Control characters and those that Windows forbids are removed on all systems: notes are synchronised and shared.
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>:"/\\|?*]+/gu;
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

function safeName(name: string): string {
  const plain = name
    .normalize("NFC")
    .replace(FORBIDDEN, "-")
    // A leading dot hides a file or names the parent folder, and a leading hyphen makes it an option. Windows removes blanks
    // and dots at the end.
    .replace(/^[\s.-]+|[\s.]+$/gu, "")
    .replace(DEVICE, "_$1");
  const ending = /\.\w{1,8}$/.exec(plain)?.[0] ?? "";
  const bytes = Buffer.from(plain.slice(0, plain.length - ending.length)).subarray(0, NAME_BYTES - ending.length);
  // As a stream, the decoder leaves out a character that is cut.
  return new TextDecoder().decode(bytes, { stream: true }) + ending;
}

// The input and outcome of every sink. Failures are data, so that a failing sink never stops a session.

/** A rendered template that says where it is stored. */
export type Note = Pick<Rendered, "text" | "store">;

/** Whether a note was written, or why not. */
export type SinkOutcome =
  | { readonly ok: true; readonly uri?: string }
  | { readonly ok: false; readonly level: "debug" | "warn" | "error"; readonly message: string };

export const failed = (level: "debug" | "warn" | "error", message: string): SinkOutcome => ({ ok: false, level, message });

/** The code of a system error, or else its message. */
export function reasonOf(error: unknown): string {
  const { code, message } = (error ?? {}) as NodeJS.ErrnoException;
  return code ?? message ?? String(error);
}

export const timeOfWriting = () => new Date().toISOString();
