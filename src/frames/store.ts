// Trees of frames in the user's state folder: one file each, named after the session that is the root.
import { fileNameOf } from "../keep/memory.js";
import { changeState, listState, readState } from "../keep/state.js";
import { type Changed, change, type FrameEvent } from "./change.js";
import { frameOf, type Tree, toTree } from "./frame.js";

const PREFIX = "frames-";

const treeName = (root: string) => `${PREFIX}${fileNameOf(root)}`;

export const readTree = (root: string, folder?: string): Tree => toTree(readState(treeName(root), folder).value);

/** One event after the other, each on what the one before left; what changes nothing is not written. */
export function changeTree(root: string, events: readonly FrameEvent[], folder?: string): Changed {
  let last: Changed | undefined;
  changeState(
    treeName(root),
    (value) => {
      const before = toTree(value);
      last = { tree: before, answer: "ignored" };
      for (const event of events) last = change(last.tree, event);
      return last.tree === before ? undefined : last.tree;
    },
    folder,
  );
  return last as unknown as Changed;
}

/** The trees that are stored, or the one that the session is in; `broken` says what cannot be read. */
export function listTrees(
  session?: string,
  folder?: string,
): { readonly trees: readonly Tree[]; readonly broken: readonly string[] } {
  const read = listState(folder)
    .filter(({ name }) => name.startsWith(PREFIX))
    .map(({ name }) => readState(name, folder));
  const trees = read.map(({ value }) => toTree(value)).filter(({ frames }) => frames.length > 0);
  return {
    trees: session === undefined ? trees : trees.filter((tree) => frameOf(tree, session) !== undefined),
    broken: read.flatMap(({ broken }) => (broken === undefined ? [] : [broken])),
  };
}
