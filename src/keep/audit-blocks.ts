// The lines of a summary as blocks: a paragraph, an item, a heading; each with the lines it stands under.

export interface Block {
  readonly start: number;
  readonly end: number;
  readonly heading: boolean;
  /** The box of a task. */
  readonly task?: "open" | "done";
  /** The headings and introducing lines above it, nearest first. */
  readonly above?: Block;
}

const LEAD = /^(\s*)((?:>\s?)*(?:[-*+•]\s+|\d{1,3}[.)]\s+)?)(\[[ xX]\]\s+)?(#{1,6}\s+)?/;
const BOLD = /^\s*(?:\*\*|__)[^*_]+(?:\*\*|__)\s*:?\s*$/;

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
      // A line that goes on with the paragraph or item above.
      const before = blocks.pop() as Block;
      blocks.push({ ...before, end });
    } else {
      const heading = hashes !== "" || (item === "" && BOLD.test(line));
      const depth = heading ? -1 : item === "" ? 0 : 1 + blank.length;
      const introduces = heading || /[:：]\**\s*$/.test(line);
      while (above.length > 0 && ((above.at(-1) as Open).depth >= depth || heading)) above.pop();
      const task = box === "" ? undefined : box.includes(" ]") ? "open" : "done";
      const parent = above.at(-1)?.block;
      const block: Block = { start: at + marks.length, end, heading, ...(task && { task }), ...(parent && { above: parent }) };
      blocks.push(block);
      if (introduces) above.push({ block, depth });
      running = !heading;
    }
    at = end + 1;
  }
  return blocks;
}
