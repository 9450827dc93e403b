// Secrets are masked before anything else sees a text. The mask is as long as the secret, so offsets stand.
import { isDeep } from "../json-text.js";
import { CALL_CHARACTERS } from "../limits.js";
import type { Message, Session, ToolCall } from "../model.js";
import { isCalm, mayMatch } from "../rules/pattern.js";
import { remember } from "../rules/remember.js";
import type { Rule, RuleSet } from "../rules/rule-set.js";
import { isPlain, type Span, withoutPlain } from "./plain.js";
import { mayReason } from "./refusals.js";
import type { Steps } from "./steps.js";

export const MASK = "█";

export function redact(text: string, rules: readonly Rule[]): string {
  // In a text that is written as a string, a word may begin behind the end of a line, too.
  const seen = text.includes("\\") ? text.replace(/\\[nrt]/g, " \n") : text;
  const calm = isCalm(seen);
  if (calm && !beginnings(rules).some((beginning) => beginning.test(seen))) return text;
  const lower = seen.toLowerCase();
  let result = seen;
  for (const rule of rules) {
    for (const pattern of rule.regex) {
      if (isPlain(pattern) || !mayMatch(pattern, result, lower, calm)) continue;
      const found = Array.from(pattern.matches(result), (match) => match.groups.text ?? match);
      result = masked(result, withoutPlain(found, rule.regex, seen));
    }
  }
  return seen === text
    ? result
    : masked(
        text,
        Array.from(result.matchAll(MASKS), ({ 0: run, index }) => ({ start: index, end: index + run.length })),
      );
}

const MASKS = new RegExp(`${MASK}+`, "g");

function masked(text: string, spans: readonly Span[]): string {
  let result = "";
  let from = 0;
  for (const { start, end } of spans) {
    result += text.slice(from, start) + MASK.repeat(end - start);
    from = end;
  }
  return result + text.slice(from);
}

const maskers = new WeakMap<readonly Rule[], (text: string) => string>();

/** The same for texts that come again. */
export function masker(rules: readonly Rule[]): (text: string) => string {
  const mask = maskers.get(rules) ?? remember((text) => redact(text, rules));
  maskers.set(rules, mask);
  return mask;
}

const known = new WeakMap<readonly Rule[], readonly RegExp[]>();

const WORD = "\\b";

/** Most texts hold nothing with which a secret begins: a few looks tell it. */
function beginnings(rules: readonly Rule[]): readonly RegExp[] {
  const before = known.get(rules);
  if (before) return before;
  const looks = rules.flatMap(({ regex }) => regex.filter((one) => !isPlain(one)).map(({ look }) => look));
  const made = [...new Set(looks.map(({ flags }) => flags))].flatMap((flags) => {
    const sources = looks.filter((one) => one.flags === flags).map(({ source }) => source);
    // What begins a word is asked once at each, and not by every pattern.
    const words = sources.filter((source) => source.startsWith(WORD)).map((source) => source.slice(WORD.length));
    const others = sources.filter((source) => !source.startsWith(WORD));
    return [
      ...(words.length > 0 ? [new RegExp(`${WORD}(?:${words.join("|")})`, flags)] : []),
      ...(others.length > 0 ? [new RegExp(others.join("|"), flags)] : []),
    ];
  });
  known.set(rules, made);
  return made;
}

/** Masks what is said, and what the user answered through a tool, or refused it for. What other calls hold is masked where it is read. */
export function* redactSession(
  session: Session,
  { redactions, tools, refusals }: RuleSet,
  mask: (text: string) => string,
): Steps<Session> {
  if (redactions.length === 0) return session;
  const tells = ({ name, output }: ToolCall) => tools.get(name)?.answers.length || mayReason(output, refusals);
  const masked = (message: Message): Message => {
    const text = mask(message.text);
    const answers = message.toolCalls.some(tells);
    if (text === message.text && !answers) return message;
    const toolCalls = message.toolCalls.map((call) =>
      tells(call) ? { ...call, input: redactValue(call.input, mask), output: mask(call.output) } : call,
    );
    return { ...message, text, toolCalls };
  };
  const messages: Message[] = [];
  for (const message of session.messages) {
    yield;
    messages.push(masked(message));
  }
  return { ...session, messages };
}

/**
 * The same for data, string by string; nothing of what is nested beyond reason. What stands beside a string may tell that it
 * is a secret: its key, the name in a pair, the flag before it. They are masked as one text, from which the string is taken
 * back: a mask is as long as the secret.
 */
export function redactValue(value: unknown, mask: (text: string) => string): unknown {
  if (isDeep(value)) return undefined;
  const walk = (one: unknown): unknown => {
    if (typeof one === "string") return mask(one);
    if (typeof one !== "object" || one === null) return one;
    const pairs = Object.entries(one).map(([key, inner]) => [mask(key), walk(inner)] as const);
    const written = (Array.isArray(one) ? asWords : asLines)(pairs);
    const masked = mask(written.map(({ text }) => text).join(""));
    let from = 0;
    const found = pairs.map(([key, inner], index) => {
      const { text, start, length } = written[index] as Written;
      const seen = masked.slice(from + start, from + start + length);
      from += text.length;
      return [key, seen.includes(MASK) ? seen : inner] as const;
    });
    return Array.isArray(one) ? found.map(([, inner]) => inner) : Object.fromEntries(found);
  };
  return walk(value);
}

interface Written {
  readonly text: string;
  /** Where in it the value stands. */
  readonly start: number;
  readonly length: number;
}

type Pairs = readonly (readonly [string, unknown])[];

const asWords = (pairs: Pairs) =>
  pairs.map(([, value]): Written => {
    const word = scalarText(value);
    return { text: ` ${word}`, start: 1, length: word.length };
  });

/** Whatever it holds, it is one value: a quote or the end of a line would end it. */
const asLines = (pairs: Pairs) =>
  pairs.map(([key, value]): Written => {
    const word = scalarText(value).replace(/["\n]/g, " ");
    return { text: `${key}: "${word}"\n`, start: key.length + 3, length: word.length };
  });

const scalarText = (value: unknown) => {
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  return text.length > CALL_CHARACTERS ? "" : text;
};
