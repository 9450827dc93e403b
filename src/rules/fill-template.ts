// A template and what it can name → text. A template comes with a pack, so nothing that it says may fail, run or go on for
// ever: it reads what is there, takes no method for a field, and a map or a list where a text is wanted is no text.
import { FILLED_CHARACTERS, FILLED_PART_CHARACTERS } from "../limits.js";
import { parseTemplate, type TemplateToken } from "./template-syntax.js";

interface Scope {
  readonly value: unknown;
  readonly above?: Scope;
}

/** A field is put in as it is. */
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

/** What a section is filled with, one after the other. */
const each = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : value ? [value] : []);

const toText = (value: unknown): string =>
  value === undefined || value === null || typeof value === "object" || typeof value === "function" ? "" : String(value);

/** In the nearest scope that has all of a dotted name. */
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

/** A view may stand on another one; what every object has is no field of it. */
const has = (value: unknown, name: string): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && (Object.hasOwn(value, name) || (!(value instanceof Object) && name in value));
