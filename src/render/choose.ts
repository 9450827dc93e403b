// Chooses the lines of a text. Some lists get their share of the budget first. Then comes the line that tells the most news per
// token, again and again.
import { placeKey } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import type { Late } from "../steps.js";
import { sink } from "../text/lists.js";
import { plainWords } from "../text/topic.js";
import { sameText } from "../text/words.js";
import type { Entry } from "./entry.js";
import { type Known, NOTHING_KNOWN, type Telling, termsOf } from "./news.js";
import { estimateOf } from "./tokens.js";

/** Most lines that are compared. Of more, those with the lowest salience are ignored, the oldest first. */
const LINES = 4_000;
/** About what a line costs at most: longer ones are cut. A goal or a last request may be longer. */
const LINE_TOKENS = 60;
/** What a mark, a line break or a label of a line costs. */
const FRAME_TOKENS = 3;
/** What the title of a list costs, in which nothing is shown yet. */
const TITLE_TOKENS = 12;
/** So many lines of one message or of one list halve the worth of its next one: nothing must fill the text alone. */
const CROWD_LINES = 6;
const CROWD_LIST = 12;
/** Lines are ranked until they cost so many times the budget. */
const SPARE = 1.5;

/** The gain of the line that a model needs most: more than any other. */
const NEEDED = 1e9;

/** So many lines tell how good a line of the session can be. */
const BEST_LINES = 20;

/** For packs that declare no factors: a summary is still not repeated. */
const FALLBACK: Readonly<Record<string, number>> = { here: 0, told: 0.25 };

export interface RankOptions {
  readonly budget: number;
  readonly rules: RuleSet;
  /** List → most lines. */
  readonly max: Readonly<Record<string, number>>;
  /** Lines are compared by what they tell. Otherwise only by their worth. */
  readonly byNews: boolean;
  readonly known?: Known | undefined;
  readonly late?: Late | undefined;
}

type Term = { mass: number; lines: number; said: number };

interface Contender {
  readonly entry: Entry;
  readonly terms: readonly (readonly [Term, number])[];
  readonly worth: number;
  readonly cost: number;
  readonly place: number;
  gain: number;
  /** Its gain for a reader who knows nothing. */
  readonly alone: number;
}

const byGain = (a: Contender, b: Contender) => b.gain - a.gain || a.place - b.place;

export interface Ranking {
  /** The lines in the order in which they are shown if there is room for them. */
  readonly ranked: readonly Entry[];
  /** All lines that tell something new. */
  readonly telling: readonly Entry[];
}

export function rankEntries(entries: readonly Entry[], choice: RankOptions): Ranking {
  const { budget, rules, max, byNews, known = NOTHING_KNOWN, late } = choice;
  const { candidates, known: knownShare } = toCandidates(entries, choice);
  const again = rules.news.get("again") ?? 1;
  const ofMessage = new Map<string, number>();
  const ofList = new Map<string, number>();
  let ofShare = true;
  const gainOf = ({ entry, terms, worth, cost }: Contender) => {
    const rank = entry.needed ?? (ofShare ? entry.rank : undefined);
    if (rank !== undefined) return NEEDED / (1 + rank);
    const said = (ofMessage.get(messageOf(entry)) ?? 0) / CROWD_LINES;
    const listed = isStatementLine(entry) ? 0 : (ofList.get(entry.list) ?? 0) / CROWD_LIST;
    // A message with thousands of rules must not push out the rule of another message, however much its lines tell.
    const crowd = entry.must ? (1 + said) * (1 + listed) : 1 + said + listed;
    if (!byNews) return worth / crowd;
    let news = 0;
    for (const [term, value] of terms) news += value * again ** term.said;
    // A list of one entry is not worth its title.
    const title = entry.cost === undefined || ofList.has(entry.list) ? 0 : TITLE_TOKENS;
    return (worth * news) / (cost + title) / crowd;
  };

  const floor = known === NOTHING_KNOWN ? 0 : (rules.news.get("least") ?? 0) * knownShare * bestGain(candidates);
  const ranked: Entry[] = [];
  const places = new Set<string>();
  let shownTexts = "\n";
  let spent = 0;
  const left = new Set(candidates);
  const isFull = ({ list }: Entry) => (ofList.get(list) ?? 0) >= (max[list] ?? Number.MAX_SAFE_INTEGER);
  /** With news, a sentence is shown once, whatever its lists, unless a line of it tells more. So are the same words. */
  const isShownAgain = ({ entry: { place, list, fields, whole }, terms }: Contender) => {
    // A question that is among the requests is asked once in any text.
    if (list === "questions" && place && places.has(placeKey(place))) return true;
    if (!byNews || !(place || whole) || list === "concepts") return false;
    if (shownTexts.includes(` ${sameText(String(fields.text))} `)) return true;
    return place !== undefined && places.has(placeKey(place)) && terms.every(([{ said }]) => said > 0);
  };
  const choose = (one: Contender) => {
    const { entry, terms, cost } = one;
    left.delete(one);
    if (isFull(entry) || isShownAgain(one)) return 0;
    ranked.push(entry);
    for (const place of entry.place ? [entry.place, ...(entry.place.joined ?? [])] : []) places.add(placeKey(place));
    shownTexts += ` ${sameText(String(entry.fields.text))} \n`;
    for (const [term] of terms) term.said++;
    ofMessage.set(messageOf(entry), (ofMessage.get(messageOf(entry)) ?? 0) + 1);
    ofList.set(entry.list, (ofList.get(entry.list) ?? 0) + 1);
    spent += cost;
    return cost;
  };
  /** Chooses the best of some lines, until they cost more than that. The first one may cost more. Without time, they keep their order. */
  const chooseBest = (some: readonly Contender[], most: number, least = 0) => {
    let own = 0;
    const fits = (one: Contender) => {
      if (own > 0 && own + one.cost > most) return false;
      own += choose(one);
      return own <= most;
    };
    const heap = late?.() ? [] : [...some];
    for (const one of heap) one.gain = gainOf(one);
    heap.sort(byGain);
    for (let best = heap[0]; best && !late?.(); best = heap[0]) {
      // Gains only shrink, so a candidate that is still first after an update is the best.
      best.gain = gainOf(best);
      sink(heap, best, byGain);
      if (heap[0] !== best) continue;
      const last = heap.pop() as Contender;
      if (last !== best) sink(heap, last, byGain);
      if (byNews && best.gain <= 0 && !best.entry.fact) continue;
      if (best.gain < least || !fits(best)) return;
    }
    if (late?.()) some.filter((one) => left.has(one)).every(fits);
  };
  for (const [list, share] of rules.shares) {
    const some = candidates.filter((one) => shareOf(one.entry) === list && left.has(one));
    if (some.length > 0) chooseBest(some, share * budget);
  }
  ofShare = false;
  const chooseRest = (some: readonly Contender[]) => chooseBest(some, Math.max(0, SPARE * budget - spent), floor);
  // What the user ordered is not left out for what was only said.
  chooseRest([...left].filter(({ entry }) => entry.must));
  chooseRest([...left]);
  return { ranked, telling: candidates.map(({ entry }) => entry) };
}

