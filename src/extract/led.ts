// What a lead-in leads to: "I fixed it by:" says nothing without the list behind it.
import { LED_CHARACTERS } from "../limits.js";
import type { Segment } from "../model.js";
import { tidyClause } from "./field.js";
import type { Subject } from "./subject.js";

export interface Led {
  readonly text: string;
  /** Where it ends in the source. */
  readonly end: number;
}

const LEAD_IN = /[:：]["'”’*_`]*$/u;
/** A code block of one line: mostly a path or a command. */
const ONE_LINE = /^\s*(```+|~~~+)[^\n]*\n[ \t]*([^\n]+)\n\s*\1/u;
const isListed = ({ node }: Segment) => node === "item" || node === "task";

/** Does this end a text that leads to something else? */
export const endsLeadIn = ({ segment: { text } }: Subject, said: string) =>
  LEAD_IN.test(text) && bare(text).endsWith(bare(said)) && bare(said) !== "";

/** The first items of the list that a lead-in stands before, as many as are short. */
export function ledBy(subject: Subject): Led | undefined {
  const { source, segment, around } = subject;
  const texts = around?.subjects(source) ?? [];
  const code = ONE_LINE.exec(source.text.slice(segment.end, segment.end + LED_CHARACTERS));
  if (code)
    return { text: code[2] as string, end: segment.end + code[0].indexOf(code[2] as string) + (code[2] as string).length };
  const at = texts.findIndex((one) => one.segment.start === segment.start && one.segment.node === segment.node) + 1;
  const first = at > 0 ? texts[at]?.segment : undefined;
  if (!first || !isListed(first) || !bare(first.lead ?? "").endsWith(bare(segment.text))) return undefined;
  // Code or a table between them is what it leads to.
  if (/\p{L}{2}/u.test(source.text.slice(segment.end, first.start))) return undefined;
  let led: Led | undefined;
  for (const { segment: one } of texts.slice(at)) {
    if (!isListed(one) || one.lead !== first.lead) break;
    const text = tidyClause(one.text.replace(/\s+/g, " "));
    if (led && led.text.length + text.length > LED_CHARACTERS) break;
    led = { text: led ? `${led.text}; ${text}` : text, end: one.end };
  }
  return led;
}

/** Marks of a text may stand in one reading of it and not in the other. */
const bare = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, "");
