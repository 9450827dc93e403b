// Fills a template. Templates come from packs, so they must not fail, run code or loop forever: they only read fields,
// never call methods, and never print maps or lists.

import Mustache from "mustache";
import { FILLED_CHARACTERS, FILLED_PART_CHARACTERS, TEMPLATE_DEPTH } from "../../limits.js";

type Scope = { readonly value: unknown; readonly above?: Scope };

/** Fills a template. Fields are inserted without escaping. */
export function fillTemplate(template: string, view: object): string {
  let left = FILLED_CHARACTERS;
  function fill(tokens: readonly TemplateToken[], scope: Scope): string {
    let text = "";
    for (const [type, name, , , inner = []] of tokens) {
      if (left <= 0) return text;
      left -= FILLED_PART_CHARACTERS;
      const value = type === "text" ? name : lookUp(name, scope);
      if (type === "#") for (const one of each(value)) text += fill(inner, one === true ? scope : { value: one, above: scope });
      else if (type === "^") text += each(value).length === 0 ? fill(inner, scope) : "";
      else if (type === "text" || type === "name" || type === "&") {
        const part = toText(value);
        left -= part.length;
        text += part;
      }
    }
    return text;
  }
  return fill(parseTemplate(template), { value: view });
}

/** The values that a section is repeated for. */
const each = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : value ? [value] : []);

const toText = (value: unknown): string =>
  value === undefined || value === null || typeof value === "object" || typeof value === "function" ? "" : String(value);

/** Finds a dotted name in the nearest scope that has all of it. */
function lookUp(name: string, scope: Scope): unknown {
  if (name === ".") return scope.value;
  const steps = name.split(".");
  for (let at: Scope | undefined = scope; at; at = at.above) {
    let value: unknown = at.value;
    let known = 0;
    for (; known < steps.length && has(value, steps[known] as string); known++) value = value[steps[known] as string];
    if (known === steps.length) return value;
  }
  return undefined;
}

/** A view may inherit from another view, but not from Object. */
const has = (value: unknown, name: string): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && (Object.hasOwn(value, name) || (!(value instanceof Object) && name in value));

// Parsing of templates, and the check whether they can be filled.

/** Type, name, start, end, and the tokens inside a section. */
export type TemplateToken = readonly [type: string, name: string, start: number, end: number, inner?: readonly TemplateToken[]];

export type SyntaxFault = { readonly message: string; readonly offset: number };

/** Throws if there is a syntax error. */
export const parseTemplate = (template: string): readonly TemplateToken[] =>
  Mustache.parse(template) as unknown as readonly TemplateToken[];

export function templateFault(template: string): SyntaxFault | undefined {
  try {
    return deepFault(parseTemplate(template), TEMPLATE_DEPTH);
  } catch (error) {
    const { message } = error as Error;
    const offset = Number(/at (\d+)$/.exec(message)?.[1] ?? 0);
    return { message: message.replace(/ at \d+$/, ""), offset: Math.min(offset, template.length) };
  }
}

function deepFault(tokens: readonly TemplateToken[], left: number): SyntaxFault | undefined {
  for (const [, , start, , inner] of tokens) {
    if (!Array.isArray(inner)) continue;
    if (left === 0) return { message: `sections are nested more than ${TEMPLATE_DEPTH} levels deep`, offset: start };
    const fault = deepFault(inner, left - 1);
    if (fault) return fault;
  }
  return undefined;
}
