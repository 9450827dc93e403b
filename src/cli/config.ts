// compaction config: prints the effective configuration, each value with its place.
import { isBuiltIn } from "../config/load-pack.js";
import type { LoadedPack } from "../config/pack.js";
import type { Position } from "../diagnostics.js";
import type { LoadedRules } from "../rules/load-rules.js";
import {
  CONFIGURATION,
  type Effective,
  effective,
  type Filter,
  filterOf,
  flow,
  lists,
  packFiles,
  SHOWN_MAPS,
  type ShownMap,
  settings,
  sinks,
  WORD_LISTS,
} from "./effective.js";
import { parseArguments } from "./input/arguments.js";
import { rulesFor } from "./input/project.js";
import { originName, originPlace } from "./output/report.js";
import { coloursOf, EXIT, printJson, say } from "./output/terminal.js";

export const help = `npx compaction-rules config [ID...] [--own] [--project DIR] [--json]

Prints the effective configuration, one line per value with its file, line and column: the packs in their order
(later ones win), then rules, signals, weights, cues, options, sections, categories, tools, programs, lifecycles,
word lists of the audit, templates, fragments, files, values, workflows, words that say nothing, abbreviations, the marks
that begin an entry of notes, sinks, enabled, keepDays and frames. A key that another pack changes has its own line, such as
"decision-made.score". Built-in packs are shown as compaction:NAME. Long values are cut; --json prints them whole.
With IDs, only the entries of these names.

  --own             only what is not built in: what your packs declare or change
  --project DIR     the folder whose .compactionrc is used; this one unless given
  --json            print the same as JSON

Exit status: 0 done, 2 it could not run.
`;

export function config(args: readonly string[]): number {
  const { values, flags, positionals } = parseArguments(args, help);
  const loaded = rulesFor(values.project ?? process.cwd());
  const filter = filterOf(positionals, flags.own === true, loaded);
  const isShown = (pack: LoadedPack) => positionals.length === 0 && !(flags.own && isBuiltIn(pack));
  const packs = packFiles(loaded).filter(isShown);
  if (flags.json) return printJson(asData(loaded, packs, filter));
  say(asLines(loaded, packs, filter));
  return EXIT.fine;
}

function asData(loaded: LoadedRules, shown: readonly LoadedPack[], filter: Filter): object {
  const place = (at: Position) => ({ file: originName(at.file), line: at.line, column: at.column });
  const packs = shown.map(({ file, body }) => ({ ...(body.name && { name: body.name }), file: originName(file) }));
  const maps = SHOWN_MAPS.map((map) => [
    map,
    effective(map, loaded)
      .filter(filter)
      .map(({ id, on, value, at, changes }) => ({
        id,
        on,
        value: map === "rules" ? ruleValue(value) : map === "sections" || map === "cues" ? withoutExamples(value) : value,
        at: place(at),
        ...(changes.length > 0 && { changes: changes.map((change) => ({ ...change, at: place(change.at) })) }),
      })),
  ]);
  const listed = (list: (typeof WORD_LISTS)[number]) => lists(list, loaded).filter(({ at }) => filter({ id: list, at }));
  const words = WORD_LISTS.map((list) => [list, listed(list).map(({ value, at }) => ({ value, at: place(at) }))]);
  const written = [
    "sinks",
    sinks(loaded)
      .filter(filter)
      .map(({ id, value, at }) => ({ id, value, at: place(at) })),
  ];
  const single = settings(loaded)
    .filter(filter)
    .map(({ id, value, at }) => [id, { value, at: place(at) }]);
  const all = Object.fromEntries([...maps, ...words, written, ...single]);
  return { ...(loaded.file && { config: originName(loaded.file) }), packs, ...all };
}

const ruleValue = (value: unknown) => {
  const { emit, score } = value as { readonly emit?: string; readonly score?: number };
  return { emit, score };
};

const withoutExamples = (value: unknown) => ({ ...(value as object), examples: undefined });

type Row = readonly [kind: string, name: string, value: string, place: string];