/** The mean gain of the best lines for a reader who knows nothing. */
function bestGain(candidates: readonly Contender[]): number {
  const best = candidates
    .map(({ alone }) => alone)
    .sort((a, b) => b - a)
    .slice(0, BEST_LINES);
  return best.reduce((sum, gain) => sum + gain, 0) / Math.max(1, best.length);
}

const isStatementLine = ({ list }: Entry) => list === "statements";
const messageOf = ({ place, list }: Entry) => (place ? place.source : `\n${list}`);
const shareOf = ({ list, share = list }: Entry) => share;

const VALUES: Readonly<Record<Telling, readonly string[]>> = {
  word: [],
  name: ["name"],
  id: ["name", "id"],
  unit: ["name", "unit"],
};

/** The lines that tell something, and how much of what all lines tell the reader knows, from 0 to 1. */
function toCandidates(
  entries: readonly Entry[],
  { rules, byNews, known = NOTHING_KNOWN }: RankOptions,
): { readonly candidates: readonly Contender[]; readonly known: number } {
  const factor = (name: string) => rules.news.get(name) ?? FALLBACK[name] ?? 1;
  const valueAs = (telling: Telling) => VALUES[telling].reduce((value, name) => value * factor(name), 1);
  const knownAs = { here: () => factor("here"), elsewhere: (telling: Telling) => factor(telling === "word" ? "said" : "named") };
  const isPlain = plainWords(rules);
  // A list without worth is left out.
  const wanted = entries.filter(({ of }) => rules.worth.get(of) !== 0);
  const some =
    wanted.length <= LINES ? wanted : [...wanted].sort((a, b) => b.salience - a.salience || b.when - a.when).slice(0, LINES);
  const worthOf = ({ of, salience, when }: Entry) =>
    (rules.worth.get(of) ?? 1) *
    (byNews ? factor("base") + salience : salience) *
    (factor("first") + (1 - factor("first")) * when);
  if (!byNews) {
    const plain = { terms: [], gain: 0, alone: 0 };
    return {
      candidates: some.map((entry, place) => ({ ...plain, entry, worth: worthOf(entry), cost: costOf(entry), place })),
      known: 0,
    };
  }
  const all = new Map<string, Term>();
  const lines = some.map((entry) => {
    const terms = termsOf(entry.tells, isPlain, entry.whole);
    const worth = worthOf(entry);
    for (const term of terms.keys()) {
      const one = all.get(term) ?? { mass: 0, lines: 0, said: 0 };
      all.set(term, one);
      one.mass += worth;
      one.lines++;
    }
    return { entry, terms, worth };
  });
  const rarest = Math.log(1 + lines.length);
  const weightOf = ({ mass, lines: of }: Term) =>
    (Math.log(1 + lines.length / of) / rarest) ** factor("rarity") * mass ** factor("mass");
  let [fresh, whole] = [0, 0];
  const candidates = lines.flatMap(({ entry, terms, worth }, place) => {
    if (!entry.must && (known.quotes(entry.tells) || known.quotes(String(entry.fields.text)))) return [];
    const whereIs = entry.must ? () => undefined : known.whereIs(terms);
    let [news, full] = [0, 0];
    const values = [...terms].map(([term, telling]) => {
      const one = all.get(term) as Term;
      const value = valueAs(telling) * weightOf(one);
      const at = whereIs(term);
      const left = at === undefined ? value : value * knownAs[at](telling);
      full += value;
      news += left;
      return [one, left] as const;
    });
    fresh += worth * news;
    whole += worth * full;
    // What the summary tells in other words is not told again.
    return news < full * factor("told") && known !== NOTHING_KNOWN && !entry.must && entry.needed === undefined
      ? []
      : [{ entry, terms: values, worth, cost: costOf(entry), place, gain: 0, alone: (worth * full) / costOf(entry) }];
  });
  return { candidates, known: whole === 0 ? 0 : 1 - fresh / whole };
}

const costOf = ({ tells, cost, fields }: Entry) =>
  cost ?? Math.min(estimateOf(tells), Math.max(LINE_TOKENS, estimateOf(String(fields.text)))) + FRAME_TOKENS;
