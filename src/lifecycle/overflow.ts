// Decides whether a session fills its model's context. Also chooses the lifecycle rules and estimates tokens.
import type { Lifecycle, TokenCount } from "../rules/rule-set.js";
import { defined } from "../text/json.js";
import type { HostModel, TokenCounts } from "./host.js";

/** The tokens of the last answer, and the model that wrote it. */
export type Usage = { readonly tokens: TokenCounts; readonly model: HostModel };

/** Does a session fill the context of its model? */
export function isOverflow({ tokens, model }: Usage, rules: Lifecycle): boolean {
  const used = usedTokens(tokens, rules);
  // An empty session cannot get smaller; it would be compacted for ever.
  if (!rules.auto || used === 0) return false;
  const usable = usableTokens(model, rules);
  return rules.full === "at" ? used >= usable : used > usable;
}

/** How many tokens a session may use; infinite for a model without a limit. */
export function usableTokens({ limit }: HostModel, rules: Lifecycle): number {
  const context = amount(limit.context);
  const input = amount(limit.input);
  if (context === 0) return Number.POSITIVE_INFINITY;
  const answer = Math.min(amount(limit.output), rules.answer) || rules.answer;
  const reserve = rules.reserved === undefined ? Math.min(rules.reserve, answer) : amount(rules.reserved);
  return Math.max(0, input > 0 ? input - reserve : context - answer);
}

/** How many tokens a session uses. */
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

/** Hosts omit counts, and some report NaN if a provider sent nothing. */
const amount = (count: number | undefined) => (count !== undefined && Number.isFinite(count) && count > 0 ? count : 0);

// Chooses a rule set by name and applies the host's configuration and the environment.

/** The `compaction` key of OpenCode's configuration, unchanged. */
export interface LifecycleSettings {
  readonly auto?: boolean;
  readonly prune?: boolean;
  readonly reserved?: number;
  readonly tail_turns?: number;
  readonly preserve_recent_tokens?: number;
}

/** The name of a rule set, and the settings that change it. */
export interface LifecycleChoice {
  readonly name?: string;
  readonly settings?: LifecycleSettings;
  /** The environment variables. They are passed in, not read here. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

const DEFAULT_NAME = "classic";

/** Finds a rule set by name and applies settings and environment. undefined for an unknown name. */
export function chooseLifecycle(
  { lifecycle }: { readonly lifecycle: ReadonlyMap<string, Lifecycle> },
  { name = DEFAULT_NAME, settings = {}, environment = {} }: LifecycleChoice = {},
): Lifecycle | undefined {
  const rules = lifecycle.get(name);
  if (!rules) return undefined;
  const variable = (key: keyof Lifecycle["environment"]) => environment[rules.environment[key] ?? ""];
  const answer = Number(variable("answer"));
  const tail = defined({ turns: settings.tail_turns, tokens: settings.preserve_recent_tokens });
  return {
    ...rules,
    auto: !isSet(variable("auto")) && (settings.auto ?? rules.auto),
    prune: !isSet(variable("prune")) && (settings.prune ?? rules.prune),
    ...(Number.isSafeInteger(answer) && answer > 0 && { answer }),
    ...defined({ reserved: settings.reserved }),
    ...(rules.tail && { tail: { ...rules.tail, ...tail } }),
  };
}

const isSet = (value: string | undefined) => value === "1" || value?.toLowerCase() === "true";

// Estimates tokens from the length of a text: rough, but it needs no model.

type Measure = Pick<Lifecycle, "characters">;

/** Estimates the tokens of a text from its length. */
export const estimateTokens = (text: string | undefined, { characters }: Measure): number =>
  Math.round((text ?? "").length / characters);

/** The start of a text, cut to an estimated number of tokens. Never splits a character. */
export function cutToTokens(text: string, tokens: number, { characters }: Measure): string {
  const end = Math.max(0, Math.floor(tokens * characters));
  if (text.length <= end) return text;
  return text.slice(0, end).replace(/[\ud800-\udbff]$/, "");
}
