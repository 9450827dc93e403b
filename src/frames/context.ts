// What a frame's session is shown of the other frames: goals, files, choices and summaries within budgets, and never a
// message of theirs.

import { estimateTokenCount } from "tokenx";
import { cut } from "../extract/field.js";
import { FRAME_LINES, FRAME_RULE_TOKENS, GOAL_CODE_POINTS } from "../limits.js";
import { oneLine } from "../one-line.js";
import { ancestorsOf, childrenOf, type Frame, frameOf, isOpen, type Tree } from "./frame.js";

/** Tokens (S2-16). `siblings` is for the frames beside the current one, and again for those below it. */
export interface FrameBudget {
  readonly total: number;
  readonly ancestors: number;
  readonly siblings: number;
  readonly current: number;
  /** For the words around them. */
  readonly overhead: number;
}

export const FRAME_BUDGET: FrameBudget = { total: 4_000, ancestors: 1_500, siblings: 1_500, current: 800, overhead: 200 };

interface Line {
  readonly text: string;
  readonly last: boolean;
}

/** A frame as templates see it. */
export interface FrameView {
  readonly id: string;
  readonly goal: string;
  readonly status: string;
  readonly open: boolean;
  readonly completing: boolean;
  readonly summary: string;
  readonly note: string;
  readonly time: string;
  /** It ended, and nothing but goal, files and choices is known of it. */
  readonly unsummarised: boolean;
  readonly late: boolean;
  readonly failed: boolean;
  readonly artifacts: readonly Line[];
  readonly decisions: readonly Line[];
  readonly hasArtifacts: boolean;
  readonly hasDecisions: boolean;
}

export interface FrameContext {
  readonly current?: FrameView;
  readonly ancestors: readonly FrameView[];
  readonly siblings: readonly FrameView[];
  readonly children: readonly FrameView[];
  /** What the user told the root, for all below it. */
  readonly rules?: readonly Line[];
  readonly hasRules?: boolean;
  /** Frames for which there is no room. */
  readonly hidden: number;
}

/** What is known of a frame by its parent: the summary, else what there is (S2-9). */
export function childContext(frame: Frame): {
  readonly source: "summary" | "fallback" | "goal";
  readonly text?: string;
  readonly goal?: string;
  readonly artifacts?: readonly string[];
} {
  const { goal, artifacts, compactionSummary } = frame;
  if (isOpen(frame)) return { source: "goal", goal };
  return compactionSummary === undefined
    ? { source: "fallback", goal, artifacts }
    : { source: "summary", text: compactionSummary };
}

export function viewOf(frame: Frame, quote: (text: string) => string = String): FrameView {
  const one = (text: string) => quote(cut(oneLine(text), GOAL_CODE_POINTS));
  const lines = (list: readonly string[]) =>
    list.slice(-FRAME_LINES).map((text, index, shown) => ({ text: one(text), last: index === shown.length - 1 }));
  const { source, text = "" } = childContext(frame);
  // The summary says what was done; without one, the lists are all there is.
  const listed = source !== "summary";
  const artifacts = listed ? lines(frame.artifacts) : [];
  const decisions = listed ? lines(frame.decisions) : [];
  return {
    id: frame.sessionID,
    goal: one(frame.goal),
    status: frame.status,
    open: isOpen(frame),
    completing: frame.status === "completing",
    summary: quote(text),
    note: quote(isOpen(frame) ? "" : (frame.note ?? "").trim()),
    time: frame.compactionTimestamp ?? "",
    unsummarised: source === "fallback",
    late: frame.unsummarised === "late",
    failed: frame.unsummarised === "failed",
    artifacts,
    decisions,
    hasArtifacts: artifacts.length > 0,
    hasDecisions: decisions.length > 0,
  };
}

