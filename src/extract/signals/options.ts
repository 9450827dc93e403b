// Finds the options that the assistant offered, and which of them the user picked by label.

import type { Source } from "../../model.js";
import type { AskedSignal } from "../../rules/condition.js";
import { firstPhrase, type Match } from "../../rules/phrase/match-phrase.js";
import type { Options } from "../../rules/rule-set.js";
import { lettersPattern } from "../../text/characters.js";
import { rememberFor } from "../../text/remember.js";
import { sameText, type Words } from "../../text/words.js";
import type { Says, Subject } from "../segments/subject.js";
import type { SessionTexts } from "../segments/texts.js";

/** Characters at the end of a line that may hold a question mark and closing emphasis, quotes and brackets. */
const QUESTION_END_CHARACTERS = 20;

/** Characters before an option that may hold its list mark. */
const OPTION_MARK_CHARACTERS = 12;

/** Characters of a reply in which a second numbered answer counts. A later one is ordinary text. */
const ANSWERED_CHARACTERS = 1_000;

interface Offered {
  readonly subject: Subject;
  readonly label: string;
  readonly options: Options;
  readonly from: number;
}

type Choices = ReadonlyMap<number, Offered>;

interface Offer {
  readonly choices: Choices;
  /** It lists possible next steps: options that are not picked stay open. */
  readonly isMenu: boolean;
  /** The message has several lists of options. */
  readonly isOneOfMany: boolean;
}

/** Signal of the packs: a text offers a choice. */
const OFFERS: AskedSignal = "offers";
/** Signal of the packs: the offered options are next steps. */
const MENU: AskedSignal = "menu";
/** Signal of the packs: the user wants to know something about an option, and does not take it yet. */
const INQUIRES: AskedSignal = "inquires";
const NO_CHOICE: Choices = new Map();

export const PICK_STATES = ["picked", "passed-over"] as const;

/** What became of an option, and the user's words that decided it. */
export interface Pick {
  readonly state: (typeof PICK_STATES)[number];
  readonly by: Subject;
  readonly options: Options;
  /** Its label: a number, a letter. */
  readonly label: string;
  /** Where the option starts after its label. */
  readonly from: number;
}

/** What the user's reply to a message takes and leaves. */
export interface Choice {
  /** Words of the reply → the options that they pick. */
  readonly taken: ReadonlyMap<Subject, readonly Subject[]>;
  /** Option → what became of it. */
  readonly picks: ReadonlyMap<Subject, Pick>;
}

const NOTHING_CHOSEN: Choice = { taken: new Map(), picks: new Map() };

/** Compares a message of the user with the message that it replies to. */
export function readChoice(reply: Source, options: readonly Options[], texts: SessionTexts, says: Says): Choice {
  const before = texts.before(reply);
  if (!before) return NOTHING_CHOSEN;
  const opening = texts.opening(reply);
  const named = opening
    .filter(({ segment }) => !segment.question)
    .map((subject) => ({ subject, names: options.map((one) => takenNames(subject, one)).filter((names) => names.length > 0) }))
    .filter(({ names }) => names.length > 0);
  if (named.length === 0) return NOTHING_CHOSEN;
  const { choices, isMenu, isOneOfMany } = offerIn(texts.subjects(before), options, says);
  const isSeveral = answersSeveral(reply);
  const taken = new Map<Subject, readonly Subject[]>();
  for (const { subject, names } of named) {
    if (isSeveral && (isOneOfMany || BEGINS_COUNTED(subject.segment.text).test(subject.segment.text))) continue;
    const chosen = names.map((all) => all.flatMap((name) => chosenBy(name, choices))).find((all) => all.length > 0);
    if (chosen) taken.set(subject, chosen);
  }
  const picks = new Map<Subject, Pick>();
  const by = opening.find((subject) => taken.has(subject) && !says(subject, INQUIRES));
  for (const { subject, ...option } of by ? choices.values() : []) {
    const isPicked = taken.get(by as Subject)?.includes(subject);
    if (isPicked || !isMenu) picks.set(subject, { state: isPicked ? "picked" : "passed-over", by: by as Subject, ...option });
  }
  return { taken, picks };
}

function chosenBy({ place, label }: Name, choices: Choices): readonly Subject[] {
  const option = choices.get(place);
  return option && (label.length > 1 || label === option.label) ? [option.subject] : [];
}

/** The last list of options in a message that offers a choice. Options that a phrase introduces win over list items. */
function offerIn(subjects: readonly Subject[], options: readonly Options[], says: Says): Offer {
  const called = new Map<number, Offered>();
  const listed = new Map<number, Offered>();
  // A heading that is only a label: the option is the text after it.
  let bare: OfferedOption | undefined;
  let leaves = false;
  let lists = 0;
  for (const subject of subjects) {
    leaves ||= subject.segment.question || says(subject, OFFERS);
    const found = offeredIn(subject, options) ?? (bare && { ...bare, from: 0 });
    bare = found?.from === subject.segment.text.length ? found : undefined;
    if (!found || bare) continue;
    const offer = found.called ? called : listed;
    if (found.place === 0) {
      offer.clear();
      lists++;
    }
    if (!offer.has(found.place))
      offer.set(found.place, { subject, label: found.label, options: found.options, from: found.from });
  }
  const choices = alternativesIn(called.size > 1 ? called : listed);
  return leaves && choices.size > 1
    ? { choices, isMenu: isMenu(choices, subjects, says), isOneOfMany: lists > 1 }
    : { choices: NO_CHOICE, isMenu: false, isOneOfMany: false };
}

