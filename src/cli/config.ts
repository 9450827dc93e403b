// compaction config: the effective configuration, each value with its place.
import type { Position } from "../diagnostics.js";
import type { LoadedRules } from "../rules/load.js";
import { type Options, parseArguments } from "./arguments.js";
import { CONFIGURATION, type Effective, effective, lists, MAPS, type MapName, packFiles, settings, sinks } from "./effective.js";
import { EXIT, Failure } from "./failure.js";
import { originName, originPlace } from "./origin.js";
import { rulesFor } from "./rules.js";
import { coloursFor, printable } from "./terminal.js";

export const help = `compaction config [--project DIR] [--json]

Prints what holds here, one line for each value with the file, line and column it comes from: the packs in the order
in which they count (later ones win), then rules, signals, weights, cues, options, sections, categories, tools, programs, lifecycles,
word lists of the audit, templates, fragments, files, values, workflows, the words that say nothing or whose full stop
ends no sentence, what begins an entry of notes, the sinks that notes are written to, enabled, keepDays and frames. A key
that another pack has changed has a line of its own, as in "decision-made.score". What is built in is shown as
compaction:NAME. Long values are cut; --json has them whole.

  --project DIR     the folder whose .compactionrc counts; this one unless given
  --json            the same as data

Exit status: 0 done, 2 it could not run.
`;

const options: Options = { project: { type: "string" }, json: { type: "boolean" } };

export function config(args: readonly string[]): number {
  const { values, positionals } = parseArguments(args, options, "config");
  if (positionals.length > 0) throw new Failure(`config takes no "${positionals[0]}"`, "--project names the folder");
  const loaded = rulesFor((values.project as string | undefined) ?? process.cwd());
  process.stdout.write(values.json ? `${JSON.stringify(asData(loaded), null, 2)}\n` : printable(asLines(loaded)));
  return EXIT.fine;
}

function asData(loaded: LoadedRules): object {
  const place = (at: Position) => ({ file: originName(at.file), line: at.line, column: at.column });
  const packs = packFiles(loaded).map(({ file, body }) => ({ ...(body.name && { name: body.name }), file: originName(file) }));
  const maps = MAPS.map((map) => [
    map,
    effective(map, loaded).map(({ id, on, value, at, changes }) => ({
      id,
      on,
      value: map === "rules" ? ruleValue(value) : map === "sections" || map === "cues" ? withoutExamples(value) : value,
      at: place(at),
      ...(changes.length > 0 && { changes: changes.map((change) => ({ ...change, at: place(change.at) })) }),
    })),
  ]);
  const words = LISTS.map((list) => [list, lists(list, loaded).map(({ value, at }) => ({ value, at: place(at) }))]);
  const written = ["sinks", sinks(loaded).map(({ id, value, at }) => ({ id, value, at: place(at) }))];
  const single = settings(loaded).map(({ id, value, at }) => [id, { value, at: place(at) }]);
  const all = Object.fromEntries([...maps, ...words, written, ...single]);
  return { ...(loaded.file && { config: originName(loaded.file) }), packs, ...all };
}

const ruleValue = (value: unknown) => {
  const { emit, score } = value as { readonly emit?: string; readonly score?: number };
  return { emit, score };
};

const withoutExamples = (value: unknown) => ({ ...(value as object), examples: undefined });

const LISTS = ["nothing", "abbreviations", "restrictions", "scratch", "entries"] as const;

type Row = readonly [kind: string, name: string, value: string, place: string];

const SINGULAR: Readonly<Record<MapName, string>> = {
  rules: "rule",
  signals: "signal",
  salience: "weight",
  cues: "cues",
  options: "options",
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
/** Columns of a value: with its name and place, a line fits most terminals. */
const VALUE_COLUMNS = 56;

function asLines(loaded: LoadedRules): string {
  const packs = packFiles(loaded).map(
    ({ file, body }): Row => ["pack", body.name ?? CONFIGURATION, body.description ?? "", originName(file)],
  );
  const maps = MAPS.map((map) => effective(map, loaded).flatMap((found) => rowsOf(map, found)));
  const words = LISTS.map((list) =>
    lists(list, loaded).map(({ id, value, at }): Row => [list, id, flow(value), originPlace(at)]),
  );
  const written = sinks(loaded).map(({ id, value, at }): Row => ["sink", id, flow(value) || "on", originPlace(at)]);
  const single = settings(loaded).map(({ id, value, at }): Row => [id, "", flow(value) || "on", originPlace(at)]);
  const groups = [packs, ...maps, ...words, written, single];
  const shown = groups.map((rows) => rows.map((row) => row.map(cut) as unknown as Row));
  const width = (column: 0 | 1 | 2) => Math.max(...shown.flat().map((row) => [...row[column]].length));
  const widths = [width(0), width(1), width(2)] as const;
  const { bold, dim } = coloursFor(process.stdout);
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

function rowsOf(map: MapName, { id, on, value, at, changes }: Effective): readonly Row[] {
  const kind = SINGULAR[map];
  const said = on ? summary(map, value) : ["off", map === "rules" ? ruleValue(value).emit : undefined];
  return [
    [kind, id, [said].flat().filter(Boolean).join(", "), originPlace(at)],
    ...changes.map((change): Row => [kind, `${id}.${change.key}`, flow(change.value), originPlace(change.at)]),
  ];
}

function summary(map: MapName, value: unknown): string | readonly string[] {
  const fields = value as Readonly<Record<string, unknown>>;
  if (map === "rules") return ["on", flow(fields.emit), `score ${fields.score}`];
  if (map === "sections")
    return [flow(fields.title), ...(fields.holds ? [`holds ${fields.holds}`, `score ${fields.score}`] : ["written only"])];
  if (map === "workflows") return [flow(fields.folder), Object.keys(fields.stages ?? {}).join(" → ")];
  if (map === "templates") return [`${fields.tokens} tokens`, flow(fields.file ?? fields.text)];
  // What tells categories apart comes first: the rest of a long value is cut.
  if (map === "categories") return flow({ match: fields.match, ...fields });
  if (map === "files") return flow(fields.path);
  return flow(value);
}

/** A value on one line, much as in YAML. */
function flow(value: unknown, inner = false): string {
  if (Array.isArray(value))
    return inner && value.length > 1
      ? `[${value.map((one) => flow(one, true)).join(", ")}]`
      : value.map((one) => flow(one, true)).join(", ");
  if (typeof value !== "object" || value === null) return String(value ?? "").replace(/\s+/g, " ");
  const fields = Object.entries(value).map(([key, one]) => `${key}: ${flow(one, true)}`);
  return inner ? `{ ${fields.join(", ")} }` : fields.join(", ");
}

function cut(text: string, column: number): string {
  const characters = [...text];
  return column === 2 && characters.length > VALUE_COLUMNS ? `${characters.slice(0, VALUE_COLUMNS - 1).join("")}…` : text;
}

const pad = (text: string, width: number) => text + " ".repeat(Math.max(0, width - [...text].length));
