// Finds words that a model copied from a text. White space, Markdown emphasis and the form of quotation marks may differ; every
// word and every other character must be there.

/** Characters that a copy may leave out. */
const LEFT_OUT = /[*`\u00AD\u200B-\u200F\u2060-\u2064\uFEFF]/;
const FORMS: ReadonlyMap<string, string> = new Map([
  ["“", '"'],
  ["”", '"'],
  ["„", '"'],
  ["‘", "'"],
  ["’", "'"],
  ["…", "..."],
]);
/** Places in a text at which a quote is tried. */
const TRIES = 100;

export interface Folded {
  readonly text: string;
  /** For each character, where it is in the original. */
  readonly at: readonly number[];
}

export function foldText(given: string): Folded {
  const folded: string[] = [];
  const at: number[] = [];
  for (let index = 0; index < given.length; index++) {
    const character = given[index] as string;
    if (LEFT_OUT.test(character)) continue;
    const isBlank = /\s/.test(character);
    if (isBlank && (folded.length === 0 || folded.at(-1) === " ")) continue;
    for (const one of isBlank ? " " : (FORMS.get(character) ?? character)) {
      folded.push(one);
      at.push(index);
    }
  }
  return { text: folded.join(""), at };
}

/** The place of a quote in a text; the last one if there are several. It begins and ends with whole words. */
export function findQuote(quote: string, { text, at }: Folded): { readonly start: number; readonly end: number } | undefined {
  const wanted = foldText(quote)
    .text.replace(/\.\.\.\s?$/, "")
    .trimEnd();
  if (wanted === "") return undefined;
  let from = text.length;
  for (let tries = 0; tries < TRIES && from > 0; tries++) {
    from = text.lastIndexOf(wanted, from - 1);
    if (from < 0) return undefined;
    const last = from + wanted.length - 1;
    if (!isInWord(text, from) && !isInWord(text, last + 1)) return { start: at[from] as number, end: (at[last] as number) + 1 };
  }
  return undefined;
}

const LETTER = /[\p{L}\p{N}_]/u;
/** Is the position between two letters of a word? */
const isInWord = (text: string, position: number) => LETTER.test(text[position - 1] ?? "") && LETTER.test(text[position] ?? "");
