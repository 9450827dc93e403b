// The project's notes, made ready once: which parts of them are read, with secrets masked in these.
import type { Notice, ProjectFile } from "../model.js";
import { firstWords, type Phrase } from "../rules/phrase.js";
import type { RuleSet } from "../rules/rule-set.js";
import { fold } from "../rules/words.js";
import { cutEntries, type Stretches } from "../source/notes.js";
import { says } from "./matcher.js";
import { redact } from "./redact.js";

export interface ProjectNote {
  readonly file: ProjectFile;
  /** All of it, or the newest entries of a log. */
  readonly stretches: Stretches;
  /** It holds rules rather than state. */
  readonly aside: boolean;
  readonly notices: readonly Notice[];
}

export function toProjectNote(file: ProjectFile, { files, redactions }: RuleSet): ProjectNote {
  const declared = files.find(({ id }) => id === file.name);
  const stretches = cutEntries(file.text, entryTest(declared?.entry ?? []));
  const { left } = stretches;
  return {
    file: { ...file, text: masked(file.text, stretches, (text) => redact(text, redactions)) },
    stretches,
    aside: declared?.state === false,
    notices:
      left > 0
        ? [{ code: "notes-cut", message: `${left} characters of older notes are not read`, source: file.path, count: 1 }]
        : [],
  };
}

/** A log has many lines: most are told by their first mark or word. */
function entryTest(phrases: readonly Phrase[]): ((line: string) => boolean) | undefined {
  if (phrases.length === 0) return undefined;
  const first = firstWords(phrases);
  return (line) => {
    if (first) {
      const [word = ""] = /^\s*([\p{L}\p{N}_]+|\S)/u.exec(line)?.slice(1) ?? [];
      if (!first.has(fold(word))) return false;
    }
    return says(phrases, line);
  };
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
