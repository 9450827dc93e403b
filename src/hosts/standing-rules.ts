// Standing rules: finds the rules of a session that outlive it, and tells them to later sessions.

import { extractInSteps } from "../extract/pipeline.js";
import { addedBy } from "../extract/signals/deeds.js";
import { AHEAD_SESSIONS, SEGMENT_CHARACTERS, TYPED_SEARCH_CHARACTERS, TYPED_SESSION_CHARACTERS } from "../limits.js";
import type { Evidence, Item, Message, Session } from "../model.js";
import { render } from "../render/render.js";
import type { AskedSignal } from "../rules/condition.js";
import { builtInRules, type LoadedRules } from "../rules/load-rules.js";
import { matchPhrase } from "../rules/phrase/match-phrase.js";
import type { Phrase } from "../rules/phrase/phrase.js";
import { masker } from "../rules/redact/redact.js";
import type { RuleSet, Template } from "../rules/rule-set.js";
import { splitSentences } from "../source/markdown/sentences.js";
import { isQuestion } from "../source/markdown/visible.js";
import { typedLength } from "../source/session/spoken.js";
import { factId, readChoices } from "../state/choices.js";
import { emptyExtraction } from "../state/memory.js";
import { forgetStanding, readStanding, rememberStanding, type StandingRule } from "../state/standing.js";
import type { Steps } from "../steps.js";
import { keepNewest, rememberEach } from "../text/remember.js";
import { sameText, toWords } from "../text/words.js";
import { neutral } from "./neutral.js";

// The signals of the packs. First those of rules, then those of the other sentences of a message.
const OBLIGES: AskedSignal = "standing-rule";
const TEMPORARY: AskedSignal = "temporary";
const SHOWS: AskedSignal = "shows-text";
const OWN: AskedSignal = "own-words";
const POINTS: AskedSignal = "points-at-text";
const BACK: AskedSignal = "points-back";
const ADDS: AskedSignal = "adds-on";
const DUTY: AskedSignal = "states-duty";
const REQUESTS: AskedSignal = "requests";

/** Sentences that only greet, thank or answer. */
const ASIDES: readonly AskedSignal[] = ["greets", "only-thanks", "only-answers"];

const POINT = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/;

/** The stop before a sentence of one word, which goes with the one before it: "Tabs, not spaces. Always." */
const BEFORE_WORD = /[.!](?=\s+\p{L}+(?:[.!]|$))/gu;

