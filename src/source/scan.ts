// Reads a block line by line where the parser must not: less exact, but linear whatever the text.
import { LEAD_CHARACTERS } from "../limits.js";
import type { Segment } from "../model.js";
import { type Block, containers, lines } from "./blocks.js";
import { type Context, type Cutting, toSegments } from "./visible.js";

const LINK = /\[\[([^[\]\n\r]{1,200})\]\]/g;

export function scanBlock(text: string, block: Block, headings: readonly string[], cutting: Cutting): readonly Segment[] {
  const segments: Segment[] = [];
  const context: Context = { headings };
  const rows = Array.from(lines(text, block.start, block.end), (line) => {
    const { markers, content } = containers(text, line.start, line.end);
    const lead = text.slice(content, Math.min(line.end, content + LEAD_CHARACTERS));
    return { line, markers, content, lead, fence: /^(`{3,}|~{3,})/.exec(lead)?.[1] };
  });
  // A fence that nothing closes hides nothing.
  const lastFence = rows.findLastIndex(({ fence }) => fence !== undefined);
  let open: string | undefined;
  for (const [index, { line, markers, content, lead, fence }] of rows.entries()) {
    if (open !== undefined || (fence !== undefined && index < lastFence)) {
      if (open === undefined) open = fence;
      else if (fence?.startsWith(open)) open = undefined;
      continue;
    }
    const heading = /^#{1,6}\s+/.exec(lead)?.[0];
    const start = content + (heading?.length ?? 0);
    const prose = text.slice(start, line.end);
    if (!/[\p{L}\p{N}]/u.test(prose)) continue;
    const quoted = text.slice(line.start, content).includes(">");
    const node = heading ? "heading" : quoted ? "quote" : markers > 0 ? "item" : "sentence";
    const visible = { text: prose, runs: [{ at: 0, source: start }] };
    for (const segment of toSegments(visible, node, context, cutting)) segments.push(segment);
    for (const link of prose.matchAll(LINK)) {
      const from = start + link.index;
      const target = (link[1] as string).split("|")[0] as string;
      const runs = [{ at: 0, source: from + 2 }];
      segments.push({ node: "link", text: target, runs, start: from, end: from + link[0].length, headings, question: false });
    }
  }
  return segments;
}
