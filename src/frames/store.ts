// Stores trees of frames in the user's state folder: one file per tree, named after the root session.
import { whenFree } from "../state/lock.js";
import { changeState, fileNameOf, listState, readState } from "../state/state.js";
import { type Changed, change, type FrameEvent } from "./change.js";
import { frameOf, type Tree, toTree } from "./frame.js";

const PREFIX = "frames-";

const treeName = (root: string) => `${PREFIX}${fileNameOf(root)}`;

export const readTree = (root: string, folder?: string): Tree => toTree(readState(treeName(root), folder).value);

export async function changeTree(root: string, events: readonly FrameEvent[], folder?: string): Promise<Changed> {
  let last: Changed | undefined;
  const next = (value: unknown) => {
    const before = toTree(value);
    last = { tree: before, answer: "ignored" };
    for (const event of events) last = change(last.tree, event);
    return last.tree === before ? undefined : last.tree;
  };
  await whenFree(() => changeState(treeName(root), next, folder));
  return last as unknown as Changed;
}

/** The stored trees, or only the one with the session; `broken` lists what cannot be read. */
export function listTrees(session?: string, folder?: string) {
  const read = listState(folder)
    .filter(({ name }) => name.startsWith(PREFIX))
    .map(({ name }) => readState(name, folder));
  const trees = read.map(({ value }) => toTree(value)).filter(({ frames }) => frames.length > 0);
  return {
    trees: session === undefined ? trees : trees.filter((tree) => frameOf(tree, session) !== undefined),
    broken: read.flatMap(({ broken }) => (broken === undefined ? [] : [broken])),
  };
}
