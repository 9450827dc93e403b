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

interface Folded {
  readonly text: string;
  /** For each character, where it is in the original. */
  readonly at: readonly number[];
}

function foldText(given: string): Folded {
  let text = "";
  const at: number[] = [];
  for (let index = 0; index < given.length; index++) {
    const character = given[index] as string;
    if (LEFT_OUT.test(character)) continue;
    const folded = /\s/.test(character) ? (text === "" || text.endsWith(" ") ? "" : " ") : (FORMS.get(character) ?? character);
    for (const one of folded) {
      text += one;
      at.push(index);
    }
  }
  return { text, at };
}

/** The place of a quote in a text; the last one if there are several. It ends and begins with whole words. */
export function findQuote(quote: string, text: string): { readonly start: number; readonly end: number } | undefined {
  const wanted = foldText(quote)
    .text.trim()
    .replace(/(?:\.\.\.)$/, "")
    .trimEnd();
  const { text: folded, at } = foldText(text);
  if (wanted === "") return undefined;
  for (let from = folded.lastIndexOf(wanted); from >= 0; from = from === 0 ? -1 : folded.lastIndexOf(wanted, from - 1)) {
    const last = from + wanted.length - 1;
    if (isInWord(folded, from) || isInWord(folded, last + 1)) continue;
    return { start: at[from] as number, end: (at[last] as number) + 1 };
  }
  return undefined;
}

const LETTER = /[\p{L}\p{N}_]/u;
/** Is the position between two letters of a word? */
const isInWord = (text: string, position: number) => LETTER.test(text[position - 1] ?? "") && LETTER.test(text[position] ?? "");
