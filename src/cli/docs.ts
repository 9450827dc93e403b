// compaction docs: prints a Markdown reference of the active rules: each declaration as a pack writes it, below where it comes from.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Mustache from "mustache";
import { stringify } from "yaml";
import { rulesFolder } from "../config/load-pack.js";
import { isNone } from "../config/normalise.js";
import { KINDS } from "../model.js";
import type { LoadedRules } from "../rules/load-rules.js";
import { isFields } from "../text/json.js";
import { CONFIGURATION, type Effective, effectiveValues } from "./effective.js";
import type { Arguments } from "./input/arguments.js";
import { rulesFor } from "./input/project.js";
import { originName } from "./output/report.js";
import { say } from "./output/terminal.js";

export function docs({ values, flags, positionals }: Arguments): undefined {
  const loaded = rulesFor(values.project ?? process.cwd());
  const text = readFileSync(join(rulesFolder, "docs", "reference.md"), "utf8");
  // The fields are already Markdown.
  say(Mustache.render(text, reference(loaded, positionals, flags.own === true), {}, { escape: String }));
}

/** The fields of the template. An empty group is false, so that its heading is left out. */
function reference(loaded: LoadedRules, ids: readonly string[], own: boolean): object {
  const { packs, maps } = effectiveValues(loaded, ids, own);
  const base = loaded.file === undefined ? process.cwd() : dirname(loaded.file);
  const origin = (file: string) => originName(file, base);
  const rules = new Map(maps).get("rules") ?? [];
  const emitting = (kind: string) => rules.filter(({ value }) => isFields(value) && value.emit === kind);
  const listed = packs.map(({ file, body: { name = CONFIGURATION, description } }) => ({
    name,
    file: origin(file),
    description,
  }));
  const off = rules.filter(({ on }) => !on).map(({ id, at }) => ({ [id]: origin(at.file) }));
  return {
    ...Object.fromEntries(maps.map(([map, entries]) => [map, declared(entries, origin)])),
    packs: listed.length > 0 && fenced(stringify(listed, WIDE)),
    kinds: [...KINDS, "redact"]
      .map((kind) => ({ kind, rules: declared(emitting(kind), origin) }))
      .filter(({ rules: block }) => block !== false),
    off: off.length > 0 && fenced(stringify(off, WIDE)),
  };
}

/** Lines are not wrapped: somebody may search for a phrase. No entry refers to another one. */
const WIDE = { lineWidth: 0, aliasDuplicateObjects: false } as const;

function declared(entries: readonly Effective[], origin: (file: string) => string): string | false {
  const texts = entries.flatMap(({ id, on, value, at, changes }) => {
    const from = [origin(at.file), ...changes.map(({ key, at: place }) => `${key} from ${origin(place.file)}`)].join("; ");
    return on ? [`# ${from}\n${stringify({ [id]: value }, asWritten, WIDE)}`] : [];
  });
  return texts.length > 0 && fenced(texts.join("\n"));
}

/** What a pack writes for examples that give nothing. */
const asWritten = (_: unknown, value: unknown) => (isFields(value) && isNone(value) ? "none" : value);

/** A block of YAML. Its fence is longer than any run of backticks inside. */
function fenced(yaml: string): string {
  const fence = "`".repeat(Math.max(2, ...[...yaml.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  return `${fence}yaml\n${yaml}${fence}`;
}
