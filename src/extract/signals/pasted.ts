// Finds what the user only pastes: a log, a mail, somebody's file. It is in the user's message but not the user's words.

import type { AskedSignal } from "../../rules/condition.js";
import { isPrinted } from "../../source/markdown/visible.js";
import type { Says, Subject } from "../segments/subject.js";

/** Signals of the packs: a text introduces something pasted, looks pasted, or makes the pasted text an order. */
const SHOWS: AskedSignal = "shows";
const LOOKS_SHOWN: AskedSignal = "looks-shown";
const ORDERS: AskedSignal = "orders-shown";

const NONE: ReadonlySet<Subject> = new Set();

/** @param subjects the texts of a message of the user */
export function pastedIn(subjects: readonly Subject[], says: Says): ReadonlySet<Subject> {
  const copied = copiedIn(subjects[0]?.source.text ?? "");
  const isCopied = ({ segment: { start } }: Subject) => copied !== undefined && copied.start <= start && start < copied.end;
  const looks = subjects.filter((one) => isCopied(one) || says(one, LOOKS_SHOWN) || isPrinted(one.segment.text));
  if (looks.length === 0 && !subjects.some((subject) => says(subject, SHOWS))) return NONE;
  const pasted = new Set([...looks, ...amongPrinted(subjects, looks)]);
  let lead: Subject | undefined;
  let last: Subject | undefined;
  let isOrdered = false;
  for (const subject of subjects) {
    const isDocument = lead !== undefined && isUnderHeading(subject, lead);
    if (lead && !isDocument && introduces(lead) && !goesOn(subject, lead, last)) lead = undefined;
    if (isDocument || (lead && introduces(lead))) pasted.add(subject);
    else if (!pasted.has(subject)) {
      isOrdered ||= says(subject, ORDERS);
      if (says(subject, SHOWS)) lead = subject;
    }
    last = subject;
  }
  // If the message makes it an order, it counts as the user's words.
  return isOrdered ? NONE : pasted;
}

/** A terminal fills its lines with blanks: from the first such line to the last, everything was copied from it. */
const FILLED = /^.*\S {4,}$/gm;
const FILLED_LINES = 3;
function copiedIn(text: string): { readonly start: number; readonly end: number } | undefined {
  if (!text.includes("    \n")) return undefined;
  const filled = [...text.matchAll(FILLED)];
  const [first, last] = [filled[0], filled.at(-1)];
  return first && last && filled.length >= FILLED_LINES ? { start: first.index, end: last.index + last[0].length } : undefined;
}

/** So many lines that look pasted are one output, in which other lines look like talk: "Consider adding an error boundary." */
const PRINTED_LINES = 3;

/** What stands between two lines that look pasted, in the paragraph of one of them. A paragraph of its own may be the user's. */
function amongPrinted(subjects: readonly Subject[], looks: readonly Subject[]): readonly Subject[] {
  if (looks.length < PRINTED_LINES) return [];
  const among = subjects.slice(subjects.indexOf(looks[0] as Subject), subjects.indexOf(looks.at(-1) as Subject));
  const paragraphs: Subject[][] = [];
  for (const [index, subject] of among.entries()) {
    const own = paragraphs.at(-1);
    if (own && !isApart(subject, among[index - 1])) own.push(subject);
    else paragraphs.push([subject]);
  }
  const look = new Set(looks);
  return paragraphs.filter((own) => own.some((one) => look.has(one))).flat();
}

/** A pasted document starts with a heading and ends with the message. */
const isUnderHeading = ({ segment: { node, headings } }: Subject, lead: Subject) =>
  node === "heading" || headings.length > lead.segment.headings.length;

const introduces = ({ segment }: Subject) => /[:\uff1a]$/u.test(segment.text);

/** Does the pasted text go on? It is the block after the lead-in, and lists and quotations after that. */
const goesOn = (subject: Subject, lead: Subject, last: Subject | undefined) =>
  last === lead || !isApart(subject, last) || subject.segment.node !== "sentence";

const isApart = ({ segment, source }: Subject, last: Subject | undefined) =>
  /\n[ \t]*\r?\n/.test(source.text.slice(last?.segment.end ?? 0, segment.start));
