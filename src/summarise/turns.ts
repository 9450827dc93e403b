// The conversation as a model is shown it: secrets masked, long outputs cut, the newest as far as there is room.
import { redact, redactValue } from "../extract/redact.js";
import { jsonText } from "../json-text.js";
import { CALL_CHARACTERS, TURN_CHARACTERS } from "../limits.js";
import type { Message, ToolCall } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";

export interface Turn {
  readonly role: string;
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly status: string; readonly input: string; readonly output: string }[];
}

/** @param quote makes a text harmless in the prompt that it goes into */
export function toTurn({ role, text, toolCalls }: Message, { redactions }: RuleSet, quote: (text: string) => string): Turn {
  // More than is shown: what is cut off may tell that what comes before it is a secret.
  const masked = (given: string) => redact(given.slice(0, MASKED_CHARACTERS), redactions);
  const quoted = (given: string, most: number) => quote(cut(given, most)).trim();
  const safe = (given: string, most: number) => quoted(masked(given), most);
  const toCall = ({ name, status = "", input, output }: ToolCall) => ({
    name: safe(name, CALL_CHARACTERS),
    status: safe(status, CALL_CHARACTERS),
    // Before it is written as one text: the marks of that hide where a string begins.
    input: quoted(typeof input === "string" ? masked(input) : jsonText(redactValue(input, bounded(masked))), CALL_CHARACTERS),
    output: safe(output, CALL_CHARACTERS),
  });
  return { role, text: safe(text, TURN_CHARACTERS), calls: toolCalls.map(toCall) };
}

const MASKED_CHARACTERS = 2 * TURN_CHARACTERS;

/** What comes behind so many characters is not shown, however many texts they are in. */
function bounded(mask: (text: string) => string): (text: string) => string {
  let left = MASKED_CHARACTERS;
  return (text) => {
    const part = text.slice(0, Math.max(0, left));
    left -= part.length;
    return mask(part);
  };
}

/** By code point: half a character would be none. */
const cut = (text: string, most: number) =>
  text.length > most ? `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")} …` : text;

/** The newest turns that fit, oldest first, and how many do not. */
export function newestTurns(
  messages: readonly Message[],
  tokens: number,
  toTokens: (turn: Turn) => number,
  read: (message: Message) => Turn,
): { readonly turns: readonly Turn[]; readonly omitted: number } {
  const turns: Turn[] = [];
  let left = tokens;
  for (const message of messages.toReversed()) {
    const turn = read(message);
    left -= toTokens(turn);
    if (left < 0) break;
    turns.push(turn);
  }
  return { turns: turns.reverse(), omitted: messages.length - turns.length };
}
