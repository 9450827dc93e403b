// Estimates the tokens of a text. Caches estimates: words repeat, and renderings try the same lines many times.
import { estimateTokenCount } from "tokenx";
import { TOKEN_CHARACTERS } from "../limits.js";
import { remember } from "../text/remember.js";

const estimateCached = remember(estimateTokenCount);
/** Most words. A test compares this with the estimate. */
const ONE_TOKEN = /^[a-z]{1,8}$/;

/** Blanks have no tokens of their own except at line breaks, so the words of a line are estimated one by one. */
export function estimateOf(text: string): number {
  if (text.includes("\n")) return estimateCached(text);
  let tokens = 0;
  for (const word of text.split(" ")) tokens += ONE_TOKEN.test(word) ? 1 : estimateCached(word);
  return tokens;
}

const BLANK = /\s/;
function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code > 0x7e || code <= 0x20 ? BLANK.test(text[at] as string) : false;
}

/** Estimated tokens. The estimate counts most plain words as one token, so a minimum by length corrects it for prose. */
export function countTokens(text: string): number {
  let estimate = 0;
  let start = 0;
  // Split after line breaks, but not before a blank: this does not change the sum.
  for (let at = text.indexOf("\n") + 1; at > 0 && at < text.length; at = text.indexOf("\n", at) + 1) {
    if (isBlank(text, at)) continue;
    estimate += estimateOf(text.slice(start, at));
    start = at;
  }
  estimate += estimateOf(text.slice(start));
  return Math.max(estimate, Math.ceil(text.length / TOKEN_CHARACTERS));
}
