// What the agent did last: where the session stopped.
import type { LastCall } from "../../model.js";
import { oneLine } from "../../text/forms.js";
import type { DoneCall } from "./working-set.js";

type ToPath = (path: string) => string | undefined;

/** The last command, the last file that was changed, and what was read after both; the oldest first.
 * @param toPath one form for all spellings of a path; undefined if it is not worth a mention */
export function lastCallsOf(calls: readonly DoneCall[], toPath: ToPath): readonly LastCall[] {
  const lastCalls = new Map<string, LastCall>();
  const sortOf = ({ did }: LastCall) => (did === "ran" || did === "read" ? did : "changed");
  for (let at = calls.length; at-- > 0 && !(lastCalls.has("ran") && lastCalls.has("changed")); ) {
    const call = toLastCall(calls[at] as DoneCall, toPath);
    if (call && !lastCalls.has(sortOf(call)) && !(call.did === "read" && lastCalls.size > 0)) lastCalls.set(sortOf(call), call);
  }
  return [...lastCalls.values()].reverse();
}

function toLastCall({ tool, lines: [line], paths: [path], failed }: DoneCall, toPath: ToPath): LastCall | undefined {
  if (line) return { did: "ran", text: oneLine(line.command.replace(/\\(?=\r?\n)/g, "")), failed };
  const file = path === undefined ? undefined : toPath(path);
  return file === undefined || !tool.effect ? undefined : { did: tool.effect, text: file, failed };
}
