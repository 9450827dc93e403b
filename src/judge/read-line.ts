// Reads the one line of verdicts with which a summary ends where nobody can take a block out of it:
// `Checked facts: f2 f5! f9 hold; f3 ended by f9.` Models put it in bold, in lists, in code or over several lines.
import { idsFrom, type ModelAnswer, type Witness, withoutParts } from "./read-answer.js";

const HEADING = /[ \t>*_#`|(["“-]{0,20}(?<![\p{L}\p{N}])checked[ \t_-]{1,3}facts(?![\p{L}\p{N}])/giu;
const ID = /(?<![\p{L}\p{N}])f\d/iu;
/** How a further line begins. */
const FURTHER =
  /^[\s>*_`|"'{[(-]*(?:f\d|(?:and|holds?|holding|held|true|valid|ended|stale|overturned|replaced|superseded|finished|noise)\b|$|[-:| ]+$)/i;
/** A tag of the host's, which ends the line. */
const TAG = /<\/[a-z]|<[a-z]{3,20}>/i;
/** What is read behind a heading: several times more than a line that names every candidate. */
const LINE_CHARACTERS = 10_000;
type Word = "hold" | "ended" | "noise";

const WORDS = new RegExp(
  [
    "(?<![\\p{L}\\p{N}])f0*(?<id>\\d{1,6})(?![\\p{L}\\p{N}])(?:\\s{0,3}(?:-|–|—|\\.{2,3}|…|to)\\s{0,3}f0*(?<to>\\d{1,6})(?![\\p{L}\\p{N}]))?(?<mark>[\\s*_`]{0,3}[!！])?",
    "(?<![\\p{L}\\p{N}])(?<message>m\\d{1,9})(?![\\p{L}\\p{N}])",
    '["“”„«»](?<quote>[^"“”„«»\\n]{8,500})["“”„«»]',
    "\\b(?<not>not|no longer|never|neither|(?:do|does|is|are)n['’]t)\\b",
    "\\b(?<hold>holds?|holding|held|true|valid)\\b",
    "\\b(?<ended>ended|stale|overturned|replaced|superseded|finished|obsolete|outdated)\\b",
    "\\b(?<noise>noise)\\b",
    "(?<by>\\b(?:by|in|at|with)\\b|->|→|←|<|＜|[:：=(])",
    "(?<end>[;；]|[.。](?=\\s|$))",
    "(?<break>\\n)",
    "(?<![\\p{L}\\p{N}.])#?(?<number>\\d{1,4})(?![\\p{L}\\p{N}])",
  ].join("|"),
  "giu",
);

type Place = { readonly start: number; readonly end: number; readonly body: string };

/** What the last line says that names a candidate; undefined without one. */
export function readLine(text: string, isOffered: (id: string) => boolean): ModelAnswer | undefined {
  const read = placesIn(text).map((place) => ({ ...verdictsIn(place.body), closed: isClosed(text, place) }));
  return read.findLast(({ holds, stale, noise }) => [...holds.keys(), ...stale.keys(), ...noise].some(isOffered));
}

export function withoutLine(text: string): string {
  const places = placesIn(text).filter(({ body }) => ID.test(body));
  return places.length === 0 ? text : withoutParts(text, places);
}

/** An answer may be cut off anywhere, so something must show that the line is complete. */
const isClosed = (text: string, { body, end }: Place) => /[.。)*`_|\]}][\s*`_)]*$/.test(body) || text.slice(end).trim() !== "";

function placesIn(text: string): readonly Place[] {
  const headings = [...text.matchAll(HEADING)];
  return headings.map(({ 0: heading, index: start }, place) => {
    const from = start + heading.length;
    const [rest = ""] = text
      .slice(from, Math.min(from + LINE_CHARACTERS, headings[place + 1]?.index ?? text.length))
      .split(TAG, 1);
    const body = rest.slice(0, lengthOf(rest));
    const [marks = ""] = /^[ \t*_`)"”|\]}]*/.exec(rest.slice(body.length)) ?? [];
    return { start, end: from + body.length + marks.length, body: body + marks };
  });
}

/** How far the first line goes on, and further lines. The last one ends where its sentences name no id. */
function lengthOf(rest: string): number {
  let length = 0;
  let passed = 0;
  for (const [index, line] of rest.split(/(?<=\n)/).entries()) {
    if (index > 0 && !FURTHER.test(line)) break;
    const sentences = line.split(/(?<=[.。][*_`)]{0,4}[ \t])/);
    const last = sentences.findLastIndex((one) => ID.test(one) || (length > 0 && /^\s*hold/i.test(one)));
    if (last >= 0) length = passed + sentences.slice(0, last + 1).join("").length;
    passed += line.length;
  }
  return length;
}

