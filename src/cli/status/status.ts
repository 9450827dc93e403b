// compaction status: one line about the last compaction of the project. Small, because status lines ask for it all the time.
import { readHistories, receiptOf } from "../../state/history.js";
import { type Arguments, inStateFolder, noPositional } from "../input/arguments.js";
import { say } from "../output/terminal.js";

export async function status({ values, flags, positionals }: Arguments): Promise<undefined> {
  noPositional(positionals, "status");
  const [history] = await inStateFolder(() => readHistories(values.project ?? "."));
  const last = history?.tallies.at(-1);
  if (flags.line) return say(last ? `${receiptOf(last)}\n` : "");
  if (!history || !last) return say("no compaction of this project yet\n");
  const about = [last.host, last.session].filter((one) => one !== "").join("  ");
  say(`${receiptOf(last)}\n${last.time}  ${about}  ${history.folder}\n`);
}
