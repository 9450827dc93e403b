// compaction status: one line about the last compaction of the project. Small, because status lines ask for it all the time.
import { readHistories, receiptOf } from "../state/history.js";
import { type Arguments, inStateFolder, noPositional } from "./input/arguments.js";
import { EXIT, say } from "./output/terminal.js";

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
