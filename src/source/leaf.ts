// A paragraph, heading or cell as segments: its sentences, and the links in it.
import type { NodeType, Segment } from "../model.js";
import type { Block } from "./blocks.js";
import { type Row, readInline } from "./simple-inline.js";
import { type Context, type Cutting, oneLine, toSegments } from "./visible.js";

/** Adds what its rows say to the segments; answers its words, or nothing where only the parser can tell. */
export function readLeaf(
  text: string,
  rows: readonly Row[],
  node: NodeType,
  context: Context,
  { cutting, defined, segments }: { readonly cutting: Cutting; readonly defined: boolean; readonly segments: Segment[] },
): string | undefined {
  const inline = readInline(text, rows, defined);
  if (!inline) return undefined;
  const sentences = toSegments(oneLine(inline.visible), node, context, cutting);
  const start = (rows[0] as Block).start;
  const end = (rows.at(-1) as Block).end;
  for (const [index, sentence] of sentences.entries()) {
    if (index === 0) sentence.start = Math.min(sentence.start, start);
    if (index === sentences.length - 1) sentence.end = Math.max(sentence.end, end);
    segments.push(sentence);
  }
  for (const { name, start: from, end: to } of inline.links)
    segments.push({
      node: "link",
      text: name,
      runs: [{ at: 0, source: from + 2 }],
      start: from,
      end: to,
      headings: context.headings,
      question: false,
    });
  return inline.plain;
}
