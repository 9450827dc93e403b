// compaction docs: prints a Markdown reference of the active rules.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Mustache from "mustache";
import { rulesFolder } from "../config/load-pack.js";
import { isNone } from "../config/normalise.js";
import type { Position } from "../diagnostics.js";
import { KINDS } from "../model.js";
import { SECTION_PREFIX } from "../rules/compile/continuity.js";
import { CUES_PREFIX } from "../rules/compile/signals.js";
import type { LoadedRules } from "../rules/load-rules.js";
import { isFields } from "../text/json.js";
import { CONFIGURATION, type Effective, effectiveValues, flow } from "./effective.js";
import type { Arguments } from "./input/arguments.js";
import { rulesFor } from "./input/project.js";
import { originName } from "./output/report.js";
import { say } from "./output/terminal.js";

export function docs({ values, flags, positionals }: Arguments): undefined {
  const loaded = rulesFor(values.project ?? process.cwd());
  const text = (name: string) => readFileSync(join(rulesFolder, "docs", `${name}.md`), "utf8");
  const parts = { entry: text("entry"), table: text("table") };
  // The fields are already Markdown.
  say(Mustache.render(text("reference"), reference(loaded, positionals, flags.own === true), parts, { escape: String }));
}

type View = Readonly<Record<string, unknown>>;
type Origin = (at: Position) => string;

/** The fields of the template. An empty group is false, so that its heading is left out. */
function reference(loaded: LoadedRules, ids: readonly string[], own: boolean): View {
  const { packs, maps } = effectiveValues(loaded, ids, own);
  const base = loaded.file === undefined ? process.cwd() : dirname(loaded.file);
  const origin: Origin = (at) => code(originName(at.file, base));
  const groups = maps.map(([map, entries]) => {
    const prefix = map === "sections" ? SECTION_PREFIX : map === "cues" ? CUES_PREFIX : "";
    const on = entries.filter((one) => one.on);
    return [map, on.length > 0 && { entries: on.map((found) => entryOf({ ...found, id: prefix + found.id }, origin)) }] as const;
  });
  const rules = new Map(maps).get("rules") ?? [];
  const kinds = [...KINDS, "redact"].map((kind) => ({
    kind,
    entries: rules.filter(({ on, value }) => on && (value as View).emit === kind).map((found) => entryOf(found, origin)),
  }));
  const off = rules.filter(({ on }) => !on).map(({ id, at }) => ({ id: code(id), origin: origin(at) }));
  return {
    ...Object.fromEntries(groups),
    listed: packs.length > 0 && {
      packs: packs.map(({ file, body }) => ({
        name: cellText(body.name ?? CONFIGURATION),
        file: cellCode(originName(file, base)),
        description: cellText(body.description ?? ""),
      })),
    },
    kinds: kinds.filter(({ entries }) => entries.length > 0),
    off: off.length > 0 && { entries: off },
  };
}

/** A declaration with the keys that packs use: as lines, and as a table cell. */
function entryOf({ id, value, at, changes }: Effective, origin: Origin): View {
  const { emit: _, examples = [], ...said } = isFields(value) ? value : { examples: [] };
  const lines = Object.entries(said).map(([key, one]) => ({
    key,
    ...(isLong(one) ? { list: items(one) } : { text: code(flow(one)) }),
  }));
  const cells = Object.entries(said).map(
    ([key, one]) => `${key}: ${(isLong(one) ? items(one, cellCode) : [cellCode(flow(one))]).join(", ")}`,
  );
  const cases = (examples as readonly View[]).map(example);
  return {
    id: code(id),
    cell: isFields(value) ? cells.join("; ") : cellCode(flow(value)),
    origin: origin(at),
    changes: changes.map((change) => `${code(change.key)} from ${origin(change.at)}`).join(", "),
    lines,
    examples: cases.length > 0 && { cases },
  };
}

/** A list of texts, or a map that contains maps. */
const isLong = (value: unknown): value is object =>
  Array.isArray(value) ? value.every((one) => typeof one === "string") : isFields(value) && Object.values(value).some(isFields);

const items = (value: object, span = code) =>
  Array.isArray(value) ? value.map(span) : Object.entries(value).map(([key, one]) => span(`${key}: ${flow(one)}`));

function example({ text, emits, role }: View): View {
  const fields = Object.entries((emits ?? {}) as View).map(([key, one]) => `${cellText(key)}: ${cellCode(String(one))}`);
  const nothing = isNone((emits ?? {}) as object);
  return { text: cellCode(String(text)), role: role ?? "", nothing, fields: nothing ? "" : fields.join(", ") };
}

const LINE_END = /\r\n|[\n\r\u2028\u2029]/g;

/** A code span. Its fence is longer than any run of backticks inside. Line ends, which a span loses, become ↵. */
export function code(text: string): string {
  const line = text.replace(LINE_END, "↵");
  if (line === "") return "";
  const fence = "`".repeat(Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  // Markdown removes one blank inside the fence if there is one on both sides.
  const apart = /^`|`$|^ .* $/.test(line) ? " " : "";
  return fence + apart + line + apart + fence;
}

/** A code span in a table cell, where | must be escaped. */
export function cellCode(text: string): string {
  // Markdown readers disagree on a backslash before an escaped |, but not on HTML.
  if (/\\\|/.test(text)) return `<code>${text.replace(LINE_END, "↵").replace(/[&<>|\\`*_[\]~]/g, entity)}</code>`;
  return code(text).replaceAll("|", "\\|");
}

const entity = (character: string) => `&#${character.codePointAt(0)};`;

const cellText = (text: string) => text.replace(LINE_END, " ").replaceAll("|", "&#124;");
