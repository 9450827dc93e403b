// The word lists of the packs, prepared for lookup. Nothing here depends on a language.

import type { Mark, RuleSet } from "../../rules/rule-set.js";
import { groupBy } from "../../text/lists.js";
import { remember, rememberFor } from "../../text/remember.js";
import { fold } from "../../text/words.js";
import { splitWords } from "./split.js";

/** What a label can say about everything it covers. */
const STANDINGS = ["void", "refusal", "doubtful", "unsettled"] as const satisfies readonly Mark[];
/** Words that say in which state work is are searched for in a text, too. */
const LABELS = [...STANDINGS, "pending", "completion"] as const satisfies readonly Mark[];
export type LabelStanding = (typeof LABELS)[number];

const COMPARING = [...STANDINGS, "holding", "joint", "link", "opposite", "ending"] as const satisfies readonly Mark[];
/** Marks that are searched for in a text. The others change how words are compared. */
export type FoundMark = Exclude<Mark, (typeof COMPARING)[number]> | "filler" | "light";
const isFound = (mark: Mark): mark is Mark & FoundMark => !(COMPARING as readonly Mark[]).includes(mark);

export interface WordRun {
  readonly words: readonly string[];
  /** The words, joined with blanks. */
  readonly key: string;
}
export type MarkedRun = WordRun & { readonly mark: FoundMark };

export type Lexicon = ReturnType<typeof toLexicon>;

const NONE: readonly string[] = [];
/** Shortest stem, in letters. */
const STEM_LETTERS = 3;
const LETTERS = /^[\p{L}\p{M}']+$/u;

export const lexiconOf = rememberFor(toLexicon);

function toLexicon(rules: RuleSet) {
  const texts = (mark: Mark) => rules.audit.get(mark) ?? [];
  const endings = texts("ending")
    .map(fold)
    .sort((a, b) => b.length - a.length);
  const keyOf = remember((word: string) => stemOf(word, endings));

  const opposite = new Map<string, string[]>();
  for (const line of texts("opposite")) {
    const keys = splitWords(line).map(({ folded }) => keyOf(folded));
    for (const key of keys) opposite.set(key, [...(opposite.get(key) ?? []), ...keys.filter((other) => other !== key)]);
  }

  const found = [...rules.audit.keys()].filter(isFound).flatMap((mark) => runsOf(texts(mark), { mark }));
  const common = [...runsOf(rules.fillers, { mark: "filler" as const }), ...runsOf(rules.light, { mark: "light" as const })];
  const holding = new Set(texts("holding").map(fold));
  const joints = new Set([...texts("joint"), ...texts("link")].map(fold));
  const single = (text: string) => (text.includes(" ") ? [] : [keyOf(fold(text))]);
  const references = new Set(texts("reference").flatMap(single));
  return {
    /** Runs of words by their first word, longest first. */
    runs: byFirstWord<MarkedRun>([...found, ...common]),
    /** Labels by their first word, longest first. */
    labels: byFirstWord(LABELS.flatMap((standing) => runsOf(texts(standing), { standing }))),
    /** Does the word say that a statement holds, so that its denial makes the statement void? */
    isHolding: (word: string) => holding.has(word),
    /** The form that all endings of a word share. */
    keyOf,
    /** Does the word, in any form, only refer to what was mentioned: "the plan", "ideas"? */
    isReference: (key: string) => references.has(key),
    /** The keys that contradict this one. */
    opposites: (key: string) => opposite.get(key) ?? NONE,
    /** Does the word begin a clause, alone or with the next one? */
    isJoint: (word: string, next: string) => joints.has(word) || joints.has(`${word} ${next}`),
    abbreviations: new Set(rules.abbreviations),
  };
}

const runsOf = <T>(texts: readonly string[], more: T): readonly (WordRun & T)[] =>
  texts.flatMap((text) => {
    const words = splitWords(text).map(({ folded }) => folded);
    return words.length === 0 ? [] : [{ words, key: words.join(" "), ...more }];
  });

const byFirstWord = <T extends WordRun>(runs: readonly T[]): ReadonlyMap<string, readonly T[]> =>
  groupBy(
    [...runs].sort((a, b) => b.words.length - a.words.length),
    ({ words }) => words[0] as string,
  );

/** Removes endings until none is left, so that "string" and "strings" get the same stem. */
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
