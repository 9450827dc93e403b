// What is wrong with a template: its syntax, and what it names.
import { parseTemplate, type TemplateToken, templateFault } from "../rules/template-syntax.js";
import { type Shape, VIEW } from "./shape.js";

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
  visit(parseTemplate(template), [VIEW]);
  return faults;
}

function noText(name: string, shape: Shape): string {
  if (name === ".") return "there is no text here, but fields";
  return `"${name}" is no text: write ${shape === "any" ? `{{${name}.NAME}}` : `{{#${name}}} … {{/${name}}}`}`;
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