/** Ids wait for the word that says what is with them. Behind a word that comes first, ids follow. */
function verdictsIn(body: string): Omit<ModelAnswer, "closed"> {
  const holds = new Map<string, undefined>();
  const marked = new Set<string>();
  const stale = new Map<string, Witness | undefined>();
  const noise = new Set<string>();
  let waiting: string[] = [];
  let ended: string[] = [];
  let first: Word | undefined;
  let isStart = true;
  let isBy = false;
  let hasVerdict = false;
  let isDenied = false;
  let clear = true;

  const put = (ids: readonly string[], word: Word) => {
    for (const id of ids) {
      if (word === "hold") holds.set(id, undefined);
      else if (word === "noise") noise.add(id);
      else if (!stale.has(id)) stale.set(id, undefined);
    }
  };
  const endClause = () => {
    // A list without any word is of those that hold.
    if (waiting.length > 0 && !hasVerdict && first === undefined) put(waiting, "hold");
    else if (waiting.length > 0) clear = false;
    [waiting, ended, first, isBy, isDenied, isStart] = [[], [], undefined, false, false, true];
  };
  const onId = (ids: readonly string[]) => {
    const [id = ""] = ids;
    if (isBy && ended.length > 0) witness({ id });
    else if (first === "hold" || first === "noise") put(ids, first);
    else waiting.push(...ids);
  };
  const witness = (given: Witness) => {
    if (isBy) for (const one of ended) stale.set(one, given);
    if (isBy) [ended, isBy] = [[], false];
  };
  const onWord = (given: Word, isHeading: boolean) => {
    const word = given === "hold" && isDenied ? "ended" : given;
    if (waiting.length > 0) {
      put(waiting, word);
      if (word === "ended") ended = waiting;
      [waiting, hasVerdict, isBy, first] = [[], true, false, undefined];
    } else if (isStart || isHeading) first = word;
    else if (word !== "hold" && ended.length === 0) first = word;
    isDenied = false;
  };

  const found = [...body.matchAll(WORDS)];
  for (const [index, { 0: text, index: at, groups = {} }] of found.entries()) {
    const { id, to = id, mark, message, quote } = groups;
    if (id !== undefined) {
      // The last id may be cut off.
      if (index === found.length - 1 && at + text.length === body.length && !mark) break;
      const ids = idsFrom(Number(id), Number(to));
      if (mark) for (const one of ids) marked.add(one);
      onId(ids);
    } else if (message !== undefined) witness({ message: message.toLowerCase() });
    else if (quote !== undefined) {
      if (isBy && ended.length > 0) witness({ quote });
      else if (ID.test(quote)) onId([...quote.matchAll(/f0*(\d{1,6})/gi)].map(([, number]) => `f${number}`));
    } else if (groups.not) isDenied = true;
    else if (groups.hold || groups.ended || groups.noise) {
      const word = groups.hold ? "hold" : groups.ended ? "ended" : "noise";
      onWord(word, /^["'*_`]{0,4}\s{0,3}[:：=]/.test(body.slice(at + text.length)));
    } else if (groups.by) {
      // An arrow says that the fact before it ended.
      const over = first === "ended" ? waiting : /[<＜←→>]/.test(text) ? waiting.slice(-1) : [];
      if (over.length > 0) {
        put(over, "ended");
        [ended, waiting] = [over, waiting.slice(0, -over.length)];
      }
      isBy = ended.length > 0;
    } else if (groups.end) endClause();
    else if (groups.break) [isStart, isBy] = [true, false];
    else if (groups.number) clear = false;
    if (!groups.break && !groups.end && !groups.by) isStart = false;
  }
  endClause();
  return { holds, marked, stale, noise, quotes: [], unread: 0, clear };
}
