// What a message says in the user's own words: nothing if it may be about a text that the message shows. Standing rules and what
// the user allows both ask this.
import { SEGMENT_CHARACTERS } from "../../limits.js";
import type { AskedSignal } from "../../rules/condition.js";
import { matchPhrase } from "../../rules/phrase/match-phrase.js";
import type { Phrase } from "../../rules/phrase/phrase.js";
import type { RuleSet } from "../../rules/rule-set.js";
import { splitSentences } from "../../source/markdown/sentences.js";
import { isQuestion } from "../../source/markdown/visible.js";
import { typedLength } from "../../source/session/spoken.js";
import { transcriptIn } from "../../source/session/transcript.js";
import { rememberFor } from "../../text/remember.js";
import { sameText, toWords } from "../../text/words.js";

// The signals of the packs. First that of rules, whose words are known, then those of the other sentences of a message.
const OBLIGES: AskedSignal = "standing-rule";
const SHOWS: AskedSignal = "shows-text";
const OWN: AskedSignal = "own-words";
const POINTS: AskedSignal = "points-at-text";
const BACK: AskedSignal = "points-back";
const ADDS: AskedSignal = "adds-on";
const DUTY: AskedSignal = "states-duty";
const REQUESTS: AskedSignal = "requests";
const SPEAKER: AskedSignal = "names-speaker";

/** Sentences that only greet, thank or answer. */
const ASIDES: readonly AskedSignal[] = ["greets", "only-thanks", "only-answers"];

const POINT = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/;

/** Words between quotation marks. */
const QUOTATION = /(?<![\p{L}\p{N}])["'“‘«„][^"'”’»“]*["'”’»“](?![\p{L}\p{N}])/gu;

/** Quoted words are nobody's own. */
export const withoutQuotations = (said: string) => said.replace(QUOTATION, "it");

/** What a sentence says before a colon. */
const LEAD = /^[^:]+:(?=\s+\S)/;

/** A letter of another script than that of English. */
const OTHER_SCRIPT = /[^\p{Script=Latin}\P{L}]/u;
/** So many more words that no phrase knows than words that one knows: the sentence is not English. */
const FOREIGN_WORDS = 3;

/** So many words of a sentence in a row show that the agent wrote it into a file, corrected or within other words. */
const WRITTEN_WORDS = 4;

export type Said = { readonly said: string; readonly start: number; readonly isPoint: boolean };

export const sentencesOf = (text: string): readonly Said[] =>
  splitSentences(text, [], SEGMENT_CHARACTERS).flatMap(({ start, end }) => {
    const said = text.slice(start, end).replace(POINT, "").trim();
    return said === "" ? [] : [{ start, said, isPoint: POINT.test(text.slice(start, end)) }];
  });

function partsOf(sentence: string): readonly string[] {
  const words = sameText(sentence).split(" ");
  const last = Math.max(0, words.length - WRITTEN_WORDS);
  return words.slice(0, last + 1).map((_, at) => words.slice(at, at + WRITTEN_WORDS).join(" "));
}

const isLow = ({ said }: Said) => /^\p{Ll}/u.test(said);

