// Finds what is in a message of the user but is not what the user says: what is pasted, and what is quoted to say something about it.

import type { Source } from "../../model.js";
import type { AskedSignal } from "../../rules/condition.js";
import type { RuleSet } from "../../rules/rule-set.js";
import { isPrinted } from "../../source/markdown/visible.js";
import { transcriptIn } from "../../source/session/transcript.js";
import { withoutLeadIn } from "../../text/forms.js";
import { countBefore } from "../../text/lists.js";
import { rememberWithin } from "../../text/remember.js";
import { sameText } from "../../text/words.js";
import { isStatement, type Says, type Subject, toSubject } from "../segments/subject.js";
import type { SessionTexts } from "../segments/texts.js";
import { localFor } from "./local.js";
import { ownWordsBy } from "./own-words.js";

// What the user pastes: a log, a mail, somebody's file.

/** Signals of the packs: a text introduces something pasted, looks pasted, or makes the pasted text an order. */
const SHOWS: AskedSignal = "shows";
const LOOKS_SHOWN: AskedSignal = "looks-shown";
const ORDERS: AskedSignal = "orders-shown";

const NONE_PASTED: ReadonlySet<Subject> = new Set();

/** @param subjects the texts of a message of the user */
export function pastedIn(subjects: readonly Subject[], rules: RuleSet, says: Says): ReadonlySet<Subject> {
  const { text = "" } = subjects[0]?.source ?? {};
  const copied = [copiedIn(text), transcriptIn(text, ownWordsBy(rules).isSpeaker)];
  const isCopied = ({ segment: { start } }: Subject) => copied.some((one) => one && one.start <= start && start < one.end);
  const looks = subjects.filter((one) => isCopied(one) || says(one, LOOKS_SHOWN) || isPrinted(one.segment.text));
  if (looks.length === 0 && !subjects.some((subject) => says(subject, SHOWS))) return NONE_PASTED;
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
  return isOrdered ? NONE_PASTED : pasted;
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

// What the user repeats of the assistant's words.

/** Signal of the packs: the user says that something is not so. */
const DISPUTES: AskedSignal = "disputes";

/** Messages before a quotation in which its words may be. */
const QUOTE_MESSAGES = 40;
/** Characters of the last messages in lower case that are cached: each one is looked through for many later messages. */
const LOWER_CHARACTERS = 1_000_000;
const inLowerCase = rememberWithin(LOWER_CHARACTERS, (text) => text.toLowerCase());
/** Fewer words in common are chance. */
const LEAST_WORDS = 6;
const isLong = (text: string) => text.split(" ", LEAST_WORDS).length === LEAST_WORDS;
/** A message with more texts is pasted. */
const MOST_TEXTS = 200;
const NONE_QUOTED: ReadonlyMap<Subject, string> = new Map();

/** What a message of the user repeats of the assistant's words. */
export interface Quotes {
  /** What the user only repeats, with its words. A message that only repeats something chooses it. */
  readonly quoted: ReadonlyMap<Subject, string>;
  /** The sentences that quote something and, in other words, say that it is wrong; with what they quote. */
  readonly rebuffs: ReadonlyMap<Subject, string>;
  /** The words of the quotations that the user calls wrong: in the same sentence, or in the text before or behind them. */
  readonly disputed: readonly string[];
}

export function quotesIn(source: Source, rules: RuleSet, { said, subjects }: SessionTexts, says: Says): Quotes {
  const statements = subjects(source).filter(({ segment }) => isStatement(segment));
  const earlier = assistantsBefore(source, said);
  const isShort = statements.length > 1 && statements.length <= MOST_TEXTS;
  const repeated = isShort ? repeatedIn(statements.map(toText), earlier) : NONE_QUOTED;
  const quoted = repeated.size < statements.length ? repeated : NONE_QUOTED;
  const wrong = statements.filter((subject) => says(subject, DISPUTES));
  const rebuffs = wrong.length > 0 ? rebuffsIn(wrong.slice(0, MOST_TEXTS), earlier, rules) : NONE_QUOTED;
  return { quoted, rebuffs, disputed: disputedIn(statements, quoted, rebuffs, new Set(wrong)) };
}

/** The last messages of the assistant before a message. */
function assistantsBefore(source: Source, said: readonly Source[]): readonly Source[] {
  const place = countBefore(said, ({ ordinal }) => ordinal < source.ordinal);
  return said.slice(Math.max(0, place - QUOTE_MESSAGES), place).filter(({ role }) => role === "assistant");
}

/** @param wrong the statements that say that something is wrong */
function rebuffsIn(wrong: readonly Subject[], earlier: readonly Source[], rules: RuleSet): ReadonlyMap<Subject, string> {
  // What is repeated as a whole may itself call something wrong.
  const whole = repeatedIn(wrong.map(toText), earlier);
  const { saysAlone } = localFor(rules);
  const isWrong = ({ source, segment }: Subject, text: string) => saysAlone(toSubject(source, { ...segment, text }), DISPUTES);
  const quoted = wrong.flatMap((subject) => {
    if (whole.has(subject)) return [];
    const parts = subject.segment.text.split(SEAM, MOST_PARTS);
    const others = (part: string) => parts.filter((one) => one !== part).join(" ");
    return parts.filter((part) => isWrong(subject, others(part).trim())).map((text) => ({ subject, text }));
  });
  return repeatedIn(quoted, earlier);
}

function disputedIn(
  statements: readonly Subject[],
  quoted: Quotes["quoted"],
  rebuffs: Quotes["rebuffs"],
  wrong: ReadonlySet<Subject>,
): readonly string[] {
  const disputed = [...rebuffs.values()];
  let run: string[] = [];
  let isWrong = false;
  for (const subject of quoted.size > 0 ? statements : []) {
    const text = quoted.get(subject);
    if (text !== undefined) {
      run.push(text);
      if (isWrong) disputed.push(text);
      continue;
    }
    isWrong = wrong.has(subject);
    if (isWrong) disputed.push(...run);
    run = [];
  }
  return disputed;
}

/** Does a text of the assistant say what the user calls wrong? */
export function isRepeated({ segment }: Subject, disputed: readonly string[] = []): boolean {
  const text = disputed.length > 0 ? wordsOf(segment.text) : "";
  return isLong(text) && disputed.some((one) => one.includes(text) || text.includes(one));
}

const toText = (subject: Subject) => ({ subject, text: withoutLeadIn(subject.segment.text) });

/** The texts whose words one of the messages has, with these words. */
function repeatedIn(from: readonly { readonly subject: Subject; readonly text: string }[], earlier: readonly Source[]) {
  const texts = from.flatMap(({ subject, text }) => {
    const words = wordsOf(text);
    return isLong(words) ? [{ subject, words, parts: words.match(LONG_PART) ?? [] }] : [];
  });
  const found = new Map<Subject, string>();
  for (const { text } of texts.length > 0 ? earlier : []) {
    const said = inLowerCase(text);
    // Few messages have all words of a text in any order: only those are compared word by word.
    const likely = texts.filter(({ subject, parts }) => !found.has(subject) && parts.every((part) => said.includes(part)));
    const all = likely.length > 0 ? ` ${wordsOf(text)} ` : "";
    for (const { subject, words } of likely) if (all.includes(` ${words} `)) found.set(subject, words);
  }
  return found;
}

/** Where a quotation and what is said about it meet in one sentence. */
const SEAM = /\s+(?:[-–—]+|<-+|←)\s+|:\s+|["“”«»]/;
const MOST_PARTS = 8;

/** Only ASCII letters, which are the same in both forms of a text. */
const LONG_PART = /[a-z]{4,}/g;

/** Marks around code may split a word at its apostrophe. */
const wordsOf = (text: string) => sameText(text).replaceAll("'", " ");
