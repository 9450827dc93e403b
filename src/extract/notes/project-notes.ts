// Prepares the notes: selects the parts to read, and masks secrets in them.
import type { Notice, ProjectFile, Segment } from "../../model.js";
import { firstWords } from "../../rules/phrase/phrase.js";
import { redact } from "../../rules/redact/redact.js";
import type { RuleSet } from "../../rules/rule-set.js";
import type { NotesFile } from "../../rules/workflow-set.js";
import { cutEntries, type Stretches } from "../../source/notes/cut-entries.js";
import type { LogTest } from "../../source/notes/log-marks.js";
import { readNotes } from "../../source/notes/read-notes.js";
import { type Late, STAGES, type Steps } from "../../steps.js";
import { says } from "../signals/condition.js";

export interface ProjectNote {
  readonly file: ProjectFile;
  /** All segments, or those of a log's newest entries. */
  readonly segments: readonly Segment[];
  /** It holds rules, not state. */
  readonly aside: boolean;
  readonly notices: readonly Notice[];
}

/** Reads the notes as far as there is time, and the beginning of the first one in any case. */
export function* toProjectNotes(given: readonly ProjectFile[], rules: RuleSet, late?: Late): Steps<readonly ProjectNote[]> {
  const notes: ProjectNote[] = [];
  for (const file of given.map((one) => ({ ...one, path: redact(one.path, rules.redactions) }))) {
    yield;
    const isUp = late && (() => late(STAGES.notes));
    notes.push(
      notes.length > 0 && isUp?.() ? unread(file, lateNotice(file.path, file.text.length)) : toProjectNote(file, rules, isUp),
    );
  }
  return notes;
}

function toProjectNote(file: ProjectFile, { files, redactions }: RuleSet, late?: () => boolean): ProjectNote {
  if (isBinary(file.text))
    return unread(file, { code: "notes-binary", message: "it is no text, and not read", source: file.path, count: 1 });
  const declared = files.find(({ id }) => id === file.name);
  const stretches = cutEntries(file.text, declared && logTest(declared));
  const text = masked(file.text, stretches, (part) => redact(part, redactions));
  const read = readNotes(text, stretches, late);
  const message = `${stretches.left} characters of older notes are not read`;
  return {
    file: { ...file, text },
    segments: read.segments,
    aside: declared?.state === false,
    notices: [
      ...(stretches.left > 0 ? [{ code: "notes-cut", message, source: file.path, count: 1 }] : []),
      ...(read.unread > 0 ? [lateNotice(file.path, read.unread)] : []),
    ],
  };
}

const unread = (file: ProjectFile, notice: Notice): ProjectNote => ({
  file: { ...file, text: "" },
  segments: [],
  aside: true,
  notices: [notice],
});

/** Bytes that are not UTF-8 are read as U+FFFD. A few are an accident; with a larger share, the file is not text. */
const STRAY_SHARE = 0.02;

const isBinary = (text: string): boolean => text.includes("\0") || text.split("\uFFFD").length - 1 > text.length * STRAY_SHARE;

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

/** Time was up before a file was read to its end. */
export const lateNotice = (source: string, count: number): Notice => ({
  code: "notes-late",
  message: "time was up: the last characters are not read",
  source,
  count,
});

// Where the entries and hand-offs of a log begin.

/** A log has many lines: the first character rules out most of them. */
function logTest({ entry, handoff }: Pick<NotesFile, "entry" | "handoff">): LogTest | undefined {
  if (entry.length === 0) return undefined;
  const words = firstWords([...entry, ...handoff]);
  const marks = words && new Set([...words, ...[...words].map((word) => word.toUpperCase())].map(([mark]) => mark));
  const mayBegin = (character: string) => (marks ? marks.has(character) : /\S/.test(character)) || /[*_]/.test(character);
  return { mayBegin, begins: (line) => says(entry, line), handsOff: (line) => says(handoff, line) };
}

/** The files of a work item are logs in the same form as the notes. */
export function anyLogTest(files: readonly NotesFile[]): LogTest | undefined {
  const all = (key: "entry" | "handoff") => [...new Set(files.flatMap((file) => (file.state ? file[key] : [])))];
  return logTest({ entry: all("entry"), handoff: all("handoff") });
}
