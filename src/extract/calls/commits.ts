// Collects the commits that command lines made, as their output or the command line itself tells.
import { OUTPUT_CHARACTERS } from "../../limits.js";
import type { Commit, ToolCall } from "../../model.js";
import type { Tool } from "../../rules/tool-set.js";
import { oneLine } from "../../text/forms.js";
import { saidIn } from "./said.js";

/** A commit on a command line. */
export interface AskedCommit {
  /** The first line of its message, if the command line has it. */
  readonly text?: string;
  /** It replaces the commit before it. */
  readonly replaces: boolean;
}

type NamedCommit = Pick<Commit, "id" | "text">;

export function createCommits(masked: (text: string) => string) {
  const found: Commit[] = [];
  return {
    /** @param proven the commits that the result of the line proves, whatever the output says */
    take(
      asked: readonly AskedCommit[],
      { output }: ToolCall,
      { committed }: Tool,
      { source, tool, proven }: Pick<Commit, "source" | "tool"> & { readonly proven: boolean },
    ): void {
      const printed = toldIn(output, committed);
      const last = found.at(-1);
      // Without a message of its own, an amended commit keeps the earlier one.
      const quiet = asked.flatMap(({ text = last?.text, replaces }, index): readonly NamedCommit[] =>
        text === undefined || (!replaces && asked[index]?.text === undefined) ? [] : [{ text }],
      );
      for (const [index, { id, text }] of (printed.length > 0 || !proven ? printed : quiet).entries()) {
        if (asked[index]?.replaces) found.pop();
        found.push({ ...(id !== undefined && { id }), text: masked(oneLine(text)), source, tool });
      }
    },
    send(command: string): void {
      const last = found.pop();
      if (last) found.push({ ...last, sent: oneLine(command) });
    },
    list: (): readonly Commit[] => found,
  };
}

function toldIn(output: string, phrases: Tool["committed"]): readonly NamedCommit[] {
  if (phrases.length === 0) return [];
  return output
    .slice(0, OUTPUT_CHARACTERS)
    .split("\n")
    .flatMap((line) => {
      const slots = saidIn(phrases, line)?.slots ?? [];
      const at = (wanted: string) => slots.find(({ name }) => name === wanted);
      const [id, text] = [at("id"), at("text")];
      return text ? [{ ...(id && { id: line.slice(id.start, id.end) }), text: line.slice(text.start, text.end) }] : [];
    });
}
