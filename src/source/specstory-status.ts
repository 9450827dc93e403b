// How a call ended, as far as a tool block of SpecStory's Markdown tells.
import { STATUS_LINES } from "../limits.js";

// How hosts say that a call failed, at the beginning of its answer; a program may print "Error:" and yet succeed.
const FAILURE = /^(?:<tool_use_error>|(?:Error: )?Exit code [1-9])/;
export const REFUSAL = /^The user doesn't want to proceed with this tool use/;
const ERROR = /^(?:Error\b|error:)/;
// How Gemini CLI says that a file stays as it was, or could not be looked at.
const UNTOUCHED =
  /^(?:File path must be within one of the workspace directories|Failed to edit\b|A secondary check by an LLM determined that no changes)/;
const REJECTED = /^Command rejected\b/;

// Gemini CLI repeats the command, then tells its output, and in the lines behind it how it ended.
const REPORT = /^Command: /;
const EXIT = /^Exit Code: (\d+)\s*$/;

interface Told {
  readonly body: readonly string[];
  readonly fences: readonly (readonly string[])[];
}

/** @param answer its first line */
export function statusOf(type: string, answer: string, { body, fences }: Told): string | undefined {
  if (FAILURE.test(answer) || REFUSAL.test(answer)) return "error";
  if (type !== "shell") return ERROR.test(answer) || UNTOUCHED.test(answer) ? "error" : undefined;
  if (REJECTED.test(answer)) return "rejected";
  // An output that holds fences ends the first one early.
  if (!fences.some(([first = ""]) => REPORT.test(first))) return undefined;
  const last = body.slice(-STATUS_LINES).findLast((line) => EXIT.test(line));
  return last === undefined ? undefined : Number(EXIT.exec(last)?.[1]) === 0 ? "completed" : "error";
}
