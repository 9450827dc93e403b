// compaction frames: prints the frames of sessions as a tree.

import { change } from "../frames/change.js";
import { type FrameSettings, fillFrame, frameSettings, rowsOf } from "../frames/context.js";
import { EMPTY } from "../frames/frame.js";
import { listTrees } from "../frames/store.js";
import { withOwnTemplates } from "../hosts/host-rules.js";
import { ownProgram } from "../hosts/own-program.js";
import { type Arguments, inStateFolder } from "./input/arguments.js";
import { rulesFor } from "./input/project.js";
import { CommandError, printJson, say, warn } from "./output/terminal.js";

export async function frames({ flags, positionals }: Arguments): Promise<number | undefined> {
  const [session, ...more] = positionals;
  if (more.length > 0) throw new CommandError("name one session", `see ${ownProgram()} frames --help`);
  const { rules, frames: configured } = withOwnTemplates(rulesFor(process.cwd()));
  const { milliseconds } = frameSettings(configured ?? true) as FrameSettings;
  const now = new Date().toISOString();
  const { trees: stored, broken } = await inStateFolder(() => listTrees(session));
  for (const what of broken) warn(`note: ${what}\n`);
  const trees = stored.map((tree) => change(tree, { type: "clock", now, milliseconds }).tree);
  if (session !== undefined && trees.length === 0)
    throw new CommandError(`there are no frames of "${session}"`, `${ownProgram()} frames prints all that are stored`);
  if (flags.json) return printJson(trees.map((tree) => tree.frames));
  const shown = trees.length === 0 ? [EMPTY] : trees;
  say(shown.map((tree) => fillFrame(rules, "frame-tree", { frames: rowsOf(tree) })).join("\n"));
}
