// Compiles tables that need little more than defaults: categories, tools, programs, audit words, lifecycles.

import type { PackEntry } from "../../config/pack.js";
import type { Resolved } from "../../config/resolve-packs.js";
import { diagnostic, type Report } from "../../diagnostics.js";
import { KINDS } from "../../model.js";
import type { Category, Lifecycle, Mark, RuleSet } from "../rule-set.js";
import type { Program, Tool } from "../tool-set.js";
import { type Conditions, isEmptied } from "./conditions.js";

export function compileCategories(packs: Resolved, { phrases }: Conditions, report: Report): readonly Category[] {
  return nearestFirst(packs, "categories", packs.categories, "match").map(
    (entry): Category => ({
      id: entry.id,
      of: new Set(entry.value.of ?? KINDS),
      match: isEmptied("category", entry, report) ? [] : phrases(entry, ["match"], entry.value.match, false),
      ...(entry.value.otherwise && { otherwise: true }),
    }),
  );
}

/**
 * Sorts entries for lookups where the first match wins: entries of later packs come first, because they are closer to the
 * user, then in file order. This also applies to entries that an earlier pack declares too.
 * @param key the key that decides the position: the last pack that sets it counts, changes of other keys do not
 */
function nearestFirst<T>(packs: Resolved, map: "categories" | "shell", entries: ReadonlyMap<string, PackEntry<T>>, key: string) {
  const places = new Map(packs.packs.map((pack, order) => [pack, { order, ids: Object.keys(pack.body[map] ?? {}) }]));
  return [...entries.values()]
    .map((entry) => {
      const { order = 0, ids = [] } = places.get(entry.from(key)) ?? {};
      return { entry, order, place: ids.indexOf(entry.id) };
    })
    .sort((a, b) => b.order - a.order || a.place - b.place)
    .map(({ entry }) => entry);
}

export function compileTools(packs: Resolved, { phrases }: Conditions): Pick<RuleSet, "tools" | "refusals" | "askingHosts"> {
  const tools = new Map<string, Tool>();
  const refusals: Tool[] = [];
  const askingHosts = new Set<string>();
  const endings: (readonly [string, Tool])[] = [];
  for (const [id, entry] of packs.tools) {
    const { names, file, command, effect, patch, script, list, answers, values, said, old, todo } = entry.value;
    const { refused, echoes, mentions, skill, agent, asks } = entry.value;
    const tool: Tool = {
      id,
      file: file ?? [],
      command: command ?? [],
      ...(effect && { effect }),
      patch: patch ?? [],
      script: script ?? [],
      list: list ?? [],
      answers: answers ?? [],
      values: values ?? [],
      said: said ?? [],
      refused: refused ?? [],
      echoes: echoes ?? [],
      unsaid: phrases(entry, ["unsaid"], entry.value.unsaid),
      old: old ?? [],
      mentions: mentions ?? [],
      skill: skill ?? [],
      asks: asks ?? [],
      agent: agent ?? [],
      started: phrases(entry, ["started"], entry.value.started),
      committed: phrases(entry, ["committed"], entry.value.committed),
      ...(todo && { todo: { text: todo.text ?? [], state: todo.state ?? [], id: todo.id ?? [], merge: todo.merge ?? [] } }),
      failed: phrases(entry, ["failed"], entry.value.failed),
      unrun: phrases(entry, ["unrun"], entry.value.unrun),
      passed: phrases(entry, ["passed"], entry.value.passed),
      faulty: phrases(entry, ["faulty"], entry.value.faulty),
      broke: phrases(entry, ["broke"], entry.value.broke),
    };
    if (tool.refused.length > 0) refusals.push(tool);
    for (const host of tool.answers) askingHosts.add(host);
    for (const name of names ?? [])
      if (name.startsWith(ANY)) endings.push([name.slice(ANY.length).toLowerCase(), tool]);
      else tools.set(name, tool);
  }
  return { refusals, askingHosts, tools: endings.length === 0 ? tools : withEndings(tools, endings) };
}

const ANY = "*";

/** Finds tools by the end of their name, because servers and plugins add prefixes to it. */
function withEndings(tools: Map<string, Tool>, endings: readonly (readonly [string, Tool])[]): ReadonlyMap<string, Tool> {
  const known = new Map<string, Tool | undefined>(tools);
  function get(name: string): Tool | undefined {
    if (!known.has(name)) {
      const lower = name.toLowerCase();
      known.set(name, endings.findLast(([ending]) => lower.endsWith(ending))?.[1]);
    }
    return known.get(name);
  }
  return Object.assign(tools, { get, has: (name: string) => get(name) !== undefined });
}

export function compileShell(packs: Resolved): readonly Program[] {
  return nearestFirst(packs, "shell", packs.shell, "program").map(({ id, value }): Program => {
    const { off: _, program, with: options, without, values, given, skip, named, folder, patch, harmless, ...rest } = value;
    const { scripts, narrow, roots, message, ...effects } = rest;
    return {
      ...effects,
      id,
      names: program ?? [],
      with: options ?? [],
      without: without ?? [],
      values: values ?? [],
      given: given ?? [],
      skip: skip ?? 0,
      named: named ?? false,
      folder: folder ?? false,
      patch: patch ?? false,
      harmless: harmless ?? false,
      scripts: scripts ?? [],
      narrow: narrow ?? [],
      message: message ?? [],
      roots: roots ?? [],
    };
  });
}

export function compileAudit(packs: Resolved, report: Report): ReadonlyMap<Mark, readonly string[]> {
  const audit = new Map<Mark, readonly string[]>();
  for (const [id, entry] of packs.audit) {
    const { marks, words } = entry.value;
    if (marks && words) audit.set(marks, [...(audit.get(marks) ?? []), ...words]);
    else report(diagnostic("missing-key", `the list "${id}" needs marks and words`, entry.at()));
  }
  return audit;
}

// Lifecycles: rule sets that are chosen by name.

/** Required keys: the program has no defaults of its own for them. */
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
      prompt: value.prompt ?? "",
      system: value.system ?? "",
      title: value.title ?? Number.POSITIVE_INFINITY,
      faultless: value.faultless ?? false,
      ...(value.tail && { tail: value.tail }),
      environment: value.environment ?? {},
    });
  }
  return sets;
}
