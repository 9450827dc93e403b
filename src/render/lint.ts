// Finds what compiling does not check: unknown names in templates, rules without examples, and rules that never win.
import { isBuiltIn } from "../config/load-pack.js";
import type { TemplateEntry } from "../config/pack.js";
import { isKnownTemplate } from "../config/prepared.js";
import type { Resolved } from "../config/resolve-packs.js";
import { collectFindings, type Diagnostic, diagnostic } from "../diagnostics.js";
import { rivalFindings } from "../extract/facts/rivals.js";
import { declarations, testExamples } from "../extract/test-examples.js";
import { FINDINGS } from "../limits.js";
import { type TemplateText, templateTexts } from "../rules/compile/tables.js";
import { type LoadedRules, otherFaults } from "../rules/load-rules.js";
import type { RuleSet } from "../rules/rule-set.js";
import { parseTemplate, type TemplateToken, templateFault } from "../rules/template/fill-template.js";
import { didYouMean } from "../text/did-you-mean.js";
import { LIST_NAMES, type Shape, TEMPLATE_NAMES } from "./template-names.js";

/** Everything that `validate` reports. */
export function findingsOf(loaded: LoadedRules): readonly Diagnostic[] {
  const { diagnostics, packs, rules } = loaded;
  const broken = diagnostics.some(({ severity }) => severity === "error");
  return broken
    ? [...diagnostics, ...otherFaults(loaded)]
    : [...diagnostics, ...lintPacks(packs), ...failingExamples(packs, rules)];
}

/** Examples of built-in rules are not run: this must be fast. */
function failingExamples(packs: Resolved, rules: RuleSet): readonly Diagnostic[] {
  const own = declarations(packs).flatMap(({ id, from }) => (isBuiltIn(from("examples")) ? [] : [id]));
  return own.length === 0 ? [] : testExamples(packs, rules, own, false).diagnostics;
}

/** Finds templates that name unknown fields, rules without examples, and rules of a team that never win. */
export function lintPacks(packs: Resolved): readonly Diagnostic[] {
  const { report, findings } = collectFindings();
  const all = [...templateFindings(packs), ...numberFindings(packs), ...exampleFindings(packs), ...rivalFindings(packs)];
  for (const finding of all) report(finding);
  return findings;
}

/** What `worth` and `shares` can name besides lists: who said a sentence, and parts of lists. */
const SPEAKERS = ["user", "assistant", "tool", "file"];
const PARTS = ["own", "end", "needed"];

function numberFindings({ worth, shares }: Resolved): readonly Diagnostic[] {
  const unknown = (entries: Resolved["worth"], known: readonly string[]) =>
    [...entries].flatMap(([name, entry]) =>
      known.includes(name)
        ? []
        : [diagnostic("unknown-key", `there is no list "${name}"`, entry.at([], "key"), didYouMean(name, known))],
    );
  return [...unknown(worth, [...LIST_NAMES, ...SPEAKERS]), ...unknown(shares, [...LIST_NAMES, ...PARTS])];
}

const templateFindings = (packs: Resolved): readonly Diagnostic[] =>
  [...packs.templates.values()].flatMap((entry) => {
    const unknown = (["max", "least"] as const).flatMap((key) =>
      Object.keys(entry.value[key] ?? {})
        .filter((name) => !(LIST_NAMES as readonly string[]).includes(name))
        .map((name) => ({ name, at: entry.at([key, name], "key") })),
    );
    return [
      ...unknown.map(({ name, at }) => diagnostic("unknown-key", `there is no list "${name}"`, at, didYouMean(name, LIST_NAMES))),
      ...templateTexts(entry).flatMap(findings),
      ...pinFindings(entry),
    ];
  });

/** A pin must survive, so a template that takes the place of one with pins has to show them. Others may leave them out. */
function pinFindings(entry: TemplateEntry): readonly Diagnostic[] {
  const [own, ...more] = templateTexts(entry);
  const shows = (text: string) => /\{\{[#^]?\s*(?:has\.|counts\.)?pinned\b/.test(text);
  const isMissed = own !== undefined && [own, ...more].every(({ text }) => !isKnownTemplate(text) && !shows(text));
  return isMissed && WITH_PINS.includes(entry.id)
    ? [diagnostic("template-pins", `"${entry.id}" shows no pins`, own.place(0), "add {{#pinned}}- {{text}}{{/pinned}}")]
    : [];
}

const WITH_PINS: readonly string[] = [
  "brief",
  "carry",
  "handoff",
  "injection",
  "judge-injection",
  "repair",
  "standing",
  "structured",
];

function findings({ text, place }: TemplateText): readonly Diagnostic[] {
  if (isKnownTemplate(text)) return [];
  return lintTemplate(text)
    .slice(0, FINDINGS + 1)
    .map(({ code, message, offset, word, known }) =>
      diagnostic(code, message, place(offset), word && known ? didYouMean(word, known) : undefined),
    );
}

const exampleFindings = (packs: Resolved): readonly Diagnostic[] =>
  declarations(packs).flatMap(({ id, value, at }) =>
    (value.examples ?? []).length > 0
      ? []
      : [diagnostic("rule-examples", `${id} has no examples`, at(), "give it a text that fires and one that does not")],
  );

// Faults of a template: syntax and unknown names.

export interface TemplateFault {
  readonly code: "template-syntax" | "template-field";
  readonly message: string;
  readonly offset: number;
  readonly word?: string;
  readonly known?: readonly string[];
}

export function lintTemplate(template: string): readonly TemplateFault[] {
  const fault = templateFault(template);
  if (fault) return [{ code: "template-syntax", ...fault }];
  const faults: TemplateFault[] = [];
  const visit = (list: readonly TemplateToken[], scopes: readonly Shape[]) => {
    for (const [type, name, start, , inner] of list) {
      if (type === "text" || type === "!" || type === "=") continue;
      if (type === ">") {
        faults.push({ code: "template-syntax", message: "a template cannot include another", offset: start });
        continue;
      }
      const shape = name === "." ? scopes[0] : lookUp(name, scopes);
      const offset = template.indexOf(name, start);
      if (shape === undefined) {
        const message = `there is no field "${name}" here`;
        faults.push({ code: "template-field", message, offset, word: name, known: namesIn(scopes) });
      } else if (Array.isArray(inner)) visit(inner, type === "#" ? [shape, ...scopes] : scopes);
      else if (shape !== true) faults.push({ code: "template-field", message: noText(name, shape), offset });
    }
  };
  visit(parseTemplate(template), [TEMPLATE_NAMES]);
  return faults;
}

function noText(name: string, shape: Shape): string {
  if (name === ".") return "this is not a text but a set of fields";
  return `"${name}" is not a text: write ${shape === "any" ? `{{${name}.NAME}}` : `{{#${name}}} … {{/${name}}}`}`;
}

function lookUp(name: string, scopes: readonly Shape[]): Shape | undefined {
  const [first, ...rest] = name.split(".");
  const scope = scopes.find((shape) => typeof shape === "object" && Object.hasOwn(shape, first as string));
  let shape = (scope as Record<string, Shape> | undefined)?.[first as string];
  for (const step of rest)
    shape = shape === "any" ? true : typeof shape === "object" && Object.hasOwn(shape, step) ? shape[step] : undefined;
  return shape;
}

const namesIn = (scopes: readonly Shape[]) => [
  ...new Set(scopes.flatMap((shape) => (typeof shape === "object" ? Object.keys(shape) : []))),
];
