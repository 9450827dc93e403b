// Ranks the statements for a brief: next comes the one with the most new information per token. The first n of them
// are the best n, so a smaller budget only cuts off the end.

import { type FactPlace, placeKey } from "../extract/place.js";
import type { Late } from "../extract/steps.js";
import { type IsPlain, namesIn, topicOf } from "../extract/supersede/topic.js";
import type { Extraction, Item, Statement } from "../model.js";
import { countBefore } from "../text/sorted.js";
import { sameText } from "../text/words.js";
import { plain, type Shorten } from "./shorten.js";
import { estimateOf } from "./tokens.js";

/** Most statements that a brief is composed from. The rest, with the lowest salience, is ignored. */
const STATEMENTS = 4_000;

/** Longer messages of the user's are split into sentences. */
const MESSAGE_CHARACTERS = 100;

/** The share of a brief that is kept for what the user said last, and most characters of one message in it. */
const LATELY_SHARE = 0.16;
const LATELY_CHARACTERS = 200;
/** In a smaller brief, the share shrinks too. */
const LATELY_BUDGET = 500;

/** The same for what the assistant said last. */
const ENDED_SHARE = 0.1;
const ENDED_BUDGET = 1_000;

// Tuned on labelled sessions: how much rarity, new information and length affect the rank of a statement.
const RARITY_EXPONENT = 0.3;
const NEWS_EXPONENT = 0.75;
const COST_EXPONENT = 1.2;
/** A name, a number or a path is worth more than a plain word. */
const NAME_WEIGHT = 2.5;
/** The part of a term's worth that is left each time it is repeated. */
const SAID_AGAIN = 0.2;
/** After so many lines of one message of the user's, its next line is worth half: a long prompt must not fill the brief. */
const CROWD_LINES = 6;
/** A statement of the assistant's with fewer terms is not understandable without its context. */
const LEAST_TERMS = 2;

/** A term of the candidates. */
interface Term {
  /** The total salience and the number of the statements that name it. */
  worth: number;
  count: number;
  isName: boolean;
  /** What it is worth at first, and what it is still worth after `said` mentions. */
  weight: number;
  news: number;
  said: number;
}

interface Candidate {
  readonly statement: Statement;
  readonly terms: readonly Term[];
  readonly tokens: number;
  readonly cost: number;
  /** Its rank by salience. */
  readonly place: number;
  gain: number;
}

/** Sorts the best last, where removing it is cheap. */
const byGain = (a: Candidate, b: Candidate) => a.gain - b.gain || b.place - a.place;

/** Puts a candidate back at the position of its gain. */
function insert(sorted: Candidate[], one: Candidate): void {
  const at = countBefore(sorted, (other) => byGain(other, one) < 0);
  sorted.splice(at, 0, one);
}

export interface Ranking {
  /** How many statements to rank. */
  readonly most: number;
  /** The tokens of the text. */
  readonly budget: number;
  /** The lines above lists are shown. */
  readonly leads: boolean;
  readonly isPlain: IsPlain;
  readonly shorten: Shorten;
  readonly late?: Late | undefined;
}

export function rankStatements(
  statements: readonly Statement[],
  { most, budget, leads, isPlain, shorten, late }: Ranking,
): readonly Statement[] {
  const once = withoutEchoes(withoutIntros(statements.filter((one) => leads || one.places.has("last-answer") || !isPart(one))));
  let left = toCandidates(once.slice(0, STATEMENTS), isPlain, shorten);
  const shown = new Map<string, number>();
  const gainOf = ({ statement: { by, source, salience }, terms, cost }: Candidate) => {
    let news = 0;
    for (const term of terms) news += term.news;
    const crowd = by === "user" ? 1 + (shown.get(source) ?? 0) / CROWD_LINES : 1;
    return (salience * news ** NEWS_EXPONENT) / cost / crowd;
  };

  const ranked: Statement[] = [];
  const take = ({ statement, terms }: Candidate) => {
    ranked.push(statement);
    shown.set(statement.source, (shown.get(statement.source) ?? 0) + 1);
    for (const term of terms) term.news = term.weight * SAID_AGAIN ** ++term.said;
  };
  const seldom = left.filter(isSaidOnce(statements));
  const lately = saidLately(seldom, LATELY_SHARE * budget * Math.min(1, budget / LATELY_BUDGET));
  const ended = endOf(seldom, ENDED_SHARE * budget * Math.min(1, budget / ENDED_BUDGET));
  for (const one of [...lately, ...ended]) take(one);
  left = left.filter((one) => !lately.has(one) && !ended.has(one));
  for (const one of left) one.gain = gainOf(one);
  left.sort(byGain);
  for (let best = left.pop(); best && ranked.length < most && !late?.(); best = left.pop()) {
    // Gains only shrink, so a candidate that is still first after an update is the best.
    best.gain = gainOf(best);
    const next = left.at(-1);
    if (next && byGain(best, next) < 0) {
      insert(left, best);
      continue;
    }
    if (best.gain <= 0) break;
    // Its terms count in the weights, but it is not shown itself.
    if (isNarration(best.statement)) continue;
    take(best);
  }
  // Statements with almost no information come last, facts first: they are shown if there is room.
  const taken = new Set(ranked);
  const rest = once.filter((statement) => !taken.has(statement) && !isNarration(statement));
  const facts = rest.filter(({ kinds }) => kinds.length > 0);
  const talk = rest.filter(({ kinds }) => kinds.length === 0);
  return [...ranked, ...facts, ...talk.slice(0, Math.max(0, most - ranked.length))];
}

