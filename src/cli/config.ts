// compaction config: prints the effective configuration, each value with its place.
import { stageOrder } from "../config/merge.js";
import type { Position } from "../diagnostics.js";
import { CONFIGURATION, type Effective, type EffectiveValues, effectiveValues, flow, type ShownMap } from "./effective.js";
import type { Arguments } from "./input/arguments.js";
import { rulesFor } from "./input/project.js";
import { alignedColumns } from "./output/lines.js";
import { originName, originPlace } from "./output/report.js";
import { coloursOf, printJson, say } from "./output/terminal.js";

export function config({ values, flags, positionals }: Arguments): number | undefined {
  const loaded = rulesFor(values.project ?? process.cwd());
  const shown = effectiveValues(loaded, positionals, flags.own === true);
  if (flags.json) return printJson({ ...(loaded.file && { config: originName(loaded.file) }), ...asData(shown) });
  say((loaded.file === undefined ? "no .compactionrc: the built-in packs\n\n" : "") + asLines(shown));
}

function asData({ packs, maps, words, sinks: written, settings: single }: EffectiveValues): object {
  const place = ({ file, line, column }: Position) => ({ file: originName(file), line, column });
  const valued = ({ value, at }: Effective) => ({ value, at: place(at) });
  const mapped = (map: ShownMap, { id, on, value, at, changes }: Effective) => ({
    id,
    on,
    value: map === "rules" ? ruleValue(value) : map === "sections" || map === "cues" ? withoutExamples(value) : value,
    at: place(at),
    ...(changes.length > 0 && { changes: changes.map((change) => ({ ...change, at: place(change.at) })) }),
  });
  return {
    packs: packs.map(({ file, body }) => ({ ...(body.name && { name: body.name }), file: originName(file) })),
    ...Object.fromEntries(maps.map(([map, entries]) => [map, entries.map((entry) => mapped(map, entry))])),
    ...Object.fromEntries(words.map(([list, entries]) => [list, entries.map(valued)])),
    sinks: written.map((entry) => ({ id: entry.id, ...valued(entry) })),
    ...Object.fromEntries(single.map((entry) => [entry.id, valued(entry)])),
  };
}

const ruleValue = (value: unknown) => {
  const { emit, score } = value as { readonly emit?: string; readonly score?: number };
  return { emit, score };
};

const withoutExamples = (value: unknown) => ({ ...(value as object), examples: undefined });

type Cells = readonly [kind: string, name: string, value: string, place: string];

/** Names of one entry that are not the singular of the map's name. */
const KIND_NAMES: Readonly<Partial<Record<ShownMap, string>>> = {
  salience: "weight",
  cues: "cues",
  options: "options",
  shell: "program",
  words: "fragment",
  read: "value",
};
const kindOf = (map: ShownMap) => KIND_NAMES[map] ?? map.replace(/ies$/, "y").replace(/s$/, "");
/** Columns of a value: with name and place, a line fits most terminals. */
const VALUE_COLUMNS = 56;

function asLines({ packs, maps, words, sinks: written, settings: single }: EffectiveValues): string {
  const row = (kind: string, name: string, { value, at }: Effective): Cells => [kind, name, flow(value) || "on", originPlace(at)];
  const groups: readonly (readonly Cells[])[] = [
    packs.map(({ file, body }) => ["pack", body.name ?? CONFIGURATION, body.description ?? "", originName(file)]),
    ...maps.map(([map, entries]) => entries.flatMap((entry) => rowsOf(map, entry))),
    ...words.map(([list, entries]) => entries.map((entry) => row(list, entry.id, entry))),
    written.map((entry) => row("sink", entry.id, entry)),
    single.map((entry) => row(entry.id, "", entry)),
  ];
  const shown = groups.map((rows) => rows.map((cells) => cells.map(cut) as unknown as Cells));
  const { bold, dim } = coloursOf();
  const lines = alignedColumns(shown.flat()).map(
    ([kind, name, value, place]) => `${kind}  ${bold(name)}  ${value}  ${dim(place)}\n`,
  );
  return shown
    .filter((rows) => rows.length > 0)
    .map((rows) => lines.splice(0, rows.length).join(""))
    .join("\n");
}

function rowsOf(map: ShownMap, { id, on, value, at, changes }: Effective): readonly Cells[] {
  const kind = kindOf(map);
  const said = on ? summary(map, value) : ["off", map === "rules" ? ruleValue(value).emit : undefined];
  return [
    [kind, id, [said].flat().filter(Boolean).join(", "), originPlace(at)],
    ...changes.map((change): Cells => [kind, `${id}.${change.key}`, flow(change.value), originPlace(change.at)]),
  ];
}

function summary(map: ShownMap, value: unknown): string | readonly string[] {
  const fields = value as Readonly<Record<string, unknown>>;
  if (map === "rules") return ["on", flow(fields.emit), `score ${fields.score}`];
  if (map === "sections")
    return [flow(fields.title), ...(fields.holds ? [`holds ${fields.holds}`, `score ${fields.score}`] : ["written only"])];
  if (map === "workflows")
    return [flow(fields.folder), stageOrder(fields.stages as Parameters<typeof stageOrder>[0]).join(" → ")];
  if (map === "templates") return [`${fields.tokens} tokens`, flow(fields.file ?? fields.text)];
  // Start with what distinguishes categories: the rest of a long value is cut.
  if (map === "categories" && fields.match) return flow({ match: fields.match, ...fields });
  if (map === "files") return flow(fields.path);
  return flow(value);
}

const cut = (text: string, column: number): string => {
  const characters = [...text];
  return column === 2 && characters.length > VALUE_COLUMNS ? `${characters.slice(0, VALUE_COLUMNS - 1).join("")}…` : text;
};
