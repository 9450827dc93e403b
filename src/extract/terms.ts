// The terms of a text by which another text is known to be about the same thing.

/** Letters by which a word is known again in another form. */
const STEM_LETTERS = 6;
const LEAST_LETTERS = 3;
const PIECE = /[\p{Lu}]?[\p{Ll}\p{M}]+|[\p{Lu}]+(?![\p{Ll}])|[\p{Lo}]|\p{N}+/gu;
const NAME = /[\p{L}\p{N}_]+(?:[-.][\p{L}\p{N}_]+)*/gu;

/** Words by their first letters; names whole and in their parts. */
export function termsOf(text: string): ReadonlySet<string> {
  const terms = new Set<string>();
  for (const [name] of text.matchAll(NAME)) {
    const pieces = name.match(PIECE) ?? [];
    if (pieces.length > 1) terms.add(name.toLowerCase());
    for (const piece of pieces)
      if (piece.length >= LEAST_LETTERS || /\p{Lo}|\p{N}/u.test(piece)) terms.add(piece.toLowerCase().slice(0, STEM_LETTERS));
  }
  return terms;
}
