// Completes what the user said for a brief: what an answer answers, and whether the last request leaves anything to do.

import { placeKey, type Source, type Statement } from "../../model.js";
import { type AskedSignal, PASTED } from "../../rules/condition.js";
import { isQuestion } from "../../source/markdown/visible.js";
import { beginningAndEnd, readable } from "../../text/forms.js";
import { rememberEach } from "../../text/remember.js";
import { placeKeyOf, type Subject } from "../segments/subject.js";
import type { SessionTexts } from "../segments/texts.js";
import { TALK } from "../signals/condition.js";
import type { Signals } from "../signals/signals.js";

/** Signals of the packs: words that only answer, only thank, leave something to the user, or begin work. */
const ONLY_ANSWERS: AskedSignal = "only-answers";
const ONLY_THANKS: AskedSignal = "only-thanks";
const ONLY_FORBIDS: AskedSignal = "only-forbids";
const PROPOSES: AskedSignal = "proposes";
const BEGINS_WORK: AskedSignal = "begins-work";
/** Words that need the request before them. */
const REFERS_BACK: AskedSignal = "refers-back";

const SHORT_QUESTION_WORDS = 5;
/** So few words right after a question are its answer. */
const ANSWER_WORDS = 2;

/** Longest text of a last request in which nothing is said: enough to recognise it, and to see how it ends. */
const SHOWN_CHARACTERS = 200;

/**
 * Adds to the last request, and to answers to a tool, what they answer. Marks what is settled and what is pasted in the last
 * request. If nothing else is in it, adds its beginning.
 *
 * @param failsAfter does a command that ran after the message still fail?
 */
export function withAnswered(
  statements: readonly Statement[],
  sources: readonly Source[],
  signals: Signals,
  requestOf: (message: string) => Statement["request"],
  failsAfter: (message: string) => boolean,
): readonly Statement[] {
  const { texts } = signals;
  const toTools = answersToTools(sources, texts);
  const last = lastRequestIn(sources);
  if (!last) return statements;
  const isOfLast = ({ source, places }: Statement) => source === last.id && places.has("last-request");
  const isFirst = (one: Statement) => isOfLast(one) && one.by === "user";
  const hasUnpasted = statements.some((one) => isFirst(one) && !one.pasted);
  const all = hasUnpasted ? statements : [...statements.filter((one) => !isFirst(one)), ...shownIn(last, requestOf(last.id))];
  const first = all.find(isFirst);
  const answers = first && answeredBy(last, signals);
  const after = answers === undefined ? askedBefore(last, statements, signals) : undefined;
  const isAnswered = endsWithAnswer(sources, signals) && !failsAfter(last.id);
  const startsOf = (signal: AskedSignal) =>
    new Set(texts.subjects(last).flatMap((subject) => (signals.holds(subject, signal) ? [subject.segment.start] : [])));
  const [thanks, bans] = [startsOf(ONLY_THANKS), startsOf(ONLY_FORBIDS)];
  // "Great" means yes if something was asked.
  const onlyThanks = ({ start }: Statement) => thanks.has(start) && !isQuestion(answers ?? "");
  return all.map((one) => {
    const asked = one.by === "user" && toTools.size > 0 ? toTools.get(placeKey(one)) : undefined;
    if (asked !== undefined) return { ...one, answers: asked };
    if (!one.places.has("last-request")) return one;
    const settled = isAnswered || onlyThanks(one) || bans.has(one.start);
    return {
      ...one,
      ...(one === first && answers !== undefined && { answers }),
      ...(one === first && after !== undefined && { after }),
      ...(settled && { settled }),
    };
  });
}

const lastRequestIn = (sources: readonly Source[]) =>
  sources.findLast(({ places, role }) => role === "user" && places.has("last-request"));

/** The request that a message is or answers, if the session has a last one. */
export function createRequestOf(sources: readonly Source[], signals: Signals): (message: string) => Statement["request"] {
  if (!lastRequestIn(sources)) return () => undefined;
  const requests = requestsIn(sources);
  const toRequest = rememberEach(
    (source: Source): NonNullable<Statement["request"]> => ({
      source: source.id,
      last: source.places.has("last-request"),
      pasted: signals.texts.subjects(source).every((subject) => signals.holds(subject, PASTED)),
    }),
  );
  return (message) => {
    const source = requests.get(message);
    return source && toRequest(source);
  };
}

/** Message → the user's message before it or the message itself. None for those before the second one. */
function requestsIn(sources: readonly Source[]): ReadonlyMap<string, Source> {
  const requests = new Map<string, Source>();
  const firstOfUser = sources.find(isMessageOfUser);
  let request: Source | undefined;
  for (const source of sources) {
    if (isMessageOfUser(source) && source !== firstOfUser) request = source;
    if (request) requests.set(source.id, request);
  }
  return requests;
}

const isMessageOfUser = ({ role, tool }: Source) => role === "user" && tool === undefined;

