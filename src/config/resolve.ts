// A pack and all it extends → the rules that hold, each value with its origin.
import { collectFindings, type Diagnostic, diagnostic, type Position } from "../diagnostics.js";
import type { TemplateFile } from "../generated/pack-file.js";
import { PACKS, PACKS_BYTES } from "../limits.js";
import { findPack, isBuiltIn, type LoadedPack, loadPack, type PackBody } from "./load.js";
import { holds, mergeMaps } from "./merge.js";
import { isMap } from "./normalise.js";
import { isPatch, OFF, patchHint, stagesOf, unknownStages, withoutOtherText } from "./patch.js";
import { didYouMean } from "./suggest.js";
import { loadTemplates } from "./template-texts.js";
import type { Path } from "./yaml.js";

/** One declaration, possibly patched by later packs. */
export interface Entry<T> {
  readonly id: string;
  readonly value: T;
  /** The pack that said a key, or a part below it, last. */
  from(...path: Path): LoadedPack;
  /** The place of a part of the declaration. */
  at(path?: Path, what?: "key" | "value"): Position;
  /** The place of a character in a text of the declaration. */
  within(path: Path, offset: number): Position;
}

export interface TemplateEntry extends Entry<TemplateFile> {
  /** The template itself, from the file or the pack. */
  readonly text: string;
  /** The file it stands in, when it has one of its own. */
  readonly textFile?: string;
}

const MAPS = [
  "signals",
  "rules",
  "sections",
  "categories",
  "tools",
  "shell",
  "lifecycle",
  "audit",
  "files",
  "read",
  "workflows",
  "templates",
  "words",
  "salience",
  "cues",
  "options",
  "budget",
] as const;

type MapName = (typeof MAPS)[number];
type ValueOf<K extends MapName> = NonNullable<PackBody[K]>[string];
type Entries = { readonly [K in MapName]: ReadonlyMap<string, Entry<ValueOf<K>>> };

/** What packs say in these, all of them say together. */
const LISTS = ["nothing", "abbreviations", "restrictions", "scratch"] as const;
type Lists = { readonly [K in (typeof LISTS)[number]]: readonly string[] };

/** Everything that packs declare, merged. */
export interface Resolved extends Omit<Entries, "templates">, Lists {
  readonly templates: ReadonlyMap<string, TemplateEntry>;
  /** Sections and names of `read` that are switched off: others may go on using them. */
  readonly off: ReadonlySet<string>;
  /** Fragments that are switched off, each with its place. */
  readonly offWords: ReadonlyMap<string, () => Position>;
  /** The packs in the order in which they count: what was asked for comes last. */
  readonly packs: readonly LoadedPack[];
  readonly diagnostics: readonly Diagnostic[];
}

const SECRETS = "compaction:redact";

/** What speaks of the user to later sessions. A project comes with a clone, so it does not change these. */
const FIXED: Partial<Record<MapName, readonly string[]>> = { signals: ["temporary", "shows-text"], templates: ["standing"] };

/** Secrets are masked whatever a project says; it may add masks of its own. */
const isFixed = (map: MapName, { id, value }: Entry<unknown>) =>
  FIXED[map]?.includes(id) || (map === "rules" && isMap(value) && value.emit === "redact");