/** @param rules the built-in ones: those of a project may come from anyone */
export const ownWordsBy = rememberFor((rules: RuleSet) => {
  const holds = (name: string, text: string) => {
    const { match = [], unless = [] } = rules.signals.get(name) ?? {};
    const words = toWords(text);
    const fits = (phrase: Phrase) => matchPhrase(phrase, words) !== undefined;
    return match.some(fits) && !unless.some(fits);
  };

  const isSpeaker = (label: string) => holds(SPEAKER, label);

  /** The sentences that are asked about are English. If another one of the message is not, they have another writer. */
  function isForeign({ said }: Said): boolean {
    const words = toWords(said);
    const [phrase] = rules.signals.get(OBLIGES)?.match ?? [];
    const known = phrase?.vocabulary.read(words).numbers.map((number) => (number === 0 ? 1 : -1)) ?? [];
    const unknown = known.filter((_, index) => /^\p{L}/u.test(words.folded[index] ?? ""));
    return OTHER_SCRIPT.test(said) || unknown.reduce((sum: number, one) => sum + one, 0) >= FOREIGN_WORDS;
  }

  /** What the user typed in a message; nothing if it may be about a text that the message shows.
   * @param isAskedAbout is it one of the sentences that somebody else may have written?
   * @param done what the agent wrote or ran after it: a text that is shown is mostly answered in words */
  function ownText(text: string, isAskedAbout: (said: string) => boolean, done: readonly string[]): string {
    const talk = transcriptIn(text, isSpeaker);
    const typed = text.slice(0, Math.min(typedLength(text), talk?.start ?? text.length));
    // "Keep in mind:" introduces the user's own list.
    const shows = ({ said }: Pick<Said, "said">): boolean => {
      if (holds(SHOWS, said) && !(said.endsWith(":") && holds(OWN, said))) return true;
      const lead = LEAD.exec(said)?.[0].trim();
      return lead !== undefined && isAskedAbout(said.slice(lead.length)) && shows({ said: lead });
    };
    const shown = sentencesOf(typed).find((one) => one.said.endsWith(":") && shows(one));
    const own = typed.slice(0, shown?.start);
    const last = typed.length < text.length ? text.slice(text.trimEnd().lastIndexOf("\n\n") + 1) : "";
    const all = [...sentencesOf(own), ...(typedLength(last) < last.length ? [] : sentencesOf(last))];
    const asked = all.filter(({ said }) => isAskedAbout(said));
    const isList = asked.some(({ isPoint }) => isPoint);
    const isAside = ({ said, isPoint }: Said) => (isPoint && isList) || ASIDES.some((name) => holds(name, said));
    const others = all.filter((one) => !asked.includes(one) && !isAside(one));
    const isOwn = ({ said }: Said) => holds(OWN, said) && !holds(BACK, said);
    const [first] = asked;
    if (others.some(({ said }) => holds(POINTS, said)) || all.some(isForeign)) return "";
    // Reasons follow a rule on the same line, remarks on a text follow in a new paragraph.
    const before = others.filter((one) => !first || all.indexOf(one) < all.indexOf(first));
    // A request that is answered in words is mostly about a text.
    const isRequest = done.length === 0 && before.some(({ said }) => holds(REQUESTS, said));
    const isOneParagraph = !isRequest && !own.trim().includes("\n\n") && !others.some(({ said }) => isQuestion(said));
    if (first && isOneParagraph && before.every(isOwn) && ![...before, first].some(shows)) return own;
    if (all.some(shows)) return "";
    if (asked.some(({ said }) => holds(ADDS, said))) return own;
    if (isRequest) return "";
    const written = done.map((added) => ` ${sameText(added)} `);
    const isWritten = asked.some(({ said }) => partsOf(said).some((part) => written.some((text) => text.includes(` ${part} `))));
    const isDone = done.length > 0 && !isWritten && !(first && holds(DUTY, first.said));
    // "Fix it" is about what was said before, or about what follows. What the agent did tells which, unless it comes last.
    const isBack = (one: Said) => holds(BACK, one.said) && !(isDone && (before.includes(one) || holds(OWN, one.said)));
    if (others.some(isBack)) return "";
    if (others.every(({ said }) => holds(OWN, said))) return own;
    // A line without a stop may introduce a text.
    const isLine = ({ said, start }: Said) => !/[.!?:]$/.test(said) && /^[ \t]*\n/.test(own.slice(start + said.length));
    // Somebody who writes in lower case does so in every sentence.
    const isTyped = isDone || (all.every(isLow) && !others.some(isLine));
    const isMixed = others.some(isLow) && !asked.some(isLow);
    return isTyped && !isMixed ? own : "";
  }

  return { holds, isSpeaker, ownText };
});
