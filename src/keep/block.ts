// The block that carries facts behind a summary: told by its tags, so that a later round can replace it.

const TAG = "carried-facts";
const OPEN = `<${TAG}>`;
const CLOSE = `</${TAG}>`;
/** However it is spelled: with blanks, attributes, in capitals, or with characters between the letters that nobody sees. */
const UNSEEN = "[\\u00AD\\u200B-\\u200F\\u2060-\\u2064\\uFEFF]{0,9}";
const TAGS = new RegExp(
  `[<＜]${UNSEEN}\\s{0,9}([/／]?)\\s{0,9}${[...TAG].join(UNSEEN)}${UNSEEN}(?:\\s[^<>\\n]{0,200})?[>＞]`,
  "giu",
);

/** A summary without any block of an earlier round, also where the model copied or broke one. */
export function withoutBlocks(summary: string): string {
  let text = summary.trim();
  for (let blocks = blocksIn(text); blocks.length > 0; blocks = blocksIn(text)) {
    const ends = [0, ...blocks.map(({ end }) => end)];
    const parts = ends.map((end, index) => text.slice(end, blocks[index]?.start).trim());
    text = parts.filter((part) => part !== "").join("\n\n");
  }
  return text;
}

/** The same, but every other character stays at its place: for those who point into the summary. */
export function blankBlocks(summary: string): string {
  let text = summary;
  for (let blocks = blocksIn(text); blocks.length > 0; blocks = blocksIn(text)) {
    let from = 0;
    const parts: string[] = [];
    for (const { start, end } of blocks) {
      parts.push(text.slice(from, start), text.slice(start, end).replace(/[^\r\n]/g, " "));
      from = end;
    }
    text = parts.join("") + text.slice(from);
  }
  return text;
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

interface Tag extends Stretch {
  readonly opens: boolean;
  /** Nothing stands before it, or behind it, in its line. */
  readonly begins: boolean;
  readonly ends: boolean;
}

const isAlone = ({ begins, ends }: Tag) => begins && ends;

/** The blocks of a text, and tags that are left of one. A tag amid a line is spoken of and opens none. */
function blocksIn(text: string): readonly Stretch[] {
  const tags = tagsIn(text);
  const found: Stretch[] = [];
  let from = 0;
  for (const [index, tag] of tags.entries()) {
    if (tag.start < from || !(tag.begins || tag.ends)) continue;
    const end = tag.opens ? endOfBlock(text, tags, index) : isAlone(tag) ? tag.end : undefined;
    if (end === undefined) continue;
    found.push({ start: tag.start, end });
    from = end;
  }
  return found;
}

/** A block that was never closed ends with its list; but a tag that shares its line opens none then. */
function endOfBlock(text: string, tags: readonly Tag[], index: number): number | undefined {
  const open = tags[index] as Tag;
  const isNext = (tag: Tag) => tag.opens && (isAlone(tag) || !isAlone(open));
  let at = index + 1;
  while (at < tags.length && !isNext(tags[at] as Tag)) at++;
  const body = text.slice(open.end, tags[at]?.start);
  const blank = body.search(/\n[ \t\r]*\n/);
  const list = open.end + (blank < 0 ? body.length : blank);
  const closes = (tag: Tag) => !tag.opens && (tag.begins || tag.ends || (isAlone(open) && tag.end <= list));
  return tags.slice(index + 1, at).find(closes)?.end ?? (isAlone(open) ? list : undefined);
}

function tagsIn(text: string): readonly Tag[] {
  return [...text.matchAll(TAGS)].map(({ 0: tag, 1: slash, index: start }) => {
    let [first, end] = [start, start + tag.length];
    while (isBlank(text[first - 1])) first--;
    while (isBlank(text[end])) end++;
    const begins = first === 0 || text[first - 1] === "\n";
    const ends = end === text.length || text[end] === "\n";
    return { start, end: start + tag.length, opens: slash === "", begins, ends };
  });
}

const isBlank = (character: string | undefined) => character === " " || character === "\t" || character === "\r";

export function withBlock(prose: string, block: string): string {
  const own = `${OPEN}\n${harmless(block.trim())}\n${CLOSE}`;
  return prose === "" ? own : `${prose}\n\n${own}`;
}

/** A fact that names the tag must not end the block. */
const harmless = (text: string) => text.replace(TAGS, (tag) => `&lt;${tag.slice(1)}`);
