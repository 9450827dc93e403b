// Tokens by the length of a text: a rough measure that needs no model.
import type { Lifecycle } from "../rules/lifecycle-set.js";

type Measure = Pick<Lifecycle, "characters">;

export function estimateTokens(text: string | undefined, { characters }: Measure): number {
  return Math.round((text ?? "").length / characters);
}

/** The beginning of a text that is estimated at no more than so many tokens, never half of a character. */
export function cutToTokens(text: string, tokens: number, { characters }: Measure): string {
  const end = Math.max(0, Math.floor(tokens * characters));
  if (text.length <= end) return text;
  const inside = isHigh(text.charCodeAt(end - 1)) && isLow(text.charCodeAt(end));
  return text.slice(0, inside ? end - 1 : end);
}

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;
