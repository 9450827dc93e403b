// Masks secrets before anything else sees a text. A mask is as long as its secret, so offsets stay valid.
import { CALL_CHARACTERS, LATE_CHARACTERS } from "../limits.js";
import type { Message, Session, ToolCall } from "../model.js";
import { isCalm, mayMatch, type Pattern } from "../rules/pattern/pattern.js";
import type { Rule, RuleSet } from "../rules/rule-set.js";
import { isDeep } from "../text/forms.js";
import { remember, rememberFor } from "../text/remember.js";
import { mayReason } from "./calls/call.js";
import { firstAndNewest, type Late, STAGES, type Steps } from "./steps.js";

/** Characters before and after a possible secret in which plain patterns are searched: the longest setting names. */
const PLAIN_CHARACTERS = 100;

export const MASK = "█";

export function redact(text: string, rules: readonly Rule[]): string {
  // In escaped text, a word may also start after `\n`. Replace such escapes by whitespace of the same length.
  const seen = text.includes("\\") ? text.replace(/\\[nrt]/g, " \n") : text;
  const calm = isCalm(seen);
  if (calm && !mayHaveSecret(rules)(seen)) return text;
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

/**
 * Most texts contain nothing that a secret starts with. Three expressions rule them out. They do without the flags `i` and
 * `u`, which would take twice as long: the text is changed instead, so that one unit is one character.
 */
const mayHaveSecret = rememberFor((rules: readonly Rule[]): ((text: string) => boolean) => {
  const looks = rules.flatMap(({ regex }) => regex.filter((one) => !isPlain(one)).map(({ look }) => look));
  const exact = looks.flatMap(({ source, flags }) => (flags === "u" ? source : []));
  const anyCase = looks.flatMap(({ source, flags }) => (flags === "u" ? [] : source.replace(/\\.|[A-Z]/g, inLowerCase)));
  // Check for the start of a word once for all patterns, not once per pattern.
  const words = oneOf(
    exact.flatMap((source) => (source.startsWith(WORD) ? source.slice(WORD.length) : [])),
    WORD,
  );
  const others = oneOf(exact.filter((source) => !source.startsWith(WORD)));
  const lower = oneOf(anyCase);
  return (text) => {
    const units = text.replace(LONG_CHARACTERS, MASK);
    // Ignoring case, ſ is also an s.
    return words.test(units) || others.test(units) || lower.test(units.toLowerCase().replaceAll("ſ", "s"));
  };
});

const oneOf = (sources: readonly string[], before = "") =>
  new RegExp(sources.length > 0 ? `${before}(?:${[...new Set(sources)].join("|")})` : "(?!)");
/** Characters of two units; İ has two in lower case. */
const LONG_CHARACTERS = /[\ud800-\udbff][\udc00-\udfff]|İ/g;
const inLowerCase = (part: string) => (part.length > 1 ? part : part.toLowerCase());

/**
 * Masks messages, and calls in which the user answers or explains a refusal. Other calls are masked when they are read. What
 * is not masked in time is left out.
 */
export function* redactSession(
  session: Session,
  { redactions, tools, refusals }: RuleSet,
  mask: (text: string) => string,
  unread: Set<string>,
  late?: Late,
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
  const messages = [...session.messages];
  const places = [...messages.keys()];
  let left = LATE_CHARACTERS;
  for (const place of late ? firstAndNewest(places) : places) {
    yield;
    const message = messages[place] as Message;
    if (left <= 0 && late?.(STAGES.mask)) {
      unread.add(message.id);
      messages[place] = { ...message, text: "", toolCalls: [] };
    } else messages[place] = masked(message);
    left -= message.text.length;
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
