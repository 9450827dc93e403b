// A workflow as a pack declares it → what runs. Faults become findings; what is faulty is left out.
import { isAbsolute, normalize } from "node:path";
import type { Entry, Resolved } from "../config/resolve.js";
import { didYouMean } from "../config/suggest.js";
import { type Diagnostic, diagnostic, type Position } from "../diagnostics.js";
import type { StageFile, WhenFile, WorkflowFile } from "../generated/pack-file.js";
import type { createReads, Path } from "./compile-read.js";
import type { createConditions } from "./conditions.js";
import { BUILT_IN_NAMES, NEWEST, type Stage, type When, type Workflow } from "./workflow-set.js";

export function createWorkflows(
  packs: Resolved,
  { phrases, condition }: ReturnType<typeof createConditions>,
  { knownFiles, says, read }: ReturnType<typeof createReads>,
  report: (finding: Diagnostic) => void,
) {
  function knownArtifact(name: string, known: readonly string[], at: () => Position): boolean {
    if (known.includes(name)) return true;
    report(diagnostic("unknown-file", `there is no artifact "${name}"`, at(), didYouMean(name, known)));
    return false;
  }

  function when(
    entry: Entry<unknown>,
    path: Path,
    list: readonly WhenFile[] | undefined,
    artifacts: readonly string[],
  ): readonly When[] {
    return (list ?? []).flatMap((value, index): readonly When[] => {
      const own = part(entry, [...path, index], value);
      if (value.all) return [{ all: when(own, ["all"], value.all, artifacts) }];
      if (value.none) return [{ none: when(own, ["none"], value.none, artifacts) }];
      const { artifact } = value;
      if (artifact !== undefined) return knownArtifact(artifact, artifacts, () => own.at()) ? [{ artifact }] : [];
      knownFiles(own, ["in", "file"], value.in?.file, artifacts);
      if (!value.in && !value.match) {
        const hint = "name an artifact, or give in, match, all or none";
        report(diagnostic("rule-empty", "a condition that says neither where nor what always holds", own.at(), hint));
        return [];
      }
      const built = condition(own, false);
      // A condition whose phrases were all faulty must not hold for everything.
      return value.match && built.match.length === 0 ? [] : [{ condition: built }];
    });
  }

  function stage(
    entry: Entry<WorkflowFile>,
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

  /** Phrases of `pick` that are phrases and have a {name}. */
  function picks(entry: Entry<WorkflowFile>): readonly string[] {
    return (entry.value.pick ?? [NEWEST]).filter((phrase, index) => {
      if (phrase === NEWEST) return true;
      const place = part(entry, ["pick", index], phrase);
      // As long as what it stands for, so that a fault behind it keeps its place.
      const words = phrase.replace(/\{name\}|\{stage\}/g, (slot) => "x".repeat(slot.length));
      const [tried] = phrases({ at: () => place.at(), within: (_, offset) => place.within([], offset) }, [], [words], false);
      if (!tried || phrase.includes("{name}")) return tried !== undefined;
      report(diagnostic("unknown-name", `"${phrase}" has no {name}`, place.within([], 0), `write {name}, or ${NEWEST}`));
      return false;
    });
  }

  /** Stages or names of `read` that are not switched off. What is only switched off was never there. */
  function parts<T extends { readonly off?: boolean }>(
    entry: Entry<WorkflowFile>,
    key: "read" | "stages",
    map: Readonly<Record<string, T>> = {},
  ): readonly (readonly [string, T])[] {
    const isKnown = (one: T) => Object.keys(one).some((name) => name !== "off");
    const known = Object.entries(map).filter(([, one]) => isKnown(one) || one.off !== true);
    for (const [id, one] of Object.entries(map)) {
      if (isKnown(one) || one.off !== true) continue;
      const hint = didYouMean(
        id,
        known.map(([name]) => name),
      );
      report(diagnostic("unknown-id", `the workflow "${entry.id}" has no "${id}" in ${key}`, entry.at([key, id], "key"), hint));
    }
    return known.filter(([, one]) => one.off !== true);
  }

  return [...packs.workflows.values()].flatMap((entry): readonly Workflow[] => {
    const { value, id } = entry;
    const { folder } = value;
    const artifacts = Object.keys(value.artifacts ?? {});
    const reads = parts(entry, "read", value.read);
    const stages = parts(entry, "stages", value.stages);
    const names = [
      ...packs.read.keys(),
      ...reads.map(([name]) => name),
      ...artifacts,
      ...packs.sections.keys(),
      ...BUILT_IN_NAMES,
    ];
    if (folder === undefined || stages.length === 0) {
      report(diagnostic("missing-key", `the workflow "${id}" needs folder and stages`, entry.at()));
      return [];
    }
    const steps = stepsOf(folder);
    if (!steps.includes("{name}") || !steps.every(isStep) || isAbsolute(folder)) {
      const hint = "such as docs/specs/{name}";
      report(diagnostic("workflow-folder", `"${folder}" names no folder of the project with {name}`, entry.at(["folder"]), hint));
      return [];
    }
    knownFiles(entry, ["named"], value.named, []);
    for (const [name, path] of Object.entries(value.artifacts ?? {})) {
      if (!staysInside(path))
        report(diagnostic("file-reach", `"${path}" is not inside of the work item's folder`, entry.at(["artifacts", name])));
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

/** A part of a declaration, as a declaration. */
function part<T>(entry: Entry<unknown>, prefix: Path, value: T): Entry<T> {
  return {
    id: entry.id,
    value,
    from: (...path) => entry.from(...prefix, ...path),
    at: (path = [], what) => entry.at([...prefix, ...path], what),
    within: (path, offset) => entry.within([...prefix, ...path], offset),
  };
}

/** A folder's steps: `./` and a slash at the end say nothing. */
const stepsOf = (folder: string) => folder.split("/").filter((step) => step !== "" && step !== ".");
/** `*` and `{name}` stand for whole names. */
const isStep = (step: string) => step === "*" || step === "{name}" || (step !== ".." && !/[*{}]/.test(step));

export const staysInside = (path: string) => path !== "" && !isAbsolute(path) && !normalize(path).startsWith("..");
