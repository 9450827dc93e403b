// Merges a pack over earlier ones, and recognises entries that only change an earlier entry of the same id, or that no project can
// change.
import type { ASKED_SIGNALS } from "../generated/signals.js";
import { nearest } from "../text/did-you-mean.js";
import { isFields, type JsonFields } from "../text/json.js";
import { groupBy } from "../text/lists.js";
import type { LoadedPack, PackBody, PackEntry } from "./pack.js";
import type { Path } from "./parse-yaml.js";

/** Switches a fragment off. A fragment is a text, so it has no `off` key. */
export const OFF_VALUE = "off";

/** A new entry has at least one of these keys. The entries of maps that are not listed are not maps. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  rules: ["emit"],
  guards: ["on"],
  cues: ["emit"],
  signals: ["match", "regex", "in"],
  sections: ["title"],
  categories: ["match", "otherwise"],
  tools: ["names", "refused"],
  shell: ["program"],
  lifecycle: ["counted"],
  audit: ["marks", "words"],
  files: ["path"],
  read: ["match", "regex", "in", "fields", "headings"],
  workflows: ["folder"],
  templates: ["file", "text"],
  options: ["offered", "taken", "labels"],
  updates: ["signal"],
};

export function isPatch(map: string, value: unknown): boolean {
  if (!isFields(value)) return map === "words" && value === OFF_VALUE;
  const needed = NEEDED[map] ?? [];
  return value.off === true || (needed.length > 0 && !needed.some((key) => key in value));
}

/** Adds to a suggestion that an entry with its own content may also be new. */
export function patchHint(map: string, value: unknown, near: string | undefined): string | undefined {
  if (!isFields(value) || value.off === true) return near;
  const [last = "", ...others] = [...(NEEDED[map] ?? [])].reverse();
  const fresh = `a new one needs ${others.length > 0 ? `${others.reverse().join(", ")} or ${last}` : last}`;
  return near === undefined ? fresh : `${fresh}; ${near}`;
}

/** Stages of a workflow that the one before, if there is one, does not have. A new stage has a condition, or notes can name it and it is not a misspelling. */
export function unknownStages(before: unknown, value: unknown): readonly string[] {
  const [known, given] = [stagesOf(before), isFields(before) ? stagesOf(value) : {}];
  const canBeNamed = [before, value].some((one) => isFields(one) && one.named !== undefined);
  return Object.keys(given).filter((id) => {
    const stage = given[id];
    if (Object.hasOwn(known, id) || !isFields(stage) || "when" in stage || stage.off === true) return false;
    return !canBeNamed || nearest(id, Object.keys(known)) !== undefined;
  });
}

export const stagesOf = (workflow: unknown): Readonly<Record<string, unknown>> =>
  isFields(workflow) && isFields(workflow.stages) ? workflow.stages : {};

/** The names of the stages in their order. Left out are those that come `after` no stage that is known, or after themselves. */
export function stageOrder(stages: Readonly<Record<string, { readonly after?: string }>> = {}): readonly string[] {
  const followers = groupBy(Object.keys(stages), (id) => stages[id]?.after);
  const open = [...(followers.get(undefined) ?? [])].reverse();
  const order: string[] = [];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    order.push(id);
    open.push(...[...(followers.get(id) ?? [])].reverse());
  }
  return order;
}

type Entry = PackEntry<unknown>;

export function mergeEntry(map: string, id: string, value: unknown, pack: LoadedPack, before?: Entry): Entry {
  const earlier = isFields(value) && isFields(before?.value) ? before : undefined;
  // Workflows and cues are merged at every level; in other maps a key is replaced as a whole.
  const deep = map === "workflows" || map === "cues";
  const owner = (...path: Path): LoadedPack => {
    const part = deep ? path : path.slice(0, 1);
    return earlier && part.length > 0 && !hasPath(value, part) ? earlier.from(...path) : pack;
  };
  return {
    id,
    value: earlier && isFields(value) ? mergeValues(earlier.value as object, value, deep, map === "templates") : value,
    from: owner,
    at: (path = [], what) => owner(...path).yaml.locate([map, id, ...path], what ?? (path.length > 0 ? "value" : "key")),
    within: (path, offset) => owner(...path).yaml.within([map, id, ...path], offset),
  };
}

