// "The table was renamed" says of the table what "renamed the table" says: the order in which one who does something would tell it.
import type { Lexicon } from "./audit-lexicon.js";
import type { Marked, Term } from "./audit-text.js";

export interface Voice {
  /** The place of each term when every passive is told by its doer. */
  readonly ranks: Uint32Array;
  /** The verbs of passives, with the words of their doers. */
  readonly doers: ReadonlyMap<number, readonly number[]>;
  /** Where a word stands that makes a passive with the next verb. */
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
  const turned = turnGenitives(terms, marks, keys);
  const ranks = Uint32Array.from(terms, (_, at) => at);
  if (doers.size === 0 && !turned) return { ranks, doers, auxiliary };
  const order = [...ranks].sort((a, b) => (keys[a] as number) - (keys[b] as number));
  for (const [rank, at] of order.entries()) ranks[at] = rank;
  return { ranks, doers, auxiliary };
}

/** "Review of the module" is told as "module review". */
function turnGenitives(terms: readonly Term[], marks: readonly Marked[], keys: Float64Array): boolean {
  let [turned, free] = [false, 0];
  for (const { mark, from, to } of marks) {
    if (mark !== "genitive") continue;
    const { clause } = terms[from] as Term;
    let low = from;
    while (low > free && from - low < RUN_WORDS && isContent(terms[low - 1], clause)) low--;
    let next = to;
    while (next < to + RUN_WORDS && terms[next]?.clause === clause && terms[next]?.weight === "filler") next++;
    let high = next;
    while (high < next + RUN_WORDS && isContent(terms[high], clause)) high++;
    if (low === from || high === next || terms[next]?.sort === "number") continue;
    const end = keys[high - 1] as number;
    for (let at = low; at < from; at++) keys[at] = end + 0.01 * (1 + at - low);
    turned = true;
    free = high;
  }
  return turned;
}

/** Words of a run: longer ones are sentences. */
const RUN_WORDS = 3;
const isContent = (term: Term | undefined, clause: number) => term?.clause === clause && term.weight === "content";

/** Words between a passive and its verb, as in "is not yet really used". */
const VERB_WORDS = 5;

/** The next word of the clause that says something, if it is a form that a passive needs. */
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

/** Words of a doer: longer ones are sentences. */
const DOER_WORDS = 4;

/** Who does it, where the verb is followed by a word that says so. */
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
