// Names that a template filled in → names that any file system takes, and that lead nowhere else.
import { NAME_BYTES } from "../limits.js";
import type { Note } from "./sink.js";

/** The folders of a note below the base, and its file; undefined when its template names neither file nor title. */
export function notePath({ store }: Note): { readonly folders: readonly string[]; readonly file: string } | undefined {
  const name = safeName(store?.file ?? store?.title ?? "");
  if (name === "") return undefined;
  // Nothing else than Markdown: no program takes it for its settings.
  const file = /\.md$/i.test(name) ? name : safeName(`${name}.md`);
  return { folders: (store?.folder ?? "").split(/[/\\]/).map(safeName).filter(Boolean), file };
}

/** The same name with a number before its ending: `session-1a2b3c4d-2.md`. */
export function numbered(file: string, number: number): string {
  if (number === 1) return file;
  const dot = file.lastIndexOf(".");
  return dot > 0 ? `${file.slice(0, dot)}-${number}${file.slice(dot)}` : `${file}-${number}`;
}

// Of Windows' forbidden characters and of controls none is worth keeping anywhere: notes are synchronised and shared.
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>:"/\\|?*]+/gu;
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

function safeName(name: string): string {
  const plain = name
    .normalize("NFC")
    .replace(FORBIDDEN, "-")
    // A leading dot hides a file, or makes it the folder above, a leading hyphen makes it an option; a blank or dot at the
    // end is lost on Windows.
    .replace(/^[\s.-]+|[\s.]+$/gu, "")
    .replace(DEVICE, "_$1");
  const ending = /\.\w{1,8}$/.exec(plain)?.[0] ?? "";
  return cutToBytes(plain.slice(0, plain.length - ending.length), NAME_BYTES - ending.length) + ending;
}

/** By code point, never inside of one. */
function cutToBytes(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  let used = 0;
  let kept = "";
  for (const character of text) {
    used += Buffer.byteLength(character);
    if (used > bytes) break;
    kept += character;
  }
  return kept;
}
