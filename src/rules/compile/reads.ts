// Compiles what sections and workflows share: values that are read from notes, and texts that use them.

import { suggest } from "../../config/load-pack.js";
import type { PackEntry } from "../../config/pack.js";
import type { Path } from "../../config/parse-yaml.js";
import type { Resolved } from "../../config/resolve-packs.js";
import { diagnostic, type Report } from "../../diagnostics.js";
import type { ReadFile } from "../../generated/pack-file.js";
import type { NodeType } from "../../model.js";
import { didYouMean } from "../../text/did-you-mean.js";
import { defined } from "../../text/json.js";
import { toLiteral } from "../phrase/parse-phrase.js";
import { parseText, placeholders, type SayText } from "../template/say-text.js";
import type { Read, ReadingWay, Say, SayByName } from "../workflow-set.js";
import type { Conditions } from "./conditions.js";

type SayFile = readonly (readonly string[])[];

export function createReads(packs: Resolved, { phrases, condition }: Conditions, report: Report) {
  const sectionIds = [...packs.sections.keys()];
  const fileNames = [...packs.files.keys()];

  function knownFiles(entry: PackEntry<unknown>, path: Path, names: readonly string[] | undefined, artifacts: readonly string[]) {
    const known = [...fileNames, ...artifacts];
    for (const [index, name] of (names ?? []).entries()) {
      const hint = () => suggest("files", name, known, packs.packs);
      if (known.includes(name)) continue;
      report(() => diagnostic("unknown-file", `there is no file "${name}"`, entry.at([...path, index]), hint()));
    }
  }

  function text(entry: PackEntry<unknown>, path: Path, source: string, names?: readonly string[]): readonly SayText[] {
    const parsed = parseText(source);
    if ("message" in parsed) {
      const hint = "write \\{ or \\[ for the mark itself";
      report(diagnostic("text-syntax", parsed.message, entry.within(path, parsed.offset), hint));
      return [];
    }
    const known = (name: string | undefined) => name !== undefined && (names?.includes(name) || packs.off.has(name));
    const stranger = names && placeholders(parsed.nodes).find((one) => !known(one.path[0]));
    if (!stranger) return [parsed];
    const [name = ""] = stranger.path;
    const at = entry.within(path, stranger.offset + 1);
    report(() => diagnostic("unknown-name", `unknown name "${name}"`, at, didYouMean(name, names)));
    return [];
  }

  const say = (entry: PackEntry<unknown>, path: Path, lines: SayFile | undefined, names: readonly string[]): Say =>
    (lines ?? []).map((choice, line) => choice.flatMap((source, index) => text(entry, [...path, line, index], source, names)));

  function says(
    entry: PackEntry<unknown>,
    path: Path,
    map: Readonly<Record<string, SayFile>> | undefined,
    names: readonly string[],
  ): SayByName {
    const known = Object.entries(map ?? {}).filter(([id]) => {
      if (sectionIds.includes(id) || packs.off.has(id)) return true;
      const at = entry.at([...path, id], "key");
      report(() =>
        diagnostic("unknown-section", `there is no section "${id}"`, at, suggest("sections", id, sectionIds, packs.packs)),
      );
      return false;
    });
    return new Map(known.map(([id, lines]) => [id, say(entry, [...path, id], lines, names)]));
  }

  function read(entry: PackEntry<ReadFile>, artifacts: readonly string[], names: readonly string[]): Read {
    const { value } = entry;
    knownFiles(entry, ["in", "file"], value.in?.file, artifacts);
    for (const [index, name] of (value.not ?? []).entries())
      if (!names.includes(name) && !packs.off.has(name))
        report(() => diagnostic("unknown-name", `unknown name "${name}"`, entry.at(["not", index]), didYouMean(name, names)));
    const [written] = value.text === undefined ? [] : text(entry, ["text"], value.text);
    return {
      id: entry.id,
      ways: ways(entry),
      not: value.not ?? [],
      shape: phrases(entry, ["shape"], value.shape, false),
      group: phrases(entry, ["group"], value.group, false),
      ...(written && { text: written }),
      ...defined({ topic: value.topic, ends: value.ends, doubts: value.doubts, max: value.max }),
    };
  }

  /** The ways to find a value: fields, lists after a field's name, items under headings; or just the condition. */
  function ways(entry: PackEntry<ReadFile>): readonly ReadingWay[] {
    const { fields, headings } = entry.value;
    const { match, ...base } = condition(entry, false);
    if (!fields && !headings) {
      const { match: phrase, regex: pattern, in: where } = entry.value;
      if (!phrase && !pattern && !where)
        report(diagnostic("rule-empty", `"${entry.id}" has no condition`, entry.at(), "give it in, match or fields"));
      // If all phrases or patterns are faulty, it must not match everything.
      const lost = (phrase && match.length === 0) || (pattern && base.regex.length === 0);
      return lost ? [] : [{ match, ...base }];
    }
    const made = { ...entry, at: () => entry.at(["fields"]), within: () => entry.at(["fields"]) };
    const items: ReadonlySet<NodeType> = new Set(["item", "task"]);
    const { node, ...anywhere } = base.in;
    const all: ReadonlySet<NodeType> = node ?? new Set(["sentence", "item", "task"]);
    const line = fields ? phrases(made, [], [fieldPhrase(fields)], false) : [];
    const lead = fields ? phrases(made, [], leadPhrases(fields), false) : [];
    const under = headings ? phrases(entry, ["headings"], headings, false) : [];
    return [
      ...(match.length > 0 ? [{ ...base, match, in: anywhere }] : []),
      ...(line.length > 0 ? [{ ...base, match: line, in: anywhere, once: entry.value.once ?? false }] : []),
      ...(lead.length > 0 ? [{ ...base, match: [], in: { ...base.in, lead, node: items } }] : []),
      ...(under.length > 0 ? [{ ...base, match: [], in: { ...base.in, under, node: all } }] : []),
    ];
  }

  return { knownFiles, say, says, read };
}

/** A phrase for `Name: value` or `Name — value`, with any of the names. */
export const fieldPhrase = (names: readonly string[]) => `^(${alternatives(names)}) (:|—|–) {text:rest}`;
/** Phrases for `Name:` and `Name`, which introduce a list. */
const leadPhrases = (names: readonly string[]) => [`^(${alternatives(names)}) [...] :$`, `^(${alternatives(names)})$`];

const alternatives = (names: readonly string[]) => names.map(toLiteral).join("|");
