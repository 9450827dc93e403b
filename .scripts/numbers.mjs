// How the scripts that measure sum up and print numbers.

/** Two digits behind the point: .25 for a quarter. */
export const two = (number) => number?.toFixed(2).replace(/^0/, "") ?? "–";
export const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;
/** @param of the number of an entry, if the entries are no numbers */
export const mean = (list, of = (one) => one) => list.reduce((sum, one) => sum + of(one), 0) / Math.max(1, list.length);
