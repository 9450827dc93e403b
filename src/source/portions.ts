// A text cut into stretches, each with the way in which it is read.
import { PORTION_BLOCKS, PORTION_CHARACTERS } from "../limits.js";
import { type Block, isParsable, splitBlocks } from "./blocks.js";
import { readPlain } from "./plain.js";
import type { Visible } from "./visible.js";

/** How a stretch of text is read; neighbouring blocks go to the parser together. */
export type Portion =
  | (Block & { readonly way: "parse" })
  | (Block & { readonly way: "scan" })
  | (Block & { readonly way: "plain"; readonly visible: Visible });

export function toPortions(text: string, notes: boolean): readonly Portion[] {
  const portions: Portion[] = [];
  let blocks = 0;
  for (const block of splitBlocks(text, notes)) {
    // Without a letter or a digit nothing is said.
    if (!/[\p{L}\p{N}]/u.test(text.slice(block.start, block.end))) continue;
    const visible = readPlain(text, block);
    const way = visible ? "plain" : isParsable(text, block) ? "parse" : "scan";
    const last = portions.at(-1);
    // Blocks that only notes hold apart must not meet again in the parser.
    const apart = last !== undefined && /\n[ \t]*\r?\n|\r[ \t]*\r/.test(text.slice(last.end, block.start));
    const joins =
      way === "parse" &&
      last?.way === "parse" &&
      (apart || !notes) &&
      blocks < PORTION_BLOCKS &&
      block.end - last.start <= PORTION_CHARACTERS;
    blocks = joins ? blocks + 1 : 1;
    if (joins) portions[portions.length - 1] = { start: last.start, end: block.end, way };
    else portions.push(visible ? { ...block, way: "plain", visible } : { ...block, way: way === "scan" ? way : "parse" });
  }
  return portions;
}
