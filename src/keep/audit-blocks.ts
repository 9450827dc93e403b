// The lines of a summary as blocks: a paragraph, an item, a heading; each with the lines it stands under.

export interface Block {
  readonly start: number;
  readonly end: number;
  readonly heading: boolean;
  /** The box of a task. */
  readonly task?: "open" | "done";
  /** A cross, or the box of what was given up, stands before it, or a cross behind it. */
  readonly crossed?: true;
  /** A line or item that only happens to stand over others, without a colon. */
  readonly loose?: true;
  /** The headings and introducing lines above it, nearest first. */
  readonly above?: Block;
}

const LEAD = /^(\s*)((?:>\s?)*(?:[-*+•]\s+|\d{1,3}[.)]\s+)?)(\[[ xX]\]\s+)?(#{1,6}\s+)?/;
const CROSS = /^\s*(?:\[[-~]\]\s|[❌✗✘✖🚫])|\s[❌✗✘✖🚫]\uFE0F?\s*$/u;
const UNDERLINE = /^\s*(?:={2,}|-{2,})\s*$/;
const COLON = /[:：]\**\s*$/;
const BOLD = /^\s*(?:\*\*|__)[^*_]+(?:\*\*|__)\s*:?\s*$/;

/** Under a heading stand headings of a lower level, bold lines, paragraphs, items. */
const LEVELS = 8;

interface Open {
  readonly block: Block;
  readonly depth: number;
}

export function toBlocks(text: string): readonly Block[] {
  const blocks: Block[] = [];
  const above: Open[] = [];
  let running = false;
  for (let at = 0; at < text.length; ) {
    const stop = text.indexOf("\n", at);
    const end = stop === -1 ? text.length : stop;
    const line = text.slice(at, end);
    const lead = LEAD.exec(line.slice(0, 200)) as RegExpExecArray;
    const [marks = "", blank = "", item = "", box = "", hashes = ""] = lead;
    const fence = /^\s*(?:```|~~~)/.test(line);
    if (line.trim() === "" || fence) running = false;
    else if (running && item === "" && hashes === "" && !line.trimStart().startsWith("|")) {
      // A line that goes on with the paragraph or item above, or makes a heading of it.
      const { loose, ...before } = blocks.pop() as Block;
      const underlined = UNDERLINE.test(line) && !text.slice(before.start, before.end).includes("\n");
      const stays = loose && !underlined && !COLON.test(line);
      const block: Block = { ...before, ...(underlined ? { heading: true } : { end }), ...(stays && { loose }) };
      blocks.push(block);
      const open = above.at(-1);
      if (open?.block.start === block.start) {
        above.pop();
        if (underlined) while (above.length > 0 && (above.at(-1) as Open).depth >= 2 - LEVELS) above.pop();
        above.push({ block, depth: underlined ? 2 - LEVELS : open.depth });
      }
      if (underlined) running = false;
    } else {
      const heading = hashes !== "" || (item === "" && BOLD.test(line));
      const depth = hashes !== "" ? hashes.trim().length - LEVELS : heading ? -1 : item === "" ? 0 : 1 + blank.length;
      const introduces = heading || COLON.test(line);
      const last = above.at(-1);
      // "Rejected:", and a paragraph behind it.
      const isLed = depth === 0 && !introduces && last?.depth === 0 && !last.block.loose && blocks.at(-1) === last.block;
      while (!isLed && above.length > 0 && (above.at(-1) as Open).depth >= depth) above.pop();
      const task = box === "" ? undefined : box.includes(" ]") ? "open" : "done";
      const parent = above.at(-1)?.block;
      const block: Block = {
        start: at + marks.length,
        end,
        heading,
        ...(task && { task }),
        ...(CROSS.test(line.slice(marks.length)) && { crossed: true }),
        ...(!introduces && { loose: true }),
        ...(parent && { above: parent }),
      };
      blocks.push(block);
      if (isLed) above.pop();
      above.push({ block, depth });
      running = !heading;
    }
    at = end + 1;
  }
  return blocks;
}