/** `told` are frames whose end the session's own messages tell of. */
export function contextOf(
  tree: Tree,
  id: string,
  budget: FrameBudget,
  quote?: (text: string) => string,
  told: ReadonlySet<string> = new Set(),
): FrameContext {
  const current = frameOf(tree, id);
  if (!current) return { ancestors: [], siblings: [], children: [], hidden: 0 };
  const above = ancestorsOf(tree, current);
  const beside = current.parentSessionID === undefined ? [] : childrenOf(tree, current.parentSessionID);
  const below = childrenOf(tree, id).filter(({ sessionID }) => !told.has(sessionID));
  let left = budget.total - budget.overhead;
  let hidden = 0;
  /** Those that come first are shown first; the order in which they are told is the tree's. */
  const within = (frames: readonly Frame[], most: number): readonly FrameView[] => {
    let room = Math.min(most, left);
    const shown = new Map<Frame, FrameView>();
    for (const frame of frames) {
      const view = shorten(viewOf(frame, quote), room);
      const tokens = view ? size(view) : 0;
      if (view) shown.set(frame, view);
      else hidden++;
      room -= tokens;
      left -= tokens;
    }
    return tree.frames.flatMap((frame) => shown.get(frame) ?? []);
  };
  const newest = (frames: readonly Frame[]) => [...frames].reverse();
  const rules = rulesOf(above.at(-1), Math.min(FRAME_RULE_TOKENS, left), quote);
  left -= sizeOf(rules);
  const [own] = within([current], budget.current);
  const children = within(newest(below), budget.siblings);
  const ancestors = within(above, budget.ancestors);
  const siblings = within(newest(beside.filter((frame) => frame !== current && !isOpen(frame))), budget.siblings);
  const ruled = rules.length > 0 && { rules, hasRules: true };
  return { ...(own && { current: own }), ...ruled, ancestors, siblings, children, hidden };
}

const sizeOf = (lines: readonly Line[]) => lines.reduce((sum, { text }) => sum + lengthOf(`- ${text}\n`), 0);

/** The youngest first, as far as there is room, in the order in which they were said. */
function rulesOf(root: Frame | undefined, room: number, quote: (text: string) => string = String): readonly Line[] {
  const texts = (root?.rules ?? []).map((text) => quote(cut(oneLine(text), GOAL_CODE_POINTS)));
  const lines = texts.map((text, index) => ({ text, last: index === texts.length - 1 }));
  let from = lines.length;
  while (from > 0 && sizeOf(lines.slice(from - 1)) <= room) from--;
  return lines.slice(from);
}

/** Tokens of marks and labels around the fields of one frame. */
const AROUND_TOKENS = 24;
/** Tokens of a text that is worth beginning. */
const LEAST_TOKENS = 24;

const TOKEN_CHARACTERS = 16;

const lengthOf = (text: string) => estimateTokenCount(text);

function size({ id, goal, status, summary, note, time, artifacts, decisions }: FrameView): number {
  const texts = [id, goal, status, summary, note, time, ...[...artifacts, ...decisions].map(({ text }) => `- ${text}\n`)];
  return texts.reduce((sum, text) => sum + lengthOf(text), AROUND_TOKENS);
}

const withoutLists = (view: FrameView) => ({ ...view, artifacts: [], decisions: [], hasArtifacts: false, hasDecisions: false });

/** What is left of a frame where there is no room: that it is there. */
export const bareView = (view: FrameView): FrameView => ({ ...withoutLists(view), note: "", summary: "" });

/** The frame within so many tokens: the lists give way first, then the end of the summary, then what was said at its end. */
export function shorten(view: FrameView, tokens: number): FrameView | undefined {
  if (size(view) <= tokens) return view;
  const bare = withoutLists(view);
  const lists = { ...view };
  while (lists.artifacts.length + lists.decisions.length > 0) {
    const longer = lists.artifacts.length >= lists.decisions.length ? "artifacts" : "decisions";
    lists[longer] = lists[longer].slice(1);
    if (size(lists) <= tokens)
      return { ...lists, hasArtifacts: lists.artifacts.length > 0, hasDecisions: lists.decisions.length > 0 };
  }
  for (const field of ["summary", "note"] as const) {
    const room = tokens - (size(bare) - lengthOf(bare[field]));
    if (room >= LEAST_TOKENS) return { ...bare, [field]: beginning(bare[field], room) };
    bare[field] = "";
  }
  return size(bare) <= tokens ? bare : undefined;
}

/** As much of a text as fits, by whole code points, with a mark where it was cut. */
export function beginning(text: string, tokens: number): string {
  if (lengthOf(text) <= tokens) return text;
  // No estimate takes one token for more characters than this: what is behind them need not be looked at.
  const points = [...text.slice(0, tokens * TOKEN_CHARACTERS)];
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (lengthOf(`${points.slice(0, middle).join("")} …`) <= tokens) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? "" : `${points.slice(0, low).join("").trimEnd()} …`;
}
