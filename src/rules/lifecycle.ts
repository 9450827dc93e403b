// What packs say of a session's lifecycle → rule sets that can be chosen by name.
import type { Resolved } from "../config/resolve.js";
import { diagnostic, type Report } from "../diagnostics.js";
import type { Lifecycle } from "./lifecycle-set.js";

/** What a rule set cannot do without: a number nobody gave would be a number of this program's own. */
const NEEDED = ["counted", "answer", "protect", "minimum", "turns", "characters", "cleared"] as const;

export function compileLifecycle({ lifecycle }: Resolved, report: Report): ReadonlyMap<string, Lifecycle> {
  const sets = new Map<string, Lifecycle>();
  for (const [id, entry] of lifecycle) {
    const { counted, answer, protect, minimum, turns, characters, cleared, ...value } = entry.value;
    const missing = NEEDED.filter((key) => entry.value[key] === undefined);
    if (missing.length > 0) {
      report(diagnostic("missing-key", `the lifecycle "${id}" needs ${missing.join(", ")}`, entry.at()));
      continue;
    }
    sets.set(id, {
      id,
      auto: value.auto ?? true,
      prune: value.prune ?? true,
      counted: new Set(counted),
      total: value.total ?? false,
      full: value.full ?? "above",
      answer: answer as number,
      reserve: value.reserve ?? 0,
      protect: protect as number,
      minimum: minimum as number,
      turns: turns as number,
      keep: new Set(value.keep),
      characters: characters as number,
      cleared: cleared as string,
      continue: value.continue ?? "",
      faultless: value.faultless ?? false,
      ...(value.tail && { tail: value.tail }),
      environment: value.environment ?? {},
    });
  }
  return sets;
}
