// Finds the branch that the agent works on, from the calls that switch to another one.
import { OUTPUT_CHARACTERS } from "../../limits.js";
import type { ToolCall } from "../../model.js";
import type { Tool } from "../../rules/tool-set.js";
import type { AskedSwitch, Line } from "./line.js";
import { saidIn, says } from "./said.js";

/** The branch, and the message whose call switched to it. */
export type Switched = Pick<AskedSwitch, "branch"> & { readonly source: string };

export function createSwitches(masked: (text: string) => string) {
  const found: (AskedSwitch & Switched)[] = [];
  return {
    /** @param passed the result of the lines is known, and good */
    addCall({ output }: ToolCall, tool: Tool, lines: readonly Line[], source: string, passed: boolean): void {
      const asked = lines.flatMap((line) => line.switches);
      const printed = lines.some(printsOthers) ? undefined : printedIn(output, tool);
      if (printed !== undefined) {
        const folder = asked.at(-1)?.folder ?? lines.at(-1)?.ran.at(-1)?.folder;
        found.push({ branch: masked(printed), folder, source });
      } else if (passed && !says(tool.faulty, output.slice(0, OUTPUT_CHARACTERS)))
        found.push(...asked.map(({ branch, folder }) => ({ branch: masked(branch), folder, source })));
    },
    /** @param isInside is it a folder of the project? Another repository has branches of its own. */
    last: (isInside: (folder: string) => boolean): Switched | undefined =>
      found.findLast(({ folder }) => folder !== undefined && isInside(folder)),
  };
}

/** Does a line show what is in files, which may be the output of another session? */
const printsOthers = ({ harmless, effects }: Line) => harmless || effects.some(({ effect }) => effect === "read");

function printedIn(output: string, { switched }: Tool): string | undefined {
  if (switched.length === 0) return undefined;
  const names = output
    .slice(0, OUTPUT_CHARACTERS)
    .split("\n")
    .flatMap((line) => {
      const slot = saidIn(switched, line)?.slots.find(({ name }) => name === "branch");
      return slot ? [line.slice(slot.start, slot.end).replace(/^['"`]+|['"`.]+$/g, "")] : [];
    });
  return names.findLast((name) => /^[^\s'"]+$/.test(name));
}