/** What was asked before the last request, if that refers to it: "not that box, the other one". */
function askedBefore(last: Source, statements: readonly Statement[], signals: Signals): string | undefined {
  const said = signals.texts.subjects(last).filter(isTalk);
  if (said.length !== 1 || !said.every((subject) => signals.holds(subject, REFERS_BACK))) return undefined;
  const earlier = statements.filter(({ by, tool, ordinal }) => by === "user" && tool === undefined && ordinal < last.ordinal);
  return earlier.find(({ source, pasted, salience }) => source === earlier.at(-1)?.source && !pasted && salience > 0)?.text;
}

const PRE = "</pre>";
const closeBefore = (text: string, end: number) => ["```", "~~~", PRE].find((close) => text.endsWith(close, end));

/** A message without prose, as one statement: only code, or only what the user pasted. */
function shownIn({ id, ordinal, by, text, places }: Source, request: Statement["request"]): readonly Statement[] {
  const start = /^(?:\s|(?:`{3}|~{3})[^\n]*\n|<pre>)*/.exec(text)?.[0].length ?? 0;
  let end = text.trimEnd().length;
  // Step by step from the end: an expression would start again at each fence of the text.
  for (let close = closeBefore(text, end); close !== undefined; close = closeBefore(text, end)) {
    end -= close.length;
    while (close !== PRE && text[end - 1] === close[0]) end--;
    end = text.slice(0, end).trimEnd().length;
  }
  const shown = beginningAndEnd(readable(text.slice(start, end)), SHOWN_CHARACTERS);
  return shown === ""
    ? []
    : [
        {
          ...{ ordinal, source: id, by, node: "sentence", text: shown },
          start,
          end,
          salience: 0,
          kinds: [],
          places,
          pasted: true,
          ...(request && { request }),
        },
      ];
}

/** The place of each answer to a question that a tool asked, with the question. */
function answersToTools(sources: readonly Source[], texts: SessionTexts): ReadonlyMap<string, string> {
  const asked = new Map<string, string>();
  for (const [index, source] of sources.entries()) {
    const before = sources[index - 1];
    const isAnswer = source.by === "user" && source.tool !== undefined && before?.by === "assistant";
    if (!isAnswer || before.id !== source.id || before.tool !== source.tool) continue;
    const question = texts.subjects(before).findLast(({ segment }) => segment.question);
    const answer = texts.subjects(source).find(isTalk);
    if (question && answer) asked.set(placeKeyOf(answer), question.segment.text);
  }
  return asked;
}

/** The options that the message takes. If it only says yes or no: the assistant's question, or else its last words. */
function answeredBy(source: Source, signals: Signals): string | undefined {
  const said = signals.texts.subjects(source).filter(isTalk);
  const taken = said.flatMap((subject) => signals.takenBy(subject));
  if (taken.length > 0) return taken.map(({ segment }) => segment.text).join("; ");
  const before = signals.texts.before(source);
  const texts = before ? signals.texts.subjects(before).filter(isTalk) : [];
  const isToQuestion = texts.at(-1)?.segment.question === true;
  const onlyAnswers = (subject: Subject) =>
    signals.holds(subject, ONLY_ANSWERS) || (isToQuestion && said.length === 1 && subject.words.folded.length <= ANSWER_WORDS);
  if (said.length === 0 || !said.every(onlyAnswers)) return undefined;
  const asks = (subject: Subject) => subject.segment.question || signals.holds(subject, PROPOSES);
  const asked = texts.findLastIndex(asks);
  const at = asked < 0 && !said.every((subject) => signals.holds(subject, ONLY_THANKS)) ? texts.length - 1 : asked;
  // "Should I go ahead?" is about the sentence before it.
  const isShort = asked >= 0 && (texts[at]?.words.folded.length ?? 0) <= SHORT_QUESTION_WORDS;
  return at < 0
    ? undefined
    : texts
        .slice(isShort ? Math.max(0, at - 1) : at, at + 1)
        .map(({ segment }) => segment.text)
        .join(" ");
}

/** Does the session end with words of the assistant that are complete, ask nothing and announce no further work? */
function endsWithAnswer(sources: readonly Source[], signals: Signals): boolean {
  const end = sources.at(-1);
  if (end?.role !== "assistant" || !end.places.has("session-end") || end.places.has("before-tool")) return false;
  const said = signals.texts.subjects(end).filter(isTalk);
  const closing = said.at(-1);
  // A question may be followed by the list of its options.
  const sentence = said.findLast(({ segment }) => segment.node === "sentence");
  const asks = closing?.segment.question || sentence?.segment.question;
  return closing !== undefined && !asks && !breaksOff(end, said) && !signals.holds(closing, BEGINS_WORK);
}

/** Does the message end within a sentence? Some never end a sentence with a full stop: then nothing is known. */
const breaksOff = ({ text }: Source, said: readonly Subject[]) =>
  /[a-z,]$/i.test(text.trimEnd()) && said.at(-1)?.segment.node === "sentence" && /[.!?]$/.test(said.at(-2)?.segment.text ?? "");

const isTalk = ({ segment }: Subject) => TALK.has(segment.node);
