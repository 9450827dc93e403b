// Compiles templates. Leaves out invalid ones, so that another can be used instead.
import { isBuiltIn } from "../../config/load-pack.js";
import type { LoadedPack, TemplateEntry } from "../../config/pack.js";
import type { Resolved } from "../../config/resolve-packs.js";
import { type Diagnostic, diagnostic, type Position, type Report } from "../../diagnostics.js";
import type { Template } from "../rule-set.js";
import { templateFault } from "../template/fill-template.js";

const DEFAULT_TOKENS = 500;

export function compileTemplates(packs: Resolved, report: Report): ReadonlyMap<string, Template> {
  const templates = new Map<string, Template>();
  for (const [id, entry] of packs.templates) {
    const { value, text } = entry;
    const { store } = value;
    const faults = syntaxFaults(entry);
    for (const fault of faults) report(fault);
    if (faults.length > 0) continue;
    templates.set(id, {
      id,
      text,
      tokens: packs.budget.get(id)?.value ?? value.tokens ?? DEFAULT_TOKENS,
      max: value.max ?? {},
      ...(value.least && { least: value.least }),
      ...(value.once && { once: true }),
      ...(value.working !== undefined && { working: value.working }),
      ...(store && { store: { ...store, tags: store.tags ?? [] } }),
    });
  }
  return templates;
}

/** A text of a template, its pack, and a function that locates a character in it. */
export interface TemplateText {
  readonly text: string;
  readonly pack: LoadedPack;
  readonly place: (offset: number) => Position;
}

/** The text of a template, and the texts that say where to store the result. */
export function templateTexts(entry: TemplateEntry): readonly TemplateText[] {
  const { title, folder, file, tags = [] } = entry.value.store ?? {};
  const filed = [
    ...Object.entries({ title, folder, file }).map(([key, text]) => [text, [key]] as const),
    ...tags.map((text, index) => [text, ["tags", index]] as const),
  ];
  const pack = entry.from("store");
  return [
    {
      text: entry.text,
      pack: entry.from(entry.textFile === undefined ? "text" : "file"),
      place: (offset) => placeInText(entry, offset),
    },
    ...filed.flatMap(([text, path]) =>
      text === undefined ? [] : [{ text, pack, place: (offset: number) => entry.within(["store", ...path], offset) }],
    ),
  ];
}

function placeInText({ text, textFile, within }: TemplateEntry, offset: number): Position {
  if (textFile === undefined) return within(["text"], offset);
  const before = text.slice(0, offset).split("\n");
  return { file: textFile, line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

/** Skips built-in templates: they are known to be valid. */
const syntaxFaults = (entry: TemplateEntry): readonly Diagnostic[] =>
  templateTexts(entry).flatMap(({ text, pack, place }) => {
    const fault = isBuiltIn(pack) ? undefined : templateFault(text);
    return fault ? [diagnostic("template-syntax", fault.message, place(fault.offset))] : [];
  });
