// A pack and all it extends → the rules that hold, each value with its origin.
import { dirname, resolve } from "node:path";
import { collectFindings, type Diagnostic, diagnostic, type Position } from "../diagnostics.js";
import type {
  CategoryFile,
  CuesFile,
  LifecycleFile,
  MarksFile,
  NotesFile,
  OptionsFile,
  ProgramFile,
  ReadFile,
  RuleFile,
  SectionFile,
  SignalFile,
  TemplateFile,
  ToolFile,
  WorkflowFile,
} from "../generated/pack-file.js";
import { PACKS } from "../limits.js";
import { inside } from "../reach.js";
import { findPack, isBuiltIn, type LoadedPack, loadPack, readText } from "./load.js";
import { isMap } from "./normalise.js";
import { isPatch, OFF, patchHint, stagesOf, unknownStages, withoutOtherText } from "./patch.js";
import { didYouMean } from "./suggest.js";
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

interface Maps {
  signals: SignalFile;
  rules: RuleFile;
  sections: SectionFile;
  categories: CategoryFile;
  tools: ToolFile;
  shell: ProgramFile;
  lifecycle: LifecycleFile;
  audit: MarksFile;
  files: NotesFile;
  read: ReadFile;
  workflows: WorkflowFile;
  templates: TemplateFile;
  words: string;
  salience: number;
  cues: CuesFile;
  options: OptionsFile;
  budget: number;
}
type Entries = { readonly [K in keyof Maps]: ReadonlyMap<string, Entry<Maps[K]>> };

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

/** Everything that packs declare, merged. */
export interface Resolved extends Omit<Entries, "templates"> {
  readonly templates: ReadonlyMap<string, TemplateEntry>;
  /** Sections and names of `read` that are switched off: others may go on using them. */
  readonly off: ReadonlySet<string>;
  /** Fragments that are switched off, each with its place. */
  readonly offWords: ReadonlyMap<string, () => Position>;
  readonly nothing: readonly string[];
  readonly abbreviations: readonly string[];
  readonly restrictions: readonly string[];
  readonly scratch: readonly string[];
  /** The packs in the order in which they count: what was asked for comes last. */
  readonly packs: readonly LoadedPack[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Its rules are switched off one by one, by their names. */
const SECRETS = "compaction:redact";

export function resolvePacks(start: LoadedPack): Resolved {
  const maps: { [K in keyof Maps]: Map<string, Entry<Maps[K]>> } = {
    signals: new Map(),
    rules: new Map(),
    sections: new Map(),
    categories: new Map(),
    tools: new Map(),
    shell: new Map(),
    lifecycle: new Map(),
    audit: new Map(),
    files: new Map(),
    read: new Map(),
    workflows: new Map(),
    templates: new Map(),
    words: new Map(),
    salience: new Map(),
    cues: new Map(),
    options: new Map(),
    budget: new Map(),
  };
  const off = new Set<string>();
  const offWords = new Map<string, () => Position>();
  const nothing = new Set<string>();
  const abbreviations = new Set<string>();
  const restrictions = new Set<string>();
  const scratch = new Set<string>();
  const packs: LoadedPack[] = [];
  const { report, findings: diagnostics } = collectFindings();
  /** What a pack does not say because it cannot be read is not told once more. */
  let broken = false;
  const applied = new Set<string>();

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
      const target = findPack(entry, pack, at);
      if ("code" in target) fail(target);
      else if ([...chain, pack.file].includes(target.file)) {
        fail(
          diagnostic("extends-cycle", `${entry} leads back to ${target.file}`, at(), "take one of the packs out of the circle"),
        );
      } else if (applied.size >= PACKS) fail(diagnostic("extends-reach", `more than ${PACKS} packs are reached`, at()));
      else if (!applied.has(target.file)) {
        applied.add(target.file);
        apply(loadPack(target.file, target.root, "pack"), [...chain, pack.file]);
      }
    }
    packs.push(pack);
    for (const word of pack.body.nothing ?? []) nothing.add(word);
    for (const word of pack.body.abbreviations ?? []) abbreviations.add(word);
    for (const phrase of pack.body.restrictions ?? []) restrictions.add(phrase);
    for (const folder of pack.body.scratch ?? []) scratch.add(folder);
    for (const map of MAPS) {
      for (const [id, value] of Object.entries(pack.body[map] ?? {})) put(map, id, value, pack);
    }
  }

  function put(map: (typeof MAPS)[number], id: string, value: unknown, pack: LoadedPack): void {
    const known = maps[map] as Map<string, Entry<unknown>>;
    const before = known.get(id);
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
  const templates = new Map<string, TemplateEntry>();
  for (const [id, entry] of maps.templates) {
    const { file, text } = entry.value;
    if (file !== undefined && text !== undefined)
      report(diagnostic("unused-key", `"text" of the template "${id}" is not used beside file`, entry.at(["text"], "key")));
    const loaded = loadTemplate(entry);
    if ("code" in loaded) report(loaded);
    else templates.set(id, loaded);
  }
  for (const [id, entry] of maps.budget) {
    if (!templates.has(id))
      report(() => diagnostic("unknown-id", `there is no template "${id}"`, entry.at(), didYouMean(id, templates.keys())));
  }
  const lists = {
    nothing: [...nothing],
    abbreviations: [...abbreviations],
    restrictions: [...restrictions],
    scratch: [...scratch],
  };
  return { ...maps, templates, off, offWords, ...lists, packs, diagnostics };
}

/** Is there anything at this path? */
function holds(value: unknown, path: Path): boolean {
  const [key, ...rest] = path;
  if (key === undefined) return true;
  return (
    typeof value === "object" &&
    value !== null &&
    Object.hasOwn(value, key) &&
    holds((value as Record<string, unknown>)[key], rest)
  );
}

function mergeMaps(before: unknown, after: unknown): object {
  const result = new Map(Object.entries(before as object));
  for (const [key, value] of Object.entries(after as object)) {
    const earlier = result.get(key);
    result.set(key, isMap(value) && isMap(earlier) ? mergeMaps(earlier, value) : value);
  }
  return Object.fromEntries(result);
}

function loadTemplate(entry: Entry<TemplateFile>): TemplateEntry | Diagnostic {
  const { file, text } = entry.value;
  if (text !== undefined && file === undefined) return { ...entry, text };
  if (file === undefined)
    return diagnostic("template-missing", `the template "${entry.id}" has neither file nor text`, entry.at());
  const pack = entry.from("file");
  const path = resolve(dirname(pack.file), file);
  const at = () => entry.at(["file"]);
  if (!isBuiltIn(pack) && !inside(path, pack.root))
    return diagnostic("template-reach", `${file} leaves ${pack.root}`, at(), "keep the template beside its pack");
  const read = readText(path);
  if (typeof read !== "string")
    return read.code === "file-encoding"
      ? diagnostic(read.code, read.message, read.at, read.hint)
      : diagnostic("template-missing", read.message, at());
  return { ...entry, text: read, textFile: path };
}
