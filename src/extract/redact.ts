// Secrets are masked before anything else sees a text. The mask is as long as the secret, so offsets stand.
import { mayMatch } from "../rules/pattern.js";
import type { Rule } from "../rules/rule-set.js";

export const MASK = "█";

export function redact(text: string, rules: readonly Rule[]): string {
  let result = text;
  const lower = text.toLowerCase();
  for (const rule of rules) {
    for (const pattern of rule.regex) {
      if (!mayMatch(pattern, lower)) continue;
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
