// Suggests the known word that a misspelled word probably means.

/** Known names that are compared with a misspelled one. Each comparison goes letter by letter, so the number is limited. */
const SUGGESTED_FROM = 2_000;

/** Letters from which on the beginning of a word names it. */
const BEGINNING = 3;

/** Returns the nearest known word, if the given one is its beginning, or near enough to be a typo. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const list = [...known];
  const begun = word.length < BEGINNING ? [] : list.filter((one) => one.toLowerCase().startsWith(word.toLowerCase()));
  if (begun.length > 0) return begun.reduce((best, one) => (one.length < best.length ? one : best));
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of list) {
    const far = distance(word.toLowerCase(), candidate.toLowerCase(), least);
    if (far < least) {
      least = far;
      best = candidate;
    }
  }
  return best;
}

export function didYouMean(word: string, known: Iterable<string>): string | undefined {
  const list = [...known];
  const near = nearest(word, list.slice(0, SUGGESTED_FROM));
  if (near) return `did you mean "${near}"?`;
  return list.length > 0 && list.length <= 12 ? `one of: ${list.join(", ")}` : undefined;
}

/** Edit distance of two words; swapped neighbours count as one edit. Stops at `limit`. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const above = rows[i - 1] as number[];
      let cost = Math.min(
        (above[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (above[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, ((rows[i - 2] as number[])[j - 2] as number) + 1);
      row.push(cost);
    }
    rows.push(row);
  }
  return (rows[a.length] as number[])[b.length] as number;
}
