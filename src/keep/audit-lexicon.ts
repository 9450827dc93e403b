// The word lists of the packs, ready for looking up. Nothing here knows a language.
import { REMEMBERED_TEXTS } from "../limits.js";
import type { Mark, RuleSet } from "../rules/rule-set.js";
import { fold } from "../rules/words.js";
import { type Measure, toMeasures } from "./audit-measures.js";
import { splitWords } from "./audit-split.js";

/** What a label says of all that it stands over. */
const STANDINGS = ["refusal", "void", "doubtful", "unsettled"] as const satisfies readonly Mark[];
export type Standing = (typeof STANDINGS)[number];

const COMPARING = [
  ...STANDINGS,
  "holding",
  "bygone",
  "joint",
  "link",
  "participle",
  "same",
  "phrase",
  "opposite",
  "exclusive",
  "measure",
  "ending",
] as const satisfies readonly Mark[];
/** Marks that are found in a text; the others change how words are compared. */
export type Found = Exclude<Mark, (typeof COMPARING)[number]>;
const isFound = (mark: Mark): mark is Found => !(COMPARING as readonly Mark[]).includes(mark);

export interface Labelling {
  readonly words: readonly string[];
  readonly key: string;
  readonly standing: Standing;
}

export interface Run {
  readonly words: readonly string[];
  /** The words, with a blank between them. */
  readonly key: string;
  readonly mark: Found;
}

/** Words that mean one word together. */
export interface Phrase {
  /** What is left of each without its endings: "keep for" is not "save for". */
  readonly stems: readonly string[];
  readonly meant: string;
}

export interface Lexicon {
  /** Phrases by the stem of their first word, longest first. */
  readonly phrases: ReadonlyMap<string, readonly Phrase[]>;
  /** Runs of words by their first word, longest first. */
  readonly runs: ReadonlyMap<string, readonly Run[]>;
  /** What labels say, by their first word, longest first. */
  readonly labels: ReadonlyMap<string, readonly Labelling[]>;
  /** Does a word say that a statement holds, so that its denial says that it does not? */
  isHolding(word: string): boolean;
  /** Does a word lead in what was so and need not be any more: "old: …"? */
  isBygone(word: string): boolean;
  /** The one form under which words that mean the same are compared. */
  keyOf(word: string): string;
  /** A word without its endings. */
  stem(word: string): string;
  /** The forms that cannot be true together with this one. */
  opposites(key: string): readonly string[];
  /** Is it one of many of its sort, like a day of the week? */
  isExclusive(key: string): boolean;
  /** Does a word begin a clause, alone or with the next one? */
  isJoint(word: string, next: string): boolean;
  isParticiple(word: string): boolean;
  /** Do a verb and a small word say together what is left: "switched … from"? */
  isLeaving(key: string, word: string): boolean;
  /** Does a small word begin what is left: "from 3 to 5"? */
  isOrigin(word: string): boolean;
  /** Does a word say, in any of its forms, that something is out? */
  isParting(key: string): boolean;
  /** Does a word, in any of its forms, only name what is spoken of: "the plan", "ideas"? */
  isReference(key: string): boolean;
  /** Units by key. */
  readonly measures: ReadonlyMap<string, Measure>;
  readonly abbreviations: ReadonlySet<string>;
}

