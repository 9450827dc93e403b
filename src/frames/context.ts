// What a frame's session sees of the other frames: goals, files, decisions and summaries within token budgets, but never
// their messages.
import { estimateTokenCount } from "tokenx";
import { cut } from "../extract/facts/field.js";
import type { RuleSet } from "../rules/rule-set.js";
import { fillTemplate } from "../rules/template/fill-template.js";
import { oneLine } from "../text/forms.js";
import { ancestorsOf, childrenOf, type Frame, frameOf, isOpenFrame, type Tree } from "./frame.js";

/** Seconds after which a frame ends without its summary. A compaction takes a minute or two. */
const FRAME_SECONDS = 300;

/** The largest configurable number of seconds: a day. */
const FRAME_SECONDS_MOST = 86_400;

const GOAL_CODE_POINTS = 300;

const FRAME_LINES = 20;

const FRAME_RULE_TOKENS = 300;

/** Token budgets. `siblings` is for the frames beside the current one, and again for those below it. */
export interface FrameBudget {
  readonly total: number;
  readonly ancestors: number;
  readonly siblings: number;
  readonly current: number;
  /** For the text around the frames. */
  readonly overhead: number;
}

/** The default budget. */
export const FRAME_BUDGET: FrameBudget = { total: 4_000, ancestors: 1_500, siblings: 1_500, current: 800, overhead: 200 };

type ViewLine = { readonly text: string; readonly last: boolean };

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
  /** It ended without a summary: only goal, files and decisions are known. */
  readonly unsummarised: boolean;
  readonly late: boolean;
  readonly failed: boolean;
  readonly artifacts: readonly ViewLine[];
  readonly decisions: readonly ViewLine[];
  readonly hasArtifacts: boolean;
  readonly hasDecisions: boolean;
}

/** What a session sees of the frames around it. */
export interface FrameContext {
  readonly current?: FrameView;
  readonly ancestors: readonly FrameView[];
  readonly siblings: readonly FrameView[];
  readonly children: readonly FrameView[];
  /** The user's rules from the root, for all frames below it. */
  readonly rules?: readonly ViewLine[];
  readonly hasRules?: boolean;
  /** Frames that did not fit. */
  readonly hidden: number;
}

interface ChildContext extends Partial<Pick<Frame, "goal" | "artifacts">> {
  readonly source: "summary" | "fallback" | "goal";
  readonly text?: string;
}

/** What a parent knows about a frame: the summary, or else goal and files. */
export function childContext(frame: Frame): ChildContext {
  const { goal, artifacts, compactionSummary: text } = frame;
  if (isOpenFrame(frame)) return { source: "goal", goal };
  return text === undefined ? { source: "fallback", goal, artifacts } : { source: "summary", text };
}

const toLines = (texts: readonly string[], quote: (text: string) => string): readonly ViewLine[] =>
  texts.map((text, index) => ({ text: quote(cut(oneLine(text), GOAL_CODE_POINTS)), last: index === texts.length - 1 }));

export function viewOf(frame: Frame, quote: (text: string) => string = String): FrameView {
  const { source, text = "" } = childContext(frame);
  // The summary says what was done; the lists are shown only without one.
  const listed = source !== "summary";
  const artifacts = listed ? toLines(frame.artifacts.slice(-FRAME_LINES), quote) : [];
  const decisions = listed ? toLines(frame.decisions.slice(-FRAME_LINES), quote) : [];
  const shown = {
    id: frame.sessionID,
    goal: quote(cut(oneLine(frame.goal), GOAL_CODE_POINTS)),
    status: frame.status,
    open: isOpenFrame(frame),
    completing: frame.status === "completing",
    summary: quote(text),
    note: quote(isOpenFrame(frame) ? "" : (frame.note ?? "").trim()),
    time: frame.compactionTimestamp ?? "",
    unsummarised: source === "fallback",
    late: frame.unsummarised === "late",
    failed: frame.unsummarised === "failed",
  };
  return withLists(shown, artifacts, decisions);
}

