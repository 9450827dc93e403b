// Data of others as text: a tool's input may be nested beyond what a recursion survives, or hold itself.
import { INPUT_DEPTH } from "./limits.js";

/** Empty for what is nothing, and for what is nested beyond reason. */
export function jsonText(value: unknown): string {
  if (value === undefined || value === null || isDeep(value)) return "";
  return JSON.stringify(value) ?? "";
}

/** What holds itself is as deep as can be. */
export function isDeep(value: unknown, most = INPUT_DEPTH): boolean {
  if (typeof value !== "object" || value === null) return false;
  return most === 0 || Object.values(value).some((one) => isDeep(one, most - 1));
}
