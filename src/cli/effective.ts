// The effective configuration as data: each value and where it comes from.

import { isBuiltIn, isBuiltInFile } from "../config/load-pack.js";
import { OFF_VALUE } from "../config/merge.js";
import type { LoadedPack, PackEntry } from "../config/pack.js";
import { MAPS as ALL, LISTS, type Resolved } from "../config/resolve-packs.js";
import type { Position } from "../diagnostics.js";
import { ownProgram } from "../hosts/own-program.js";
import { storeName } from "../recall/store.js";
import { SECTION_PREFIX } from "../rules/compile/continuity.js";
import type { LoadedRules } from "../rules/load-rules.js";
import { maskBody } from "../rules/redact/mask-pack.js";
import { didYouMean } from "../text/did-you-mean.js";
import { masked } from "./output/report.js";
import { CommandError } from "./output/terminal.js";

type Values = Readonly<Record<string, unknown>>;

export interface Effective {
  readonly id: string;
  readonly on: boolean;
  /** A text for fragments, a number for weights, otherwise a map. */
  readonly value: unknown;
  /** Where it is declared or switched off. */
  readonly at: Position;
  /** Keys that another pack than the declaring one sets. */
  readonly changes: readonly { readonly key: string; readonly value: unknown; readonly at: Position }[];
}

const SHOWN_MAPS = ALL.filter((map) => map !== "budget");
export type ShownMap = Exclude<(typeof ALL)[number], "budget">;

/** All entries of a map in the order of declaration; categories in the order in which they are tried. */
export function effective(map: ShownMap, { packs, rules }: LoadedRules): readonly Effective[] {
  const ids = new Set(packs.packs.flatMap(({ body }) => Object.keys(body[map] ?? {})));
  const found = [...ids].map((id) => {
    const entry = (packs[map] as ReadonlyMap<string, PackEntry<unknown>>).get(id);
    return entry ? withDefaults(map, describe(map, entry, packs), { packs, rules }) : switchedOff(map, id, packs.packs);
  });
  if (map !== "categories") return found;
  const order = rules.categories.map(({ id }) => id);
  const rank = ({ id, on }: Effective) => (on ? order.indexOf(id) : order.length);
  return [...found].sort((a, b) => rank(a) - rank(b));
}

