// compaction status: one line about the last compaction of the project. Small, because status lines ask for it all the time.
import { readHistories, receiptOf } from "../state/history.js";
import { type Arguments, inStateFolder, noPositional } from "./input/arguments.js";
import { EXIT, say } from "./output/terminal.js";

export const help = `npx compaction-rules status [--project DIR] [--line]

Prints what became of the facts in the last compaction of the project: how many the summary kept, how many were added
behind it, and at which cost.

  --project DIR     the project; the current folder unless given
  --line            print only that, on one line, and nothing if there was no compaction yet: for the status line of
                    an agent

Exit status: 0 done, 2 it could not run.
`;

export async function status({ values, flags, positionals }: Arguments): Promise<number> {
  noPositional(positionals, "status");
  const [history] = await inStateFolder(() => readHistories(values.project ?? "."));
  const last = history?.tallies.at(-1);
  if (flags.line) say(last ? `${receiptOf(last)}\n` : "");
  else if (!history || !last) say("no compaction of this project yet\n");
  else
    say(
      `${receiptOf(last)}\n${last.time}  ${[last.host, last.session].filter((one) => one !== "").join("  ")}  ${history.folder}\n`,
    );
  return EXIT.fine;
}
