// Tests where the entries and hand-offs of a log begin.
import { firstWords } from "../../rules/phrase/phrase.js";
import type { NotesFile } from "../../rules/workflow-set.js";
import type { LogTest } from "../../source/notes/log-marks.js";
import { says } from "../signals/selector.js";

/** A log has many lines: the first character rules out most of them. */
export function logTest({ entry, handoff }: Pick<NotesFile, "entry" | "handoff">): LogTest | undefined {
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
