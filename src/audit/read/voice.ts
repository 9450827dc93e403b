// Turns passives into active order, so that "the table was renamed" compares with "renamed the table".
import type { Lexicon } from "./lexicon.js";
import type { Marked, Term } from "./terms.js";

export interface Voice {
  /** The position of each term after every passive is turned into the active voice. */
  readonly ranks: Uint32Array;
  /** The verbs of passives, with the positions of their doers. */
  readonly doers: ReadonlyMap<number, readonly number[]>;
  /** Positions of words that form a passive with the next verb. */
  readonly auxiliary: ReadonlySet<number>;
}

export function toVoice(terms: readonly Term[], marks: readonly Marked[], lexicon: Lexicon): Voice {
  const keys = Float64Array.from(terms, (_, at) => at);
  const by = new Set(marks.flatMap(({ mark, from }) => (mark === "doer" ? [from] : [])));
  const auxiliary = new Set(marks.flatMap(({ mark, from }) => (mark === "passive" ? [from] : [])));
  const doers = new Map<number, readonly number[]>();
  let free = 0;
  for (const { mark, from, to } of marks) {
    if (mark !== "passive" || to <= free) continue;
    const verb = verbBehind(terms, to, lexicon);
    if (verb === undefined) continue;
    let low = from;
    while (low > free && terms[low - 1]?.clause === terms[from]?.clause) low--;
    const doer = doerBehind(terms, by, verb);
    keys[verb] = low - 0.4;
    for (const [index, at] of doer.entries()) keys[at] = low - 0.9 + index / 100;
    doers.set(verb, doer);
    free = verb + 1;
  }
  const ranks = Uint32Array.from(terms, (_, at) => at);
  if (doers.size === 0) return { ranks, doers, auxiliary };
  const order = [...ranks].sort((a, b) => (keys[a] as number) - (keys[b] as number));
  for (const [rank, at] of order.entries()) ranks[at] = rank;
  return { ranks, doers, auxiliary };
}

/** Most words between a passive and its verb, as in "is not yet really used". */
const VERB_WORDS = 5;

/** The next participle in the clause, unless a content word comes first. */
function verbBehind(terms: readonly Term[], from: number, lexicon: Lexicon): number | undefined {
  const { clause } = terms[from - 1] as Term;
  for (let at = from; terms[at]?.clause === clause && at < from + VERB_WORDS; at++) {
    const { weight, folded } = terms[at] as Term;
    if (weight === "filler") continue;
    if (lexicon.isParticiple(folded)) return at;
    if (weight === "content") return undefined;
  }
  return undefined;
}

/** Longest doer, in words. */
const DOER_WORDS = 4;

/** The words after "by", if the verb is followed by such a word. */
function doerBehind(terms: readonly Term[], doers: ReadonlySet<number>, verb: number): readonly number[] {
  let by = verb + 1;
  // "Taken over by".
  if (!doers.has(by) && terms[by]?.weight === "filler") by++;
  const next = terms[by];
  if (!doers.has(by) || next?.clause !== terms[verb]?.clause) return [];
  const found: number[] = [];
  for (let at = by + 1; terms[at]?.clause === next?.clause && found.length < DOER_WORDS; at++) {
    if (terms[at]?.weight === "content") found.push(at);
    else if (found.length > 0) break;
  }
  return found;
}
