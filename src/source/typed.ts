// How far a message holds nothing but what its author typed. What people paste is anybody's, and may look like its own end:
// behind the first line that shows something, nothing is taken for typed.
import { TYPED_CHARACTERS } from "../limits.js";
import { isPrinted } from "./own-lines.js";

// Lines by their form: tags, fences, quotations, headings, tables, rules, code, data, differences, marks of terminals.
const SHOWN =
  /^(?:\s{0,12}(?:<[/!?a-z]|`{3}|~{3}|>|#{1,6}\s|\||[{}[\]]|"[^"\n]{1,80}"\s?:|(?:[-=*_]\s?){3,}$|@@|diff --git|\+\+\+ |\/\/|\/\*|[⏺⎿│┃╭╰●▶]|-----BEGIN)| {4,}(?![-*+•\d])|\t+(?![-*+•\d]))/i;
/** A tag amid a line; `Map<string>` is none. */
const TAG = /(?:^|[^\w$])<[/!?a-z]/i;
/** "Label: text" of mails, tickets and transcripts. Words of more than one line of this kind are no prose. */
const LABEL = /^\s{0,3}(?:\*\*)?[A-Z][\w .-]{0,24}(?:\*\*)?:(?:\*\*)?\s/;

/** Where the first thing stands that may not have been typed. */
export function typedLength(text: string): number {
  const end = Math.min(text.length, TYPED_CHARACTERS);
  let at = 0;
  let label: number | undefined;
  while (at < end) {
    const next = text.indexOf("\n", at);
    const line = text.slice(at, next < 0 ? text.length : next);
    const tag = TAG.exec(line);
    if (SHOWN.test(line) || isPrinted(line.trim())) return at;
    if (tag) return at + tag.index;
    if (LABEL.test(line)) {
      if (label !== undefined) return label;
      label = at;
    } else if (line.trim() !== "") label = undefined;
    at += line.length + 1;
  }
  return end;
}
