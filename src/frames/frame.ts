// The type of a frame: a sub-task in a session of its own, with a goal and an end. Frames form a tree.

export const ENDS = ["completed", "failed", "blocked"] as const;
/** How a frame can end. */
export type End = (typeof ENDS)[number];
/** The state of a frame. */
export type FrameStatus = "in_progress" | "completing" | End;

/** A sub-task in a session of its own. */
export interface Frame {
  readonly sessionID: string;
  /** The root has no parent: it is the session that the user talks to. */
  readonly parentSessionID?: string;
  readonly goal: string;
  /** The message whose tool call opened it. */
  readonly opener?: string;
  readonly status: FrameStatus;
  /** Files that it created or changed. */
  readonly artifacts: readonly string[];
  readonly decisions: readonly string[];
  /** Of the root: the user's rules. */
  readonly rules?: readonly string[];
  /** The summary from the compaction that ended it, and its time. */
  readonly compactionSummary?: string;
  readonly compactionTimestamp?: string;
  /** What the model said when it ended the frame. */
  readonly note?: string;
  /** While completing: the final status, since when, the process in charge, and the summary that existed before. */
  readonly target?: End;
  readonly since?: string;
  readonly by?: number;
  readonly after?: string;
  /** Why it ended without a summary, if known. */
  readonly unsummarised?: "late" | "failed";
}

/** Frames in the order in which they were pushed; the root is first. */
export type Tree = { readonly version: 1; readonly frames: readonly Frame[] };

/** A tree without frames. */
export const EMPTY: Tree = { version: 1, frames: [] };

export const frameOf = ({ frames }: Tree, id: string): Frame | undefined => frames.find(({ sessionID }) => sessionID === id);

export const isOpenFrame = ({ status }: Frame) => status === "in_progress" || status === "completing";

export const childrenOf = ({ frames }: Tree, id: string): readonly Frame[] =>
  frames.filter(({ parentSessionID }) => parentSessionID === id);

/** The tree without some frames and their descendants. */
export function withoutFrames(tree: Tree, isGone: (frame: Frame) => boolean): Tree {
  const gone = new Set<string>();
  // A parent comes before its children.
  for (const frame of tree.frames) if (isGone(frame) || gone.has(frame.parentSessionID ?? "")) gone.add(frame.sessionID);
  return gone.size === 0 ? tree : { ...tree, frames: tree.frames.filter(({ sessionID }) => !gone.has(sessionID)) };
}

export function ancestorsOf(tree: Tree, { parentSessionID }: Frame): readonly Frame[] {
  const parent = parentSessionID === undefined ? undefined : frameOf(tree, parentSessionID);
  return parent ? [parent, ...ancestorsOf(tree, parent)] : [];
}

/** Validates a stored tree and drops invalid frames. */
export function toTree(value: unknown): Tree {
  const frames = (value as Partial<Tree> | undefined)?.frames;
  if (!Array.isArray(frames)) return EMPTY;
  const texts = (list: unknown) => (Array.isArray(list) ? list.filter((one): one is string => typeof one === "string") : []);
  const isFrame = (one: Partial<Frame> | null) =>
    [one?.sessionID, one?.goal, one?.status].every((text) => typeof text === "string");
  const known = frames.filter(isFrame).map((one: Frame): Frame => {
    const { artifacts, decisions, rules } = one;
    return { ...one, artifacts: texts(artifacts), decisions: texts(decisions), ...(rules && { rules: texts(rules) }) };
  });
  // A parent comes before its children, so there are no cycles.
  const before = new Set<string>();
  const inOrder = known.filter(({ sessionID, parentSessionID }, index) => {
    const fits = !before.has(sessionID) && (index === 0 || (parentSessionID !== undefined && before.has(parentSessionID)));
    if (fits) before.add(sessionID);
    return fits;
  });
  return { version: 1, frames: inOrder };
}
