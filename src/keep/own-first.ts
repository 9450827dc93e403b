// What was said in a session goes before what stands in files of its project: those are still there behind a compaction.
import type { Extraction, Item } from "../model.js";
import { type Rendered, type RenderOptions, render } from "../render/render.js";
import type { RuleSet, Template } from "../rules/rule-set.js";
import { sameText } from "../rules/words.js";

/** All of it where there is room for all, else what was said alone. Files of rules are sent by the host itself. */
export function renderOwnFirst(extraction: Extraction, template: Template, rules: RuleSet, options?: RenderOptions): Rendered {
  const aside = new Set(rules.files.filter(({ state }) => !state).map(({ path }) => path));
  const own = withoutFiles(extraction, () => true);
  if (own === extraction) return render(extraction, template, rules, options);
  // What a section of the notes says is not said again.
  const lines = new Set((extraction.continuation.sections ?? []).flatMap((section) => section.lines.map(sameText)));
  const all = withoutFiles(extraction, ({ source, text }) => aside.has(source) || lines.has(sameText(text)));
  const rendered = render(all, template, rules, options);
  return rendered.hidden === 0 ? rendered : render(own, template, rules, options);
}

interface Line {
  readonly source: string;
  readonly text: string;
}

/** The same without those lines of files; what was also said in the session stays. */
function withoutFiles(extraction: Extraction, isLeftOut: (line: Line) => boolean): Extraction {
  const { continuation, statements } = extraction;
  const { items } = continuation;
  const files = new Set([
    ...statements.flatMap(({ by, source }) => (by === "file" ? [source] : [])),
    ...items.flatMap(({ by, evidence }) => (by === "file" ? [evidence.source] : [])),
  ]);
  if (files.size === 0) return extraction;
  const stays = ({ by, text, evidence, also }: Item) =>
    by !== "file" || also.some(({ source }) => !files.has(source)) || !isLeftOut({ source: evidence.source, text });
  return {
    ...extraction,
    continuation: { ...continuation, items: items.filter(stays) },
    statements: statements.filter((one) => one.by !== "file" || !isLeftOut(one)),
  };
}
