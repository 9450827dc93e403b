// Compiles workflows. Reports faults and leaves out what is faulty.
import { isAbsolute, normalize } from "node:path";
import { stageOrder } from "../../config/merge.js";
import type { PackEntry } from "../../config/pack.js";
import type { Path } from "../../config/parse-yaml.js";
import type { Resolved } from "../../config/resolve-packs.js";
import { diagnostic, type Position, type Report } from "../../diagnostics.js";
import { isNotesFile } from "../../files/folders.js";
import type { StageFile, WhenFile, WorkflowFile } from "../../generated/pack-file.js";
import { didYouMean } from "../../text/did-you-mean.js";
import { BUILT_IN_NAMES, NEWEST, type Stage, type When, type Workflow } from "../workflow-set.js";
import type { Conditions } from "./conditions.js";
import type { createReads } from "./reads.js";

/** Replaces the slots of a `pick` phrase with words of the same length, so that the offset of a fault stays right. */
export const pickInWords = (phrase: string): string => phrase.replace(/\{name\}|\{stage\}/g, (slot) => "x".repeat(slot.length));

export function createWorkflows(
  packs: Resolved,
  { phrases, condition }: Conditions,
  { knownFiles, says, read }: ReturnType<typeof createReads>,
  report: Report,
) {
  function knownArtifact(name: string, known: readonly string[], at: () => Position): boolean {
    if (known.includes(name)) return true;
    report(() => diagnostic("unknown-file", `there is no artifact "${name}"`, at(), didYouMean(name, known)));
    return false;
  }

  function when(
    entry: PackEntry<unknown>,
    path: Path,
    list: readonly WhenFile[] | undefined,
    artifacts: readonly string[],
  ): readonly When[] {
    return (list ?? []).flatMap((value, index): readonly When[] => {
      const own = part(entry, [...path, index], value);
      if (value.all) return [{ all: when(own, ["all"], value.all, artifacts) }];
      if (value.none) return [{ none: when(own, ["none"], value.none, artifacts) }];
      const { artifact, names } = value;
      if (artifact !== undefined) return knownArtifact(artifact, artifacts, () => own.at()) ? [{ artifact }] : [];
      if (names !== undefined) return knownArtifact(names, artifacts, () => own.at(["names"])) ? [{ names }] : [];
      knownFiles(own, ["in", "file"], value.in?.file, artifacts);
      if (!value.in && !value.match) {
        const hint = "name an artifact, or give names, in, match, all or none";
        report(diagnostic("rule-empty", "an empty condition always holds", own.at(), hint));
        return [];
      }
      const built = condition(own, false);
      // If all phrases are faulty, the condition must not hold for everything.
      return value.match && built.match.length === 0 ? [] : [{ condition: built }];
    });
  }

  function stage(
    entry: PackEntry<WorkflowFile>,
    id: string,
    value: StageFile,
    artifacts: readonly string[],
    names: readonly string[],
  ): Stage {
    const own = part(entry, ["stages", id], value);
    const { edits } = value;
    if (edits !== undefined) knownArtifact(edits, artifacts, () => own.at(["edits"]));
    return {
      id,
      ...(edits !== undefined && { edits }),
      when: when(own, ["when"], value.when, artifacts),
      say: says(own, ["say"], value.say, names),
      passed: says(own, ["passed"], value.passed, names),
    };
  }

  /** The phrases of `pick` that are valid and have a {name}. */
  function picks(entry: PackEntry<WorkflowFile>): readonly string[] {
    return (entry.value.pick ?? [NEWEST]).filter((phrase, index) => {
      if (phrase === NEWEST) return true;
      const place = part(entry, ["pick", index], phrase);
      const words = { ...place, at: () => place.at(), within: (_: Path, offset: number) => place.within([], offset) };
      const [tried] = phrases(words, [], [pickInWords(phrase)], false);
      if (!tried || phrase.includes("{name}")) return tried !== undefined;
      report(diagnostic("unknown-name", `"${phrase}" has no {name}`, place.within([], 0), `write {name}, or ${NEWEST}`));
      return false;
    });
  }

  return [...packs.workflows.values()].flatMap((entry): readonly Workflow[] => {
    const { value, id } = entry;
    const { folder } = value;
    const artifacts = Object.keys(value.artifacts ?? {});
    const reads = activeParts(entry, "read", value.read, report);
    const stages = orderedStages(entry, report);
    const names = [
      ...packs.read.keys(),
      ...reads.map(([name]) => name),
      ...artifacts,
      ...packs.sections.keys(),
      ...BUILT_IN_NAMES,
    ];
    if (folder === undefined || stages.length === 0) {
      const missing = folder === undefined ? "a folder" : "stages";
      report(diagnostic("missing-key", `the workflow "${id}" needs ${missing}`, entry.at()));
      return [];
    }
    const steps = stepsOf(folder);
    if (!steps.includes("{name}") || !steps.every(isStep) || isAbsolute(folder)) {
      const message = `"${folder}" must be a folder inside the project that contains {name}`;
      report(diagnostic("workflow-folder", message, entry.at(["folder"]), "such as docs/features/{name}"));
      return [];
    }
    knownFiles(entry, ["named"], value.named, []);
    for (const [name, path] of Object.entries(value.artifacts ?? {})) {
      const fault = pathFault(path, "the work item's folder");
      if (fault) report(diagnostic("file-reach", fault, entry.at(["artifacts", name])));
    }
    return [
      {
        id,
        folder: steps.join("/"),
        skip: value.skip ?? [],
        requires: (value.requires ?? []).filter((name, index) =>
          knownArtifact(name, artifacts, () => entry.at(["requires", index])),
        ),
        named: value.named ?? [],
        artifacts: new Map(Object.entries(value.artifacts ?? {})),
        pick: picks(entry),
        finished: when(entry, ["finished"], value.finished, artifacts),
        read: new Map(
          reads.map(([name, one]) => [name, { ...read(part(entry, ["read", name], one), artifacts, names), id: name }]),
        ),
        say: says(entry, ["say"], value.say, names),
        stages: stages.map(([name, one]) => stage(entry, name, one, artifacts, names)),
      },
    ];
  });
}

