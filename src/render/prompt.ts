// A prompt is a template that is filled with texts of the caller's, not with a Continuation.
import { fillTemplate } from "../rules/fill-template.js";
import type { Template } from "../rules/rule-set.js";

export function fillPrompt({ text }: Template, fields: object): string {
  return fillTemplate(text, fields);
}
