// Tables that need little more than their defaults: categories, tools, programs, word lists.
import type { Entry, Resolved } from "../config/resolve.js";
import { diagnostic, type Report } from "../diagnostics.js";
import { KINDS } from "../model.js";
import type { Conditions } from "./conditions.js";
import { isEmptied } from "./emptied.js";
import type { Category, Mark, RuleSet } from "./rule-set.js";
import type { Program, Tool } from "./tool-set.js";

export function compileCategories(packs: Resolved, { phrases }: Conditions, report: Report): readonly Category[] {
  return nearestFirst(packs, "categories", packs.categories, "match").map(
    (entry): Category => ({
      id: entry.id,
      of: new Set(entry.value.of ?? KINDS),
      match: isEmptied("category", entry, report) ? [] : phrases(entry, ["match"], entry.value.match, false),
    }),
  );
}

/**
 * Packs that come later are nearer to the user: where the first entry that fits decides, theirs are asked first, in the order
 * of the file, whether an earlier pack has them too or not.
 * @param key what an entry is asked by: who changes another key of it leaves it at its place
 */
function nearestFirst<T>(packs: Resolved, map: "categories" | "shell", entries: ReadonlyMap<string, Entry<T>>, key: string) {
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
    const { refused, echoes } = entry.value;
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

/** Servers and plugins put names of their own before those of their tools. */
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
    const { off: _, program, with: options, without, values, given, skip, named, folder, patch, code, harmless, ...rest } = value;
    const { scripts, narrow, roots, ...effects } = rest;
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
      code: code ?? false,
      harmless: harmless ?? false,
      scripts: scripts ?? [],
      narrow: narrow ?? [],
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
