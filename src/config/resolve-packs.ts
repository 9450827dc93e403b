// Merges a pack and everything it extends into one set of declarations, each with its origin.
import { collectFindings, type Diagnostic, diagnostic, type Position } from "../diagnostics.js";
import { PACKS, PACKS_BYTES } from "../limits.js";
import { didYouMean } from "../text/did-you-mean.js";
import { fixedWords, isFixed, isReserved } from "./fixed-entries.js";
import { findPack, isBuiltIn, isBuiltInFile, loadPack, suggest } from "./load-pack.js";
import { createTemplateLoader } from "./load-template.js";
import { hasPath, isPatch, mergeMaps, OFF, patchHint, stagesOf, unknownStages, withoutOtherText } from "./merge.js";
import { isMap } from "./normalise.js";
import type { LoadedPack, PackBody, PackEntry, TemplateEntry } from "./pack.js";
import type { Path } from "./parse-yaml.js";

/** In display order. */
export const MAPS = [
  "rules",
  "signals",
  "salience",
  "cues",
  "options",
  "updates",
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
  "budget",
] as const;

export type MapName = (typeof MAPS)[number];
type ValueOf<K extends MapName> = NonNullable<PackBody[K]>[string];
type Entries = { readonly [K in MapName]: ReadonlyMap<string, PackEntry<ValueOf<K>>> };

/** The lists of all packs are concatenated. */
export const LISTS = ["nothing", "abbreviations", "restrictions", "fillers", "light", "scratch"] as const;
type Lists = { readonly [K in (typeof LISTS)[number]]: readonly string[] };

/** The merged declarations of all packs. */
export interface Resolved extends Omit<Entries, "templates">, Lists {
  readonly templates: ReadonlyMap<string, TemplateEntry>;
  /** Sections and names of `read` that are switched off. Other entries may still use them. */
  readonly off: ReadonlySet<string>;
  /** Fragments that are switched off, each with its place. */
  readonly offWords: ReadonlyMap<string, () => Position>;
  /** The packs in order of precedence: the requested pack comes last. */
  readonly packs: readonly LoadedPack[];
  readonly diagnostics: readonly Diagnostic[];
}

const SECRETS = "compaction:redact";

/** Built-in packs can also be named by their path. */
const isOurs = ({ file }: LoadedPack) => isBuiltInFile(file);

