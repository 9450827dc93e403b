// Removes colours and hidden characters from a text, and replaces escaped marks with plain ones. Every offset in the result
// can be mapped back to the given text.

import { countBefore } from "../../text/lists.js";

export type Span = { readonly start: number; readonly end: number };

export interface Unveiled {
  readonly text: string;
  /** The place of a span in the text that was given. */
  readonly origin: (span: Span) => Span;
}

// Runs of backslashes are bounded: a longer run would be tried again from each of its characters.
// A colour of a terminal: as it is, as programs write its first character, or without that character.
const ESCAPE = "(?:\\x1b|\\\\{1,8}(?:u001[bB]|x1[bB]|0?33|e)|\\^\\[)";
const COLOURS = `${ESCAPE}\\[[0-?]{0,40}[ -/]{0,4}[@-~]|\\x1b\\][^\\x07\\x1b]{0,2000}(?:\\x07|\\x1b\\\\)|\\x1b[@-Z\\\\^_=>]|\\x9b[0-?]{0,40}[@-~]|\\[(?:[0-9]{1,3};){0,8}[0-9]{1,3}m`;
const HIDDEN =
  "[\\x00-\\x08\\x0e-\\x1f\\x7f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb]|\\udb40[\\udc00-\\udfff]";
/** Marks between a name and its value, as they are written in a string, in an address and in HTML. */
const MARKS =
  "\\\\{1,8}[nrt\"']|\\\\u00(?:2[267]|3[acdeACDE])|%(?:2[27]|3[aAdD]|5[fF])|&(?:quot|apos|#0{0,4}(?:3[2-9]|[4-9][0-9]|1[01][0-9]|12[0-6])|#[xX]0{0,4}(?:[2-6][0-9a-fA-F]|7[0-9a-eA-E]));";
const SPACES = "[\\xa0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000]";
const BREAKS = "[\\x85\\u2028\\u2029]";
const WIDE = "[\\uff01-\\uff5e]";
const BARS = "[\\u2502\\u2503\\u2551]";
/** A shell joins the lines around it, also where it is written in a string. Behind a blank, it parts words. */
const JOINED = "(?<=[^\\s\\\\])(?:\\\\\\r?\\n|\\\\{3,8}n)[ \\t]{0,40}(?=[A-Za-z0-9])";
/** Letters of mathematics and in circles. */
const STYLED = "\\ud835[\\udc00-\\udfff]|[\\u24b6-\\u24e9]";
const VEILED = new RegExp(
  `${JOINED}|(${MARKS})|(${SPACES})|(${WIDE})|(${BARS})|(${BREAKS})|(${STYLED})|${COLOURS}|${HIDDEN}`,
  "g",
);

const NAMED: Readonly<Record<string, string>> = { n: "\n", r: "\n", t: "\t", '"': '"', "'": "'", "&quot;": '"', "&apos;": "'" };
const toMark = (written: string) =>
  NAMED[written.replace(/^\\+/, "")] ??
  (/^&#[0-9]/.test(written)
    ? String.fromCharCode(Number(written.slice(2, -1)))
    : String.fromCharCode(Number.parseInt(written.replace(/[^0-9a-f]/gi, "").slice(-2), 16)));
/** How far wide forms of ASCII are from it. */
const WIDTH = 0xff01 - 0x21;

/** Letters of other scripts that look like those of ASCII, each above the one that it looks like. */
const ALIKE = "АВЕЅІЈКМНОРСТХУаеѕіјкорсхуԁһԛԝմոցΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορτυ";
const MEANT = "ABESIJKMHOPCTXYaesijkopcxydhqwunqABEZHIKMNOPTYXaikvoptu";
const OTHER = new RegExp(`[${ALIKE}]`);
const WORD = new RegExp(`[A-Za-z0-9_${ALIKE}]+`, "g");
/** In a word that mixes scripts, the letters are meant that they look like. A word of another script stays. */
const inOneScript = (text: string) =>
  OTHER.test(text)
    ? text.replace(WORD, (word) =>
        /[A-Za-z]/.test(word) ? word.replace(/[^\0-\x7f]/g, (letter) => MEANT[ALIKE.indexOf(letter)] as string) : word,
      )
    : text;

export function unveil(written: string): Unveiled {
  const given = inOneScript(written);
  /** What was replaced: where the replacement stands, whether it is a character, and where it comes from. */
  const places: { readonly at: number; readonly made: number; readonly start: number; readonly end: number }[] = [];
  let removed = 0;
  const text = given.replace(
    VEILED,
    (
      part: string,
      mark?: string,
      space?: string,
      wide?: string,
      bar?: string,
      line?: string,
      styled?: string,
      start?: number,
    ) => {
      const made = mark
        ? toMark(mark)
        : space
          ? " "
          : bar
            ? "|"
            : line
              ? "\n"
              : wide
                ? String.fromCharCode(wide.charCodeAt(0) - WIDTH)
                : (styled?.normalize("NFKC") ?? "");
      const from = start as number;
      places.push({ at: from - removed, made: made.length, start: from, end: from + part.length });
      removed += part.length - made.length;
      return made;
    },
  );
  if (places.length === 0) return { text: given, origin: (span) => span };
  /** The place of one character. */
  const spanAt = (index: number): Span => {
    const before = places[countBefore(places, ({ at }) => at <= index) - 1];
    if (!before) return { start: index, end: index + 1 };
    if (before.at === index && before.made > 0) return before;
    const start = before.end + index - before.at - before.made;
    return { start, end: start + 1 };
  };
  return {
    text,
    origin: ({ start, end }) => ({ start: spanAt(start).start, end: end > start ? spanAt(end - 1).end : spanAt(start).start }),
  };
}
