// The block of carried facts after a summary. Its tags mark it, so that a later round can replace it.

const TAG = "carried-facts";
const OPEN = `<${TAG}>`;
const CLOSE = `</${TAG}>`;
/** Invisible characters that may be between the letters of a tag. */
const UNSEEN = "[\\u00AD\\u200B-\\u200F\\u2060-\\u2064\\uFEFF]{0,9}";
/** The tag in any spelling: with blanks, attributes, capitals or invisible characters. */
const TAGS = new RegExp(
  `[<＜]${UNSEEN}\\s{0,9}([/／]?)\\s{0,9}${[...TAG].join(UNSEEN)}${UNSEEN}(?:\\s[^<>\\n]{0,200})?[>＞]`,
  "giu",
);

/** Removes all blocks of earlier rounds, including copies and broken ones that the model wrote. */
export function withoutBlocks(summary: string): string {
  let text = summary.trim();
  for (let blocks = blocksIn(text); blocks.length > 0; blocks = blocksIn(text)) {
    const ends = [0, ...blocks.map(({ end }) => end)];
    const parts = ends.map((end, index) => text.slice(end, blocks[index]?.start).trim());
    text = parts.filter((part) => part !== "").join("\n\n");
  }
  return text;
}

/** Keeps what is in the blocks as ordinary text. */
export const withoutBlockTags = (text: string) => text.replace(TAGS, "");

/** Like `withoutBlocks`, but fills blocks with blanks, so that offsets into the summary stay valid. */
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

type Stretch = { readonly start: number; readonly end: number };

type Tag = Stretch & ReturnType<typeof edgesOf> & { readonly opens: boolean };

const isAlone = ({ begins, ends }: Tag) => begins && ends;

/** The blocks of a text, and single leftover tags. A tag in the middle of a line is only mentioned and opens no block. */
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

/** Without a closing tag, the block ends at the first blank line; then the opening tag must be alone in its line. */
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

const tagsIn = (text: string): readonly Tag[] =>
  [...text.matchAll(TAGS)].map(({ 0: tag, 1: slash, index: start }) => {
    const end = start + tag.length;
    return { start, end, opens: slash === "", ...edgesOf(text, start, end) };
  });

/** Does a span begin its line, and does it end its line? Blanks do not count. */
export function edgesOf(text: string, start: number, end: number): { readonly begins: boolean; readonly ends: boolean } {
  let [first, last] = [start, end];
  while (isBlank(text[first - 1])) first--;
  while (isBlank(text[last])) last++;
  return { begins: first === 0 || text[first - 1] === "\n", ends: last === text.length || text[last] === "\n" };
}

const isBlank = (character: string | undefined) => character === " " || character === "\t" || character === "\r";

export function withBlock(prose: string, block: string): string {
  const own = `${OPEN}\n${harmless(block.trim())}\n${CLOSE}`;
  return prose === "" ? own : `${prose}\n\n${own}`;
}

/** Escapes the tag inside a fact, so that it cannot end the block. */
const harmless = (text: string) => text.replace(TAGS, (tag) => `&lt;${tag.slice(1)}`);

// The thoughts that a model writes before its summary. Hosts remove them, so an audit must ignore them.

const THOUGHTS = /^\s*<(think|thinking|analysis|reasoning|scratchpad)>/i;
/** Tags that a host removes even when they are not closed. */
const ENDLESS = /^think(?:ing)?$/i;

/** Where the thoughts end: 0 if there are none, the length of the text if there is nothing else. */
export function endOfThoughts(text: string): number {
  let from = 0;
  for (;;) {
    const rest = text.slice(from);
    const [open = "", tag = ""] = THOUGHTS.exec(rest) ?? [];
    if (open === "") return from;
    const close = `</${tag.toLowerCase()}>`;
    const end = rest.toLowerCase().indexOf(close, open.length);
    if (end < 0) return ENDLESS.test(tag) ? text.length : from;
    from += end + close.length;
  }
}

/** Replaces the thoughts with blanks, so that offsets stay valid. */
export function blankThoughts(text: string): string {
  const end = endOfThoughts(text);
  return end === 0 ? text : text.slice(0, end).replace(/[^\r\n]/g, " ") + text.slice(end);
}
