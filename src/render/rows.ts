// Cells of a table tell what they say only beside the others of their row.
import { ROW_CHARACTERS } from "../limits.js";
import type { Statement } from "../model.js";

/** A short row is one statement, which weighs what its heaviest cell weighs; the cells of a long one stand by themselves. */
export function joinRows(statements: readonly Statement[]): readonly Statement[] {
  const joined: Statement[] = [];
  for (const one of statements) {
    const last = joined.at(-1);
    if (last && isBeside(last, one)) joined[joined.length - 1] = beside(last, one);
    else joined.push(one);
  }
  return joined;
}

const isBeside = (last: Statement, { row, source, tool, text }: Statement) =>
  row !== undefined &&
  row === last.row &&
  source === last.source &&
  tool === last.tool &&
  last.text.length + text.length <= ROW_CHARACTERS;

const beside = (last: Statement, next: Statement): Statement => ({
  ...last,
  text: `${last.text} | ${next.text}`,
  end: next.end,
  salience: Math.max(last.salience, next.salience),
  kinds: [...new Set([...last.kinds, ...next.kinds])],
});
