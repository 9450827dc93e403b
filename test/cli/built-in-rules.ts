// For tests that call init many times in folders without rules of their own: the rules are loaded once.
import type * as Rules from "../../src/rules/load-rules.js";

export async function withBuiltInRules(original: () => Promise<typeof Rules>): Promise<typeof Rules> {
  const all = await original();
  const builtIn = all.builtInRules();
  return { ...all, loadRules: () => builtIn };
}
