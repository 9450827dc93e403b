// Reads the tables of a hand-off as lists, because people write the same fields in either form.
import type { Run, Segment } from "../../model.js";

/** A row is the item "first cell: second cell — third cell". Each cell of a single row is the item "title: cell". */
export function rowsToItems(segments: readonly Segment[], text: string): readonly Segment[] {
  return tablesOf(segments, text).flatMap((part) => {
    if (!Array.isArray(part)) return part;
    const [row = [], ...others] = part;
    if (others.length > 0) return part.map(joined);
    // With two cells, the first one may be the label of the other.
    return [...row.map(titled), ...(row.length === 2 ? [joined(row)] : [])];
  });
}

type Row = Segment[];

/** Each table with its rows, and the other segments as they are. */
function tablesOf(segments: readonly Segment[], text: string): readonly (Segment | Row[])[] {
  const parts: (Segment | Row[])[] = [];
  let before: Segment | undefined;
  for (const segment of segments) {
    if (segment.node !== "cell") {
      parts.push(segment);
      // A link in a cell does not end its row.
      if (segment.node !== "link") before = undefined;
      continue;
    }
    // Between the rows of two tables there are more lines.
    const lines = before ? text.slice(before.end, segment.start).split("\n").length : 0;
    const table = parts.findLast((part) => Array.isArray(part)) as Row[] | undefined;
    if (table && lines === 1) table.at(-1)?.push(segment);
    else if (table && lines === 2) table.push([segment]);
    else parts.push([[segment]]);
    before = segment;
  }
  return parts;
}

/** A number before the first words of a row only counts the rows. */
function joined(row: Row): Segment {
  const first = Math.max(
    0,
    row.findIndex(({ text }) => !/^[\d#.)]+$/.test(text)),
  );
  const [head, ...others] = row.slice(first) as [Segment, ...Segment[]];
  let { text } = head;
  const runs: Run[] = [...head.runs];
  for (const [index, cell] of others.entries()) {
    text += index === 0 ? ": " : " — ";
    runs.push(...cell.runs.map(({ at, source }) => ({ at: text.length + at, source })));
    text += cell.text;
  }
  const { lead: _, ...cell } = head;
  return { ...cell, node: "item", text, runs, end: (others.at(-1) ?? head).end };
}

function titled(cell: Segment): Segment {
  const title = cell.lead ? `${cell.lead}: ` : "";
  // The title is elsewhere, so it counts as the place of the cell.
  const runs = [{ at: 0, source: cell.start }, ...cell.runs.map(({ at, source }) => ({ at: at + title.length, source }))];
  return { ...cell, node: "item", text: title + cell.text, runs };
}
