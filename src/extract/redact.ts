// Masks secrets before anything else sees a text. A mask is as long as its secret, so offsets stay valid.
import { CALL_CHARACTERS } from "../limits.js";
import type { Message, Session, ToolCall } from "../model.js";
import { isCalm, mayMatch, type Pattern } from "../rules/pattern/pattern.js";
import type { Rule, RuleSet } from "../rules/rule-set.js";
import { isDeep } from "../text/forms.js";
import { remember, rememberFor } from "../text/remember.js";
import { mayReason } from "./calls/call.js";
import type { Steps } from "./steps.js";

/** Characters before and after a possible secret in which plain patterns are searched: the longest setting names. */
const PLAIN_CHARACTERS = 100;

export const MASK = "█";

export function redact(text: string, rules: readonly Rule[]): string {
  // In escaped text, a word may also start after `\n`. Replace such escapes by whitespace of the same length.
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

function masked(text: string, spans: readonly SecretSpan[]): string {
  let result = "";
  let from = 0;
  for (const { start, end } of spans) {
    result += text.slice(from, start) + MASK.repeat(end - start);
    from = end;
  }
  return result + text.slice(from);
}

/** Like `redact`, but remembers the results, because texts repeat. */
export const masker = rememberFor((rules: readonly Rule[]) => remember((text) => redact(text, rules)));

const WORD = "\\b";

/** Most texts contain nothing that a secret starts with. These few expressions rule them out quickly. */
const beginnings = rememberFor((rules: readonly Rule[]): readonly RegExp[] => {
  const looks = rules.flatMap(({ regex }) => regex.filter((one) => !isPlain(one)).map(({ look }) => look));
  return [...new Set(looks.map(({ flags }) => flags))].flatMap((flags) => {
    const sources = looks.filter((one) => one.flags === flags).map(({ source }) => source);
    // Check for the start of a word once for all patterns, not once per pattern.
    const words = sources.filter((source) => source.startsWith(WORD)).map((source) => source.slice(WORD.length));
    const others = sources.filter((source) => !source.startsWith(WORD));
    return [
      ...(words.length > 0 ? [new RegExp(`${WORD}(?:${words.join("|")})`, flags)] : []),
      ...(others.length > 0 ? [new RegExp(others.join("|"), flags)] : []),
    ];
  });
});

/** Masks messages, and calls in which the user answers or explains a refusal. Other calls are masked when they are read. */
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
 * Masks data string by string; undefined if it is nested too deeply. Neighbours may show that a string is a secret: its
 * key, the name in a pair, the flag before it. So they are masked together as one text, and the string is cut out of it
 * again: a mask is as long as the secret.
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
  /** Where the value starts in the text. */
  readonly start: number;
  readonly length: number;
}

type Pairs = readonly (readonly [string, unknown])[];

const asWords = (pairs: Pairs) =>
  pairs.map(([, value]): Written => {
    const word = scalarText(value);
    return { text: ` ${word}`, start: 1, length: word.length };
  });

/** Replaces quotes and line ends in a value: they would end it too early. */
const asLines = (pairs: Pairs) =>
  pairs.map(([key, value]): Written => {
    const word = scalarText(value).replace(/["\n]/g, " ");
    return { text: `${key}: "${word}"\n`, start: key.length + 3, length: word.length };
  });

const scalarText = (value: unknown) => {
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  return text.length > CALL_CHARACTERS ? "" : text;
};

// What looks like a secret but is plain: a placeholder, the name of a variable, a type.

export interface SecretSpan {
  readonly start: number;
  readonly end: number;
}

const GROUP = "plain";

/** Does the pattern match what stays visible, instead of what is masked? */
export const isPlain = (pattern: Pattern) => pattern.groups.includes(GROUP);

/**
 * Removes the spans that a plain pattern covers completely. Searches only near the spans, because most texts have none.
 * @param found possible secrets, from left to right
 */
export function withoutPlain(found: readonly SecretSpan[], patterns: readonly Pattern[], text: string): readonly SecretSpan[] {
  const plain = patterns.filter(isPlain);
  if (found.length === 0 || plain.length === 0) return found;
  const ends = new Map<number, number>();
  for (const { start, end } of around(found).flatMap((near) => spansIn(text.slice(near.start, near.end), near.start, plain)))
    ends.set(start, Math.max(end, ends.get(start) ?? 0));
  // A span that only starts inside a plain match may be a secret: a value in a tag, a password in a command.
  return found.filter(({ start, end }) => end > (ends.get(start) ?? 0));
}

/** The regions around the spans. Overlapping regions are merged, so that no text is searched twice. */
function around(found: readonly SecretSpan[]): readonly SecretSpan[] {
  const regions: SecretSpan[] = [];
  for (const span of found) {
    const [start, end] = [Math.max(0, span.start - PLAIN_CHARACTERS), span.end + PLAIN_CHARACTERS];
    const last = regions.at(-1);
    if (last && start <= last.end) regions[regions.length - 1] = { start: last.start, end };
    else regions.push({ start, end });
  }
  return regions;
}

function spansIn(text: string, offset: number, patterns: readonly Pattern[]): readonly SecretSpan[] {
  const lower = text.toLowerCase();
  const calm = isCalm(text);
  return patterns
    .filter((pattern) => mayMatch(pattern, text, lower, calm))
    .flatMap((pattern) => [...pattern.matches(text)].flatMap(({ groups }) => groups[GROUP] ?? []))
    .map(({ start, end }) => ({ start: start + offset, end: end + offset }));
}
