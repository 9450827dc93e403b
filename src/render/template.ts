// Templates as they are written: their tokens, and what is wrong with them.
import Mustache from "mustache";
import { type Shape, VIEW } from "./shape.js";

/** Type, name, first character, first character behind, and the tokens inside of a section. */
export type TemplateToken = readonly [type: string, name: string, start: number, end: number, inner?: readonly TemplateToken[]];

export function parseTemplate(template: string): readonly TemplateToken[] {
  return Mustache.parse(template) as unknown as readonly TemplateToken[];
}

export interface TemplateFault {
  readonly code: "template-syntax" | "template-field";
  readonly message: string;
  readonly offset: number;
  readonly word?: string;
  readonly known?: readonly string[];
}

export function lintTemplate(template: string): readonly TemplateFault[] {
  let tokens: readonly TemplateToken[];
  try {
    tokens = parseTemplate(template);
  } catch (error) {
    const message = (error as Error).message;
    const offset = Number(/at (\d+)$/.exec(message)?.[1] ?? 0);
    return [{ code: "template-syntax", message: message.replace(/ at \d+$/, ""), offset: Math.min(offset, template.length) }];
  }
  const faults: TemplateFault[] = [];
  const visit = (list: readonly TemplateToken[], scopes: readonly Shape[]) => {
    for (const [type, name, start, , inner] of list) {
      if (type === "text" || type === "!" || type === "=" || name === ".") continue;
      if (type === ">") {
        faults.push({ code: "template-syntax", message: "a template cannot include another", offset: start });
        continue;
      }
      const shape = lookUp(name, scopes);
      if (shape === undefined) {
        const offset = template.indexOf(name, start);
        faults.push({
          code: "template-field",
          message: `there is no field "${name}" here`,
          offset,
          word: name,
          known: namesIn(scopes),
        });
      } else if (Array.isArray(inner)) visit(inner, typeof shape === "object" && type === "#" ? [shape, ...scopes] : scopes);
    }
  };
  visit(tokens, [VIEW]);
  return faults;
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
