// What compiling cannot tell: templates that name nothing, and rules without examples.

import { isKnownTemplate } from "../config/prepared.js";
import type { Resolved, TemplateEntry } from "../config/resolve.js";
import { didYouMean } from "../config/suggest.js";
import { type Diagnostic, diagnostic, type Position } from "../diagnostics.js";
import { declarations } from "../extract/declarations.js";
import { LIST_NAMES } from "./shape.js";
import { lintTemplate } from "./template.js";

export function lintPacks(packs: Resolved): readonly Diagnostic[] {
  return [...templateFindings(packs), ...exampleFindings(packs)];
}

function templateFindings(packs: Resolved): readonly Diagnostic[] {
  return [...packs.templates.values()].flatMap((entry) => {
    const { store } = entry.value;
    const filed = [["title"], ["folder"], ["file"], ...(store?.tags ?? []).map((_, index) => ["tags", index])] as const;
    const unknown = Object.keys(entry.value.max ?? {}).filter((name) => !(LIST_NAMES as readonly string[]).includes(name));
    return [
      ...unknown.map((name) =>
        diagnostic("unknown-key", `there is no list "${name}"`, entry.at(["max", name], "key"), didYouMean(name, LIST_NAMES)),
      ),
      ...findings(entry.text, (offset) => placeInText(entry, offset)),
      ...filed.flatMap((path) => {
        const [key, index] = path;
        const text = key === "tags" ? store?.tags?.[index as number] : store?.[key as "title" | "folder" | "file"];
        return text === undefined ? [] : findings(text, (offset) => entry.within(["store", ...path], offset));
      }),
    ];
  });
}

function findings(text: string, place: (offset: number) => Position): readonly Diagnostic[] {
  if (isKnownTemplate(text)) return [];
  return lintTemplate(text).map(({ code, message, offset, word, known }) =>
    diagnostic(code, message, place(offset), word && known ? didYouMean(word, known) : undefined),
  );
}

function placeInText({ text, textFile, within }: TemplateEntry, offset: number): Position {
  if (textFile === undefined) return within(["text"], offset);
  const before = text.slice(0, offset).split("\n");
  return { file: textFile, line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

function exampleFindings(packs: Resolved): readonly Diagnostic[] {
  return declarations(packs).flatMap(({ id, value, at }) =>
    (value.examples ?? []).length > 0
      ? []
      : [diagnostic("rule-examples", `${id} has no examples`, at(), "give it a text that fires and one that does not")],
  );
}
