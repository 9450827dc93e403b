// Finds what the user repeats of the assistant's words in order to say something about it: a quotation is not what the user says.

import type { Source } from "../../model.js";
import type { AskedSignal } from "../../rules/condition.js";
import type { RuleSet } from "../../rules/rule-set.js";
import { withoutLeadIn } from "../../text/forms.js";
import { rememberEach, rememberWithin } from "../../text/remember.js";
import { sameText } from "../../text/words.js";
import { declaredFor } from "../match/declared.js";
import { isStatement, type SessionTexts, type Subject, toSubject } from "../match/subject.js";

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

/** What the user repeats of the assistant's words. */
export interface Quotes {
  /** Does the user only repeat it? */
  readonly isQuoted: (subject: Subject) => boolean;
  /** Does the user repeat these words of the assistant and say that they are wrong? */
  readonly isDisputed: (subject: Subject) => boolean;
}

/** @param said the messages of the user and the assistant, in their order */
export function createQuotes(rules: RuleSet, said: readonly Source[], texts: SessionTexts): Quotes {
  const places = new Map(said.map((source, index) => [source, index]));
  const { says, saysAlone } = declaredFor(rules);

  const statementsIn = (source: Source) => texts.subjects(source).filter(({ segment }) => isStatement(segment));
  const before = (source: Source) => {
    const place = places.get(source) ?? 0;
    return said.slice(Math.max(0, place - QUOTE_MESSAGES), place).filter(({ role }) => role === "assistant");
  };

  /** The quotations of a message, with their words. A message that only repeats something chooses it. */
  const quotesIn = rememberEach((source: Source): ReadonlyMap<Subject, string> => {
    const subjects = statementsIn(source);
    const found =
      subjects.length > 1 && subjects.length <= MOST_TEXTS ? repeatedIn(subjects.map(toText), () => before(source)) : NONE;
    return found.size < subjects.length ? found : NONE;
  });

  /** The sentences that quote something and, in other words, say that it is wrong; with what they quote. */
  const rebuffsIn = rememberEach((source: Source): ReadonlyMap<Subject, string> => {
    const wrong = statementsIn(source)
      .filter((subject) => says(subject, DISPUTES))
      .slice(0, MOST_TEXTS);
    // What is repeated as a whole may itself call something wrong.
    const whole = repeatedIn(wrong.map(toText), () => before(source));
    const isWrong = ({ segment }: Subject, text: string) => saysAlone(toSubject(source, { ...segment, text }), DISPUTES);
    const quoted = wrong.flatMap((subject) => {
      if (whole.has(subject)) return [];
      const parts = subject.segment.text.split(SEAM, MOST_PARTS);
      const others = (part: string) => parts.filter((one) => one !== part).join(" ");
      return parts.filter((part) => isWrong(subject, others(part).trim())).map((text) => ({ subject, text }));
    });
    return repeatedIn(quoted, () => before(source));
  });

  /** The quotations of a message of which the text before or behind them says that they are wrong. */
  const disputedIn = rememberEach((source: Source): readonly string[] => {
    const found = quotesIn(source);
    const wrong = [...rebuffsIn(source).values()];
    let run: string[] = [];
    let isWrong = false;
    for (const subject of found.size > 0 ? statementsIn(source) : []) {
      const text = found.get(subject);
      if (text !== undefined) {
        run.push(text);
        if (isWrong) wrong.push(text);
        continue;
      }
      isWrong = says(subject, DISPUTES);
      if (isWrong) wrong.push(...run);
      run = [];
    }
    return wrong;
  });

  return {
    isQuoted: (subject) =>
      subject.source.role === "user" && subject.source.tool === undefined && quotesIn(subject.source).has(subject),
    isDisputed(subject) {
      const { source, segment } = subject;
      if (source.role === "user") return source.tool === undefined && rebuffsIn(source).has(subject);
      const reply = source.role === "assistant" ? texts.reply(source) : undefined;
      const wrong = reply ? disputedIn(reply) : [];
      const text = wrong.length > 0 ? wordsOf(segment.text) : "";
      return isLong(text) && wrong.some((one) => one.includes(text) || text.includes(one));
    },
  };
}

const toText = (subject: Subject) => ({ subject, text: withoutLeadIn(subject.segment.text) });

/** The texts whose words one of the messages has, with these words. */
function repeatedIn(
  from: readonly { readonly subject: Subject; readonly text: string }[],
  earlier: () => readonly Source[],
): ReadonlyMap<Subject, string> {
  const texts = from.flatMap(({ subject, text }) => {
    const words = wordsOf(text);
    return isLong(words) ? [{ subject, words, parts: words.match(LONG_PART) ?? [] }] : [];
  });
  const found = new Map<Subject, string>();
  for (const { text } of texts.length > 0 ? earlier() : []) {
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
