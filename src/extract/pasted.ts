// What the user only shows: a log, a mail, somebody's file. It stands in the user's message and is not the user's word.
import type { Source } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import { isPrinted } from "../source/own-lines.js";
import type { Around } from "./around.js";
import { matcherFor } from "./matcher.js";
import type { Subject } from "./subject.js";

/** The signals by which packs say what leads in to something shown, what looks like it, and that a message makes it an order. */
const SHOWS = "shows";
const LOOKS_SHOWN = "looks-shown";
const ORDERS = "orders-shown";

const NONE: ReadonlySet<Subject> = new Set();

export function createPasted(rules: RuleSet, around: () => Around): (subject: Subject) => boolean {
  const known = new WeakMap<Source, ReadonlySet<Subject>>();
  return (subject) => {
    const { source } = subject;
    if (source.role !== "user" || source.tool !== undefined) return false;
    const pasted = known.get(source) ?? pastedIn(around().subjects(source), rules);
    known.set(source, pasted);
    return pasted.has(subject);
  };
}

function pastedIn(subjects: readonly Subject[], rules: RuleSet): ReadonlySet<Subject> {
  const holds = (subject: Subject, name: string) => matcherFor(rules).holds(subject, name);
  const looks = subjects.filter((subject) => holds(subject, LOOKS_SHOWN) || isPrinted(subject.segment.text));
  if (looks.length === 0 && !subjects.some((subject) => holds(subject, SHOWS))) return NONE;
  const pasted = new Set(looks);
  let lead: Subject | undefined;
  let last: Subject | undefined;
  let isOrdered = false;
  for (const subject of subjects) {
    const isDocument = lead !== undefined && isUnderHeading(subject, lead);
    if (lead && !isDocument && introduces(lead) && !goesOn(subject, lead, last)) lead = undefined;
    if (isDocument || (lead && introduces(lead))) pasted.add(subject);
    else if (!pasted.has(subject)) {
      isOrdered ||= holds(subject, ORDERS);
      if (holds(subject, SHOWS)) lead = subject;
    }
    last = subject;
  }
  // Who orders what he shows says it himself.
  return isOrdered ? NONE : pasted;
}

/** Somebody's document begins with a heading, and ends with the message. */
const isUnderHeading = ({ segment: { node, headings } }: Subject, lead: Subject) =>
  node === "heading" || headings.length > lead.segment.headings.length;

const introduces = ({ segment }: Subject) => /[:\uff1a]$/u.test(segment.text);

/** The block behind the lead-in, and lists and quotations behind that. */
function goesOn({ segment, source }: Subject, lead: Subject, last: Subject | undefined): boolean {
  const isApart = /\n[ \t]*\r?\n/.test(source.text.slice(last?.segment.end ?? 0, segment.start));
  return last === lead || !isApart || segment.node !== "sentence";
}
