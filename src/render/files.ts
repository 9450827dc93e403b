// Changed files as a brief shows them: the ones that were talked about first, those of one folder together.
import type { Continuation, Statement } from "../model.js";
import { remember } from "../rules/remember.js";
import { fold } from "../rules/words.js";

const namesIn = remember((text: string): readonly string[] =>
  text.split(/[^\p{L}\p{N}_.-]+/u).map((word) => fold(word.replace(/^[.-]+(?=[.-])|[.-]+$/g, ""))),
);

/** The paths that were talked about most come first. */
export function byMention(paths: readonly string[], statements: readonly Statement[]): readonly string[] {
  const nameOf = (path: string) => fold(path.slice(path.lastIndexOf("/") + 1));
  const mentions = new Map(paths.map((path) => [nameOf(path), 0]));
  for (const { text, salience } of statements)
    for (const name of namesIn(text)) {
      const before = mentions.get(name);
      if (before !== undefined) mentions.set(name, before + salience);
    }
  const weight = (path: string) => mentions.get(nameOf(path)) ?? 0;
  return [...paths].sort((a, b) => weight(b) - weight(a));
}

/** Without what lies in a folder of the same list. */
export function topmost(paths: readonly string[]): readonly string[] {
  const all = new Set(paths);
  return paths.filter((path) => {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1))
      if (all.has(path.slice(0, end))) return false;
    return true;
  });
}

const folders = new WeakMap<Continuation["files"], string>();

/** The folder that all absolute paths have in common, with its slash; empty when there is none to speak of, or a change lies elsewhere. */
export function commonFolder({ files }: Continuation): string {
  const known = folders.get(files) ?? workOut(files);
  folders.set(files, known);
  return known;
}

function workOut(files: Continuation["files"]): string {
  const aside = new Set(files.aside);
  const isAbsolute = (path: string) => path.startsWith("/");
  const told = ({ created, modified, deleted }: Continuation["files"]) => [...created, ...modified, ...deleted];
  // What was changed in the project does not lie in the folder of what was changed elsewhere.
  if (told(files).some((path) => !isAbsolute(path) && !aside.has(path))) return "";
  const paths = Object.values(files)
    .flat()
    .filter((path) => isAbsolute(path) && !aside.has(path));
  const [first = "", ...rest] = paths;
  let folder = first.slice(0, first.lastIndexOf("/") + 1);
  for (const path of rest)
    while (!path.startsWith(folder)) folder = folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1);
  return folder.length > 1 ? folder : "";
}

/** How many folders may stand in each other's braces: more than two are hard to read. */
const BRACES = 2;

/** Paths with what they begin with in common said once: `folder/{a.ts, b/{c.ts, d.ts}}`. */
export function foldPaths(paths: readonly string[], braces = BRACES): readonly string[] {
  const folders = new Map<string, string[]>();
  const plain: string[] = [];
  for (const path of paths) {
    const end = (braces > 1 ? path.indexOf("/", 1) : path.lastIndexOf("/")) + 1;
    if (end === 0) plain.push(path);
    else folders.set(path.slice(0, end), [...(folders.get(path.slice(0, end)) ?? []), path.slice(end)]);
  }
  const folded = [...folders].map(([folder, rest]) => {
    if (rest.length === 1) return folder + rest[0];
    // A folder with nothing but one folder in it opens no braces of its own.
    const whole = foldPaths(rest, braces);
    const inner = whole.length === 1 ? whole : foldPaths(rest, braces - 1);
    return inner.length === 1 ? folder + inner[0] : `${folder}{${inner.join(", ")}}`;
  });
  return [...plain, ...folded];
}
