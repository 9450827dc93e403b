// compaction frames: the frames of sessions as a tree.
import { change } from "../frames/change.js";
import { EMPTY } from "../frames/frame.js";
import { fillFrame, hasFrameTexts, rowsOf } from "../frames/say.js";
import { type FrameSettings, frameSettings } from "../frames/settings.js";
import { listTrees } from "../frames/store.js";
import { builtInRules } from "../rules/load.js";
import { type Options, parseArguments } from "./arguments.js";
import { EXIT, Failure } from "./failure.js";
import { say, warn } from "./print.js";
import { rulesFor } from "./rules.js";
import { inStateFolder } from "./state-folder.js";

export const help = `compaction frames [SESSION] [--json]

Prints frames as a tree: goals, states and summaries of pieces of work that OpenCode's model did in sessions of their
own (frames in .compactionrc). SESSION is the id of any session of the tree; without it, all trees that are stored are
printed. A frame whose summary is overdue is printed as it will end; nothing is changed.

  --json            the frames as they are stored, an array for each tree

Exit status: 0 done, 2 it could not run.
`;

const options: Options = { json: { type: "boolean" } };

export function frames(args: readonly string[]): number {
  const { values, positionals } = parseArguments(args, options, "frames");
  const [session, ...more] = positionals;
  if (more.length > 0) throw new Failure("name one session", "see compaction frames --help");
  const { rules, frames: configured } = rulesFor(process.cwd());
  const { milliseconds } = frameSettings(configured ?? true) as FrameSettings;
  const now = new Date().toISOString();
  const { trees: stored, broken } = inStateFolder(() => listTrees(session));
  for (const what of broken) warn(`note: ${what}\n`);
  const trees = stored.map((tree) => change(tree, { type: "clock", now, milliseconds }).tree);
  if (session !== undefined && trees.length === 0)
    throw new Failure(`there are no frames of "${session}"`, "compaction frames prints all that are stored");
  if (values.json)
    process.stdout.write(
      `${JSON.stringify(
        trees.map((tree) => tree.frames),
        null,
        2,
      )}\n`,
    );
  else {
    const texts = hasFrameTexts(rules) ? rules : builtInRules().rules;
    const shown = trees.length === 0 ? [EMPTY] : trees;
    say(shown.map((tree) => fillFrame(texts, "frame-tree", { frames: rowsOf(tree) })).join("\n"));
  }
  return EXIT.fine;
}
