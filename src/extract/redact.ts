// Secrets are masked before anything else sees a text. The mask is as long as the secret, so offsets stand.
import type { Session, ToolCall } from "../model.js";
import { isCalm, mayMatch } from "../rules/pattern.js";
import { remember } from "../rules/remember.js";
import type { Rule, RuleSet } from "../rules/rule-set.js";
import { isPlain, withoutPlain } from "./plain.js";
import { mayReason } from "./refusals.js";

export const MASK = "█";

export function redact(text: string, rules: readonly Rule[]): string {
  const calm = isCalm(text);
  if (calm && !beginnings(rules).some((beginning) => beginning.test(text))) return text;
  const lower = text.toLowerCase();
  let result = text;
  for (const rule of rules) {
    for (const pattern of rule.regex) {
      if (isPlain(pattern) || !mayMatch(pattern, result, lower, calm)) continue;
      let masked = "";
      let from = 0;
      const found = Array.from(pattern.matches(result), (match) => match.groups.text ?? match);
      for (const { start, end } of withoutPlain(found, rule.regex, text)) {
        masked += result.slice(from, start) + MASK.repeat(end - start);
        from = end;
      }
      result = masked + result.slice(from);
    }
  }
  return result;
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
export function redactSession(
  session: Session,
  { redactions, tools, refusals }: RuleSet,
  mask: (text: string) => string,
): Session {
  if (redactions.length === 0) return session;
  const tells = ({ name, output }: ToolCall) => tools.get(name)?.answers || mayReason(output, refusals);
  const messages = session.messages.map((message) => {
    const text = mask(message.text);
    const answers = message.toolCalls.some(tells);
    if (text === message.text && !answers) return message;
    const toolCalls = message.toolCalls.map((call) => (tells(call) ? { ...call, output: mask(call.output) } : call));
    return { ...message, text, toolCalls };
  });
  return { ...session, messages };
}
