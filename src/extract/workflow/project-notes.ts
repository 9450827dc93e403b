// Prepares the project's notes: selects the parts to read, and masks secrets in them.
import type { Notice, ProjectFile, Segment } from "../../model.js";
import { firstWords, type Phrase } from "../../rules/phrase/phrase.js";
import type { RuleSet } from "../../rules/rule-set.js";
import type { EntryTest } from "../../source/notes/read-notes.js";
import { cutEntries, readNotes, type Stretches } from "../../source/notes/read-notes.js";
import { says } from "../match/selector.js";
import { redact } from "../redact.js";

export interface ProjectNote {
  readonly file: ProjectFile;
  /** All segments, or those of a log's newest entries. */
  readonly segments: readonly Segment[];
  /** It holds rules, not state. */
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

/** Bytes that are not UTF-8 are read as U+FFFD. A few are an accident; with a larger share, the file is not text. */
const STRAY_SHARE = 0.02;

function isBinary(text: string): boolean {
  if (text.includes("\0")) return true;
  if (!text.includes("\uFFFD")) return false;
  let strays = 0;
  for (let at = text.indexOf("\uFFFD"); at >= 0; at = text.indexOf("\uFFFD", at + 1)) strays++;
  return strays > text.length * STRAY_SHARE;
}

/** A log has many lines: the first character rules out most of them. */
function entryTest(phrases: readonly Phrase[]): EntryTest | undefined {
  if (phrases.length === 0) return undefined;
  const words = firstWords(phrases);
  const marks = words && new Set([...words, ...[...words].map((word) => word.toUpperCase())].map(([mark]) => mark));
  const mayBegin = (character: string) => (marks ? marks.has(character) : /\S/.test(character)) || /[*_]/.test(character);
  return { mayBegin, begins: (line) => says(phrases, line) };
}

/** Blanks out what is not read, instead of masking it: masking a long log would cost more than everything else. */
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