/** What is said again in the same words, such as "Go on.", does not tell where the session stands. */
function isSaidOnce(statements: readonly Statement[]): (one: Candidate) => boolean {
  const counts = new Map<string, number>();
  for (const { text } of statements) counts.set(sameText(text), (counts.get(sameText(text)) ?? 0) + 1);
  return ({ statement: { text } }) => counts.get(sameText(text)) === 1;
}

/** What the user said last, the newest message first, and of a long message what weighs most. The last request has its own line. */
function saidLately(candidates: readonly Candidate[], tokens: number): ReadonlySet<Candidate> {
  const isMessage = ({ statement: { by, tool, pasted, places } }: Candidate) =>
    by === "user" && tool === undefined && !pasted && !places.has("last-request") && !places.has("first-request");
  const newest = candidates.filter(isMessage).sort((a, b) => b.statement.ordinal - a.statement.ordinal || a.place - b.place);
  const lately = new Set<Candidate>();
  const said = new Map<string, number>();
  let left = tokens;
  for (const one of newest) {
    const { source, text } = one.statement;
    const characters = (said.get(source) ?? 0) + text.length;
    if (said.has(source) && characters > LATELY_CHARACTERS) continue;
    left -= one.tokens;
    if (left < 0) break;
    said.set(source, characters);
    lately.add(one);
  }
  return lately;
}

/** What the assistant said last, the heaviest first: where the session stopped. */
function endOf(candidates: readonly Candidate[], tokens: number): ReadonlySet<Candidate> {
  let left = tokens;
  const isEnd = ({ statement: { by, places, fills } }: Candidate) => by === "assistant" && places.has("last-answer") && !fills;
  const fits = (one: Candidate) => {
    left -= one.tokens;
    return left >= 0;
  };
  return new Set(candidates.filter((one) => isEnd(one) && fits(one)));
}

/** The line above a list is shown with its items, never alone. So what an assistant says with a colon at its end is left out. */
function withoutIntros(statements: readonly Statement[]): readonly Statement[] {
  const key = (source: string, text: string) => `${source}\n${sameText(text)}`;
  const intros = new Set(statements.flatMap(({ source, under }) => (under === undefined ? [] : [key(source, under)])));
  const isIntro = ({ source, text, by }: Statement) =>
    intros.has(key(source, text)) || (by === "assistant" && text.endsWith(":"));
  return statements.filter((one) => one.kinds.length > 0 || !isIntro(one));
}

/** Few words, and no name. */
const REMARK_WORDS = 6;
const isRemark = (text: string) => text.split(" ", REMARK_WORDS + 1).length <= REMARK_WORDS && namesIn(text).length === 0;

/** Below this salience, what is said between steps is not shown. Tuned on labelled sessions. */
const STEP_SALIENCE = 0.2;

/** The same for what says little without the sentence before it. */
const ALONE_SALIENCE = 0.35;

/** Is it about a step, and unlikely to be missed: "All files created.", "Now replace the calls."? */
const isNarration = ({ fills, needsBefore, by, places, salience }: Statement) =>
  fills === true ||
  (by === "assistant" &&
    !places.has("session-end") &&
    ((places.has("before-tool") && salience < STEP_SALIENCE) || (needsBefore === true && salience < ALONE_SALIENCE)));

/** Sorts by salience and removes repetitions. Of equal texts, the one with the highest salience stays, then the last. */
function withoutEchoes(statements: readonly Statement[]): readonly Statement[] {
  const worthy = statements.filter(({ salience }) => salience > 0);
  const heaviest = worthy.sort((a, b) => b.salience - a.salience || b.ordinal - a.ordinal || a.start - b.start);
  const seen = new Set<string>();
  return heaviest.filter(({ text }) => {
    const key = sameText(text);
    return !seen.has(key) && seen.add(key);
  });
}

/** Terms of statements with high salience weigh more; terms that are everywhere weigh less. */
function toCandidates(statements: readonly Statement[], isPlain: IsPlain, shorten: Shorten): Candidate[] {
  const known = new Map<string, Term>();
  const candidates: Candidate[] = [];
  for (const [place, statement] of statements.entries()) {
    const shown = plain(shorten(statement.text));
    const topic = topicOf(shown, isPlain);
    if (topic.terms.length < (statement.by === "user" ? 1 : LEAST_TERMS)) continue;
    const terms = topic.terms.map((name) => {
      const term = known.get(name) ?? { worth: 0, count: 0, isName: false, weight: 0, news: 0, said: 0 };
      known.set(name, term);
      term.worth += statement.salience;
      term.count++;
      return term;
    });
    for (const name of topic.names) (known.get(name) as Term).isName = true;
    const tokens = estimateOf(shown);
    candidates.push({ statement, terms, tokens, cost: tokens ** COST_EXPONENT, place, gain: 0 });
  }
  const rarest = Math.log(1 + candidates.length);
  for (const term of known.values()) {
    const rarity = Math.log(1 + candidates.length / term.count) / rarest;
    term.weight = term.news = term.worth * rarity ** RARITY_EXPONENT * (term.isName ? NAME_WEIGHT : 1);
  }
  return candidates;
}

