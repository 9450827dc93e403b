// The rules that are tried, and those to compare with: the same without the packs that are tried.
import { resolve } from "node:path";
import { isBuiltIn } from "../../config/load-pack.js";
import { loadNamed } from "../../config/search-config.js";
import { declarations } from "../../extract/test-examples.js";
import { GUARD_PREFIX } from "../../guards/examples.js";
import { FIELD_SUFFIX, SECTION_PREFIX } from "../../rules/compile/continuity.js";
import type { LoadedRules } from "../../rules/load-rules.js";
import { rulesFor } from "../input/project.js";

/** Plain data, because it is sent to workers. */
export interface TryOptions {
  readonly project: string;
  /** Files of packs. Without any, the project's own packs are tried. */
  readonly packs: readonly string[];
}

export interface TriedRules {
  readonly now: LoadedRules;
  readonly before: LoadedRules;
  /** Rules, sections, cues and guards of the packs, each with what it gives. */
  readonly declared: ReadonlyMap<string, string>;
}

export function triedRules({ project, packs }: TryOptions): TriedRules {
  const files = new Set(packs.map((file) => resolve(file)));
  const added = [...files].map(loadNamed);
  const now = rulesFor(project, added.length > 0 ? { without: files, added } : undefined);
  const own = now.packs.packs.filter((pack) => !isBuiltIn(pack) && pack.file !== now.user?.file && pack.yaml.text !== "");
  const tried = added.length > 0 ? files : new Set(own.map(({ file }) => file));
  return { now, before: rulesFor(project, { without: tried, added: [] }), declared: declaredIn(now, tried) };
}

function declaredIn({ packs, rules, guards }: LoadedRules, tried: ReadonlySet<string>): ReadonlyMap<string, string> {
  const kinds = new Map<string, string>([
    ...rules.rules.map(({ id, emit }) => [declaredId(id), emit] as const),
    ...rules.cues.map(({ id, kind }) => [id, kind] as const),
  ]);
  const facts = declarations(packs).filter(({ id, from }) => tried.has(from().file) && kinds.has(id));
  const calls = guards.filter(({ id }) => tried.has(packs.guards.get(id)?.from().file ?? ""));
  return new Map([
    ...facts.map(({ id }) => [id, kinds.get(id) ?? ""] as const),
    ...calls.map(({ id, does }) => [GUARD_PREFIX + id, does] as const),
  ]);
}

/** A section has a second rule, for its fields. */
export const declaredId = (rule: string) =>
  rule.startsWith(SECTION_PREFIX) && rule.endsWith(FIELD_SUFFIX) ? rule.slice(0, -FIELD_SUFFIX.length) : rule;
