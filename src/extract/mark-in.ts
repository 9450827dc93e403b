// Texts of the packs' data by which a place in a tool's output is known.

/** Start and end in the output. */
export type Span = readonly [number, number];

/** Where the first of the marks begins and ends. */
export function markIn(output: string, [start, end]: Span, marks: readonly string[]): Span | undefined {
  const text = output.slice(start, end).toLowerCase();
  const found = marks
    .map((mark) => [text.indexOf(mark.toLowerCase()), mark.length] as const)
    .filter(([at]) => at >= 0)
    .sort(([a], [b]) => a - b)[0];
  return found && [start + found[0], start + found[0] + found[1]];
}