/** Starts with a quotation mark: words of others within the user's own. */
const QUOTED = /^[\s"'“”‘«„>`(]*["“”«„`>]/;

/** Words between quotation marks. */
const QUOTATION = /(?<![\p{L}\p{N}])["'“‘«„][^"'”’»“]*["'”’»“](?![\p{L}\p{N}])/gu;

/** What a sentence says before a colon. */
const LEAD = /^[^:]+:(?=\s+\S)/;

/** A letter of another script than that of English. */
const OTHER_SCRIPT = /[^\p{Script=Latin}\P{L}]/u;
/** So many more words that no phrase knows than words that one knows: the sentence is not English. */
const FOREIGN_WORDS = 3;

type Said = { readonly said: string; readonly start: number; readonly isPoint: boolean };

/** So many words of a rule in a row show that the agent wrote it into a file, corrected or within other words. */
const WRITTEN_WORDS = 4;

function partsOf(rule: string): readonly string[] {
  const words = sameText(rule).split(" ");
  const last = Math.max(0, words.length - WRITTEN_WORDS);
  return words.slice(0, last + 1).map((_, at) => words.slice(at, at + WRITTEN_WORDS).join(" "));
}

const isLow = ({ said }: Said) => /^\p{Ll}/u.test(said);

/** Puts the stops back that joined sentences lost. The rest of the quote stays, because secrets are masked in it. */
const asSaid = (evidence: Evidence, text = ""): Evidence => ({
  ...evidence,
  quote: evidence.quote.replace(/,/g, (comma, at: number) => /[.!]/.exec(text.charAt(evidence.start + at))?.[0] ?? comma),
});

/** @param loaded the rules of the project. It may come from anyone, so only its masks are used, and only on what is stored. */
export function createStandingRules(folder: string, loaded: Pick<LoadedRules, "rules" | "file">, stateFolder?: string) {
  let own: RuleSet | undefined;
  const builtIn = (): RuleSet => (own ??= loaded.file === undefined ? loaded.rules : builtInRules().rules);
  /** The rules each session was first told. If the start of a request changed, the provider's prompt cache would be lost. */
  const given = new Map<string, readonly StandingRule[]>();
  const holds = (name: string, text: string) => {
    const { match = [], unless = [] } = builtIn().signals.get(name) ?? {};
    const words = toWords(text);
    const fits = (phrase: Phrase) => matchPhrase(phrase, words) !== undefined;
    return match.some(fits) && !unless.some(fits);
  };

  /** Rules are English. If another sentence of the message is not, they have another writer. */
  function isForeign({ said }: Said): boolean {
    const words = toWords(said);
    const [phrase] = builtIn().signals.get(OBLIGES)?.match ?? [];
    const known = phrase?.vocabulary.read(words).numbers.map((number) => (number === 0 ? 1 : -1)) ?? [];
    const unknown = known.filter((_, index) => /^\p{L}/u.test(words.folded[index] ?? ""));
    return OTHER_SCRIPT.test(said) || unknown.reduce((sum: number, one) => sum + one, 0) >= FOREIGN_WORDS;
  }

  /** Quoted words oblige nobody. */
  const obliges = (said: string) => holds(OBLIGES, said.replace(QUOTATION, "it"));

  const sentencesOf = (text: string): readonly Said[] =>
    splitSentences(text, [], SEGMENT_CHARACTERS).flatMap(({ start, end }) => {
      const said = text.slice(start, end).replace(POINT, "").trim();
      return said === "" ? [] : [{ start, said, isPoint: POINT.test(text.slice(start, end)) }];
    });

  /** What the user typed in a message; nothing if it may be about a text that the message shows.
   * @param done what the agent wrote or ran after it: a text that is shown is mostly answered in words */
  function ownText(text: string, done: readonly string[]): string {
    const typed = text.slice(0, typedLength(text));
    // "Keep in mind:" introduces the user's own list.
    const shows = ({ said }: Pick<Said, "said">): boolean => {
      if (holds(SHOWS, said) && !(said.endsWith(":") && holds(OWN, said))) return true;
      const lead = LEAD.exec(said)?.[0].trim();
      return lead !== undefined && obliges(said.slice(lead.length)) && shows({ said: lead });
    };
    const shown = sentencesOf(typed).find((one) => one.said.endsWith(":") && shows(one));
    const own = typed.slice(0, shown?.start);
    const last = typed.length < text.length ? text.slice(text.trimEnd().lastIndexOf("\n\n") + 1) : "";
    const all = [...sentencesOf(own), ...(typedLength(last) < last.length ? [] : sentencesOf(last))];
    const rules = all.filter(({ said }) => obliges(said));
    const isList = rules.some(({ isPoint }) => isPoint);
    const isAside = ({ said, isPoint }: Said) => (isPoint && isList) || ASIDES.some((name) => holds(name, said));
    const others = all.filter((one) => !rules.includes(one) && !isAside(one));
    const isOwn = ({ said }: Said) => holds(OWN, said) && !holds(BACK, said);
    const [rule] = rules;
    if (others.some(({ said }) => holds(POINTS, said)) || all.some(isForeign)) return "";
    // Reasons follow a rule on the same line, remarks on a text follow in a new paragraph.
    const before = others.filter((one) => !rule || all.indexOf(one) < all.indexOf(rule));
    // A request that is answered in words is mostly about a text.
    const isAsked = done.length === 0 && before.some(({ said }) => holds(REQUESTS, said));
    const isOneParagraph = !isAsked && !own.trim().includes("\n\n") && !others.some(({ said }) => isQuestion(said));
    if (rule && isOneParagraph && before.every(isOwn) && ![...before, rule].some(shows)) return own;
    if (all.some(shows)) return "";
    if (rules.some(({ said }) => holds(ADDS, said))) return own;
    if (isAsked) return "";
    const written = done.map((added) => ` ${sameText(added)} `);
    const isWritten = rules.some(({ said }) => partsOf(said).some((part) => written.some((text) => text.includes(` ${part} `))));
    const isDone = done.length > 0 && !isWritten && !(rule && holds(DUTY, rule.said));
    // "Fix it" is about what was said before, or about what follows. What the agent did tells which, unless it comes last.
    const isBack = (one: Said) => holds(BACK, one.said) && !(isDone && (before.includes(one) || holds(OWN, one.said)));
    if (others.some(isBack)) return "";
    if (others.every(({ said }) => holds(OWN, said))) return own;
    // A line without a stop may introduce a text.
    const isLine = ({ said, start }: Said) => !/[.!?:]$/.test(said) && /^[ \t]*\n/.test(own.slice(start + said.length));
    // Somebody who writes in lower case does so in every sentence.
    const isTyped = isDone || (all.every(isLow) && !others.some(isLine));
    const isMixed = others.some(isLow) && !rules.some(isLow);
    return isTyped && !isMixed ? own : "";
  }

  /** The newest messages with only what the user typed: no answers, no tools, nothing pasted. All that were searched are in `searched`. */
  function* typedMessages(messages: readonly Message[], searched: Set<string>): Steps<readonly Message[]> {
    let left = TYPED_SESSION_CHARACTERS;
    let search = TYPED_SEARCH_CHARACTERS;
    let done: string[] = [];
    let isAnswer = false;
    const typed: Message[] = [];
    for (const message of messages.toReversed()) {
      if (left <= 0 || search <= 0) break;
      searched.add(message.id);
      if (message.role !== "user" || message.meta || message.summary) {
        if (!isAnswer) done = [];
        isAnswer = true;
        for (const call of message.toolCalls) done.push(...addedBy(call, builtIn()));
        continue;
      }
      yield;
      isAnswer = false;
      search -= typedLength(message.text);
      const text = ownText(message.text.replace(BEFORE_WORD, ","), done);
      left -= text.length;
      if (text.trim() !== "") typed.push({ ...message, text, toolCalls: [] });
    }
    return typed.reverse();
  }

  const isRule = ({ kind, status, evidence: { quote } }: Item) =>
    (kind === "constraint" || kind === "decision" || kind === "rejection") &&
    status === "active" &&
    !QUOTED.test(quote) &&
    !isQuestion(quote) &&
    sentencesOf(quote).some(({ said }) => obliges(said)) &&
    !holds(TEMPORARY, quote);

  /** @param whole the messages are the whole session @returns a function that stores the rules */
  function* remember(session: Session, whole = false): Steps<() => void> {
    if (!session.typed) return () => undefined;
    const searched = new Set<string>();
    const typed = { ...session, messages: yield* typedMessages(session.messages, searched) };
    const { continuation, after } = yield* extractInSteps(typed, builtIn(), { statements: false });
    // "Use tabs in all files" is found as a decision, and is a rule too.
    const texts = new Map(session.messages.map(({ id, text }) => [id, text]));
    const given = continuation.items
      .filter(isRule)
      .map((item): Item => ({ ...item, kind: "constraint", evidence: asSaid(item.evidence, texts.get(item.evidence.source)) }))
      .map(withMasksOf(texts));
    return () => rememberStanding(folder, session, given, { whole, searched, ...(after && { settle: after }) }, stateFolder);
  }

  /** Masks what the project's own masks find. They do not decide what is a rule: a mask could hide "for this task". */
  function withMasksOf(texts: ReadonlyMap<string, string>): (item: Item) => Item {
    if (loaded.file === undefined) return (item) => item;
    const mask = masker(loaded.rules.redactions);
    // A message may be long and hold many rules.
    const textOf = rememberEach((source: string) => mask(texts.get(source) ?? ""));
    const masked = (one: Evidence): Evidence => {
      return { ...one, quote: texts.has(one.source) ? textOf(one.source).slice(one.start, one.end) : mask(one.quote) };
    };
    return (item) => {
      const evidence = masked(item.evidence);
      if (evidence.quote === item.evidence.quote) return item;
      return { ...item, text: evidence.quote, fields: {}, evidence, also: item.also.map(masked) };
    };
  }

  function tell(sessionId: string): readonly StandingRule[] {
    const known = given.get(sessionId);
    if (known) return known;
    const earlierRules = readStanding(folder, stateFolder).filter(({ session }) => session !== sessionId);
    keepNewest(given, sessionId, earlierRules, AHEAD_SESSIONS);
    return earlierRules;
  }

  return {
    remember,
    /** @param known a session whose rules this one already knows */
    textFor(sessionId: string, known?: string): string | undefined {
      const drops = new Set(readChoices(folder, stateFolder).choices.drops);
      const items = tell(sessionId).flatMap(({ session, item }) => (session === known || drops.has(factId(item)) ? [] : [item]));
      if (items.length === 0) return undefined;
      const { continuation } = emptyExtraction(sessionId);
      const extraction = { continuation: { ...continuation, items: items.reverse() }, statements: [] };
      const { text, entries } = render(extraction, builtIn().templates.get("standing") as Template, builtIn());
      return entries === 0 ? undefined : neutral(text);
    },
    /** After a compaction the session starts again with a summary, so it is told the current rules. */
    renew: (sessionId: string) => void given.delete(sessionId),
    forget(sessionId: string): void {
      given.delete(sessionId);
      forgetStanding(folder, sessionId, stateFolder);
    },
  };
}
