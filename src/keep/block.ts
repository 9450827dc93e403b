// The block that carries facts behind a summary: told by its tags, so that a later round can replace it.

const TAG = "carried-facts";
const OPEN = `<${TAG}>`;
const CLOSE = `</${TAG}>`;

/** A summary without any block of an earlier round, also where the model copied or broke one. */
export function withoutBlocks(summary: string): string {
  let text = summary;
  for (;;) {
    const start = text.indexOf(OPEN);
    if (start < 0) break;
    const end = endOfBlock(text, start);
    text = `${text.slice(0, start).trimEnd()}\n\n${text.slice(end).trimStart()}`.trim();
  }
  return text.replaceAll(CLOSE, "").trim();
}

/** The same, but every other character stays at its place: for those who point into the summary. */
export function blankBlocks(summary: string): string {
  let text = summary;
  for (let start = text.indexOf(OPEN); start >= 0; start = text.indexOf(OPEN)) {
    const end = endOfBlock(text, start);
    text = text.slice(0, start) + text.slice(start, end).replace(/[^\r\n]/g, " ") + text.slice(end);
  }
  return text.replaceAll(CLOSE, " ".repeat(CLOSE.length));
}

/** A block that was never closed ends with its list. */
function endOfBlock(text: string, start: number): number {
  const close = text.indexOf(CLOSE, start);
  if (close >= 0) return close + CLOSE.length;
  const blank = text.indexOf("\n\n", text.indexOf("\n", start) + 1);
  return blank < 0 ? text.length : blank;
}

export function withBlock(prose: string, block: string): string {
  const own = `${OPEN}\n${harmless(block.trim())}\n${CLOSE}`;
  return prose === "" ? own : `${prose}\n\n${own}`;
}

/** A fact that names the tag must not end the block. */
const harmless = (text: string) => text.replaceAll(CLOSE, CLOSE.replace("<", "&lt;")).replaceAll(OPEN, OPEN.replace("<", "&lt;"));
