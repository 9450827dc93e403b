// Which words of a text are compared, and which only do something to the others.
import type { Found, Lexicon, Phrase, Run } from "./audit-lexicon.js";
import type { Marked, Term } from "./audit-text.js";

export type Weighable = { -readonly [Name in keyof Term]: Term[Name] };

/** Marks that are no content themselves: what they do is compared instead. */
const WEIGHTLESS: ReadonlySet<Found> = new Set<Found>([
  "negation",
  "denial",
  "exchange",
  "hedge",
  "filler",
  "above",
  "below",
  "permission",
  "condition",
  "quantity",
  "earlier",
  "later",
  "next",
]);
/** Inside such a run, no word does what it does alone: "not only", "not allowed". */
const SILENCING: ReadonlySet<Found> = new Set<Found>(["filler", "vague", "negation", "denial"]);

/** They compare only in front of a number: "over HTTP" does not. */
const SIDES: ReadonlySet<Found> = new Set<Found>(["above", "below"]);
const isNumber = (term: Term | undefined, words: number) => term?.sort === "number" || (words > 1 && /^\d/.test(term?.key ?? ""));
/** "At least 18", "at least Node 18", "18 or newer", "18 MB or more". */
function isBesideNumber(terms: readonly Term[], from: number, to: number): boolean {
  const words = to - from;
  const { sentence } = terms[from] as Term;
  const here = (at: number) => terms[at]?.sentence === sentence && isNumber(terms[at], words);
  if (here(to)) return true;
  if (words === 1) return false;
  return here(to + 1) || here(from - 1) || here(from - 2);
}

/** What a word does that is no name: "go", "may". */
const COMMON: ReadonlySet<Found> = new Set<Found>(["light", "hedge", "permission"]);

/** "Once it works" tells a time, "runs once" a number. */
const isCount = (terms: readonly Term[], at: number) =>
  /^\d/.test(terms[at]?.key ?? "") && terms[at - 1]?.clause === terms[at]?.clause;

const OPTION = /^--?\p{L}/u;

function isRun(terms: readonly Term[], at: number, words: readonly string[]): boolean {
  for (let step = 1; step < words.length; step++) {
    const term = terms[at + step];
    if (term?.folded !== words[step] || term?.sentence !== terms[at]?.sentence) return false;
  }
  return true;
}

/** Gives each term its weight, and finds the marks. */
export function weigh(terms: readonly Weighable[], lexicon: Lexicon): readonly Marked[] {
  const marks: Marked[] = [];
  let silenced = 0;
  for (let at = 0; at < terms.length; at++) {
    if (terms[at]?.quoted) continue;
    const known = lexicon.runs.get((terms[at] as Term).folded);
    const phrase = findPhrase(terms, at, lexicon);
    if (phrase && !known?.some((run) => isStronger(run, phrase, terms, at))) {
      const to = at + phrase.stems.length;
      for (const { words, key, mark } of lexicon.runs.get(phrase.meant) ?? [])
        if (words.length === 1 && !SIDES.has(mark)) marks.push({ mark, key, from: at, to });
      rephrase(terms, at, phrase, lexicon);
      at = to - 1;
      continue;
    }
    if (!known) continue;
    let longest = 0;
    const silent = silenced;
    for (const { words, key, mark } of known) {
      const fits =
        words.length === 1
          ? !(terms[at]?.proper && COMMON.has(mark)) && !(mark === "later" && isCount(terms, at))
          : isRun(terms, at, words);
      if (
        !fits ||
        (SIDES.has(mark) && !isSide(known, words, terms, at)) ||
        (at < silent && mark !== "filler" && mark !== "passive")
      )
        continue;
      // Of "not" and "not only", the longer one is what is said.
      if (words.length >= longest)
        marks.push({ mark: mark === "undoing" ? "denial" : mark, key, from: at, to: at + words.length });
      longest = Math.max(longest, words.length);
      if (SILENCING.has(mark) && words.length > 1) silenced = Math.max(silenced, at + words.length);
      lighten(terms, at, at + words.length, mark);
    }
  }
  // What stands behind an option is its value, whatever the word.
  for (let at = 1; at < terms.length; at++) {
    const { folded: before, clause } = terms[at - 1] as Term;
    if (clause === terms[at]?.clause && before.startsWith("-") && OPTION.test(before))
      (terms[at] as Weighable).weight = "content";
  }
  return marks;
}

/** Does a run compare with a number there? What may also limit to a thing has the number next to it. */
function isSide(known: readonly Run[], words: readonly string[], terms: readonly Term[], at: number): boolean {
  const limits = known.some((run) => run.mark === "limit" && run.words.length === words.length && isRun(terms, at, run.words));
  return limits ? isNumber(terms[at + words.length], words.length) : isBesideNumber(terms, at, at + words.length);
}

/** Of "picked" and "picked over", the longer one is what is said; "limited to" limits otherwise before a number. */
function isStronger({ words, mark }: Run, { stems }: Phrase, terms: readonly Term[], at: number): boolean {
  if (words.length < 2 || !isRun(terms, at, words)) return false;
  // "Limited to Android 12" limits to a thing, "limited to 12" to a number.
  return SIDES.has(mark) ? isNumber(terms[at + words.length], words.length) : words.length > stems.length;
}

function lighten(terms: readonly Weighable[], from: number, to: number, mark: Found): void {
  if (mark === "vague") for (let at = from; at < to; at++) (terms[at] as Weighable).vague = true;
  const weight = WEIGHTLESS.has(mark) ? "filler" : mark === "light" ? "light" : undefined;
  if (!weight) return;
  for (let at = from; at < to; at++) {
    const term = terms[at] as Weighable;
    if (term.weight !== "filler") term.weight = weight;
  }
}

function findPhrase(terms: readonly Term[], at: number, { phrases, stem }: Lexicon): Phrase | undefined {
  const { folded, sentence } = terms[at] as Term;
  return phrases.get(stem(folded))?.find(({ stems }) =>
    stems.every((wanted, step) => {
      const term = terms[at + step];
      return term?.sentence === sentence && stem(term.folded) === wanted;
    }),
  );
}

/** The first word of a phrase stands for all of it. */
function rephrase(terms: readonly Weighable[], at: number, { stems, meant }: Phrase, { keyOf, runs }: Lexicon): void {
  const first = terms[at] as Weighable;
  first.key = keyOf(meant);
  // "Nobody but": no clause begins inside.
  first.clause = (terms[at + stems.length - 1] as Term).clause;
  for (const { words, mark } of runs.get(meant) ?? []) if (words.length === 1) lighten(terms, at, at + 1, mark);
  for (let step = 1; step < stems.length; step++) {
    const term = terms[at + step] as Weighable;
    term.weight = "filler";
    term.key = "";
  }
}
