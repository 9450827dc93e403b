// Reads a tool call: its input by the keys that a pack names, how it ended, and which parts of it are needed.
import { DEED_CHARACTERS, OUTPUT_CHARACTERS, SEEN_CHARACTERS } from "../../limits.js";
import type { Command, ToolCall } from "../../model.js";
import { cutMiddle, redact } from "../../rules/redact/redact.js";
import type { RuleSet } from "../../rules/rule-set.js";
import type { Tool } from "../../rules/tool-set.js";
import type { Needs } from "../../source/session/lighten.js";
import { rememberFor } from "../../text/remember.js";
import { readScript } from "./effects.js";
import { leavesOpen } from "./failures.js";
import { firstText } from "./input-fields.js";
import type { Line } from "./line.js";
import { says, saysBroke } from "./said.js";

// The words with which hosts report on a call. A call without a status counts as done, but not as passed.
const FAILED = /^(?:error|failed|failure|timeout)$/i;
const UNRUN = /^(?:denied|rejected|declined|refused|blocked|skipped|cancelled|canceled|aborted|interrupted)$/i;
const REJECTED = /^(?:rejected|declined)$/i;
const PASSED = /^(?:completed|success|succeeded|ok|done|passed)$/i;

/** Unrun: never started, or stopped by the user. It proves nothing, not even a failure. */
type Ending = Command["status"] | "unrun";

// Cached, because file lists and deeds both ask.
const endings = rememberFor((tool: Tool) => rememberFor((call: ToolCall) => readEnding(call, tool)));

export const endingOf = (call: ToolCall, tool: Tool): Ending => endings(tool)(call);

/** Only the status tells it of a tool that no pack knows: its output may be anything. */
export function wasUnrun(call: ToolCall, { tools }: Pick<RuleSet, "tools">): boolean {
  const tool = tools.get(call.name);
  return tool ? endingOf(call, tool) === "unrun" : UNRUN.test(call.status ?? "");
}

export const hasFailed = (call: ToolCall, tool: Tool): boolean => ["failed", "unrun"].includes(endingOf(call, tool));

function readEnding({ status = "", output }: ToolCall, { unrun, failed }: Tool): Ending {
  if (UNRUN.test(status) || says(unrun, output.slice(0, SEEN_CHARACTERS))) return "unrun";
  if (FAILED.test(status) || says(failed, output.slice(0, OUTPUT_CHARACTERS))) return "failed";
  return PASSED.test(status) ? "passed" : "unknown";
}

/** What a call says by itself. */
export interface ReadCall {
  readonly ending: Ending;
  readonly script: ReturnType<typeof readScript>;
  readonly lines: readonly Line[];
  /** Only its output says that it failed. */
  readonly failedByOutput: boolean;
}

export function readCall(call: ToolCall, tool: Tool, read: (line: string) => Line, masked: (text: string) => string): ReadCall {
  const ending = endingOf(call, tool);
  const { input, output } = call;
  const script = readScript(firstText(input, tool.script) ?? "", tool.command);
  const given = firstText(input, tool.command);
  const lines = (given === undefined ? script.commands : [given]).map((line) => read(masked(line)));
  // With several lines, it is unknown which one the output is about.
  const isOpen = ending !== "unrun" && ending !== "failed" && lines.length === 1 && leavesOpen(lines[0] as Line, ending);
  return { ending, script, lines, failedByOutput: isOpen && saysBroke(output, given ?? "", tool) };
}

/** Start and end offset in the output. */
export type OutputSpan = readonly [number, number];

/** The span of the first mark in the output. */
export function markIn(output: string, [start, end]: OutputSpan, marks: readonly string[]): OutputSpan | undefined {
  const text = output.slice(start, end).toLowerCase();
  const found = marks
    .map((mark) => [text.indexOf(mark.toLowerCase()), mark.length] as const)
    .filter(([at]) => at >= 0)
    .sort(([a], [b]) => a - b)[0];
  return found && [start + found[0], start + found[0] + found[1]];
}

/** Why the user refused a call. */
export interface RefusalReason {
  readonly span: OutputSpan;
  /** The refusal of the packs that matched. */
  readonly refusal: Tool;
}

/** Only the status proves that the user refused a call, whatever the tool: the output of a failed call may just look like it. */
export function reasonIn({ status = "", output }: ToolCall, refusals: readonly Tool[]): RefusalReason | undefined {
  if (!REJECTED.test(status)) return undefined;
  for (const refusal of refusals) {
    const mark = reasonMark(output, refusal);
    if (mark) return { refusal, span: [mark[1], output.length] };
  }
  return undefined;
}

/** May the output hold the user's reason for a refusal? Then all of it is needed. */
export const mayReason = (output: string, refusals: readonly Tool[]): boolean =>
  refusals.some((refusal) => reasonMark(output, refusal) !== undefined);

/** Only near the start, after a few words of the host: further down it is something that was printed. */
const reasonMark = (output: string, { refused }: Tool) => markIn(output, [0, SEEN_CHARACTERS], refused);

/** What is read of tool calls: readers may drop the rest. Code that reads more must declare it here. */
export function needsOf({ tools, refusals, redactions }: RuleSet): Needs {
  const keys = new Map<Tool, ReadonlySet<string>>();
  for (const tool of tools.values()) keys.set(tool, keysOf(tool));
  return {
    output: (name, text) => {
      const tool = tools.get(name);
      // The user's words and the report of a patch are needed to the end.
      if (tool?.answers.length || (tool && tool.patch.length > 0) || mayReason(text, refusals)) return Number.POSITIVE_INFINITY;
      return tool && tool.failed.length + tool.passed.length > 0 ? OUTPUT_CHARACTERS : SEEN_CHARACTERS;
    },
    texts: (name) => {
      const tool = tools.get(name);
      // The input shows which parts of the output are not the user's.
      return tool?.answers.length ? Number.POSITIVE_INFINITY : tool ? DEED_CHARACTERS : 0;
    },
    input: (name) => keys.get(tools.get(name) as Tool) ?? NONE,
    cut: (text, ends) => cutMiddle(text, ends, (part) => redact(part, redactions)),
  };
}

function keysOf({ file, to, command, patch, script, list, todo }: Tool): ReadonlySet<string> {
  const ofTodo = todo ? [...todo.text, ...todo.state, ...todo.id, ...todo.merge] : [];
  return new Set([...file, ...to, ...command, ...patch, ...script, ...list, ...ofTodo]);
}

const NONE: ReadonlySet<string> = new Set();
