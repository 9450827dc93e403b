// Are two messages the same in everything that extraction looks at?
import { INPUT_DEPTH } from "../limits.js";
import type { Message, ToolCall } from "../model.js";

export function sameMessage(a: Message, b: Message): boolean {
  if (a === b) return true;
  if (a.id !== b.id || a.role !== b.role || a.meta !== b.meta || a.summary !== b.summary || a.text !== b.text) return false;
  const { length } = a.toolCalls;
  if (length !== b.toolCalls.length) return false;
  for (let index = 0; index < length; index++)
    if (!sameCall(a.toolCalls[index] as ToolCall, b.toolCalls[index] as ToolCall)) return false;
  return true;
}

const sameCall = (a: ToolCall, b: ToolCall) =>
  a === b || (a.name === b.name && a.status === b.status && a.output === b.output && sameValue(a.input, b.input));

/** Of what JSON can hold; what is nested beyond reason is not known again. */
function sameValue(a: unknown, b: unknown, depth = INPUT_DEPTH): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null || depth === 0) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && sameValue(a[key as never], b[key as never], depth - 1));
}
