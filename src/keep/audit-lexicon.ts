// The word lists of the packs, ready for looking up. Nothing here knows a language.
import type { Mark, RuleSet } from "../rules/rule-set.js";
import { fold } from "../rules/words.js";
import { splitWords } from "./audit-split.js";

/** Marks that are found in a text; the others change how words are compared. */
export type Found = Exclude<Mark, "joint" | "same" | "opposite" | "ending">;

export interface Run {
  readonly words: readonly string[];
  readonly mark: Found;
}

export interface Lexicon {
  /** Runs of words by their first word, longest first. */
  readonly runs: ReadonlyMap<string, readonly Run[]>;
  /** The one form under which words that mean the same are compared. */
  keyOf(word: string): string;
  /** The forms that cannot be true together with this one. */
  opposites(key: string): readonly string[];
  /** Words that begin a clause. */
  readonly joints: ReadonlySet<string>;
  readonly abbreviations: ReadonlySet<string>;
}

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
  const stems = new Map<string, string>();
  const stem = (word: string) => {
    const cached = stems.get(word);
    if (cached !== undefined) return cached;
    const made = stemOf(word, endings);
    stems.set(word, made);
    return made;
  };

  const same = new Map<string, string>();
  for (const line of texts("same")) {
    const group = splitWords(line).map(({ folded }) => stem(folded));
    const head = group.map((word) => same.get(word)).find((word) => word !== undefined) ?? group[0] ?? "";
    for (const word of group) same.set(word, head);
  }
  const keyOf = (word: string) => {
    const stemmed = stem(word);
    return same.get(stemmed) ?? stemmed;
  };

  const opposite = new Map<string, string[]>();
  for (const line of texts("opposite")) {
    const keys = splitWords(line).map(({ folded }) => keyOf(folded));
    for (const key of keys) opposite.set(key, [...(opposite.get(key) ?? []), ...keys.filter((other) => other !== key)]);
  }

  const runs = new Map<string, Run[]>();
  for (const mark of rules.audit.keys()) {
    if (mark === "joint" || mark === "same" || mark === "opposite" || mark === "ending") continue;
    for (const text of texts(mark)) {
      const words = splitWords(text).map(({ folded }) => folded);
      const [first] = words;
      if (first !== undefined) runs.set(first, [...(runs.get(first) ?? []), { words, mark }]);
    }
  }
  for (const list of runs.values()) list.sort((a, b) => b.words.length - a.words.length);
  return {
    runs,
    keyOf,
    opposites: (key) => opposite.get(key) ?? [],
    joints: new Set(texts("joint").map(fold)),
    abbreviations: new Set(rules.abbreviations),
  };
}

function stemOf(word: string, endings: readonly string[]): string {
  if (!LETTERS.test(word)) return word;
  const ending = endings.find((one) => word.endsWith(one) && word.length - one.length >= STEM_LETTERS);
  const stem = ending === undefined ? word : word.slice(0, -ending.length);
  const last = stem.at(-1) as string;
  // A letter is often doubled before an ending.
  return stem.length > STEM_LETTERS && stem.at(-2) === last ? stem.slice(0, -1) : stem;
}