function mergeValues(before: object, value: JsonFields, deep: boolean, isTemplate: boolean): object {
  // A template is in a file or in the pack. Setting one removes the other.
  const other = !isTemplate ? undefined : "file" in value ? "text" : "text" in value ? "file" : undefined;
  const earlier = Object.fromEntries(Object.entries(before).filter(([key]) => key !== other));
  const merged = deep ? mergeMaps(earlier, value) : { ...earlier, ...value };
  return "off" in value ? merged : { ...merged, off: false };
}

const hasPath = (value: unknown, [key, ...rest]: Path): boolean =>
  key === undefined || (Object.hasOwn(Object(value), key) && hasPath(Object(value)[key], rest));

function mergeMaps(before: unknown, after: unknown): object {
  const result = new Map(Object.entries(before as object));
  for (const [key, value] of Object.entries(after as object)) {
    const earlier = result.get(key);
    result.set(key, isFields(value) && isFields(earlier) ? mergeMaps(earlier, value) : value);
  }
  return Object.fromEntries(result);
}

// What a project cannot change, because it may come from anyone: how secrets are masked, which words count as the user's, and what
// the product says in its own name.

/** A tool with one of these keys speaks as the user: what it returns holds the user's answer, or why the user refused a call. */
const SPEAKING: readonly string[] = ["answers", "refused"];

/** These decide which words of the user reach later sessions, or end a guard. */
const FIXED_SIGNALS: readonly (keyof typeof ASKED_SIGNALS)[] = [
  "standing-rule",
  "temporary",
  "shows-text",
  "own-words",
  "points-at-text",
  "names-speaker",
  "states-duty",
  "adds-on",
  "user-allowed",
  "command-allowed",
  "answer-allows",
  "answer-agrees",
  "allowance-ends",
  "about-reading",
  "about-changing",
  "about-deleting",
  "about-running",
];
const FIXED: Partial<Record<keyof PackBody, readonly string[]>> = { signals: FIXED_SIGNALS, budget: ["standing"] };

/** Only built-in packs declare it. */
export const isReserved = (map: keyof PackBody, id: string): boolean => FIXED[map]?.includes(id) === true;

/** In a built-in template, the product speaks to a model or a person, unless the pack that declares it says that it is open. A
 * project may add masks of its own.
 * @param value what a built-in pack declares */
export const isFixed = (map: keyof PackBody, id: string, value: unknown): boolean =>
  isReserved(map, id) ||
  (map === "templates" && isFields(value) && value.open !== true) ||
  (map === "rules" && isFields(value) && value.emit === "redact") ||
  speaks(map, value);

/** With these keys, a built-in rule set for compactions speaks to a model, even as the user. */
const SAID: Partial<Record<keyof PackBody, readonly string[]>> = { lifecycle: ["cleared", "continue", "prompt", "system"] };

/** Would a project change a key that says something? @param isBuiltIn who says it so far */
export const changesSaid = (map: keyof PackBody, value: unknown, isBuiltIn: (key: string) => boolean): boolean =>
  isFields(value) && (SAID[map] ?? []).some((key) => key in value && isBuiltIn(key));

/** Does the output of a tool count as the user's words? */
export const speaks = (map: keyof PackBody, value: unknown): boolean =>
  map === "tools" && isFields(value) && SPEAKING.some((key) => key in value);

/** The fragments that the phrases of fixed signals and tools use, directly or through others. */
export function fixedWords(builtIn: readonly PackBody[]): ReadonlySet<string> {
  const found = new Set<string>();
  const collect = (declared: unknown): void => {
    for (const [, id = ""] of (JSON.stringify(declared) ?? "").matchAll(/<([^<>"\\]+)>/g)) {
      if (found.has(id)) continue;
      found.add(id);
      for (const { words } of builtIn) collect(words?.[id]);
    }
  };
  for (const { signals, tools = {} } of builtIn) {
    for (const id of FIXED_SIGNALS) collect(signals?.[id]);
    for (const tool of Object.values(tools)) if (speaks("tools", tool)) collect(tool);
  }
  return found;
}