function describe(map: ShownMap, entry: PackEntry<unknown>, { packs }: Resolved): Effective {
  const { id, value } = entry;
  if (typeof value !== "object" || value === null) return asSet(id, value, entry.at());
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

/** Adds defaults that no pack sets, and budgets, which are declared outside of the template. */
function withDefaults(map: ShownMap, found: Effective, { packs, rules }: Pick<LoadedRules, "packs" | "rules">): Effective {
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

/** An entry that is off. The last pack that says off is its place; the values are those from before. */
function switchedOff(map: ShownMap, id: string, packs: readonly LoadedPack[]): Effective {
  const said = packs.flatMap((pack) => {
    const value = (pack.body[map] as Readonly<Record<string, Values | string>> | undefined)?.[id];
    // A fragment is a text.
    return value ? [{ pack, value: typeof value === "string" ? { off: value === OFF_VALUE } : value }] : [];
  });
  const { off: _, ...value } = Object.assign({}, ...said.map((one) => one.value)) as Record<string, unknown>;
  const last = said.findLast((one) => one.value.off === true) ?? said.at(-1);
  const at = last?.pack.yaml.locate([map, id], "key") ?? { file: "", line: 1, column: 1 };
  return { id, on: false, value, at, changes: [] };
}

export interface EffectiveValues extends Readonly<Record<"sinks" | "settings", readonly Effective[]>> {
  readonly packs: readonly LoadedPack[];
  readonly maps: readonly (readonly [ShownMap, readonly Effective[]])[];
  readonly words: readonly (readonly [string, readonly Effective[]])[];
}

/** @param ids only these; all if empty. An id may have the prefix that explain prints, as in "section:goal". A map's name stands
 * for its entries.
 * @param own only what packs that are not built in declare or change */
export function effectiveValues(loaded: LoadedRules, ids: readonly string[], own: boolean): EffectiveValues {
  const maps = SHOWN_MAPS.map((map) => [map, effective(map, loaded)] as const);
  const [sinks, settings] = [sinksIn(loaded), settingsIn(loaded)];
  const named = maps.flatMap(([, entries]) => entries.map(({ id }) => id));
  const known = [...SHOWN_MAPS, ...named, ...WORD_LISTS, ...[...sinks, ...settings].map(({ id }) => id)];
  const isId = (id: string, asked: string) => id === asked || asked.endsWith(`:${id}`);
  const unknown = ids.find((asked) => !known.some((id) => isId(id, asked)));
  if (unknown !== undefined)
    throw new CommandError(`there is no "${unknown}"`, didYouMean(unknown, known) ?? `${ownProgram()} config prints all names`);
  const isOwn = ({ at, changes }: Effective) =>
    [at, ...changes.map((change) => change.at)].some(({ file }) => !isBuiltInFile(file));
  const isShown = (entry: Effective, map?: string) =>
    (ids.length === 0 || ids.some((asked) => asked === map || isId(entry.id, asked))) && (!own || isOwn(entry));
  // Places stay as they are until they are shown.
  const safe = <T>(value: T) => maskBody({ value }, masked) as { readonly value: T };
  const said = (pack: LoadedPack) => (isBuiltIn(pack) ? pack : { ...pack, body: safe(pack.body).value });
  const masks = (entry: Effective): Effective => {
    if (!isOwn(entry)) return entry;
    const changes = entry.changes.map((change) => ({ ...change, key: masked(change.key), ...safe(change.value) }));
    return { ...entry, id: masked(entry.id), ...safe(entry.value), changes };
  };
  // Without a .compactionrc, the last pack is not a file.
  const files = loaded.packs.packs.filter((pack) => pack.what === "pack" || pack.file === loaded.file);
  return {
    packs: files.filter((pack) => ids.length === 0 && !(own && isBuiltIn(pack))).map(said),
    maps: maps.map(([map, entries]) => [map, entries.filter((one) => isShown(one, map)).map(masks)]),
    words: WORD_LISTS.map((list) => [
      list,
      wordsIn(list, loaded)
        .filter((one) => isShown({ ...one, id: list }))
        .map(masks),
    ]),
    sinks: sinks.filter((one) => isShown(one)),
    settings: settings.filter((one) => isShown(one)),
  };
}

const asSet = (id: string, value: unknown, at: Position): Effective => ({ id, on: true, value, at, changes: [] });

const WORD_LISTS = [...LISTS, "entries"] as const;

/** Word lists grow from pack to pack: one entry per pack, with the words that it adds. */
function wordsIn(list: (typeof WORD_LISTS)[number], { packs }: LoadedRules): readonly Effective[] {
  return packs.packs.flatMap(({ body, yaml }) =>
    body[list] ? [asSet(body.name ?? CONFIGURATION, body[list], yaml.locate([list], "key"))] : [],
  );
}

/** Where notes are written: from the project's configuration, or else from the user's. */
function sinksIn({ packs, user, sinks: used }: LoadedRules): readonly Effective[] {
  return (["notes", "maenifold"] as const).flatMap((id) => {
    const pack = [packs.packs.at(-1), user].find((one) => one?.body.sinks?.[id]);
    return pack && used[id] ? [asSet(id, pack.body.sinks?.[id], pack.yaml.locate(["sinks", id], "key"))] : [];
  });
}

/** Single values that only a configuration can set. */
function settingsIn({ packs, user }: LoadedRules): readonly Effective[] {
  const config = packs.packs.at(-1);
  const single = (["enabled", "keepDays", "judge", "frames"] as const).flatMap((id) => {
    const value = config?.body[id];
    return config && value !== undefined ? [asSet(id, value, config.yaml.locate([id], "key"))] : [];
  });
  const pack = [config, user].find((one) => one?.body.recall);
  const { store, ...recall } = pack?.body.recall ?? {};
  const shown = { ...recall, ...(store !== undefined && { store: storeName(store) }) };
  return pack ? [...single, asSet("recall", shown, pack.yaml.locate(["recall"], "key"))] : single;
}

/** The name shown for a configuration, which has none. */
export const CONFIGURATION = "(configuration)";

export function flow(value: unknown, inner = false): string {
  if (Array.isArray(value))
    return inner && value.length > 1
      ? `[${value.map((one) => flow(one, true)).join(", ")}]`
      : value.map((one) => flow(one, true)).join(", ");
  if (typeof value !== "object" || value === null) return String(value ?? "").replace(/\s+/g, " ");
  const fields = Object.entries(value).map(([key, one]) => `${key}: ${flow(one, true)}`);
  return inner ? `{ ${fields.join(", ")} }` : fields.join(", ");
}
