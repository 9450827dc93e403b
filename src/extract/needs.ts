// What is looked at of tool calls: a reader may drop the rest. Whoever looks at more says so here.
import { DEED_CHARACTERS, OUTPUT_CHARACTERS, SEEN_CHARACTERS } from "../limits.js";
import type { RuleSet } from "../rules/rule-set.js";
import type { Tool } from "../rules/tool-set.js";
import type { Needs } from "../source/lighten.js";
import { mayReason } from "./refusals.js";

const NONE: ReadonlySet<string> = new Set();

export function needsOf({ tools, refusals }: RuleSet): Needs {
  const keys = new Map<Tool, ReadonlySet<string>>();
  for (const tool of tools.values()) keys.set(tool, keysOf(tool));
  return {
    output: (name, text) => {
      const tool = tools.get(name);
      // The user's own words, and the report of a patch, count to the end.
      if (tool?.answers.length || (tool && tool.patch.length > 0) || mayReason(text, refusals)) return Number.POSITIVE_INFINITY;
      if (!tool) return 0;
      return Math.max(tool.failed.length + tool.passed.length > 0 ? OUTPUT_CHARACTERS : 0, SEEN_CHARACTERS);
    },
    texts: (name) => {
      const tool = tools.get(name);
      // What the call was given tells what of the output is not the user's.
      return tool?.answers.length ? Number.POSITIVE_INFINITY : tool ? DEED_CHARACTERS : 0;
    },
    input: (name) => keys.get(tools.get(name) as Tool) ?? NONE,
  };
}

function keysOf({ file, command, patch, script, list, todo }: Tool): ReadonlySet<string> {
  const ofTodo = todo ? [...todo.text, ...todo.state, ...todo.id, ...todo.merge] : [];
  return new Set([...file, ...command, ...patch, ...script, ...list, ...ofTodo]);
}
