// Finds how many entries fit a budget, which of them fit in full, and whether there is room for the names of messages.
import type { Entry } from "./entry.js";
import { extraTokens } from "./fields.js";
import { countTokens } from "./tokens.js";

/** From this budget on, there is room for the names of messages. */
const ROOMY_TOKENS = 1_000;

/** How many entries to try first, and how many guesses to make before a binary search. */
const FIRST_ENTRIES = 32;
const GUESSES = 12;

/** What is shown: the first entries, those in full among them, and whether messages are named. */
type Shown = { readonly shown: number; readonly whole: readonly Entry[]; readonly named: boolean };

interface Filled<Fields> {
  readonly fields: Fields;
  readonly text: string;
}

/** @param fill the template with what is shown */
export function fitBudget<Fields>(
  ranked: readonly Entry[],
  budget: number,
  canName: boolean,
  fill: (shown: Shown) => Filled<Fields>,
): Shown & Filled<Fields> {
  const filled = (shown: number, whole: readonly Entry[] = [], named = false) => ({
    shown,
    whole,
    named,
    ...fill({ shown, whole, named }),
  });
  const tokensOf = ({ text }: Filled<Fields>) => countTokens(text);
  const low = mostThatFit(ranked.length, budget, (shown) => tokensOf(filled(shown)));
  const short = filled(low);
  const longer = fitting(ranked.slice(0, low), budget - tokensOf(short));
  const inFull = mostThatFit(longer.length, budget, (first) => tokensOf(filled(low, longer.slice(0, first))));
  const whole = longer.slice(0, inFull);
  const unnamed = inFull === 0 ? short : filled(low, whole);
  const named = canName && budget >= ROOMY_TOKENS ? filled(low, whole, true) : unnamed;
  const best = tokensOf(named) <= budget ? named : unnamed;
  return { ...best, text: withinBudget(best.text, budget) };
}

/** The most entries that fit the budget. Each try renders a text, so guesses are interpolated from earlier ones. */
function mostThatFit(all: number, budget: number, tokensOf: (shown: number) => number): number {
  let low = { shown: 0, tokens: 0 };
  let high = { shown: all + 1, tokens: Number.POSITIVE_INFINITY };
  for (let round = 0; high.shown - low.shown > 1; round++) {
    const gap = high.shown - low.shown;
    const pace =
      high.tokens === Number.POSITIVE_INFINITY ? low.tokens / Math.max(1, low.shown) : (high.tokens - low.tokens) / gap;
    const step = low.shown === 0 && pace === 0 ? FIRST_ENTRIES : Math.round((budget - low.tokens) / Math.max(1, pace));
    // If the guesses do not converge, use binary search.
    const guess = low.shown + Math.min(gap - 1, Math.max(1, round < GUESSES ? step : gap >> 1));
    const tokens = tokensOf(guess);
    if (tokens <= budget) low = { shown: guess, tokens };
    else high = { shown: guess, tokens };
  }
  return low.shown;
}

/** The cut entries that fit in full, highest worth first. */
function fitting(shown: readonly Entry[], room: number): readonly Entry[] {
  let left = room;
  return shown.filter((entry) => {
    const more = extraTokens(entry);
    if (more === 0 || more > left) return false;
    left -= more;
    return true;
  });
}

/** Removes whole lines at the end if the template's frame alone is over budget. */
function withinBudget(text: string, budget: number): string {
  if (countTokens(text) <= budget) return text;
  const lines = text.split("\n");
  let kept = lines.length;
  while (kept > 0 && countTokens(lines.slice(0, kept).join("\n")) > budget) kept--;
  return lines.slice(0, kept).join("\n").trimEnd();
}
