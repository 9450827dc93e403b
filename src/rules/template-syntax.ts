// Templates as they are written: their tokens, and whether they can be filled at all.
import Mustache from "mustache";
import { TEMPLATE_DEPTH } from "../limits.js";

/** Type, name, first character, first character behind, and the tokens inside of a section. */
export type TemplateToken = readonly [type: string, name: string, start: number, end: number, inner?: readonly TemplateToken[]];

export interface SyntaxFault {
  readonly message: string;
  readonly offset: number;
}

/** Throws where there is a fault. */
export function parseTemplate(template: string): readonly TemplateToken[] {
  return Mustache.parse(template) as unknown as readonly TemplateToken[];
}

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
    if (left === 0) return { message: `sections stand more than ${TEMPLATE_DEPTH} deep in one another`, offset: start };
    const fault = deepFault(inner, left - 1);
    if (fault) return fault;
  }
  return undefined;
}
