// Splits a summary into blocks: paragraphs, items and headings, each with the lines above that cover it.

export interface SummaryBlock {
  readonly start: number;
  readonly end: number;
  readonly heading: boolean;
  /** The checkbox of a task. */
  readonly task?: "open" | "done";
  /** It has a cross before or after it, or the checkbox of an abandoned task. */
  readonly crossed?: true;
  /** A line or item above others that is not a heading and does not end with a colon. */
  readonly loose?: true;
  /** The nearest block that covers this one: a heading, a lead-in or a line above. */
  readonly above?: SummaryBlock;
}

const LEAD = /^(\s*)((?:>\s?)*(?:[-*+•]\s+|\d{1,3}[.)]\s+)?)(\[[ xX]\]\s+)?(#{1,6}\s+)?/;
const CROSS = /^\s*(?:\[[-~]\]\s|[❌✗✘✖🚫])|\s[❌✗✘✖🚫]\uFE0F?\s*$/u;
const UNDERLINE = /^\s*(?:={2,}|-{2,})\s*$/;
const COLON = /[:：]\**\s*$/;
const BOLD = /^\s*(?:\*\*|__)[^*_]+(?:\*\*|__)\s*:?\s*$/;

/** Subtracted from a heading's level, so that headings rank above bold lines, paragraphs and items. */
const LEVELS = 8;

interface Open {
  readonly block: SummaryBlock;
  readonly depth: number;
}

export function toBlocks(text: string): readonly SummaryBlock[] {
  const blocks: SummaryBlock[] = [];
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
      // A line that continues the paragraph or item above, or underlines it as a heading.
      const { loose, ...before } = blocks.pop() as SummaryBlock;
      const underlined = UNDERLINE.test(line) && !text.slice(before.start, before.end).includes("\n");
      const stays = loose && !underlined && !COLON.test(line);
      const block: SummaryBlock = { ...before, ...(underlined ? { heading: true } : { end }), ...(stays && { loose }) };
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
      // "Rejected:" and the paragraph after it.
      const isLed = depth === 0 && !introduces && last?.depth === 0 && !last.block.loose && blocks.at(-1) === last.block;
      while (!isLed && above.length > 0 && (above.at(-1) as Open).depth >= depth) above.pop();
      const task = box === "" ? undefined : box.includes(" ]") ? "open" : "done";
      const parent = above.at(-1)?.block;
      const block: SummaryBlock = {
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
