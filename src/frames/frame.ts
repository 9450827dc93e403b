// What a frame is: a piece of work in a session of its own, with a goal and an end. Frames make a tree.

/** How a frame can end. */
export const ENDS = ["completed", "failed", "blocked"] as const;
export type End = (typeof ENDS)[number];
export type FrameStatus = "in_progress" | "completing" | End;

export interface Frame {
  readonly sessionID: string;
  /** Without one, the frame is the root: the session that the user talks to. */
  readonly parentSessionID?: string;
  readonly goal: string;
  /** The message whose call opened it. */
  readonly opener?: string;
  readonly status: FrameStatus;
  /** Files that its work created or changed. */
  readonly artifacts: readonly string[];
  readonly decisions: readonly string[];
  /** Of the root: what the user wants to be heeded. */
  readonly rules?: readonly string[];
  /** The text of the compaction that ended it, and when that was. */
  readonly compactionSummary?: string;
  readonly compactionTimestamp?: string;
  /** What the model itself said when it ended the frame. */
  readonly note?: string;
  /** While it is completing: what it will be, since when, which process sees to it, and the summary that was there before. */
  readonly target?: End;
  readonly since?: string;
  readonly by?: number;
  readonly after?: string;
  /** Why it ended without a summary, where that is known. */
  readonly unsummarised?: "late" | "failed";
}

/** In the order in which frames were pushed; the root is the first. */
export interface Tree {
  readonly version: 1;
  readonly frames: readonly Frame[];
}

export const EMPTY: Tree = { version: 1, frames: [] };

export const frameOf = ({ frames }: Tree, id: string): Frame | undefined => frames.find(({ sessionID }) => sessionID === id);

export const isOpen = ({ status }: Frame) => status === "in_progress" || status === "completing";

/** The frame that is worked on: of those that are open, the one pushed last. */
export const activeFrame = ({ frames }: Tree): Frame | undefined => frames.findLast(isOpen);

export const childrenOf = ({ frames }: Tree, id: string): readonly Frame[] =>
  frames.filter(({ parentSessionID }) => parentSessionID === id);

/** The tree without some frames, and without what is below them. */
export function withoutFrames(tree: Tree, isGone: (frame: Frame) => boolean): Tree {
  const gone = new Set<string>();
  // A parent stands before its children.
  for (const frame of tree.frames) if (isGone(frame) || gone.has(frame.parentSessionID ?? "")) gone.add(frame.sessionID);
  return gone.size === 0 ? tree : { ...tree, frames: tree.frames.filter(({ sessionID }) => !gone.has(sessionID)) };
}

/** From the parent up to the root. */
export function ancestorsOf(tree: Tree, { parentSessionID }: Frame): readonly Frame[] {
  const parent = parentSessionID === undefined ? undefined : frameOf(tree, parentSessionID);
  return parent ? [parent, ...ancestorsOf(tree, parent)] : [];
}

/** A stored tree, if it is one. */
export function toTree(value: unknown): Tree {
  const frames = (value as Partial<Tree> | undefined)?.frames;
  if (!Array.isArray(frames)) return EMPTY;
  const texts = (list: unknown) => (Array.isArray(list) ? list.filter((one): one is string => typeof one === "string") : []);
  const known = frames.flatMap((one: Partial<Frame> | null): Frame[] =>
    typeof one?.sessionID === "string" && typeof one.goal === "string" && typeof one.status === "string"
      ? [
          {
            ...(one as Frame),
            artifacts: texts(one.artifacts),
            decisions: texts(one.decisions),
            ...(one.rules && { rules: texts(one.rules) }),
          },
        ]
      : [],
  );
  // A parent stands before its children, so nothing is above itself.
  const before = new Set<string>();
  const inOrder = known.filter(({ sessionID, parentSessionID }, index) => {
    const fits = !before.has(sessionID) && (index === 0 || (parentSessionID !== undefined && before.has(parentSessionID)));
    if (fits) before.add(sessionID);
    return fits;
  });
  return { version: 1, frames: inOrder };
}
