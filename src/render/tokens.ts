// How many tokens a text takes, by an estimate. The lines of a rendering are tried again and again, in other company.
import { estimateTokenCount } from "tokenx";
import { TOKEN_CHARACTERS } from "../limits.js";
import { remember } from "../rules/remember.js";

const estimateOf = remember(estimateTokenCount);

/** The estimate takes most plain words for one token, however long they are; of prose it would let too much pass. */
export function countTokens(text: string): number {
  let estimate = 0;
  // Nothing counts otherwise behind the blanks at the end of a line.
  for (const line of text.split(/(?<=\n)(?=\S)/)) estimate += estimateOf(line);
  return Math.max(estimate, Math.ceil(text.length / TOKEN_CHARACTERS));
}