/** The context of a session. `reported` contains frames whose end the session's own messages already report. */
export function contextOf(
  tree: Tree,
  id: string,
  budget: FrameBudget,
  quote?: (text: string) => string,
  reported: ReadonlySet<string> = new Set(),
): FrameContext {
  const current = frameOf(tree, id);
  if (!current) return { ancestors: [], siblings: [], children: [], hidden: 0 };
  const above = ancestorsOf(tree, current);
  const beside = current.parentSessionID === undefined ? [] : childrenOf(tree, current.parentSessionID);
  const below = childrenOf(tree, id).filter(({ sessionID }) => !reported.has(sessionID));
  let left = budget.total - budget.overhead;
  let hidden = 0;
  /** Frames that come first get room first; the result has the order of the tree. */
  const within = (frames: readonly Frame[], most: number): readonly FrameView[] => {
    let room = Math.min(most, left);
    const shown = new Map<Frame, FrameView>();
    for (const frame of frames) {
      const view = shortenView(viewOf(frame, quote), room);
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
  const siblings = within(newest(beside.filter((frame) => frame !== current && !isOpenFrame(frame))), budget.siblings);
  const ruled = rules.length > 0 && { rules, hasRules: true };
  return { ...(own && { current: own }), ...ruled, ancestors, siblings, children, hidden };
}

const sizeOf = (lines: readonly ViewLine[]) => lines.reduce((sum, { text }) => sum + estimateTokenCount(`- ${text}\n`), 0);

/** The newest rules that fit, in the order in which they were said. */
function rulesOf(root: Frame | undefined, room: number, quote: (text: string) => string = String): readonly ViewLine[] {
  const lines = toLines(root?.rules ?? [], quote);
  let from = lines.length;
  while (from > 0 && sizeOf(lines.slice(from - 1)) <= room) from--;
  return lines.slice(from);
}

/** Tokens of the labels around the fields of one frame. */
const AROUND_TOKENS = 24;
/** A text is shown only if at least this many tokens fit. */
const LEAST_TOKENS = 24;

const TOKEN_CHARACTERS = 16;

function size({ id, goal, status, summary, note, time, artifacts, decisions }: FrameView): number {
  const texts = [id, goal, status, summary, note, time, ...[...artifacts, ...decisions].map(({ text }) => `- ${text}\n`)];
  return texts.reduce((sum, text) => sum + estimateTokenCount(text), AROUND_TOKENS);
}

/** A view with other lists. Templates cannot ask whether a list is empty. */
const withLists = <T extends object>(view: T, artifacts: readonly ViewLine[], decisions: readonly ViewLine[]) => {
  return { ...view, artifacts, decisions, hasArtifacts: artifacts.length > 0, hasDecisions: decisions.length > 0 };
};

/** A frame reduced to the fact that it exists. */
export const bareView = (view: FrameView): FrameView => ({ ...withLists(view, [], []), note: "", summary: "" });

/** Cuts a frame to a number of tokens: first the lists, then the end of the summary, then the note. */
export function shortenView(view: FrameView, tokens: number): FrameView | undefined {
  if (size(view) <= tokens) return view;
  const bare = { ...withLists(view, [], []) };
  const lists = { ...view };
  while (lists.artifacts.length + lists.decisions.length > 0) {
    const longer = lists.artifacts.length >= lists.decisions.length ? "artifacts" : "decisions";
    lists[longer] = lists[longer].slice(1);
    if (size(lists) <= tokens) return withLists(lists, lists.artifacts, lists.decisions);
  }
  for (const field of ["summary", "note"] as const) {
    const room = tokens - (size(bare) - estimateTokenCount(bare[field]));
    if (room >= LEAST_TOKENS) return { ...bare, [field]: cutToBudget(bare[field], room) };
    bare[field] = "";
  }
  return size(bare) <= tokens ? bare : undefined;
}

/** The start of a text that fits, cut between code points, with a mark at the cut. */
export function cutToBudget(text: string, tokens: number): string {
  if (estimateTokenCount(text) <= tokens) return text;
  // No estimate counts one token for more characters than this, so the rest can be ignored.
  const points = [...text.slice(0, tokens * TOKEN_CHARACTERS)];
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (estimateTokenCount(`${points.slice(0, middle).join("")} …`) <= tokens) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? "" : `${points.slice(0, low).join("").trimEnd()} …`;
}

/** The settings as configured. */
export interface FramesConfigured {
  readonly seconds?: number;
  readonly replacePrompt?: boolean;
  readonly budget?: Partial<FrameBudget>;
}

export type FrameSettings = NonNullable<ReturnType<typeof frameSettings>>;

/** Nobody validates plugin options: anything but a number is ignored. */
const numberOr = (value: unknown, otherwise: number, least: number): number =>
  typeof value === "number" && value >= least ? value : otherwise;

/** The settings with defaults; undefined if frames are off. */
export function frameSettings(configured: FramesConfigured | boolean | undefined) {
  if (!configured) return undefined;
  const { seconds, replacePrompt, budget } = configured === true ? {} : configured;
  const tokens = Object.entries(budget ?? {}).filter(([, share]) => numberOr(share, -1, 0) >= 0);
  return {
    /** How long a completing frame waits for its summary. */
    milliseconds: Math.min(numberOr(seconds, FRAME_SECONDS, 1), FRAME_SECONDS_MOST) * 1_000,
    replacePrompt: replacePrompt === true,
    budget: { ...FRAME_BUDGET, ...Object.fromEntries(tokens) } as FrameBudget,
  };
}

/** Fills a template. Fields are inserted unchanged: a goal may contain anything. */
export const fillFrame = (rules: RuleSet, template: string, view: object): string =>
  fillTemplate(rules.templates.get(template)?.text ?? "", view);

interface TreeRow extends FrameView {
  readonly indent: string;
  readonly said: readonly { readonly text: string }[];
}

/** The tree as rows from the root down, each frame before its children. */
export function rowsOf(tree: Tree, quote?: (text: string) => string): readonly TreeRow[] {
  const below = (parent: string | undefined): readonly TreeRow[] =>
    tree.frames
      .filter(({ parentSessionID }) => parentSessionID === parent)
      .flatMap((frame) => {
        const view = viewOf(frame, quote);
        const said = view.summary === "" ? [] : view.summary.split("\n").map((text) => ({ text }));
        const indent = "  ".repeat(ancestorsOf(tree, frame).length);
        return [{ ...view, indent, said }, ...below(frame.sessionID)];
      });
  return below(undefined);
}
