// Classifies characters. Regular expressions with Unicode classes are slow to start, so each character is classified once.

// The sort of a character: blank, mark, digit or underscore, lower-case or capital letter. Outside ASCII, capitals count as
// SMALL, and combining characters have a sort of their own.
export const BLANK = 1;
export const MARK = 2;
export const DIGIT = 3;
export const SMALL = 4;
export const CAPITAL = 5;
const COMBINING = 6;
// Scripts written without blanks: each letter is a word, so a phrase matches inside a run.
export const UNSPACED = 7;
const UNSPACED_COMBINING = 8;
const UNSPACED_MARK = 9;
export const SORTS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/\s/.test(character)) return BLANK;
  if (/[a-z]/.test(character)) return SMALL;
  if (/[A-Z]/.test(character)) return CAPITAL;
  return /\w/.test(character) ? DIGIT : MARK;
});
/** True for letters of any script, digits, underscores, and the characters that combine with them. */
export const isWordly = (sort: number) => sort >= DIGIT && sort < UNSPACED_MARK;
export const isInWord = (sort: number) => sort >= DIGIT && sort < UNSPACED;
export const isLetter = (sort: number) => sort >= SMALL && sort < UNSPACED;
export const isCombining = (sort: number) => sort === COMBINING || sort === UNSPACED_COMBINING;

/** Cache for characters outside ASCII; 0 means not yet classified. */
const known = new Uint8Array(0x110000);

export function sortOf(code: number): number {
  if (code < 128) return SORTS[code] as number;
  if (known[code] === 0) known[code] = findSort(code);
  return known[code] as number;
}

function findSort(code: number): number {
  const character = String.fromCodePoint(code);
  if (/\s/.test(character)) return BLANK;
  const inWord = /[\p{L}\p{M}\p{N}]/u.test(character);
  // These scripts start with Thai, and none lies between General Punctuation and the first Han block.
  const spaced = code < 0xe00 || (code >= 0x2000 && code < 0x2e80);
  if (!spaced && /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u.test(character))
    return !inWord ? UNSPACED_MARK : /\p{M}/u.test(character) ? UNSPACED_COMBINING : UNSPACED;
  if (!inWord) return MARK;
  if (/\p{N}/u.test(character)) return DIGIT;
  return /\p{M}/u.test(character) ? COMBINING : SMALL;
}

/** Returns the end of the run of matching characters that starts at `from`. */
export function behindRun(text: string, from: number, belongs: (sort: number) => boolean): number {
  let at = from;
  while (at < text.length) {
    const code = text.codePointAt(at) as number;
    if (!belongs(sortOf(code))) break;
    at += code > 0xffff ? 2 : 1;
  }
  return at;
}

/** Splits a text into runs of matching characters. A single joiner between two runs joins them. */
export function runsOf(text: string, belongs: (sort: number) => boolean, joiners: string): readonly string[] {
  const runs: string[] = [];
  const isBegun = (at: number) => at < text.length && belongs(sortOf(text.codePointAt(at) as number));
  for (let at = 0; at < text.length; ) {
    let end = behindRun(text, at, belongs);
    if (end === at) {
      at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1;
      continue;
    }
    while (end < text.length && joiners.includes(text[end] as string) && isBegun(end + 1))
      end = behindRun(text, end + 1, belongs);
    runs.push(text.slice(at, end));
    at = end;
  }
  return runs;
}

// Patterns for letters and digits of any script. Unicode classes take milliseconds to compile, and most texts do not need them.

/** A character outside ASCII, except marks, arrows, symbols, icons and emoji. */
const FOREIGN =
  /[^\0-\x7f\xa0-\xa9\xab-\xb1\xb7\xbb\xd7\u2010-\u205e\u2190-\u245f\u2500-\u2775\u2794-\u2bff\ud83c-\ud83e\udc00-\udfff\ue000-\uf8ff]|\ud83c[\udd00-\udd0c]|\ud83e[\udff0-\udff9]/;

/** Are all letters and digits of a text ASCII? */
export const isSimple = (text: string): boolean => !FOREIGN.test(text);

const IN_ASCII: Readonly<Record<string, string>> = { L: "A-Za-z", Ll: "a-z", Lu: "A-Z", N: "0-9" };

/** Returns the pattern to use for a text: with Unicode classes only if the text needs them.
 * @param source with Unicode classes inside brackets: `[\p{L}_]` */
export function lettersPattern(source: string, flags = ""): (text: string) => RegExp {
  const simple = new RegExp(
    source.replace(/\\p\{(\w+)\}/g, (_, name: string) => IN_ASCII[name] ?? ""),
    flags,
  );
  let any: RegExp | undefined;
  return (text) => {
    if (isSimple(text)) return simple;
    any ??= new RegExp(source, `${flags}u`);
    return any;
  };
}