// The parts of a workflow: stages, reads, and the steps of its folder.

/** The stages or reads that are not switched off. Reports those that are switched off but were never declared. */
function activeParts<T extends { readonly off?: boolean }>(
  entry: PackEntry<WorkflowFile>,
  key: "read" | "stages",
  map: Readonly<Record<string, T>> = {},
  report: Report,
): readonly (readonly [string, T])[] {
  const isStray = (one: T) => one.off === true && Object.keys(one).length === 1;
  const known = Object.entries(map).filter(([, one]) => !isStray(one));
  const names = known.map(([name]) => name);
  for (const [id, one] of Object.entries(map)) {
    if (!isStray(one)) continue;
    const at = entry.at([key, id], "key");
    report(() => diagnostic("unknown-id", `the workflow "${entry.id}" has no "${id}" in ${key}`, at, didYouMean(id, names)));
  }
  return known.filter(([, one]) => one.off !== true);
}

function orderedStages(entry: PackEntry<WorkflowFile>, report: Report): readonly (readonly [string, StageFile])[] {
  const all = entry.value.stages ?? {};
  const order = stageOrder(all);
  const rank = new Map(order.map((id, place) => [id, place]));
  for (const [id, { after = "" }] of Object.entries(all)) {
    if (rank.has(id)) continue;
    const message = Object.hasOwn(all, after) ? `"${id}" comes after itself` : `there is no stage "${after}"`;
    report(() => diagnostic("unknown-id", message, entry.at(["stages", id, "after"]), didYouMean(after, order)));
  }
  const active = activeParts(entry, "stages", all, report).filter(([id]) => rank.has(id));
  return active.sort(([a], [b]) => (rank.get(a) as number) - (rank.get(b) as number));
}

/** A part of a declaration, as a declaration of its own. */
export function part<T>(entry: PackEntry<unknown>, prefix: Path, value: T): PackEntry<T> {
  return {
    id: entry.id,
    value,
    from: (...path) => entry.from(...prefix, ...path),
    at: (path = [], what) => entry.at([...prefix, ...path], what),
    within: (path, offset) => entry.within([...prefix, ...path], offset),
  };
}

/** The steps of a folder path, without `./` and a final slash. */
export const stepsOf = (folder: string) => folder.split("/").filter((step) => step !== "" && step !== ".");
/** Is the step valid? `*` and `{name}` must be whole names. */
const isStep = (step: string) => step === "*" || step === "{name}" || (step !== ".." && !/[*{}]/.test(step));

/** Why a file of notes is not read. */
export function pathFault(path: string, folder: string): string | undefined {
  if (isAbsolute(path) || normalize(path).startsWith("..")) return `"${path}" is outside of ${folder}`;
  return isNotesFile(path) ? undefined : `"${path}" is not a text file (.md, .txt, .json)`;
}
