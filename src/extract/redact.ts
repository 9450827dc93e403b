// Secrets are masked before anything else sees a text. The mask is as long as the secret, so offsets stand.
import type { Session, ToolCall } from "../model.js";
import { isCalm, mayMatch } from "../rules/pattern.js";
import { remember } from "../rules/remember.js";
import type { Rule, RuleSet } from "../rules/rule-set.js";
import { mayReason } from "./refusals.js";

export const MASK = "█";

export function redact(text: string, rules: readonly Rule[]): string {
  const calm = isCalm(text);
  if (calm && !beginnings(rules).some((beginning) => beginning.test(text))) return text;
  const lower = text.toLowerCase();
  let result = text;
  for (const rule of rules) {
    for (const pattern of rule.regex) {
      if (!mayMatch(pattern, result, lower, calm)) continue;
      let masked = "";
      let from = 0;
      for (const match of pattern.matches(result)) {
        const { start, end } = match.groups.text ?? match;
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

/** Most texts hold nothing with which a secret begins: one or two looks tell it. */
function beginnings(rules: readonly Rule[]): readonly RegExp[] {
  const before = known.get(rules);
  if (before) return before;
  const byFlags = new Map<string, string[]>();
  for (const pattern of rules.flatMap(({ regex }) => regex)) {
    const { flags, source } = pattern.look;
    byFlags.set(flags, [...(byFlags.get(flags) ?? []), source]);
  }
  const made = [...byFlags].map(([flags, sources]) => new RegExp(sources.join("|"), flags));
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
