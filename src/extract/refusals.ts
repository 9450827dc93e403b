// Why the user refused a call, as the host says in its status: the words stand in its output, whatever tool it is.
import { SEEN_CHARACTERS } from "../limits.js";
import type { ToolCall } from "../model.js";
import type { Tool } from "../rules/tool-set.js";
import { markIn, type Span } from "./mark-in.js";
import { isRefused } from "./tools.js";

export interface Reason {
  readonly span: Span;
  /** Which of the packs' refusals it is. */
  readonly refusal: Tool;
}

export function reasonIn(call: ToolCall, refusals: readonly Tool[]): Reason | undefined {
  const { output } = call;
  if (!isRefused(call)) return undefined;
  for (const refusal of refusals) {
    const mark = reasonMark(output, refusal);
    if (mark) return { refusal, span: [mark[1], output.length] };
  }
  return undefined;
}

/** May the user say in it why a call was refused? Then it counts to the end. */
export const mayReason = (output: string, refusals: readonly Tool[]): boolean =>
  refusals.some((refusal) => reasonMark(output, refusal) !== undefined);

/** Behind a few words of the host's: what stands further below is something that was printed. */
const reasonMark = (output: string, { refused }: Tool) => markIn(output, [0, SEEN_CHARACTERS], refused);
