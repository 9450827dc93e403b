// Splits visible text into sentences. The packs list the abbreviations whose full stops do not end a sentence.

/** Longest distance to the third number in a list on one line: such lists have short answers, not prose. */
const COUNTED_CHARACTERS = 240;

/** Characters around a full stop that are searched for quotation marks. Quotes are not longer. */
const QUOTED_CHARACTERS = 240;

export type SentenceStretch = { readonly start: number; readonly end: number };

const STOPS = ".!?…";
// Full-width stops need no blank after them.
const WIDE_STOPS = "。！？";
const CLOSERS = "\"'”’)]*_`」』）";

/** An ellipsis, after which a sentence can continue in lower case. */
const PAUSE = /^(?:\.{2,}|…+)$/;
const GOES_ON = /^\s+[\p{Ll}\p{N}]/u;

export function splitSentences(text: string, abbreviations: readonly string[], longest: number): readonly SentenceStretch[] {
  const found: SentenceStretch[] = [];
  let start = 0;
  let count = 1;
  const add = (end: number) => {
    addPieces(found, text, start, end, longest);
    start = end;
  };
  for (let at = nextStop(text, 0); at < text.length; at = nextStop(text, at + 1)) {
    const mark = text[at] as string;
    // The line ends that are left in the text are real breaks.
    if (mark === "\n") {
      add(at);
      continue;
    }
    const wide = WIDE_STOPS.includes(mark);
    const stop = at;
    while (at < text.length && (STOPS.includes(text[at] as string) || WIDE_STOPS.includes(text[at] as string))) at++;
    // Not "(a, ...)", where dots mean that something is left out.
    const pauses = PAUSE.test(text.slice(stop, at)) && !CLOSERS.includes(text[at] ?? " ");
    const close = at;
    while (at < text.length && CLOSERS.includes(text[at] as string)) at++;
    const ends = wide || at === text.length || /\s/.test(text[at] as string);
    const goesOn = () => (pauses || at > close) && GOES_ON.test(text.slice(at, at + 8));
    const isIn = () => goesOn() || (mark === "." && !pauses && isInside(text, start, stop, abbreviations));
    const counted = mark === "." && ends && at === stop + 1 ? countedFrom(text, start, stop, count) : undefined;
    if (counted !== undefined) {
      add(counted);
      count++;
    } else if (ends && !isIn() && (wide || !isQuoted(text, start, at))) add(at);
    at--;
  }
  add(text.length);
  return found;
}

const STOP = /[.!?…。！？\n]/g;

function nextStop(text: string, from: number): number {
  STOP.lastIndex = from;
  return STOP.exec(text)?.index ?? text.length;
}

const QUOTES = ['""', "“”", "``"];

/** Is the position inside quotation marks or code that closes soon? A quote stays with the sentence around it. */
function isQuoted(text: string, start: number, at: number): boolean {
  if (at - start > QUOTED_CHARACTERS) return false;
  const before = text.slice(start, at);
  return QUOTES.some(([open = "", close = ""]) => {
    const isOpen = open === close ? before.split(open).length % 2 === 0 : before.lastIndexOf(open) > before.lastIndexOf(close);
    return isOpen && text.slice(at, at + QUOTED_CHARACTERS).includes(close);
  });
}

/** Is this full stop part of an abbreviation, or of a label that starts a sentence: a number or a capital letter? */
function isInside(text: string, start: number, stop: number, abbreviations: readonly string[]): boolean {
  const before = text.slice(Math.max(start, stop - 24), stop + 1);
  const word = /[^\s("'“[]*$/u.exec(before)?.[0].toLowerCase() ?? "";
  return (
    abbreviations.includes(word) ||
    abbreviations.some((one) => one.includes(" ") && isPartOf(one, text, stop)) ||
    (stop - start < 12 && /^\s*\(?(?:\d{1,3}|[A-H])$/.test(text.slice(start, stop)))
  );
}

/** The start of a list on one line: "1. yes 2. no". */
const COUNTS = /^\s*\(?1\s?[.):]/;
const THIRD = /^[^.!?]* 3\. /;

/** Start of the next number in a list on one line; the number belongs to the text after it. */
function countedFrom(text: string, start: number, stop: number, count: number): number | undefined {
  const number = String(count + 1);
  const from = stop - number.length;
  if (from <= start || !text.startsWith(number, from) || !/\s/.test(text[from - 1] as string)) return undefined;
  if (text.slice(start, from).trim() === "" || !/^\s+\S/.test(text.slice(stop + 1, stop + 8))) return undefined;
  // The first number may be a list marker, which is not in the text. Then a third number proves that it is a list.
  const counts = count > 1 || COUNTS.test(text) || THIRD.test(text.slice(stop + 1, stop + COUNTED_CHARACTERS));
  return counts ? from : undefined;
}

/** Is this full stop part of an abbreviation that contains blanks? */
function isPartOf(abbreviation: string, text: string, stop: number): boolean {
  for (let at = abbreviation.indexOf("."); at >= 0; at = abbreviation.indexOf(".", at + 1)) {
    const from = stop - at;
    const there = from < 0 ? "" : text.slice(from, from + abbreviation.length).toLowerCase();
    if (there.replace(/\s/g, " ") === abbreviation && !/[\p{L}\p{N}]/u.test(text[from - 1] ?? "")) return true;
  }
  return false;
}

/** Adds a stretch without surrounding blanks, cut into pieces if it is too long. */
function addPieces(found: SentenceStretch[], text: string, start: number, end: number, longest: number): void {
  let from = start;
  while (from < end && /\s/.test(text[from] as string)) from++;
  let to = end;
  while (to > from && /\s/.test(text[to - 1] as string)) to--;
  while (to - from > longest) {
    const blank = text.lastIndexOf(" ", from + longest);
    let cut = blank > from + longest / 2 ? blank : from + longest;
    if (/[\uDC00-\uDFFF]/.test(text[cut] as string)) cut--;
    found.push({ start: from, end: cut });
    from = cut;
    while (from < to && /\s/.test(text[from] as string)) from++;
  }
  if (to > from) found.push({ start: from, end: to });
}
