// Merges a pack and everything it extends into one set of declarations, each with its origin.
import { collectFindings, type Diagnostic, diagnostic, type Position } from "../diagnostics.js";
import { didYouMean } from "../text/did-you-mean.js";
import { isFields } from "../text/json.js";
import { extendedPacks, type OtherPacks } from "./extended-packs.js";
import { builtInValue, isBuiltInFile, suggest } from "./load-pack.js";
import { createTemplateLoader } from "./load-template.js";
import {
  changesSaid,
  fixedWords,
  isFixed,
  isPatch,
  mergeEntry,
  OFF_VALUE,
  patchHint,
  speaks,
  stagesOf,
  unknownStages,
} from "./merge.js";
import type { LoadedPack, PackBody, PackEntry, TemplateEntry } from "./pack.js";

/** In display order. */
export const MAPS = [
  "rules",
  "guards",
  "signals",
  "salience",
  "worth",
  "shares",
  "news",
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
export const LISTS = ["nothing", "abbreviations", "restrictions", "fillers", "light", "scratch", "documents"] as const;
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

/** With the user's own guards, which come last. Nothing else of the user's settings is a pack. A guard of the user's replaces one of
 * the project's: no key of it comes from the project. Without `on`, it changes the project's. */
export function withUsersGuards(packs: Resolved, user: LoadedPack | undefined): Resolved {
  if (!user?.body.guards) return packs;
  const own: LoadedPack = { ...user, body: { guards: user.body.guards } };
  const guards = new Map(packs.guards);
  const { report, findings } = collectFindings();
  for (const [id, value] of Object.entries(user.body.guards)) {
    const before = guards.get(id);
    // A guard of a project that is not here is nothing to switch off.
    if (value.off === true) guards.delete(id);
    else if (before || !isPatch("guards", value)) {
      const changed = isPatch("guards", value) ? before : undefined;
      guards.set(id, mergeEntry("guards", id, value, own, changed) as typeof before & {});
    } else {
      const [at, hint] = [own.yaml.locate(["guards", id], "key"), patchHint("guards", value, undefined)];
      report(diagnostic("unknown-id", `no pack has "${id}" in guards`, at, hint));
    }
  }
  const [config, ...others] = [...packs.packs].reverse();
  const all = [...others.reverse(), own, ...(config ? [config] : [])];
  return { ...packs, guards, packs: all, diagnostics: [...packs.diagnostics, ...findings] };
}

/** Built-in packs can also be named by their path. */
const isOurs = ({ file }: LoadedPack) => isBuiltInFile(file);

/** @param checking uses the sound entries of faulty files, to find more faults */
export function resolvePacks(start: LoadedPack, checking = false, others?: OtherPacks): Resolved {
  const maps = Object.fromEntries(MAPS.map((map) => [map, new Map()])) as unknown as {
    [K in MapName]: Map<string, PackEntry<ValueOf<K>>>;
  };
  const packs: LoadedPack[] = [];
  const { report, findings: diagnostics } = collectFindings();
  /** A pack could not be read, so entries missing because of it are not reported. */
  let broken = false;

  function refuse(map: MapName, id: string, pack: LoadedPack, isKnown = true): void {
    const at = pack.yaml.locate([map, id], "key");
    const why = isKnown
      ? "is built in and cannot be changed by a project"
      : "would speak as the user, which only built-in packs can let it";
    report(diagnostic("fixed-entry", `"${id}" in ${map} ${why}`, at, "remove it"));
  }

  function put(map: MapName, id: string, value: unknown, pack: LoadedPack): void {
    const known = maps[map] as Map<string, PackEntry<unknown>>;
    const entry = known.get(id);
    const isOwn = isOurs(pack);
    if (!isOwn) {
      // A template is refused even where no pack that declares it is extended: hosts use the built-in one there.
      const builtIn = entry && isOurs(entry.from()) ? entry.value : map === "templates" ? builtInValue(map, id) : undefined;
      const isSaidByUs = (key: string) => (entry ? isOurs(entry.from(key)) : builtInValue(map, id) !== undefined);
      if (isFixed(map, id, builtIn) || changesSaid(map, value, isSaidByUs)) return refuse(map, id, pack);
      if (speaks(map, value)) return refuse(map, id, pack, false);
    }
    // A fixed built-in entry replaces a project's entry of the same name.
    const replaced = entry && isOwn && !isOurs(entry.from()) && isFixed(map, id, value);
    if (replaced) refuse(map, id, entry.from());
    const before = replaced ? undefined : entry;
    if (!before && isPatch(map, value)) {
      const place = () => pack.yaml.locate([map, id], "key");
      const hint = () => patchHint(map, value, suggest(map, id, known.keys(), packs));
      if (!broken) report(() => diagnostic("unknown-id", `no extended pack has "${id}" in ${map}`, place(), hint()));
      return;
    }
    for (const stage of map === "workflows" ? unknownStages(before?.value, value) : []) {
      const at = () => pack.yaml.locate([map, id, "stages", stage], "key");
      const hint = () => didYouMean(stage, Object.keys(stagesOf(before?.value))) ?? "a new stage needs when";
      report(() => diagnostic("unknown-id", `the workflow "${id}" has no stage "${stage}"`, at(), hint()));
    }
    known.set(id, mergeEntry(map, id, value, pack, before));
  }

  const fail = (finding: Diagnostic) => {
    broken ||= finding.severity === "error";
    return void report(finding);
  };
  for (const pack of extendedPacks(start, checking, fail, others)) {
    packs.push(pack);
    for (const map of MAPS) for (const [id, value] of Object.entries(pack.body[map] ?? {})) put(map, id, value, pack);
  }
  // Projects cannot change the words that fixed entries use.
  const builtIn = packs.filter(isOurs);
  const changing = packs.filter((pack) => !isOurs(pack) && pack.body.words);
  for (const id of changing.length > 0 ? fixedWords(builtIn.map(({ body }) => body)) : []) {
    const declares = ({ body }: LoadedPack) => Object.hasOwn(body.words ?? {}, id);
    const refused = changing.filter(declares);
    for (const pack of refused) refuse("words", id, pack);
    const own = refused.length > 0 && builtIn.findLast(declares);
    if (own) put("words", id, own.body.words?.[id], own);
  }
  const [off, offWords] = [new Set<string>(), new Map<string, () => Position>()];
  for (const map of MAPS)
    for (const [id, { value, at }] of maps[map] as Map<string, PackEntry<unknown>>) {
      if (map === "words" ? value !== OFF_VALUE : !isFields(value) || value.off !== true) continue;
      maps[map].delete(id);
      if (map === "words") offWords.set(id, at);
      if (map === "sections" || map === "read") off.add(id);
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
    const hint = () => suggest("templates", id, templates.keys(), packs);
    if (!templates.has(id)) report(() => diagnostic("unknown-id", `there is no template "${id}"`, entry.at(), hint()));
  }
  const lists = Object.fromEntries(
    LISTS.map((list) => [list, [...new Set(packs.flatMap(({ body }) => body[list] ?? []))]]),
  ) as unknown as Lists;
  return { ...maps, templates, off, offWords, ...lists, packs, diagnostics };
}
