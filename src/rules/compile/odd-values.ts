// Reports conditions that are valid but can never hold.

import { isBuiltIn, suggest } from "../../config/load-pack.js";
import { stageOrder } from "../../config/merge.js";
import type { LoadedPack, PackEntry } from "../../config/pack.js";
import type { Resolved } from "../../config/resolve-packs.js";
import { diagnostic, type Report } from "../../diagnostics.js";
import type { CuesFile, RuleFile, SelectorFile, SignalFile } from "../../generated/pack-file.js";
import { sameText } from "../../text/words.js";
import { isName } from "../phrase/parse-phrase.js";

type Finder = (message: string, path: readonly (string | number)[], hint?: string, what?: "key" | "value") => void;

export function reportOddValues(packs: Resolved, report: Report): void {
  const finderOf =
    ({ at }: Pick<PackEntry<unknown>, "at">): Finder =>
    (message, path, hint, what) =>
      report(diagnostic("never-holds", message, at(path, what), hint));
  const artifacts = [...packs.workflows.values()].flatMap(({ value }) => Object.keys(value.artifacts ?? {}));
  const files = [...packs.files.keys(), ...artifacts];
  for (const entry of [...packs.signals.values(), ...packs.rules.values(), ...packs.cues.values()]) {
    const find = finderOf(entry);
    loneBrackets(entry, report);
    oddSelector(entry.value.in ?? {}, files, packs.packs, find);
    if ("length" in entry.value) oddBounds("length", entry.value.length, ["length"], find);
    if ("regex" in entry.value)
      for (const [index, source] of (entry.value.regex ?? []).entries())
        if (/^\/.+\/[gimsuy]+$/.test(source))
          find(`the slashes are part of the pattern "${source}"`, ["regex", index], "remove the slashes and the flags");
  }
  for (const entry of packs.sections.values())
    for (const key of ["headings", "fields"] as const)
      if (entry.value[key]?.length === 0) finderOf(entry)(`"${key}" is an empty list: nothing is read`, [key]);
  for (const entry of packs.workflows.values()) {
    const { stages = {}, named = [] } = entry.value;
    const active = stageOrder(stages).filter((id) => stages[id]?.off !== true);
    for (const id of named.length > 0 ? [] : active.slice(1))
      if (!stages[id]?.when?.length) finderOf(entry)(`the stage "${id}" is never reached`, ["stages", id], "give it when", "key");
  }
  for (const entry of packs.options.values()) {
    const seen = new Set<string>();
    for (const [place, names] of (entry.value.labels ?? []).entries()) {
      const again = names.find((name) => seen.has(sameText(name)));
      if (again !== undefined)
        finderOf(entry)(`"${again}" already names an earlier option`, ["labels", place], "give each option its own names");
      for (const name of names) seen.add(sameText(name));
    }
  }
  for (const entry of packs.words.values())
    if (!isName(entry.id))
      finderOf(entry)(`"${entry.id}" is not a valid name for a fragment`, [], "a name has letters, digits, - and _", "key");
}

/** Brackets around one option. Their author probably means the brackets themselves. */
const LONE = /(?<!\\)\([^()|]*\)(?![?*+])/;

function loneBrackets({ value, from, within }: PackEntry<RuleFile | SignalFile | CuesFile>, report: Report): void {
  for (const key of ["match", "unless"] as const) {
    const texts = key in value && !isBuiltIn(from(key)) ? (value as RuleFile)[key] : undefined;
    for (const [index, text] of (texts ?? []).entries()) {
      const lone = LONE.exec(text);
      if (!lone) continue;
      const hint = `write \\${lone[0].slice(0, -1)}\\) for the brackets themselves, or leave them out`;
      report(diagnostic("phrase-brackets", `${lone[0]} is a choice of one`, within([key, index], lone.index), hint));
    }
  }
}

function oddSelector(selector: SelectorFile, files: readonly string[], packs: readonly LoadedPack[], find: Finder): void {
  for (const [key, value] of Object.entries(selector))
    if (Array.isArray(value) && value.length === 0) find(`"${key}" is an empty list: nothing is in it`, ["in", key]);
  for (const key of ["message", "words"] as const) oddBounds(key, selector[key], ["in", key], find);
  for (const [index, name] of (selector.file ?? []).entries())
    if (!files.includes(name)) find(`there is no file "${name}"`, ["in", "file", index], suggest("files", name, files, packs));
}

function oddBounds(
  key: string,
  bounds: { readonly min?: number; readonly max?: number } | undefined,
  path: readonly string[],
  find: Finder,
): void {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = bounds ?? {};
  if (min > max) find(`"${key}" has min ${min} above max ${max}`, path);
}
