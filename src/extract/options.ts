// Options that the assistant offered, and which of them the user took by its name.
import { ANSWERED_CHARACTERS, OPTION_MARK_CHARACTERS, QUESTION_END_CHARACTERS } from "../limits.js";
import type { Source } from "../model.js";
import type { Options, RuleSet } from "../rules/rule-set.js";
import { sameText, type Words } from "../rules/words.js";
import type { Around } from "./around.js";
import { firstPhrase, type Match } from "./condition.js";
import { matcherFor } from "./matcher.js";
import { type Subject, wordSetOf } from "./subject.js";

/** What became of an option, by which words of the user. */
export interface Pick {
  readonly state: "picked" | "passed-over";
  readonly by: Subject;
  /** Which of the packs' ways of offering it is. */
  readonly options: Options;
  /** Its name: a number, a letter. */
  readonly label: string;
  /** Where the option begins behind its name. */
  readonly from: number;
}

export interface Picks {
  /** Did the user take this option, or another one of the same message? */
  readonly of: (subject: Subject) => Pick | undefined;
  /** The options that these words of the user take. */
  readonly taken: (subject: Subject) => readonly Subject[];
  /** Lets go of what is known of a source whose texts are let go. */
  readonly release: (source: Source) => void;
}

interface Offered {
  readonly subject: Subject;
  readonly label: string;
  readonly options: Options;
  readonly from: number;
}

type Choices = ReadonlyMap<number, Offered>;

interface Offer {
  readonly choices: Choices;
  /** It says what could be done next: what is not taken waits. */
  readonly isMenu: boolean;
  /** The message has more lists of options than this one. */
  readonly isOneOfMany: boolean;
}

/** The signal by which packs say that a text leaves a choice. */
export const OFFERS = "offers";
/** And that what it offers are things to do, one after the other. */
const MENU = "menu";
const NO_CHOICE: Choices = new Map();
const NO_OFFER: Offer = { choices: NO_CHOICE, isMenu: false, isOneOfMany: false };
const NO_CHOICES: ReadonlyMap<Subject, Pick> = new Map();

