// The rules that are tried, and those to compare with: the same without the packs that are tried, or those of a revision.
import { isBuiltIn, loadPack } from "../../config/load-pack.js";
import type { LoadedPack } from "../../config/pack.js";
import { loadNamed } from "../../config/search-config.js";
import { declarations } from "../../extract/test-examples.js";
import { projectRoot } from "../../files/folders.js";
import { GUARD_PREFIX } from "../../guards/examples.js";
import { FIELD_SUFFIX, SECTION_PREFIX } from "../../rules/compile/continuity.js";
import type { LoadedRules } from "../../rules/load-rules.js";
import type { Phrase } from "../../rules/phrase/phrase.js";
import { rulesFor } from "../input/project.js";

/** Plain data, because it is sent to workers. */
export interface TryOptions {
  readonly project: string;
  /** Files of packs. Without any, the project's own packs are tried. */
  readonly packs: readonly string[];
  /** The text of the only pack, whose file is not there. */
  readonly text?: string;
  /** What they are compared with. Without it, the same rules without the packs. */
  readonly before?: TryOptions;
  /** The rule whose near misses are collected, too. */
  readonly asked?: string | undefined;
}

export interface DeclaredRule {
  /** What it gives: the kind of its facts, or what a guard does. */
  readonly kind: string;
  readonly phrases: readonly Phrase[];
}

export interface TriedRules extends Pick<TryOptions, "asked"> {
  readonly now: LoadedRules;
  readonly before: LoadedRules;
  readonly isRevision: boolean;
  /** The packs only add rules: where none of these finds anything, all other facts are the same. */
  readonly isAdding: boolean;
  /** Rules, sections, cues and guards of the packs. */
  readonly declared: ReadonlyMap<string, DeclaredRule>;
}

export function triedRules(options: TryOptions): TriedRules {
  const now = rulesWith(options);
  const own = now.packs.packs.filter((pack) => !isBuiltIn(pack) && pack.file !== now.user?.file && pack.yaml.text !== "");
  const tried = new Set(options.packs.length > 0 ? options.packs : own.map(({ file }) => file));
  const before = options.before ? rulesWith(options.before) : rulesFor(options.project, { without: tried, added: [] });
  const isRevision = options.before !== undefined;
  const isAdding = !isRevision && onlyAdds(now, before, tried);
  return { now, before, isRevision, isAdding, declared: declaredIn(now, tried), asked: options.asked };
}

const ADDING = ["compaction", "name", "description", "$schema", "extends", "rules", "guards"];

function onlyAdds(now: LoadedRules, before: LoadedRules, tried: ReadonlySet<string>): boolean {
  const builtIn = ({ packs }: LoadedRules) => packs.packs.filter(isBuiltIn).length;
  const isPlain = ({ body }: LoadedPack) =>
    Object.keys(body).every((key) => ADDING.includes(key)) &&
    Object.entries(body.rules ?? {}).every(([id, { emit }]) => emit !== "redact" && !before.packs.rules.has(id));
  return builtIn(now) === builtIn(before) && now.packs.packs.every((pack) => !tried.has(pack.file) || isPlain(pack));
}

function rulesWith({ project, packs, text }: TryOptions): LoadedRules {
  const load = (file: string) => (text === undefined ? loadNamed(file) : loadPack(file, projectRoot(project), "pack", text));
  return rulesFor(project, packs.length > 0 ? { without: new Set(packs), added: packs.map(load) } : undefined);
}

function declaredIn({ packs, rules, guards }: LoadedRules, tried: ReadonlySet<string>): TriedRules["declared"] {
  const known = new Map<string, DeclaredRule>([
    ...rules.rules.map(({ id, emit: kind, match: phrases }) => [declaredId(id), { kind, phrases }] as const),
    ...rules.cues.map(({ id, kind }) => [id, { kind, phrases: [] }] as const),
  ]);
  const facts = declarations(packs).filter(({ from }) => tried.has(from().file));
  const calls = guards.filter(({ id }) => tried.has(packs.guards.get(id)?.from().file ?? ""));
  return new Map([
    ...facts.flatMap(({ id }) => (known.has(id) ? [[id, known.get(id) as DeclaredRule] as const] : [])),
    ...calls.map(({ id, does }) => [GUARD_PREFIX + id, { kind: does, phrases: [] }] as const),
  ]);
}

/** A section has a second rule, for its fields. */
export const declaredId = (rule: string) =>
  rule.startsWith(SECTION_PREFIX) && rule.endsWith(FIELD_SUFFIX) ? rule.slice(0, -FIELD_SUFFIX.length) : rule;
