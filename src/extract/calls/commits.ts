// Collects the commits that command lines made, as their output or the command line itself tells.
import { OUTPUT_CHARACTERS } from "../../limits.js";
import type { Commit, ToolCall } from "../../model.js";
import type { Program, Tool } from "../../rules/tool-set.js";
import { oneLine } from "../../text/forms.js";
import { saidIn } from "./said.js";

/** A command of a line that commits, or changes commits. */
export interface AskedCommit {
  /** The first line of its message, if the command line has it. */
  readonly text?: string;
  readonly does: NonNullable<Program["commits"]>;
  /** Where it runs, from where the line started. */
  readonly folder?: string | undefined;
}

type NamedCommit = Pick<Commit, "id" | "text">;

export function createCommits(masked: (text: string) => string) {
  let found: (Commit & Pick<AskedCommit, "folder">)[] = [];
  return {
    /** @param proven the commits that the result of the line proves, whatever the output says */
    addCall(
      all: readonly AskedCommit[],
      { output }: ToolCall,
      { committed }: Tool,
      { source, tool, proven }: Pick<Commit, "source" | "tool"> & { readonly proven: boolean },
    ): void {
      const asked = all.filter(({ does }) => does !== "rewrites");
      // Rewritten commits have other ids.
      if (asked.length < all.length) found = found.map(({ id: _, ...one }) => one);
      if (asked.length === 0 && all.length > 0) return;
      const printed = printedIn(output, committed);
      const last = found.at(-1);
      // Without a message of its own, an amended commit keeps the earlier one.
      const quiet = asked.flatMap(({ text = last?.text, does }, index): readonly NamedCommit[] =>
        text === undefined || (does === "adds" && asked[index]?.text === undefined) ? [] : [{ text }],
      );
      for (const [index, { id, text }] of (printed.length > 0 || !proven ? printed : quiet).entries()) {
        const { does, folder } = asked[index] ?? {};
        if (does === "replaces") found.pop();
        found.push({ ...(id !== undefined && { id }), text: masked(oneLine(text)), source, tool, folder });
      }
    },
    send(command: string): void {
      const last = found.pop();
      if (last) found.push({ ...last, sent: oneLine(command) });
    },
    /** @param isAside is it a temporary folder? What is committed there is not the project's. */
    list: (isAside: (folder: string) => boolean): readonly Commit[] =>
      found.flatMap(({ folder, ...one }) => (folder !== undefined && isAside(folder) ? [] : [one])),
  };
}

function printedIn(output: string, phrases: Tool["committed"]): readonly NamedCommit[] {
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
