// Reads a block line by line where the parser must not: less exact, but linear whatever the text.
import type { Segment } from "../model.js";
import { type Block, containers, lines } from "./blocks.js";
import type { Context } from "./visible.js";
import { toSegments } from "./visible.js";

const LINK = /\[\[([^[\]\n\r]{1,200})\]\]/g;

export function scanBlock(
  text: string,
  block: Block,
  headings: readonly string[],
  abbreviations: readonly string[],
): readonly Segment[] {
  const segments: Segment[] = [];
  const context: Context = { headings };
  let fence: string | undefined;
  for (const line of lines(text, block.start, block.end)) {
    const { markers, content } = containers(text, line.start, line.end);
    const mark = /^(`{3,}|~{3,})/.exec(text.slice(content, Math.min(line.end, content + 80)))?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined;
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      continue;
    }
    const heading = /^#{1,6}\s+/.exec(text.slice(content, Math.min(line.end, content + 80)))?.[0];
    const start = content + (heading?.length ?? 0);
    const prose = text.slice(start, line.end);
    if (!/[\p{L}\p{N}]/u.test(prose)) continue;
    const quoted = text.slice(line.start, content).includes(">");
    const node = heading ? "heading" : quoted ? "quote" : markers > 0 ? "item" : "sentence";
    segments.push(...toSegments({ text: prose, runs: [{ at: 0, source: start }] }, node, context, abbreviations));
    for (const link of prose.matchAll(LINK)) {
      const from = start + link.index;
      const target = (link[1] as string).split("|")[0] as string;
      const runs = [{ at: 0, source: from + 2 }];
      segments.push({ node: "link", text: target, runs, start: from, end: from + link[0].length, headings, question: false });
    }
  }
  return segments;
}
