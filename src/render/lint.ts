// What compiling cannot tell: templates that name nothing, and rules without examples.

import { isKnownTemplate } from "../config/prepared.js";
import type { Resolved } from "../config/resolve.js";
import { didYouMean } from "../config/suggest.js";
import { type Diagnostic, diagnostic } from "../diagnostics.js";
import { declarations } from "../extract/declarations.js";
import { type TemplateText, templateTexts } from "../rules/compile-templates.js";
import { LIST_NAMES } from "./shape.js";
import { lintTemplate } from "./template.js";

export function lintPacks(packs: Resolved): readonly Diagnostic[] {
  return [...templateFindings(packs), ...exampleFindings(packs)];
}

function templateFindings(packs: Resolved): readonly Diagnostic[] {
  return [...packs.templates.values()].flatMap((entry) => {
    const unknown = Object.keys(entry.value.max ?? {}).filter((name) => !(LIST_NAMES as readonly string[]).includes(name));
    return [
      ...unknown.map((name) =>
        diagnostic("unknown-key", `there is no list "${name}"`, entry.at(["max", name], "key"), didYouMean(name, LIST_NAMES)),
      ),
      ...templateTexts(entry).flatMap(findings),
    ];
  });
}

function findings({ text, place }: TemplateText): readonly Diagnostic[] {
  if (isKnownTemplate(text)) return [];
  return lintTemplate(text).map(({ code, message, offset, word, known }) =>
    diagnostic(code, message, place(offset), word && known ? didYouMean(word, known) : undefined),
  );
}

function exampleFindings(packs: Resolved): readonly Diagnostic[] {
  return declarations(packs).flatMap(({ id, value, at }) =>
    (value.examples ?? []).length > 0
      ? []
      : [diagnostic("rule-examples", `${id} has no examples`, at(), "give it a text that fires and one that does not")],
  );
}
