// Builds the request to the model: the prompt for a first or an updated summary, and the conversation.
import { estimateTokenCount } from "tokenx";
import { CALL_CHARACTERS } from "../limits.js";
import type { Message, ToolCall } from "../model.js";
import { redact, redactValue } from "../rules/redact/redact.js";
import type { RuleSet, Template } from "../rules/rule-set.js";
import { fillTemplate } from "../rules/template/fill-template.js";
import { isDeep, jsonText } from "../text/forms.js";

const TURN_CHARACTERS = 20_000;

interface Asking {
  /** The earlier summary. Without one, the request is for a first summary. */
  readonly previous?: string;
  readonly focus?: string;
}

const FIRST = "summary-first";
const UPDATE = "summary-update";
const REQUEST = "summary-request";
const MESSAGE = "summary-message";

const templateOf = (rules: RuleSet, id: string) => rules.templates.get(id) as Template;

/** The prompt for a summary, without the conversation. */
export function toPrompt({ previous = "", focus = "" }: Asking, rules: RuleSet): string {
  const template = templateOf(rules, previous === "" ? FIRST : UPDATE);
  return fillTemplate(template.text, { previous, focus }).trim();
}

interface Sending {
  readonly prompt: string;
  readonly messages: readonly Message[];
  /** Other texts for the model, unchanged. */
  readonly contexts: readonly string[];
  readonly rules: RuleSet;
  /** Escapes a text of the session for use in a prompt. */
  readonly quote: (text: string) => string;
  /** The names of messages by id, if the model may refer to them. */
  readonly names?: ReadonlyMap<string, string>;
}

/** The request, and the number of messages that did not fit into it. */
export function toRequest({ prompt, messages, contexts, rules, quote, names }: Sending) {
  const template = templateOf(rules, REQUEST);
  const given = { prompt, contexts: contexts.map((text) => ({ text: text.trim() })) };
  const filled = (conversation: object | undefined) => fillTemplate(template.text, { ...given, conversation });
  const rest = estimateTokenCount(filled({ omitted: messages.length, turns: [] }));
  const turns: object[] = [];
  let left = template.tokens - rest;
  for (const message of messages.toReversed()) {
    const turn = { name: names?.get(message.id) ?? "", ...toTurn(message, rules, quote) };
    const alone = { prompt: "", contexts: [], conversation: { omitted: 0, turns: [turn] } };
    left -= estimateTokenCount(fillTemplate(template.text, alone));
    if (left < 0) break;
    turns.unshift(turn);
  }
  const omitted = messages.length - turns.length;
  return { text: filled(messages.length === 0 ? undefined : { omitted, turns }).trim(), omitted };
}

// The message that replaces the conversation when a host continues from a summary.

/** A summary as the first message of a conversation. `summary` says that nobody said it. */
export type SummaryMessage = { readonly role: "user"; readonly text: string; readonly summary: true };

/** The message that replaces the conversation in the context of a model. */
export function toSummaryMessage(summary: string, rules: RuleSet): SummaryMessage {
  return { role: "user", text: fillTemplate(templateOf(rules, MESSAGE).text, { summary }).trim(), summary: true };
}

const [OPEN, CLOSE] = ["<summary>\n", "\n</summary>"];

/** The summary in such a message; other texts stay as they are. */
export function summaryIn(text: string): string {
  const said = text.trimEnd();
  const start = said.indexOf(OPEN);
  const isFramed = start >= 0 && (start === 0 || said[start - 1] === "\n") && said.endsWith(CLOSE);
  return isFramed ? said.slice(start + OPEN.length, -CLOSE.length) : text;
}

// The conversation as the model sees it: secrets masked, long outputs cut, and the newest messages that fit.

/** @param quote escapes a text for the prompt */
function toTurn({ role, text, toolCalls }: Message, { redactions }: RuleSet, quote: (text: string) => string) {
  // Mask more than is shown: the part that is cut off may reveal that the part before it is a secret.
  const masked = (given: string) => redact(given.slice(0, MASKED_CHARACTERS), redactions);
  const quoted = (given: string, most: number) => quote(cut(given, most)).trim();
  const safe = (given: string, most: number) => quoted(masked(given), most);
  const toCall = ({ name, status = "", input, output }: ToolCall) => ({
    name: safe(name, CALL_CHARACTERS),
    status: safe(status, CALL_CHARACTERS),
    // Mask before converting to JSON: its escapes hide where a string begins.
    input: quoted(typeof input === "string" ? masked(input) : jsonText(redactValue(bounded(input), masked)), CALL_CHARACTERS),
    output: safe(output, CALL_CHARACTERS),
  });
  return { role, text: safe(text, TURN_CHARACTERS), calls: toolCalls.map(toCall) };
}

const MASKED_CHARACTERS = 2 * TURN_CHARACTERS;

/** Limits the total number of characters over all texts. The rest is not shown, and does not hide what comes before it. */
function bounded(value: unknown): unknown {
  if (isDeep(value)) return undefined;
  let left = MASKED_CHARACTERS;
  const walk = (one: unknown): unknown => {
    if (typeof one === "string") {
      const part = one.slice(0, Math.max(0, left));
      left -= part.length;
      return part;
    }
    if (typeof one !== "object" || one === null) return one;
    return Array.isArray(one) ? one.map(walk) : Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, walk(inner)]));
  };
  return walk(value);
}

const cut = (text: string, most: number) =>
  text.length > most ? `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")} …` : text;
