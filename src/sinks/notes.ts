// A note as a Markdown file under a base folder.
//
// A later round gets a numbered file of its own rather than a place at the end of the first one: then nothing that was
// written is read or written again, so that two processes cannot lose each other's note, what a person has put into a
// note stays, and no file grows without bound.
import { lstat, mkdir, open, realpath, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { NOTE_FILES } from "../limits.js";
import { makeFolder } from "../make-folder.js";
import { isPlaceForNotes } from "../reach.js";
import { notePath, numbered } from "./note-path.js";
import { failed, type Note, reasonOf, type SinkOutcome } from "./sink.js";

export interface NotesSettings {
  /** The base: an absolute path. */
  readonly folder: string;
  /** The project that the base lies in and must not leave. Without one, the notes are for the user's eyes alone. */
  readonly project?: string;
}

/** @returns the path of the file as `uri` */
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
    // A link that leads nowhere is in the way as well: a folder is not made through it.
    await mkdir(place, { mode }).catch(async (error) => {
      if (error.code !== "EEXIST" || (await lstat(place)).isFile()) throw error;
    });
  }
  return place;
}

/** Under the first name that is free; a reader sees the whole note or an empty file, never a part. */
async function writeNew(folder: string, file: string, text: string, mode: number): Promise<SinkOutcome> {
  for (let number = 1; number <= NOTE_FILES; number++) {
    const target = join(folder, numbered(file, number));
    if (!(await reserve(target, mode))) continue;
    const draft = `${target}.${process.pid}.draft`;
    try {
      await writeWhole(draft, text, mode);
      await rename(draft, target);
    } catch (error) {
      for (const left of [draft, target]) await rm(left, { force: true });
      throw error;
    }
    return { ok: true, uri: target };
  }
  return failed("warn", `no note is written: there are ${NOTE_FILES} named like ${file} in ${folder}`);
}

/** Makes the file unless there is one, or a link: neither is written through. */
async function reserve(file: string, mode: number): Promise<boolean> {
  try {
    await (await open(file, "wx", mode)).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function writeWhole(file: string, text: string, mode: number): Promise<void> {
  const handle = await open(file, "wx", mode);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Title and tags would be lost otherwise. A template that writes its own front matter keeps it. */
function withFrontMatter({ text, store }: Note): string {
  const body = text.endsWith("\n") ? text : `${text}\n`;
  const { title, tags = [] } = store ?? {};
  if (text.startsWith("---\n") || (title === undefined && tags.length === 0)) return body;
  // JSON is YAML, whatever the title holds.
  const lines = [...(title === undefined ? [] : [`title: ${JSON.stringify(title)}`]), `tags: ${JSON.stringify(tags)}`];
  return `---\n${lines.join("\n")}\n---\n\n${body}`;
}