/** Does an item say nothing without the line above its list: "Naming of branches"? */
const isPart = ({ by, node, under, text }: Statement) =>
  by === "assistant" && node === "item" && under !== undefined && !/[.!?…]["'”’)\]*_]*$|[:=—–→`]/u.test(text) && isRemark(text);

/** A line needs a letter, digit, pictograph or question mark: lone rules, brackets and quotation marks say nothing. */
const SAYS = /[\p{L}\p{N}\p{Extended_Pictographic}?？]/u;
/** Compiling the classes takes time, and few texts need them. */
const says = (text: string) => /[A-Za-z0-9]/.test(text) || SAYS.test(text);

/** The statements that say something and are not superseded. */
export function standingStatements({ continuation, statements }: Extraction): readonly Statement[] {
  const gone = continuation.items.filter(({ status }) => status !== "active").flatMap((one) => [one.evidence, ...one.also]);
  const places = new Set(gone.map(placeKey));
  return statements.filter((one) => says(one.text) && !places.has(placeKey(one)));
}

// A table cell makes sense only next to the other cells of its row, and "is fine" only in its message.

/** Joins the cells of a row into one statement. */
export function joinRows(statements: readonly Statement[]): readonly Statement[] {
  return joinBy(statements, isBeside, " | ");
}

/** The newest task is told as the last request, not as the goal. A first request may be both. */
export const isOnlyLast = (places: Statement["places"]) => places.has("last-request") && !places.has("first-request");

/** Joins the sentences of a short message of the user's, unless it has the goal, which has a line of its own. */
export function joinMessages(statements: readonly Statement[], items: readonly Item[]): readonly Statement[] {
  const goals = new Set(items.flatMap(({ kind, evidence }) => (kind === "goal" ? [evidence.source] : [])));
  const said = new Map<string, number>();
  for (const one of statements)
    if (one.by === "user") said.set(messageKey(one), (said.get(messageKey(one)) ?? 0) + one.text.length + 1);
  const hasGoal = (one: Statement) => goals.has(one.source) && !isOnlyLast(one.places);
  const isShort = (one: Statement) => !hasGoal(one) && (said.get(messageKey(one)) ?? 0) <= MESSAGE_CHARACTERS;
  const isSameMessage = (last: Statement, one: Statement) =>
    one.by === "user" &&
    isSentence(one) &&
    isSentence(last) &&
    messageKey(last) === messageKey(one) &&
    last.pasted === one.pasted &&
    isShort(one);
  return joinBy(statements, isSameMessage, " ");
}

function joinBy(
  statements: readonly Statement[],
  isNext: (last: Statement, one: Statement) => boolean,
  between: string,
): readonly Statement[] {
  const joined: Statement[] = [];
  for (const one of statements) {
    const last = joined.at(-1);
    if (last && isNext(last, one)) joined[joined.length - 1] = joinTwo(last, one, between);
    else joined.push(one);
  }
  return joined;
}

const isSentence = ({ node }: Statement) => node === "sentence";
const messageKey = ({ source, tool, by }: Statement) => `${by}\n${source}\n${tool ?? ""}`;

const isBeside = (last: Statement, { row, source, tool }: Statement) =>
  row !== undefined && row === last.row && source === last.source && tool === last.tool;

/** One statement with the highest salience of the two. */
const joinTwo = (last: Statement, next: Statement, between: string): Statement => ({
  ...last,
  text: `${last.text}${between}${next.text}`,
  end: next.end,
  joined: [...(last.joined ?? []), next],
  settled: last.settled === true && next.settled === true,
  salience: Math.max(last.salience, next.salience),
  kinds: [...new Set([...last.kinds, ...next.kinds])],
});

/** Finds the table row of a fact that is only one of its cells: alone, a cell may say something else. */
export function createRowOf(statements: readonly Statement[]): (item: Item) => Statement | undefined {
  const rows = new Map<string, Statement[]>();
  const textOf = ({ source, tool }: FactPlace) => `${source}\n${tool ?? ""}`;
  for (const one of statements) {
    if (one.row === undefined) continue;
    const own = rows.get(textOf(one));
    if (own) own.push(one);
    else rows.set(textOf(one), [one]);
  }
  return ({ evidence }) => {
    const own = rows.get(textOf(evidence)) ?? [];
    const row = own[countBefore(own, ({ start }) => start <= evidence.start) - 1];
    return row && evidence.end <= row.end && evidence.end - evidence.start < row.end - row.start ? row : undefined;
  };
}
