// The project's notes, made ready once: which parts of them are read, with secrets masked in these.
import type { Notice, ProjectFile, Segment } from "../model.js";
import { firstWords, type Phrase } from "../rules/phrase.js";
import type { RuleSet } from "../rules/rule-set.js";
import type { EntryTest } from "../source/entry-heads.js";
import { cutEntries, readNotes, type Stretches } from "../source/notes.js";
import { redact } from "./redact.js";
import { says } from "./selector.js";

export interface ProjectNote {
  readonly file: ProjectFile;
  /** All of it, or the newest entries of a log. */
  readonly segments: readonly Segment[];
  /** It holds rules rather than state. */
  readonly aside: boolean;
  readonly notices: readonly Notice[];
}

export function toProjectNote(file: ProjectFile, { files, redactions }: RuleSet): ProjectNote {
  if (isBinary(file.text)) {
    const notice = { code: "notes-binary", message: "it is no text, and not read", source: file.path, count: 1 };
    return { file: { ...file, text: "" }, segments: [], aside: true, notices: [notice] };
  }
  const declared = files.find(({ id }) => id === file.name);
  const stretches = cutEntries(file.text, entryTest(declared?.entry ?? []));
  const { left } = stretches;
  const text = masked(file.text, stretches, (part) => redact(part, redactions));
  return {
    file: { ...file, text },
    segments: readNotes(text, stretches),
    aside: declared?.state === false,
    notices:
      left > 0
        ? [{ code: "notes-cut", message: `${left} characters of older notes are not read`, source: file.path, count: 1 }]
        : [],
  };
}

/** Bytes that are no UTF-8 were read as U+FFFD: a few are a slip, many are no text. */
const STRAY_SHARE = 0.02;

function isBinary(text: string): boolean {
  if (text.includes("\0")) return true;
  if (!text.includes("\uFFFD")) return false;
  let strays = 0;
  for (let at = text.indexOf("\uFFFD"); at >= 0; at = text.indexOf("\uFFFD", at + 1)) strays++;
  return strays > text.length * STRAY_SHARE;
}

/** A log has many lines: most are told by their first character. */
function entryTest(phrases: readonly Phrase[]): EntryTest | undefined {
  if (phrases.length === 0) return undefined;
  const words = firstWords(phrases);
  const marks = words && new Set([...words, ...[...words].map((word) => word.toUpperCase())].map(([mark]) => mark));
  const mayBegin = (character: string) => (marks ? marks.has(character) : /\S/.test(character)) || /[*_]/.test(character);
  return { mayBegin, begins: (line) => says(phrases, line) };
}

/** What is not read is not looked through either: a long log would cost more than all the rest. */
function masked(text: string, { stretches }: Stretches, mask: (text: string) => string): string {
  const inOrder = [...stretches].sort((a, b) => a.start - b.start);
  let result = "";
  let at = 0;
  for (const { start, end } of inOrder) {
    result += " ".repeat(start - at) + mask(text.slice(start, end));
    at = end;
  }
  return result;
}
