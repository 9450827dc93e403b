// Compiles tables that need little more than defaults: categories, tools, programs, audit words, lifecycles, templates.

import { isBuiltIn } from "../../config/load-pack.js";
import type { LoadedPack, PackEntry, TemplateEntry } from "../../config/pack.js";
import type { Resolved } from "../../config/resolve-packs.js";
import { type Diagnostic, diagnostic, type Position, type Report } from "../../diagnostics.js";
import type { LifecycleFile } from "../../generated/pack-file.js";
import { KINDS } from "../../model.js";
import type { Category, Lifecycle, Mark, RuleSet, Template } from "../rule-set.js";
import { templateFault } from "../template/fill-template.js";
import { toolsByName } from "../tool-names.js";
import { PLAIN_PROGRAM, PLAIN_TOOL, type Program, TOOL_PHRASES, type Tool, type ToolPhrases } from "../tool-set.js";
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

/** Sorts entries for lookups where the first match wins: entries of later packs come first, because they are closer to the user,
 * then in file order. This also applies to entries that an earlier pack declares too.
 * @param key the key that decides the position: the last pack that sets it counts, changes of other keys do not */
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
  for (const [id, entry] of packs.tools) {
    const { off: _, names = [], todo, ...value } = entry.value;
    const tool: Tool = {
      ...PLAIN_TOOL,
      ...value,
      ...(todo && { todo: { text: [], state: [], id: [], merge: [], listed: "", ...todo } }),
      ...(Object.fromEntries(TOOL_PHRASES.map((key) => [key, phrases(entry, [key], value[key])])) as unknown as ToolPhrases),
      id,
    };
    if (tool.refused.length > 0) refusals.push(tool);
    for (const host of tool.answers) askingHosts.add(host);
    for (const name of names) tools.set(name, tool);
  }
  return { refusals, askingHosts, tools: toolsByName(tools) };
}

export function compileShell(packs: Resolved): readonly Program[] {
  return nearestFirst(packs, "shell", packs.shell, "program").map(({ id, value }): Program => {
    const { off: _, program = [], ...rest } = value;
    return { ...PLAIN_PROGRAM, ...rest, id, names: program };
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

const PLAIN_LIFECYCLE = {
  auto: true,
  prune: true,
  total: false,
  full: "above",
  reserve: 0,
  continue: "",
  prompt: "",
  system: "",
  title: Number.POSITIVE_INFINITY,
  faultless: false,
  environment: {},
} as const satisfies LifecycleFile;

/** Required keys: the program has no defaults of its own for them. */
const NEEDED = ["counted", "answer", "protect", "minimum", "turns", "characters", "cleared"] as const;

export function compileLifecycle({ lifecycle }: Resolved, report: Report): ReadonlyMap<string, Lifecycle> {
  const sets = new Map<string, Lifecycle>();
  for (const [id, entry] of lifecycle) {
    const missing = NEEDED.filter((key) => entry.value[key] === undefined);
    if (missing.length > 0) {
      report(diagnostic("missing-key", `the lifecycle "${id}" needs ${missing.join(", ")}`, entry.at()));
      continue;
    }
    const { off: _, ...value } = entry.value as LifecycleFile & Required<Pick<LifecycleFile, (typeof NEEDED)[number]>>;
    sets.set(id, { ...PLAIN_LIFECYCLE, ...value, id, counted: new Set(value.counted), keep: new Set(value.keep) });
  }
  return sets;
}

// Templates. Invalid ones are left out, so that another can be used instead.

const DEFAULT_TOKENS = 500;

export function compileTemplates(packs: Resolved, report: Report): ReadonlyMap<string, Template> {
  const templates = new Map<string, Template>();
  for (const [id, entry] of packs.templates) {
    const { value, text } = entry;
    const { store } = value;
    const [said] = templateTexts(entry);
    const faults = syntaxFaults(entry);
    for (const fault of faults) report(fault);
    if (faults.length > 0) continue;
    templates.set(id, {
      id,
      text,
      ...(!isBuiltIn(said.pack) && { foreign: true }),
      tokens: packs.budget.get(id)?.value ?? value.tokens ?? DEFAULT_TOKENS,
      max: value.max ?? {},
      ...(value.least && { least: value.least }),
      ...(value.once && { once: true }),
      ...(value.recent !== undefined && { recent: value.recent }),
      ...(store && { store: { ...store, tags: store.tags ?? [] } }),
    });
  }
  return templates;
}

/** A text of a template, its pack, and a function that locates a character in it. */
export interface TemplateText {
  readonly text: string;
  readonly pack: LoadedPack;
  readonly place: (offset: number) => Position;
}

/** The text of a template, and the texts that say where to store the result. */
export function templateTexts(entry: TemplateEntry): readonly [TemplateText, ...TemplateText[]] {
  const { title, folder, file, tags = [] } = entry.value.store ?? {};
  const filed = [
    ...Object.entries({ title, folder, file }).map(([key, text]) => [text, [key]] as const),
    ...tags.map((text, index) => [text, ["tags", index]] as const),
  ];
  const pack = entry.from("store");
  return [
    {
      text: entry.text,
      pack: entry.from(entry.textFile === undefined ? "text" : "file"),
      place: (offset) => placeInText(entry, offset),
    },
    ...filed.flatMap(([text, path]) =>
      text === undefined ? [] : [{ text, pack, place: (offset: number) => entry.within(["store", ...path], offset) }],
    ),
  ];
}

function placeInText({ text, textFile, within }: TemplateEntry, offset: number): Position {
  if (textFile === undefined) return within(["text"], offset);
  const before = text.slice(0, offset).split("\n");
  return { file: textFile, line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

/** Skips built-in templates: they are known to be valid. */
const syntaxFaults = (entry: TemplateEntry): readonly Diagnostic[] =>
  templateTexts(entry).flatMap(({ text, pack, place }) => {
    const fault = isBuiltIn(pack) ? undefined : templateFault(text);
    return fault ? [diagnostic("template-syntax", fault.message, place(fault.offset))] : [];
  });
