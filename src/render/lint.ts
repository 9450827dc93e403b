// What compiling cannot tell: templates that name nothing, and rules without examples.

import { isKnownTemplate } from "../config/prepared.js";
import type { Resolved } from "../config/resolve.js";
import { didYouMean } from "../config/suggest.js";
import { collectFindings, type Diagnostic, diagnostic } from "../diagnostics.js";
import { declarations } from "../extract/declarations.js";
import { FINDINGS } from "../limits.js";
import { type TemplateText, templateTexts } from "../rules/compile-templates.js";
import { LIST_NAMES } from "./shape.js";
import { lintTemplate } from "./template.js";

export function lintPacks(packs: Resolved): readonly Diagnostic[] {
  const { report, findings: told } = collectFindings();
  for (const finding of [...templateFindings(packs), ...exampleFindings(packs)]) report(finding);
  return told;
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
  return lintTemplate(text)
    .slice(0, FINDINGS + 1)
    .map(({ code, message, offset, word, known }) =>
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
