// What the model is asked: the prompt, for a first summary or for one that goes on, and all that it is sent with.
import { estimateTokenCount } from "tokenx";
import type { Message } from "../model.js";
import { fillTemplate } from "../rules/fill-template.js";
import type { RuleSet, Template } from "../rules/rule-set.js";
import { newestTurns, toTurn } from "./turns.js";

export interface Asking {
  /** The earlier summary; without one it is a first summary. */
  readonly previous?: string;
  /** What the user wants looked at especially. */
  readonly focus?: string;
}

const FIRST = "summary-first";
const UPDATE = "summary-update";
const REQUEST = "summary-request";

const templateOf = (rules: RuleSet, id: string) => rules.templates.get(id) as Template;

export function toPrompt({ previous = "", focus = "" }: Asking, rules: RuleSet): string {
  const template = templateOf(rules, previous === "" ? FIRST : UPDATE);
  return fillTemplate(template.text, { previous, focus }).trim();
}

export interface Request {
  readonly text: string;
  /** Messages that did not fit. */
  readonly omitted: number;
}

export interface Sending {
  readonly prompt: string;
  /** The messages that are to be summarised. */
  readonly messages: readonly Message[];
  /** Other texts for the model, as they are. */
  readonly contexts: readonly string[];
  readonly rules: RuleSet;
  /** Makes a text of the session harmless in a prompt. */
  readonly quote: (text: string) => string;
}

export function toRequest({ prompt, messages, contexts, rules, quote }: Sending): Request {
  const template = templateOf(rules, REQUEST);
  const given = { prompt, contexts: contexts.map((text) => ({ text: text.trim() })) };
  const filled = (conversation: object | undefined) => fillTemplate(template.text, { ...given, conversation });
  const rest = estimateTokenCount(filled({ omitted: messages.length, turns: [] }));
  const { turns, omitted } = newestTurns(
    messages,
    template.tokens - rest,
    (turn) =>
      estimateTokenCount(fillTemplate(template.text, { prompt: "", contexts: [], conversation: { omitted: 0, turns: [turn] } })),
    (message) => toTurn(message, rules, quote),
  );
  return { text: filled(messages.length === 0 ? undefined : { omitted, turns }).trim(), omitted };
}
