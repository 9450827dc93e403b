// Whether a session fills its model's context.
import type { Lifecycle, TokenCount } from "../rules/lifecycle-set.js";
import type { HostModel, TokenCounts } from "./host.js";

export interface Usage {
  readonly tokens: TokenCounts;
  readonly model: HostModel;
}

export function isOverflow({ tokens, model }: Usage, rules: Lifecycle): boolean {
  const used = usedTokens(tokens, rules);
  // Nothing can be taken from a session that holds nothing: it would be compacted for ever.
  if (!rules.auto || used === 0) return false;
  const usable = usableTokens(model, rules);
  return rules.full === "at" ? used >= usable : used > usable;
}

/** What a session may hold; infinite for a model without limit. */
export function usableTokens({ limit }: HostModel, rules: Lifecycle): number {
  const context = amount(limit.context);
  const input = amount(limit.input);
  if (context === 0) return Number.POSITIVE_INFINITY;
  const answer = Math.min(amount(limit.output), rules.answer) || rules.answer;
  const reserve = rules.reserved === undefined ? Math.min(rules.reserve, answer) : amount(rules.reserved);
  return Math.max(0, input > 0 ? input - reserve : context - answer);
}

export function usedTokens(tokens: TokenCounts, rules: Lifecycle): number {
  const counts: Readonly<Record<TokenCount, number | undefined>> = {
    input: tokens.input,
    output: tokens.output,
    reasoning: tokens.reasoning,
    "cache-read": tokens.cache?.read,
    "cache-write": tokens.cache?.write,
  };
  const total = rules.total ? amount(tokens.total) : 0;
  return total || [...rules.counted].reduce((sum, name) => sum + amount(counts[name]), 0);
}

/** Hosts leave counts out, and some report NaN where a provider said nothing. */
const amount = (count: number | undefined) => (count !== undefined && Number.isFinite(count) && count > 0 ? count : 0);
