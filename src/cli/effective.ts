// The effective configuration as data: what holds, and where each value comes from.
import type { LoadedPack } from "../config/load.js";
import { OFF } from "../config/patch.js";
import type { Entry, Resolved } from "../config/resolve.js";
import type { Position } from "../diagnostics.js";
import type { LoadedRules } from "../rules/load.js";
import { SECTION_PREFIX } from "../rules/section-rule.js";

type Values = Readonly<Record<string, unknown>>;

export interface Change {
  readonly key: string;
  readonly value: unknown;
  readonly at: Position;
}

export interface Effective {
  readonly id: string;
  readonly on: boolean;
  /** A text or a number for fragments and weights, else by key. */
  readonly value: unknown;
  /** Where it is declared, or switched off. */
  readonly at: Position;
  /** The keys that another pack says than the one that declares it. */
  readonly changes: readonly Change[];
}

export const MAPS = [
  "rules",
  "signals",
  "salience",
  "cues",
  "options",
  "sections",
  "categories",
  "tools",
  "shell",
  "lifecycle",
  "audit",
  "templates",
  "words",
  "files",
  "read",
  "workflows",
] as const;
export type MapName = (typeof MAPS)[number];

/** The packs that are files: without a .compactionrc, an empty one stands for it. */
export function packFiles({ packs, file }: LoadedRules): readonly LoadedPack[] {
  return packs.packs.filter((pack) => pack.what === "pack" || pack.file === file);
}

/** All that is declared in a map, in the order of its declarations; categories in the order in which they are asked. */
export function effective(map: MapName, { packs, rules }: LoadedRules): readonly Effective[] {
  const ids = new Set(packs.packs.flatMap(({ body }) => Object.keys(body[map] ?? {})));
  const found = [...ids].map((id) => {
    const entry = (packs[map] as ReadonlyMap<string, Entry<unknown>>).get(id);
    return entry ? withDefaults(map, describe(map, entry, packs), { packs, rules }) : switchedOff(map, id, packs.packs);
  });
  if (map !== "categories") return found;
  const order = rules.categories.map(({ id }) => id);
  const rank = ({ id, on }: Effective) => (on ? order.indexOf(id) : order.length);
  return [...found].sort((a, b) => rank(a) - rank(b));
}

function describe(map: MapName, entry: Entry<unknown>, { packs }: Resolved): Effective {
  const { id, value } = entry;
  if (typeof value !== "object" || value === null) return { id, on: true, value, at: entry.at(), changes: [] };
  const keys = Object.keys(value).filter((key) => key !== "off");
  const owners = new Set(keys.map((key) => entry.from(key)));
  const declaring = packs.find((pack) => owners.has(pack)) ?? entry.from();
  return {
    id,
    on: true,
    value: Object.fromEntries(keys.map((key) => [key, (value as Values)[key]])),
    at: declaring.yaml.locate([map, id], "key"),
    changes: keys
      .filter((key) => entry.from(key) !== declaring)
      .map((key) => ({ key, value: (value as Values)[key], at: entry.at([key]) })),
  };
}

/** What counts although no pack says it, and budgets, which stand elsewhere than the template. */
function withDefaults(map: MapName, found: Effective, { packs, rules }: Pick<LoadedRules, "packs" | "rules">): Effective {
  const value = found.value as Values;
  if (map === "rules" || map === "sections") {
    const id = map === "rules" ? found.id : SECTION_PREFIX + found.id;
    const rule = [...rules.rules, ...rules.redactions].find((one) => one.id === id);
    return { ...found, value: { ...value, score: rule?.score } };
  }
  if (map === "templates") {
    const tokens = rules.templates.get(found.id)?.tokens;
    const budget = packs.budget.get(found.id);
    const changes = budget ? [{ key: "budget", value: tokens, at: budget.at() }] : [];
    return { ...found, value: { ...value, tokens }, changes: [...found.changes, ...changes] };
  }
  return found;
}

/** The last pack that says off decides; what was said before tells what it would have been. */
function switchedOff(map: MapName, id: string, packs: readonly LoadedPack[]): Effective {
  const said = packs.flatMap((pack) => {
    const value = (pack.body[map] as Readonly<Record<string, Values | string>> | undefined)?.[id];
    // A fragment is a text.
    return value ? [{ pack, value: typeof value === "string" ? { off: value === OFF } : value }] : [];
  });
  const { off: _, ...value } = Object.assign({}, ...said.map((one) => one.value)) as Record<string, unknown>;
  const last = said.findLast((one) => one.value.off === true) ?? said.at(-1);
  const at = last?.pack.yaml.locate([map, id], "key") ?? { file: "", line: 1, column: 1 };
  return { id, on: false, value, at, changes: [] };
}

/** Word lists grow from pack to pack: each with what it adds. */
export function lists(
  list: "nothing" | "abbreviations" | "restrictions" | "scratch" | "entries",
  { packs }: LoadedRules,
): readonly Omit<Effective, "changes">[] {
  return packs.packs.flatMap(({ body, yaml }) =>
    body[list] ? [{ id: body.name ?? CONFIGURATION, on: true, value: body[list], at: yaml.locate([list], "key") }] : [],
  );
}

/** Where notes are written: as the project's configuration says it, else the user's. */
export function sinks({ packs, user, sinks: used }: LoadedRules): readonly Omit<Effective, "changes">[] {
  return (["notes", "maenifold"] as const).flatMap((id) => {
    const pack = [packs.packs.at(-1), user].find((one) => one?.body.sinks?.[id]);
    return pack && used[id] ? [{ id, on: true, value: pack.body.sinks?.[id], at: pack.yaml.locate(["sinks", id], "key") }] : [];
  });
}

/** Single values that only a configuration has: what it says of them. */
export function settings({ packs }: LoadedRules): readonly Omit<Effective, "changes">[] {
  const config = packs.packs.at(-1);
  return (["enabled", "keepDays", "frames"] as const).flatMap((id) => {
    const value = config?.body[id];
    return config && value !== undefined ? [{ id, on: true, value, at: config.yaml.locate([id], "key") }] : [];
  });
}

/** What a configuration is called, having no name. */
export const CONFIGURATION = "(configuration)";
