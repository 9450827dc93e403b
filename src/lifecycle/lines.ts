// How many lines must be put in and taken out to make one text of another (Myers 1986, the length only).
import { DIFFERENCE_LINES } from "../limits.js";

export interface LineCounts {
  readonly additions: number;
  readonly deletions: number;
}

export function countLines(before: string, after: string): LineCounts {
  const [old, young] = withoutCommonEnds(linesOf(before), linesOf(after));
  const edits = shortestEdit(old, young);
  // Beyond the bound every line between the common ends counts as replaced.
  if (edits === undefined) return { additions: young.length, deletions: old.length };
  const deletions = (edits + old.length - young.length) / 2;
  return { additions: edits - deletions, deletions };
}

function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

type Lines = readonly string[];

function withoutCommonEnds(a: Lines, b: Lines): readonly [Lines, Lines] {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start++;
  let end = 0;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)];
}

/** Lines to take out and put in altogether; undefined beyond the bound. */
function shortestEdit(a: Lines, b: Lines): number | undefined {
  const bound = Math.min(a.length + b.length, DIFFERENCE_LINES);
  // For each diagonal, how far into `a` so many edits lead.
  const reach = new Int32Array(2 * bound + 3);
  const middle = bound + 1;
  const at = (diagonal: number) => reach[middle + diagonal] as number;
  for (let edits = 0; edits <= bound; edits++) {
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const down = diagonal === -edits || (diagonal !== edits && at(diagonal - 1) < at(diagonal + 1));
      let x = down ? at(diagonal + 1) : at(diagonal - 1) + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++;
      reach[middle + diagonal] = x;
      if (x >= a.length && x - diagonal >= b.length) return edits;
    }
  }
  return undefined;
}