export function createPicks(rules: RuleSet, around: () => Around): Picks {
  const { options } = rules;
  const offers = new Map<Source, Offer>();
  const choices = new Map<Source, ReadonlyMap<Subject, Pick>>();

  /** The last list of options of a message that leaves a choice. Options that are called so stand before items of a list. */
  function offerOf(source: Source): Offer {
    const known = offers.get(source);
    if (known) return known;
    const called = new Map<number, Offered>();
    const listed = new Map<number, Offered>();
    // A heading that is only a name: the option is what follows.
    let bare: Found | undefined;
    let leaves = false;
    let lists = 0;
    const subjects = around().subjects(source);
    for (const subject of subjects) {
      leaves ||= subject.segment.question || matcherFor(rules).holds(subject, OFFERS);
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
    const offer = leaves && choices.size > 1 ? { choices, isMenu: isMenu(choices, subjects), isOneOfMany: lists > 1 } : NO_OFFER;
    offers.set(source, offer);
    return offer;
  }

  /** Is a list of options what could be done next: by what leads to it, or by what is asked about it? */
  function isMenu(choices: Choices, subjects: readonly Subject[]): boolean {
    const offered = [...choices.values()].map(({ subject }) => subject);
    const first = subjects.findIndex((subject) => offered.includes(subject));
    return subjects.some(
      (subject, index) =>
        (index === first - 1 || (index > first && subject.segment.question)) && matcherFor(rules).holds(subject, MENU),
    );
  }

  function taken(subject: Subject): readonly Subject[] {
    const { source, segment } = subject;
    if (source.role !== "user" || segment.question || !around().opening(source).includes(subject)) return [];
    for (const one of options) {
      const names = takenNames(subject, one);
      const before = names.length > 0 ? around().before(source) : undefined;
      const { choices, isOneOfMany } = before ? offerOf(before) : NO_OFFER;
      if (answersSeveral(source) && (isOneOfMany || BEGINS_COUNTED.test(segment.text))) return [];
      const chosen = names.flatMap(({ place, label }) => {
        const option = choices.get(place);
        return option && (label.length > 1 || label === option.label) ? [option.subject] : [];
      });
      if (chosen.length > 0) return chosen;
    }
    return [];
  }

  function choicesOf(source: Source): ReadonlyMap<Subject, Pick> {
    const known = choices.get(source);
    if (known) return known;
    choices.set(source, NO_CHOICES);
    const reply = around().reply(source);
    if (!reply || around().before(reply) !== source) return NO_CHOICES;
    for (const by of around().opening(reply)) {
      const chosen = taken(by);
      if (chosen.length === 0) continue;
      const found = new Map<Subject, Pick>();
      const offer = offerOf(source);
      for (const { subject, label, options: own, from } of offer.choices.values()) {
        const isPicked = chosen.includes(subject);
        if (isPicked || !offer.isMenu)
          found.set(subject, { state: isPicked ? "picked" : "passed-over", by, options: own, label, from });
      }
      choices.set(source, found);
      return found;
    }
    return NO_CHOICES;
  }

  return {
    taken,
    release: (source) => {
      offers.delete(source);
      choices.delete(source);
    },
    of: (subject) =>
      subject.source.role === "assistant" && options.length > 0 ? choicesOf(subject.source).get(subject) : undefined,
  };
}

/** Questions are answered one by one: to name one of them rules out no other. A single one, "Something else?", is no option. */
function alternativesIn(offer: Choices): Choices {
  const ends = new Set([...offer.values()].map(({ subject }) => lineEnd(subject)));
  // What stands at the end of a line that holds several entries asks about all of them.
  const isApart = ends.size === offer.size;
  const stated = [...offer].filter(([, { subject }]) => !subject.segment.question && !(isApart && endsAsking(subject)));
  return stated.length < offer.size - 1 ? NO_CHOICE : new Map(stated);
}

function lineEnd({ segment, source }: Subject): number {
  const end = source.text.indexOf("\n", segment.end);
  return end < 0 ? source.text.length : end;
}

/** Does the question come at the end of the line: "Cache: it has no bound. Shall I set one?" */
function endsAsking(subject: Subject): boolean {
  const end = lineEnd(subject);
  return QUESTION_END.test(subject.source.text.slice(Math.max(subject.segment.start, end - QUESTION_END_CHARACTERS), end));
}

/** Emphasis, quotation marks and brackets may close behind it. */
const QUESTION_END = /[?？][\s*_~`"'”’)\]]*$/;

const BEGINS_COUNTED = /^\W*\p{N}/u;
/** "1. yes 2. no", "1 - yes, 2 - no", "1 question: B" and "2 question: A" on the next line. */
const COUNTED = /^\W*([1-9a-e])\s?[.):=–—-]\s?\S/i;
const COUNTED_ON = /[\s,;]([1-9a-e])\s?[.):=–—-]\s?(?=\S)/gi;
const COUNTED_LINES = /^\W*1\b[^\n]*\n\s*2\b/;

/** To answer several entries of a list one by one is no choice between them. */
function answersSeveral({ text }: Source): boolean {
  const said = text.slice(0, ANSWERED_CHARACTERS);
  const first = COUNTED.exec(said)?.[1]?.toLowerCase();
  if (first === undefined) return COUNTED_LINES.test(said);
  const isNext = (label: string) => /\d/.test(label) === /\d/.test(first) && label.toLowerCase() > first;
  return [...said.matchAll(COUNTED_ON)].some(([, label = ""]) => isNext(label));
}

/** The options that these words name as taken, of whatever offer. */
export function takenNames(subject: Subject, { taken, labels }: Options): readonly Name[] {
  const { words, segment } = subject;
  if (!mayName(labels, words)) return [];
  // A phrase may take any word for a name.
  return firstNames(taken.map((phrase) => namesIn(firstPhrase([phrase], words, wordSetOf(subject)), segment.text, labels)));
}

interface Name {
  readonly place: number;
  /** B is not the second of 1 and 2, but "the second" is. */
  readonly label: string;
}

/** The names of options in a match: there may be more than one, "1 and 3". */
function namesIn(match: Match | undefined, text: string, labels: Options["labels"]): readonly Name[] {
  return (match?.slots ?? [])
    .filter(({ name }) => name === "label" || name === "also")
    .flatMap(({ start, end }) => nameOf(text.slice(start, end), labels) ?? []);
}

const labelWords = new WeakMap<Options["labels"], ReadonlySet<string>>();

/** Without the first word of a label nothing can be named by one. */
function mayName(labels: Options["labels"], { folded }: Words): boolean {
  const words = labelWords.get(labels) ?? new Set([...labels.keys()].map((label) => label.split(" ")[0] as string));
  labelWords.set(labels, words);
  return folded.some((word) => words.has(word));
}

const firstNames = (all: readonly (readonly Name[])[]) => all.find((names) => names.length > 0) ?? [];

function nameOf(text: string, labels: Options["labels"]): Name | undefined {
  const label = sameText(text);
  const place = labels.get(label);
  return place === undefined ? undefined : { place, label };
}

interface Found extends Name {
  readonly options: Options;
  /** Where it begins behind its name. */
  readonly from: number;
  /** It is called an option, not only an item of a list. */
  readonly called: boolean;
}

/** The place of an option in its list, by the words that begin it or by the mark of its list item. */
function offeredIn(subject: Subject, all: readonly Options[]): Found | undefined {
  const { segment, source, words } = subject;
  const wordSet = wordSetOf(subject);
  for (const options of all) {
    const { offered, labels } = options;
    const found = firstPhrase(offered, words, wordSet);
    const [named] = namesIn(found, segment.text, labels);
    if (found && named) {
      const text = found.slots.find(({ name }) => name === "text");
      return { ...named, options, from: text?.start ?? segment.text.length, called: true };
    }
    if (segment.node !== "item" && segment.node !== "sentence") continue;
    const near = source.text.slice(Math.max(0, segment.start - OPTION_MARK_CHARACTERS), segment.start);
    const begins = near.includes("\n") || segment.start <= OPTION_MARK_CHARACTERS;
    const mark = begins ? /[\p{L}\p{N}]+(?=[.)])/u.exec(near.slice(near.lastIndexOf("\n") + 1))?.[0] : undefined;
    const marked = mark === undefined ? undefined : nameOf(mark, labels);
    if (marked) return { ...marked, options, from: 0, called: false };
  }
  return undefined;
}
