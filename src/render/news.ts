// What a line tells: its telling words, and how much of them the reader of a summary knows already.
import { type IsPlain, topicOf } from "../text/topic.js";
import { fold } from "../text/words.js";

/** How telling a word is: a plain one, a name, or an id. */
export type Telling = "word" | "name" | "id" | "unit";

/** The telling words of a line. */
export type Terms = ReadonlyMap<string, Telling>;

/** A hash or a long number: nobody remembers it, and it cannot be guessed. */
const ID = /^(?=\D*\d)(?:[0-9a-f]{7,40}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{5,}|https?:\/\/\S*\d)$/;
/** What names lack: options of commands, addresses, numbers of issues. */
const MORE = /(?<![\w-])--?[a-z][\w-]*|https?:\/\/[^\s"'`<>()[\]{}\\,|*]+|#\d+\b/gi;

/** @param whole the text is one unit, such as a command: as a whole it is a word too */
export function termsOf(text: string, isPlain: IsPlain, whole = false): Terms {
  const { terms, names } = topicOf(text, isPlain);
  const telling = new Map<string, Telling>(terms.map((term) => [term, "word"]));
  // Folding would make a dash of every long option.
  const more = (text.match(MORE) ?? []).map((name) => name.toLowerCase());
  for (const name of [...names, ...more]) telling.set(name, ID.test(name) ? "id" : "name");
  if (whole) telling.set(`$ ${fold(text)}`, "unit");
  return telling;
}

/** What a reader knows. */
export interface Known {
  /** Where a word of the line is: in the place that is most like the line, elsewhere, or nowhere. */
  readonly whereIs: (terms: Terms) => (term: string) => "here" | "elsewhere" | undefined;
  /** Does the text have these words in a row? */
  readonly quotes: (text: string) => boolean;
  /** How much of a line one sentence has, from 0 to 1. */
  readonly shareOf: (terms: Terms) => number;
}

const wordsOf = (text: string) => ` ${fold(text).replace(/[`*_"'\\\s]+/g, " ")} `;

const NOWHERE = -2;
const worthOf = (telling: Telling) => (telling === "word" ? 1 : 2);

/** Reads a summary. A place is a sentence or a line with the next one. */
export function knownFrom(summary: string, isPlain: IsPlain): Known {
  const all = wordsOf(summary);
  const pieces = summary.split(/\n+|(?<=[.!?;]) /).map((piece) => termsOf(piece, isPlain));
  const index = new Map<string, number[]>();
  for (const [at, piece] of pieces.entries())
    for (const term of piece.keys()) {
      const places = index.get(term) ?? [];
      places.push(at);
      index.set(term, places);
    }
  const bestPlace = (terms: Terms): number => {
    const shared = new Map<number, number>();
    for (const [term, telling] of terms) {
      const places = index.get(term) ?? [];
      // A word that is everywhere does not tell one place from another.
      for (const at of places)
        for (const near of [at - 1, at]) shared.set(near, (shared.get(near) ?? 0) + worthOf(telling) / Math.sqrt(places.length));
    }
    let best = NOWHERE;
    let most = 0;
    for (const [at, worth] of shared) if (worth > most) [best, most] = [at, worth];
    return best;
  };
  const shareOf = (terms: Terms) => {
    const shared = new Uint32Array(pieces.length);
    let [whole, most] = [0, 0];
    for (const [term, telling] of terms) {
      const worth = worthOf(telling);
      whole += worth;
      for (const at of index.get(term) ?? []) {
        const sum = (shared[at] as number) + worth;
        shared[at] = sum;
        most = Math.max(most, sum);
      }
    }
    return whole === 0 ? 0 : most / whole;
  };
  const isIn = (term: string, at: number) => pieces[at]?.has(term) === true || pieces[at + 1]?.has(term) === true;
  return {
    shareOf,
    quotes: (text) => all.includes(wordsOf(text)) || summary.includes(text),
    whereIs(terms) {
      const best = bestPlace(terms);
      const rest = new Map([...terms].filter(([term]) => !isIn(term, best)));
      // A line of two sentences may be told in two places.
      const next = bestPlace(rest);
      return (term) =>
        isIn(term, best) || isIn(term, next) ? "here" : index.has(term) || isPartOf(term, all) ? "elsewhere" : undefined;
    },
  };
}

/** A name may be part of a longer one: a path of its file. */
const isPartOf = (term: string, text: string) => term.length > 3 && /[^\p{L}]/u.test(term) && text.includes(term);

/** Knows nothing: for a brief, which is read alone. */
export const NOTHING_KNOWN: Known = { quotes: () => false, whereIs: () => () => undefined, shareOf: () => 0 };