export function resolvePacks(start: LoadedPack): Resolved {
  const maps = Object.fromEntries(MAPS.map((map) => [map, new Map()])) as unknown as {
    [K in MapName]: Map<string, Entry<ValueOf<K>>>;
  };
  const off = new Set<string>();
  const offWords = new Map<string, () => Position>();
  const packs: LoadedPack[] = [];
  const { report, findings: diagnostics } = collectFindings();
  /** What a pack does not say because it cannot be read is not told once more. */
  let broken = false;
  const applied = new Set<string>();
  let bytes = 0;

  function fail(finding: Diagnostic): void {
    broken ||= finding.severity === "error";
    report(finding);
  }

  function apply(pack: LoadedPack, chain: readonly string[]): void {
    for (const finding of pack.diagnostics) fail(finding);
    const isConfig = pack.what === "config";
    const extended = pack.body.extends ?? (isConfig ? ["compaction:recommended"] : []);
    // Who chooses packs chooses what is found, and not that secrets are stored: the last one is there in any case.
    for (const [index, entry] of [...extended, ...(isConfig ? [SECRETS] : [])].entries()) {
      const at = () => pack.yaml.locate(["extends", index]);
      const target = findPack(entry, pack, start.root, at);
      if ("code" in target) fail(target);
      else if ([...chain, pack.file].includes(target.file)) {
        fail(
          diagnostic("extends-cycle", `${entry} leads back to ${target.file}`, at(), "take one of the packs out of the circle"),
        );
      } else if (!applied.has(target.file)) {
        // Built-in packs are small and few, and the last of them masks secrets: no number of others keeps them out.
        const isOwn = isBuiltIn(target);
        if (!isOwn && applied.size >= PACKS) {
          fail(diagnostic("extends-reach", `more than ${PACKS} packs are reached`, at()));
          continue;
        }
        applied.add(target.file);
        const next = loadPack(target.file, target.root, "pack");
        if (!isOwn) bytes += next.yaml.text.length;
        if (!isOwn && bytes > PACKS_BYTES)
          fail(diagnostic("extends-reach", `the packs have more than ${PACKS_BYTES} characters together`, at()));
        else apply(next, [...chain, pack.file]);
      }
    }
    packs.push(pack);
    for (const map of MAPS) {
      for (const [id, value] of Object.entries(pack.body[map] ?? {})) put(map, id, value, pack);
    }
  }

  function put(map: MapName, id: string, value: unknown, pack: LoadedPack): void {
    const known = maps[map] as Map<string, Entry<unknown>>;
    const entry = known.get(id);
    const isOwn = isBuiltIn(pack);
    if (entry && !isOwn && isBuiltIn(entry.from()) && isFixed(map, entry)) {
      const at = () => pack.yaml.locate([map, id], "key");
      report(() =>
        diagnostic("fixed-entry", `"${id}" in ${map} is built in and cannot be changed by a project`, at(), "take it out"),
      );
      return;
    }
    // Whatever a project called so before, the built-in one counts.
    const before = entry && isOwn && !isBuiltIn(entry.from()) && isFixed(map, { ...entry, value }) ? undefined : entry;
    if (!before && isPatch(map, value)) {
      if (broken) return;
      const place = () => pack.yaml.locate([map, id], "key");
      const hint = () => patchHint(map, id, value, known.keys());
      report(() => diagnostic("unknown-id", `no extended pack has "${id}" in ${map}`, place(), hint()));
      return;
    }
    const merge = before && isMap(value) && isMap(before.value);
    for (const stage of merge && map === "workflows" ? unknownStages(before.value, value) : []) {
      const at = () => pack.yaml.locate([map, id, "stages", stage], "key");
      const hint = () => didYouMean(stage, Object.keys(stagesOf(before?.value))) ?? "a new one needs when";
      report(() => diagnostic("unknown-id", `the workflow "${id}" has no stage "${stage}"`, at(), hint()));
    }
    // A workflow is changed in its parts and cues weight by weight; of all else a key is replaced as a whole.
    const deep = map === "workflows" || map === "cues";
    const owner = (...path: Path): LoadedPack => {
      const part = deep ? path : path.slice(0, 1);
      return merge && part.length > 0 && !holds(value, part) ? before.from(...path) : pack;
    };
    const earlier = map === "templates" && merge ? withoutOtherText(before.value as object, value) : (before?.value as object);
    const merged = merge && (deep ? mergeMaps(earlier, value) : { ...earlier, ...value });
    known.set(id, {
      id,
      value: merged ? { ...merged, ...(!("off" in (value as object)) && { off: false }) } : value,
      from: owner,
      at: (path = [], what) => owner(...path).yaml.locate([map, id, ...path], what ?? (path.length > 0 ? "value" : "key")),
      within: (path, offset) => owner(...path).yaml.within([map, id, ...path], offset),
    });
  }

  apply(start, []);
  for (const [id, { value, at }] of maps.words) {
    if (value !== OFF) continue;
    maps.words.delete(id);
    offWords.set(id, at);
  }
  for (const map of MAPS) {
    for (const [id, entry] of maps[map] as Map<string, Entry<unknown>>) {
      if (!isMap(entry.value) || entry.value.off !== true) continue;
      maps[map].delete(id);
      if (map === "sections" || map === "read") off.add(id);
    }
  }
  const templates = loadTemplates(maps.templates, report);
  for (const [id, entry] of maps.budget) {
    if (!templates.has(id))
      report(() => diagnostic("unknown-id", `there is no template "${id}"`, entry.at(), didYouMean(id, templates.keys())));
  }
  const lists = Object.fromEntries(
    LISTS.map((list) => [list, [...new Set(packs.flatMap(({ body }) => body[list] ?? []))]]),
  ) as unknown as Lists;
  return { ...maps, templates, off, offWords, ...lists, packs, diagnostics };
}