/** Is the list a menu of next steps, judging by the text before it or by a later question? */
function isMenu(choices: Choices, subjects: readonly Subject[], says: Says): boolean {
  const offered = [...choices.values()].map(({ subject }) => subject);
  const first = subjects.findIndex((subject) => offered.includes(subject));
  return subjects.some(
    (subject, index) => (index === first - 1 || (index > first && subject.segment.question)) && says(subject, MENU),
  );
}

/** Questions are answered one by one: naming one rules out no other. A single question, "Something else?", is not an option. */
function alternativesIn(offer: Choices): Choices {
  const ends = new Set([...offer.values()].map(({ subject }) => lineEnd(subject)));
  // If several entries share a line, a question at its end is about all of them.
  const isApart = ends.size === offer.size;
  const stated = [...offer].filter(([, { subject }]) => !subject.segment.question && !(isApart && endsAsking(subject)));
  return stated.length < offer.size - 1 ? NO_CHOICE : new Map(stated);
}

function lineEnd({ segment, source }: Subject): number {
  const end = source.text.indexOf("\n", segment.end);
  return end < 0 ? source.text.length : end;
}

/** Does the line end with a question: "Cache: it has no bound. Shall I set one?" */
function endsAsking(subject: Subject): boolean {
  const end = lineEnd(subject);
  return QUESTION_END.test(subject.source.text.slice(Math.max(subject.segment.start, end - QUESTION_END_CHARACTERS), end));
}

/** Closing emphasis, quotes and brackets may follow. */
const QUESTION_END = /[?？][\s*_~`"'”’)\]]*$/;

const LIST_MARK = lettersPattern(String.raw`[\p{L}\p{N}]+(?=[.)])`);
const BEGINS_COUNTED = lettersPattern(String.raw`^\W*[\p{N}]`);
/** "1. yes 2. no", "1 - yes, 2 - no", "1 question: B" and "2 question: A" on the next line. */
const COUNTED = /^\W*([1-9a-e])\s?[.):=–—-]\s?\S/i;
const COUNTED_ON = /[\s,;]([1-9a-e])\s?[.):=–—-]\s?(?=\S)/gi;
const COUNTED_LINES = /^\W*1\b[^\n]*\n\s*2\b/;

/** Does the reply answer several entries one by one? Then it does not choose between them. */
function answersSeveral({ text }: Source): boolean {
  const said = text.slice(0, ANSWERED_CHARACTERS);
  const first = COUNTED.exec(said)?.[1]?.toLowerCase();
  if (first === undefined) return COUNTED_LINES.test(said);
  const isNext = (label: string) => /\d/.test(label) === /\d/.test(first) && label.toLowerCase() > first;
  return [...said.matchAll(COUNTED_ON)].some(([, label = ""]) => isNext(label));
}

/** The labels that these words pick, whatever was offered. */
function takenNames(subject: Subject, { taken, labels }: Options): readonly Name[] {
  const { words, segment } = subject;
  if (!mayName(labels, words)) return [];
  // A phrase may capture a word that is not a label: use the first phrase that captures a label.
  return firstNames(taken.map((phrase) => namesIn(firstPhrase([phrase], words), segment.text, labels)));
}

interface Name {
  readonly place: number;
  /** In a list of 1 and 2, "B" is not the second option, but "the second" is. */
  readonly label: string;
}

/** The labels in a match. There may be several: "1 and 3". */
const namesIn = (match: Match | undefined, text: string, labels: Options["labels"]): readonly Name[] =>
  (match?.slots ?? [])
    .filter(({ name }) => name === "label" || name === "also")
    .flatMap(({ start, end }) => nameOf(text.slice(start, end), labels) ?? []);

const firstWordsOf = rememberFor(
  (labels: Options["labels"]) => new Set([...labels.keys()].map((label) => label.split(" ")[0] as string)),
);

/** A text without the first word of any label names no option. */
function mayName(labels: Options["labels"], { folded }: Words): boolean {
  const first = firstWordsOf(labels);
  return folded.some((word) => first.has(word));
}

const firstNames = (all: readonly (readonly Name[])[]) => all.find((names) => names.length > 0) ?? [];

function nameOf(text: string, labels: Options["labels"]): Name | undefined {
  const label = sameText(text);
  const place = labels.get(label);
  return place === undefined ? undefined : { place, label };
}

interface OfferedOption extends Name {
  readonly options: Options;
  /** Where the option starts after its label. */
  readonly from: number;
  /** A phrase introduces it as an option; it is not just a list item. */
  readonly called: boolean;
}

/** The position of an option in its list, by the words that introduce it or by its list mark. */
function offeredIn(subject: Subject, all: readonly Options[]): OfferedOption | undefined {
  const { segment, source, words } = subject;
  for (const options of all) {
    const { offered, labels } = options;
    const found = firstPhrase(offered, words);
    const [named] = namesIn(found, segment.text, labels);
    if (found && named) {
      const text = found.slots.find(({ name }) => name === "text");
      return { ...named, options, from: text?.start ?? segment.text.length, called: true };
    }
    if (segment.node !== "item" && segment.node !== "sentence") continue;
    const near = source.text.slice(Math.max(0, segment.start - OPTION_MARK_CHARACTERS), segment.start);
    const begins = near.includes("\n") || segment.start <= OPTION_MARK_CHARACTERS;
    const mark = begins ? LIST_MARK(near).exec(near.slice(near.lastIndexOf("\n") + 1))?.[0] : undefined;
    const marked = mark === undefined ? undefined : nameOf(mark, labels);
    if (marked) return { ...marked, options, from: 0, called: false };
  }
  return undefined;
}