/** @param checking uses the sound entries of faulty files, to find more faults */
export function resolvePacks(start: LoadedPack, checking = false): Resolved {
  const maps = Object.fromEntries(MAPS.map((map) => [map, new Map()])) as unknown as {
    [K in MapName]: Map<string, PackEntry<ValueOf<K>>>;
  };
  const off = new Set<string>();
  const offWords = new Map<string, () => Position>();
  const packs: LoadedPack[] = [];
  const { report, findings: diagnostics } = collectFindings();
  /** A pack could not be read, so entries missing because of it are not reported. */
  let broken = false;
  const applied = new Set<string>();
  let bytes = 0;

  function fail(finding: Diagnostic): void {
    broken ||= finding.severity === "error";
    report(finding);
  }

  function apply(given: LoadedPack, chain: readonly string[]): void {
    const pack = checking && given.sound ? { ...given, body: given.sound } : given;
    for (const finding of pack.diagnostics) fail(finding);
    const isConfig = pack.what === "config";
    const extended = pack.body.extends ?? (isConfig ? ["compaction:recommended"] : []);
    // A configuration may choose its packs, but secrets are always masked: the pack for secrets is always loaded.
    for (const [index, entry] of [...extended, ...(isConfig ? [SECRETS] : [])].entries()) {
      const at = () => pack.yaml.locate(["extends", index]);
      const target = findPack(entry, pack, start.root, at);
      if ("code" in target) fail(target);
      else if ([...chain, pack.file].includes(target.file)) {
        fail(
          diagnostic("extends-cycle", `${entry} leads back to ${target.file}`, at(), "remove one of the packs from the circle"),
        );
      } else if (!applied.has(target.file)) {
        // Built-in packs are small and few, and one masks secrets: the number of other packs must not keep them out.
        const isOwn = isBuiltIn(target);
        if (!isOwn && applied.size >= PACKS) {
          fail(diagnostic("extends-reach", `more than ${PACKS} packs are extended`, at()));
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

  function refuse(map: MapName, id: string, pack: LoadedPack): void {
    const at = pack.yaml.locate([map, id], "key");
    report(diagnostic("fixed-entry", `"${id}" in ${map} is built in and cannot be changed by a project`, at, "remove it"));
  }

  function put(map: MapName, id: string, value: unknown, pack: LoadedPack): void {
    const known = maps[map] as Map<string, PackEntry<unknown>>;
    const entry = known.get(id);
    const isOwn = isOurs(pack);
    if (!isOwn && (isReserved(map, id) || (entry && isOurs(entry.from()) && isFixed(map, entry)))) {
      refuse(map, id, pack);
      return;
    }
    // A fixed built-in entry replaces a project's entry of the same name.
    const replaced = entry && isOwn && !isOurs(entry.from()) && isFixed(map, { ...entry, value });
    if (replaced) refuse(map, id, entry.from());
    const before = replaced ? undefined : entry;
    if (!before && isPatch(map, value)) {
      if (broken) return;
      const place = () => pack.yaml.locate([map, id], "key");
      const hint = () => patchHint(map, value, suggest(map, id, known.keys(), packs));
      report(() => diagnostic("unknown-id", `no extended pack has "${id}" in ${map}`, place(), hint()));
      return;
    }
    const merge = before && isMap(value) && isMap(before.value);
    for (const stage of merge && map === "workflows" ? unknownStages(before.value, value) : []) {
      const at = () => pack.yaml.locate([map, id, "stages", stage], "key");
      const hint = () => didYouMean(stage, Object.keys(stagesOf(before?.value))) ?? "a new stage needs when";
      report(() => diagnostic("unknown-id", `the workflow "${id}" has no stage "${stage}"`, at(), hint()));
    }
    // Workflows and cues are merged at every level; in other maps a key is replaced as a whole.
    const deep = map === "workflows" || map === "cues";
    const owner = (...path: Path): LoadedPack => {
      const part = deep ? path : path.slice(0, 1);
      return merge && part.length > 0 && !hasPath(value, part) ? before.from(...path) : pack;
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
  const builtIn = packs.filter(isOurs);
  const changing = packs.filter((pack) => !isOurs(pack) && pack.body.words);
  for (const id of changing.length > 0 ? fixedWords(builtIn.map(({ body }) => body)) : []) {
    const declares = ({ body }: LoadedPack) => Object.hasOwn(body.words ?? {}, id);
    const refused = changing.filter(declares);
    for (const pack of refused) refuse("words", id, pack);
    const own = refused.length > 0 && builtIn.findLast(declares);
    if (own) put("words", id, own.body.words?.[id], own);
  }
  for (const [id, { value, at }] of maps.words) {
    if (value !== OFF) continue;
    maps.words.delete(id);
    offWords.set(id, at);
  }
  for (const map of MAPS) {
    for (const [id, entry] of maps[map] as Map<string, PackEntry<unknown>>) {
      if (!isMap(entry.value) || entry.value.off !== true) continue;
      maps[map].delete(id);
      if (map === "sections" || map === "read") off.add(id);
    }
  }
  const templates = new Map<string, TemplateEntry>();
  const load = createTemplateLoader(start.root);
  for (const [id, entry] of maps.templates) {
    if (entry.value.file !== undefined && entry.value.text !== undefined)
      report(diagnostic("unused-key", `the template "${id}" has file and text: text is ignored`, entry.at(["text"], "key")));
    const loaded = load(entry);
    if ("code" in loaded) report(loaded);
    else templates.set(id, loaded);
  }
  for (const [id, entry] of maps.budget) {
    if (!templates.has(id))
      report(() =>
        diagnostic("unknown-id", `there is no template "${id}"`, entry.at(), suggest("templates", id, templates.keys(), packs)),
      );
  }
  const lists = Object.fromEntries(
    LISTS.map((list) => [list, [...new Set(packs.flatMap(({ body }) => body[list] ?? []))]]),
  ) as unknown as Lists;
  return { ...maps, templates, off, offWords, ...lists, packs, diagnostics };
}
