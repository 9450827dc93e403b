// Finds what the user repeats of the assistant's words in order to say something about it: a quotation is not what the user says.

import type { Source } from "../../model.js";
import type { AskedSignal } from "../../rules/condition.js";
import type { RuleSet } from "../../rules/rule-set.js";
import { withoutLeadIn } from "../../text/forms.js";
import { rememberWithin } from "../../text/remember.js";
import { countBefore } from "../../text/sorted.js";
import { sameText } from "../../text/words.js";
import { isStatement, type Says, type Subject, toSubject } from "../segments/subject.js";
import type { SessionTexts } from "../segments/texts.js";
import { localFor } from "./local.js";

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
const NONE: ReadonlyMap<Subject, string> = new Map();

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
  const repeated = isShort ? repeatedIn(statements.map(toText), earlier) : NONE;
  const quoted = repeated.size < statements.length ? repeated : NONE;
  const wrong = statements.filter((subject) => says(subject, DISPUTES));
  const rebuffs = wrong.length > 0 ? rebuffsIn(wrong.slice(0, MOST_TEXTS), earlier, rules) : NONE;
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
