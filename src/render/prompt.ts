// A prompt is a template that is filled with texts of the caller's, not with a Continuation.
import Mustache from "mustache";
import type { Template } from "../rules/rule-set.js";
import { bare } from "./view.js";

export function fillPrompt({ text }: Template, fields: object): string {
  return Mustache.render(text, deep(fields), {}, { escape: String });
}

/** Null prototypes all the way down: a template can name nothing but what is here. */
function deep(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(deep);
  if (typeof value !== "object" || value === null) return value;
  return bare(Object.fromEntries(Object.entries(value).map(([name, one]) => [name, deep(one)])));
}
