// The order of a fact's words in a summary: is it the same sentence, put another way, or with its parts exchanged?
import type { Indexed } from "./audit-index.js";
import type { Overlap, Profile } from "./audit-overlap.js";
import { byVoice, rankOf, withoutVague } from "./audit-rising.js";
import type { Term } from "./audit-text.js";

/** Share of all words of the fact, small ones too, that stand around the match in the same order. */
export function likeness(fact: Profile, { terms }: Indexed, { from, to }: Overlap): number {
  const own = fact.prepared.terms;
  const sentence = terms[from]?.sentence;
  let low = from;
  let high = to;
  while (low > 0 && from - low < own.length && terms[low - 1]?.sentence === sentence) low--;
  while (high < terms.length && high - to < own.length && terms[high]?.sentence === terms[to - 1]?.sentence) high++;
  const keys = terms.slice(low, high).map(({ key }) => key);
  const row = new Uint16Array(keys.length + 1);
  for (const { key } of own) {
    let [left, diagonal] = [0, 0];
    for (let at = 1; at < row.length; at++) {
      const above = row[at] as number;
      if (keys[at - 1] === key) left = diagonal + 1;
      else if (above > left) left = above;
      row[at] = left;
      diagonal = above;
    }
  }
  return own.length === 0 ? 0 : (row.at(-1) as number) / own.length;
}

/** Breaks in the order, ends included, that one moved part leaves; and two, in a fact of many words. */
const BREAKS = 3;
const MANY_BREAKS = 5;
const MANY_WORDS = 6;

/** Are words in another order because a part was moved, not because some took each other's place? */
export function isMoved(fact: Profile, summary: Indexed, match: Overlap, like: boolean, parted = false): boolean {
  if (areMoved(fact, summary, match, like, parted)) return true;
  const hits = withoutVague(match.hits, fact);
  return hits.length < match.hits.length && areMoved(fact, summary, { hits, voiced: match.voiced }, like, parted);
}

type Told = Pick<Overlap, "hits" | "voiced">;

function areMoved(fact: Profile, summary: Indexed, { hits, voiced }: Told, like: boolean, parted: boolean): boolean {
  const placeOf = (key: string) => (voiced ? rankOf(fact, key) : (fact.content.get(key)?.at ?? 0));
  const told = voiced ? byVoice(hits, summary) : hits;
  const firsts = [...new Map(told.map(({ key }) => [key, placeOf(key)])).values()];
  const sorted = [...firsts].sort((a, b) => a - b);
  // In what is nearly the same sentence, every change of order tells something.
  const places = like || voiced ? firsts : inRuns(fact, firsts);
  const ranks = [-1, ...places.map((at) => sorted.indexOf(at)), sorted.length];
  const breaks = ranks.filter((rank, index) => index > 0 && rank !== (ranks[index - 1] as number) + 1).length;
  const most = fact.content.size >= MANY_WORDS && !like ? MANY_BREAKS : BREAKS;
  // What the order of the parts tells is told by other words: only numbers must stay beside theirs.
  if (parted) return keepsNumbers(fact, summary, hits);
  return breaks <= most && !exchanges(ranks.slice(1, -1), like) && keepsNumbers(fact, summary, hits);
}

/** Two words in each other's place, with what stands beside them where it was. */
function exchanges(ranks: readonly number[], like: boolean): boolean {
  const stays = (index: number) => ranks[index] === index;
  return ranks.some(
    (rank, index) =>
      Math.abs(rank - index) > (like ? 0 : 1) &&
      ranks[rank] === index &&
      [rank, index].every((at) => stays(at - 1) || stays(at + 1)),
  );
}

/** Within one run of words, as in "hand-written guards", the order tells nothing: such runs are put in order. */
function inRuns(fact: Profile, places: readonly number[]): readonly number[] {
  const { terms } = fact.prepared;
  const isNext = (low: number, high: number) => {
    const between = terms.slice(low, high + 1);
    return between.every(({ weight }) => weight === "content") && between.filter(({ sort }) => sort !== "word").length < 2;
  };
  const found: number[] = [];
  for (let from = 0; from < places.length; ) {
    let to = from + 1;
    for (let end = from + 2; end <= places.length; end++) {
      const part = places.slice(from, end).sort((a, b) => a - b);
      const [low = 0, high = 0] = [part[0], part.at(-1)];
      if (high - low >= RUN_WORDS) break;
      if (high - low === part.length - 1 && isNext(low, high)) to = end;
    }
    found.push(...places.slice(from, to).sort((a, b) => a - b));
    from = to;
  }
  return found;
}

/** Words of a run: longer ones are sentences. */
const RUN_WORDS = 3;

/** Each number stands beside the word that it stands beside in the fact. Two beside the same word cannot be told apart. */
export function keepsNumbers(fact: Profile, summary: Indexed, hits: Overlap["hits"]): boolean {
  const numbers = hits.flatMap(({ at, key }) => {
    const own = fact.content.get(key);
    return own?.term.sort === "number" ? [{ at, own: own.at, meant: besides(fact.prepared.terms, own.at) }] : [];
  });
  const beside = numbers.flatMap(({ meant }) => meant);
  if (new Set(beside).size < beside.length) return false;
  const moved = numbers.some(({ own }, index) => index > 0 && own < (numbers[index - 1]?.own ?? 0));
  return numbers.every(({ at, meant }) => {
    const there = besides(summary.terms, at);
    return meant.length === 0 ? !moved : meant.some((key) => there.includes(key));
  });
}

/** The nearest content words of a clause, on both sides where they are equally near. */
function besides(terms: readonly Term[], at: number): readonly string[] {
  const inClause = (index: number) => terms[index]?.clause === terms[at]?.clause;
  for (let distance = 1; inClause(at - distance) || inClause(at + distance); distance++) {
    const found = [at - distance, at + distance].filter((index) => inClause(index) && terms[index]?.weight === "content");
    if (found.length > 0) return found.map((index) => (terms[index] as Term).key);
  }
  return [];
}