const SINGULAR: Readonly<Record<ShownMap, string>> = {
  rules: "rule",
  signals: "signal",
  salience: "weight",
  cues: "cues",
  options: "options",
  updates: "update",
  sections: "section",
  categories: "category",
  tools: "tool",
  shell: "program",
  lifecycle: "lifecycle",
  audit: "audit",
  templates: "template",
  words: "fragment",
  files: "file",
  read: "value",
  workflows: "workflow",
};
/** Columns of a value: with name and place, a line fits most terminals. */
const VALUE_COLUMNS = 56;

function asLines(loaded: LoadedRules, packFiles: readonly LoadedPack[], filter: Filter): string {
  const packs = packFiles.map(
    ({ file, body }): Row => ["pack", body.name ?? CONFIGURATION, body.description ?? "", originName(file)],
  );
  const maps = SHOWN_MAPS.map((map) =>
    effective(map, loaded)
      .filter(filter)
      .flatMap((found) => rowsOf(map, found)),
  );
  const words = WORD_LISTS.map((list) =>
    lists(list, loaded).flatMap(({ id, value, at }): readonly Row[] =>
      filter({ id: list, at }) ? [[list, id, flow(value), originPlace(at)]] : [],
    ),
  );
  const written = sinks(loaded)
    .filter(filter)
    .map(({ id, value, at }): Row => ["sink", id, flow(value) || "on", originPlace(at)]);
  const single = settings(loaded)
    .filter(filter)
    .map(({ id, value, at }): Row => [id, "", flow(value) || "on", originPlace(at)]);
  const groups = [packs, ...maps, ...words, written, single];
  const shown = groups.map((rows) => rows.map((row) => row.map(cut) as unknown as Row));
  const width = (column: 0 | 1 | 2) => Math.max(...shown.flat().map((row) => [...row[column]].length));
  const widths = [width(0), width(1), width(2)] as const;
  const { bold, dim } = coloursOf();
  const line = ([kind, name, value, place]: Row) =>
    `${pad(kind, widths[0])}  ${bold(pad(name, widths[1]))}  ${pad(value, widths[2])}  ${dim(place)}\n`;
  const none = loaded.file === undefined ? "no .compactionrc: the built-in packs\n\n" : "";
  return (
    none +
    shown
      .filter((rows) => rows.length > 0)
      .map((rows) => rows.map(line).join(""))
      .join("\n")
  );
}

function rowsOf(map: ShownMap, { id, on, value, at, changes }: Effective): readonly Row[] {
  const kind = SINGULAR[map];
  const said = on ? summary(map, value) : ["off", map === "rules" ? ruleValue(value).emit : undefined];
  return [
    [kind, id, [said].flat().filter(Boolean).join(", "), originPlace(at)],
    ...changes.map((change): Row => [kind, `${id}.${change.key}`, flow(change.value), originPlace(change.at)]),
  ];
}

function summary(map: ShownMap, value: unknown): string | readonly string[] {
  const fields = value as Readonly<Record<string, unknown>>;
  if (map === "rules") return ["on", flow(fields.emit), `score ${fields.score}`];
  if (map === "sections")
    return [flow(fields.title), ...(fields.holds ? [`holds ${fields.holds}`, `score ${fields.score}`] : ["written only"])];
  if (map === "workflows") return [flow(fields.folder), Object.keys(fields.stages ?? {}).join(" → ")];
  if (map === "templates") return [`${fields.tokens} tokens`, flow(fields.file ?? fields.text)];
  // Start with what distinguishes categories: the rest of a long value is cut.
  if (map === "categories" && fields.match) return flow({ match: fields.match, ...fields });
  if (map === "files") return flow(fields.path);
  return flow(value);
}

function cut(text: string, column: number): string {
  const characters = [...text];
  return column === 2 && characters.length > VALUE_COLUMNS ? `${characters.slice(0, VALUE_COLUMNS - 1).join("")}…` : text;
}

const pad = (text: string, width: number) => text + " ".repeat(Math.max(0, width - [...text].length));
