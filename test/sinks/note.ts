// Notes for tests of sinks, from the built-in template.
import { builtInRules, extract, type Rendered, type RuleSet, render } from "../../src/index.js";

const { rules } = builtInRules();

export function noteOf(id: string, { round = 1, said = "We decided to use SQLite.", project = "demo" } = {}): Rendered {
  const session = { id, format: "test", messages: [{ id: "m1", role: "user" as const, text: said, toolCalls: [] }] };
  const template = rules.templates.get("note") as NonNullable<ReturnType<RuleSet["templates"]["get"]>>;
  return render(extract(session, rules), template, rules, { project, round, now: "2026-01-27T23:30:00-08:00" });
}

/** Root may write anywhere: what others may not is tried as one of them. */
export async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}
