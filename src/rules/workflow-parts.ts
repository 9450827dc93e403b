// The parts of a workflow's declaration: stages, names, and the steps of its folder.
import { isAbsolute, normalize } from "node:path";
import type { Entry } from "../config/resolve.js";
import { didYouMean } from "../config/suggest.js";
import { diagnostic, type Report } from "../diagnostics.js";
import type { WorkflowFile } from "../generated/pack-file.js";
import type { Path } from "./compile-read.js";

/** Stages or names of `read` that are not switched off. What is only switched off was never there. */
export function activeParts<T extends { readonly off?: boolean }>(
  entry: Entry<WorkflowFile>,
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

/** A part of a declaration, as a declaration. */
export function part<T>(entry: Entry<unknown>, prefix: Path, value: T): Entry<T> {
  return {
    id: entry.id,
    value,
    from: (...path) => entry.from(...prefix, ...path),
    at: (path = [], what) => entry.at([...prefix, ...path], what),
    within: (path, offset) => entry.within([...prefix, ...path], offset),
  };
}

/** A folder's steps: `./` and a slash at the end say nothing. */
export const stepsOf = (folder: string) => folder.split("/").filter((step) => step !== "" && step !== ".");
/** `*` and `{name}` stand for whole names. */
export const isStep = (step: string) => step === "*" || step === "{name}" || (step !== ".." && !/[*{}]/.test(step));

export const staysInside = (path: string) => path !== "" && !isAbsolute(path) && !normalize(path).startsWith("..");