const NONE: readonly string[] = [];
/** Before the key of a word that is like no other, so that it is no stem of any. */
const ALONE = "=";
/** A stem shorter than this many letters is no stem. */
const STEM_LETTERS = 3;
const LETTERS = /^[\p{L}\p{M}']+$/u;

const known = new WeakMap<RuleSet, Lexicon>();

export function lexiconOf(rules: RuleSet): Lexicon {
  const before = known.get(rules);
  if (before) return before;
  const made = toLexicon(rules);
  known.set(rules, made);
  return made;
}

function toLexicon(rules: RuleSet): Lexicon {
  const texts = (mark: Mark) => rules.audit.get(mark) ?? [];
  const endings = texts("ending")
    .map(fold)
    .sort((a, b) => b.length - a.length);
  const { same, whole } = toGroups(texts("same"), endings);
  const stem = remember((word) => stemOf(word, endings));
  const keyOf = remember((word) => whole.get(word) ?? same.get(stem(word)) ?? stem(word));

  const opposite = new Map<string, string[]>();
  for (const line of texts("opposite")) {
    const keys = splitWords(line).map(({ folded }) => keyOf(folded));
    for (const key of keys) opposite.set(key, [...(opposite.get(key) ?? []), ...keys.filter((other) => other !== key)]);
  }

  const runs = new Map<string, Run[]>();
  for (const mark of rules.audit.keys()) {
    if (!isFound(mark)) continue;
    for (const text of texts(mark)) {
      const words = splitWords(text).map(({ folded }) => folded);
      const [first] = words;
      if (first !== undefined) runs.set(first, [...(runs.get(first) ?? []), { words, key: words.join(" "), mark }]);
    }
  }
  for (const list of runs.values()) list.sort((a, b) => b.words.length - a.words.length);
  const phrases = new Map<string, Phrase[]>();
  for (const line of texts("phrase")) {
    const words = splitWords(line).map(({ folded }) => folded);
    const stems = words.slice(0, -1).map(stem);
    const [first] = stems;
    if (first !== undefined) phrases.set(first, [...(phrases.get(first) ?? []), { stems, meant: words.at(-1) as string }]);
  }
  for (const list of phrases.values()) list.sort((a, b) => b.stems.length - a.stems.length);
  const labels = new Map<string, Labelling[]>();
  for (const standing of STANDINGS) {
    for (const text of texts(standing)) {
      const words = splitWords(text).map(({ folded }) => folded);
      const [first] = words;
      if (first !== undefined) labels.set(first, [...(labels.get(first) ?? []), { words, key: words.join(" "), standing }]);
    }
  }
  for (const list of labels.values()) list.sort((a, b) => b.words.length - a.words.length);
  const holding = new Set(texts("holding").map(fold));
  const bygone = new Set(texts("bygone").map(fold));
  const joints = new Set([...texts("joint"), ...texts("link")].map(fold));
  const participles = new Set(texts("participle").map(fold));
  const suffixes = [...participles].flatMap((form) => (form.startsWith("-") ? [form.slice(1)] : []));
  const pairs = texts("exchange").map((text) => splitWords(text).map(({ folded }) => folded));
  const leaving = new Set(pairs.flatMap((words) => (words.length > 1 ? [`${keyOf(words[0] as string)} ${words.at(-1)}`] : [])));
  const origins = new Set(pairs.flatMap((words) => (words.length > 1 ? [words.at(-1)] : [])));
  const single = (text: string) => (text.includes(" ") ? [] : [keyOf(fold(text))]);
  const good = new Set([...texts("permission"), ...texts("completion"), ...texts("vague")].flatMap(single));
  const parting = new Set([...texts("withdrawal"), ...texts("exchange")].flatMap(single).filter((key) => !good.has(key)));
  const references = new Set(texts("reference").flatMap(single));
  const exclusive = new Set(texts("exclusive").flatMap((line) => splitWords(line).map(({ folded }) => keyOf(folded))));
  return {
    phrases,
    runs,
    labels,
    isHolding: (word) => holding.has(word),
    isBygone: (word) => bygone.has(word),
    keyOf,
    stem,
    isLeaving: (key, word) => leaving.has(`${key} ${word}`),
    isOrigin: (word) => origins.has(word),
    isParting: (key) => parting.has(key),
    isReference: (key) => references.has(key),
    isExclusive: (key) => exclusive.has(key),
    opposites: (key) => opposite.get(key) ?? NONE,
    isJoint: (word, next) => joints.has(word) || joints.has(`${word} ${next}`),
    isParticiple: (word) => participles.has(word) || suffixes.some((suffix) => word.endsWith(suffix)),
    measures: toMeasures(texts("measure"), keyOf),
    abbreviations: new Set(rules.abbreviations),
  };
}

function remember(find: (word: string) => string): (word: string) => string {
  const known = new Map<string, string>();
  return (word) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const found = find(word);
    if (known.size < REMEMBERED_TEXTS) known.set(word, found);
    return found;
  };
}

interface Groups {
  /** The first stem of the group that a stem belongs to. */
  readonly same: ReadonlyMap<string, string>;
  /** Words that are known by themselves, not by their stem. */
  readonly whole: ReadonlyMap<string, string>;
}

/** Lines that share a word are one group. */
function toGroups(lines: readonly string[], endings: readonly string[]): Groups {
  const same = new Map<string, string>();
  const whole = new Map<string, string>();
  const members = new Map<string, string[]>();
  for (const line of lines) {
    const words = splitWords(line);
    const [first] = words;
    if (!first) continue;
    // A word on a line of its own is like no other; and "eighty" is no form of "eight".
    if (words.length === 1) whole.set(first.folded, `${ALONE}${first.folded}`);
    else if (first.sort === "number") for (const { folded } of words) whole.set(folded, first.folded);
    else {
      const stems = words.map(({ folded }) => stemOf(folded, endings));
      const heads = new Set(stems.map((stem) => same.get(stem) ?? stem));
      const all = [...heads].flatMap((head) => members.get(head) ?? [head]).concat(stems);
      const [head = ""] = heads;
      members.set(head, [...new Set(all)]);
      for (const stem of all) same.set(stem, head);
    }
  }
  return { same, whole };
}

/** Endings are taken off until none is left, so that "string" and "strings" meet. */
function stemOf(word: string, endings: readonly string[]): string {
  if (!LETTERS.test(word)) return word;
  let stem = word;
  for (;;) {
    const ending = endings.find((one) => stem.endsWith(one) && stem.length - one.length >= STEM_LETTERS);
    if (ending !== undefined) stem = stem.slice(0, -ending.length);
    // A letter is often doubled before an ending.
    else if (stem.length > STEM_LETTERS && stem.at(-2) === stem.at(-1)) stem = stem.slice(0, -1);
    else return stem;
  }
}
