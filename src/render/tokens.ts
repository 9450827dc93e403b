// How many tokens a text takes, by an estimate. The lines of a rendering are tried again and again, in other company.
import { estimateTokenCount } from "tokenx";
import { TOKEN_CHARACTERS } from "../limits.js";
import { remember } from "../rules/remember.js";

const estimateOf = remember(estimateTokenCount);

const BLANK = /\s/;
function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code > 0x7e || code <= 0x20 ? BLANK.test(text[at] as string) : false;
}

/** The estimate takes most plain words for one token, however long they are; of prose it would let too much pass. */
export function countTokens(text: string): number {
  let estimate = 0;
  let start = 0;
  // Nothing counts otherwise behind the blanks at the end of a line.
  for (let at = text.indexOf("\n") + 1; at > 0 && at < text.length; at = text.indexOf("\n", at) + 1) {
    if (isBlank(text, at)) continue;
    estimate += estimateOf(text.slice(start, at));
    start = at;
  }
  estimate += estimateOf(text.slice(start));
  return Math.max(estimate, Math.ceil(text.length / TOKEN_CHARACTERS));
}
