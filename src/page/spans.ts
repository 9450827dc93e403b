// Which words of which text are facts, for highlighting.
import type { Item } from "../model.js";

export type FactSpan = { readonly start: number; readonly end: number; readonly item: Item };

export type Spans = ReadonlyMap<string, readonly FactSpan[]>;

/** The name of a text: a message, or the output of one of its tool calls. */
export const textKey = (source: string, tool?: number) => `${source}\n${tool ?? ""}`;

export function spansBySource(items: readonly Item[]): Spans {
  const spans = new Map<string, FactSpan[]>();
  for (const item of items)
    for (const { source, tool, input, start, end } of [item.evidence, ...item.also]) {
      // The page shows the input of a call in a form of its own.
      if (input !== undefined) continue;
      const key = textKey(source, tool);
      const list = spans.get(key) ?? [];
      if (list.length === 0) spans.set(key, list);
      list.push({ start, end, item });
    }
  for (const list of spans.values()) list.sort((a, b) => a.start - b.start);
  return spans;
}

/** A piece of text, with the facts that all of it belongs to: the shortest first. */
export type Piece = { readonly text: string; readonly start: number; readonly facts: readonly FactSpan[] };

/** Cuts a part of a text where facts begin and end. @param from where the part starts in the text */
export function piecesOf(part: string, from: number, spans: readonly FactSpan[]): readonly Piece[] {
  const to = from + part.length;
  const here = spans.filter(({ start, end }) => start < to && end > from);
  if (here.length === 0) return [{ text: part, start: from, facts: [] }];
  const inside = (at: number) => Math.min(to, Math.max(from, at));
  const cuts = [...new Set([from, to, ...here.flatMap(({ start, end }) => [inside(start), inside(end)])])].sort((a, b) => a - b);
  return cuts.slice(0, -1).map((start, index) => {
    const end = cuts[index + 1] as number;
    const facts = here.filter((one) => one.start <= start && one.end >= end);
    facts.sort((a, b) => a.end - a.start - (b.end - b.start));
    return { text: part.slice(start - from, end - from), start, facts };
  });
}
