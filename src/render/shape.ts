// What a template can name, said once: the lint checks templates against it, and view.ts builds it.
import type { Kind } from "../model.js";

/** `any` is a map whose keys are for the rules to say. */
export type Shape = true | "any" | { readonly [name: string]: Shape };

const line = { text: true, number: true, first: true, last: true } as const;
const item = {
  ...line,
  reason: true,
  instead: true,
  fields: "any",
  category: true,
  by: true,
  source: true,
  quote: true,
  /** The quote, cut at the end of a clause where it is long; and that as `plain` text. */
  short: true,
  plain: true,
  status: true,
} as const;
/**
 * `plain`: without marks of code, and never to be taken for a heading or a quotation. `answers`: the assistant's words to which a
 * request says no more than yes, no or which.
 */
const statement = { ...line, plain: true, answers: true, user: true, by: true, kind: true, source: true } as const;

/** List name → the kind of item in it. */
export const ITEM_LISTS = {
  goals: "goal",
  constraints: "constraint",
  decisions: "decision",
  rejections: "rejection",
  findings: "finding",
  done: "done",
  remaining: "remaining",
  blockers: "blocker",
  questions: "question",
  concepts: "concept",
  notes: "note",
} as const satisfies Record<string, Kind>;

const path = { ...line, short: true } as const;
const command = { ...line, short: true } as const;
const OTHER_LISTS = {
  pinned: item,
  requests: statement,
  /** The requests that nothing says are settled. */
  pending: statement,
  statements: statement,
  failing: command,
  /** Commands that failed and pass now. */
  mended: command,
  todos: line,
  doing: line,
  ticked: line,
  /** The lines of the continuation's sections. */
  state: line,
  read: path,
  changed: path,
  created: path,
  modified: path,
  deleted: path,
} as const;
export const LIST_NAMES = [...Object.keys(ITEM_LISTS), ...Object.keys(OTHER_LISTS)] as readonly ListName[];
export type ListName = keyof typeof ITEM_LISTS | keyof typeof OTHER_LISTS;

export const listOf = (kind: Kind): ListName =>
  LIST_NAMES.find((list) => (ITEM_LISTS as Record<string, Kind>)[list] === kind) as ListName;

const each = (value: Shape) => Object.fromEntries(LIST_NAMES.map((name) => [name, value])) as Record<ListName, Shape>;

/** A frame and what is known of it (frames/context.ts). */
const frame = {
  id: true,
  goal: true,
  status: true,
  open: true,
  completing: true,
  target: true,
  summary: true,
  note: true,
  time: true,
  unsummarised: true,
  late: true,
  failed: true,
  artifacts: line,
  decisions: line,
  hasArtifacts: true,
  hasDecisions: true,
  indent: true,
  said: line,
} as const;
const refused = {
  goal: true,
  status: true,
  unknown: true,
  root: true,
  depth: true,
  count: true,
  closed: true,
  host: true,
} as const;

const said = { id: true, title: true, lines: line } as const;

export const VIEW: Shape = {
  project: true,
  /** The project's name in lower case. */
  tag: true,
  session: { id: true, prefix: true, format: true },
  round: true,
  date: { year: true, month: true, day: true, iso: true },
  timestamp: true,
  /** The folder that all absolute paths have in common, where all that is changed is in it. */
  root: true,
  counts: each(true),
  has: each(true),
  /** How many of a list are not shown. */
  more: each(true),
  hidden: true,
  /** The changed files, those of one folder on one line. */
  folders: line,
  /** And the deleted ones. */
  gone: line,
  ...Object.fromEntries(Object.keys(ITEM_LISTS).map((name) => [name, item])),
  ...OTHER_LISTS,
  sections: { title: true, entries: item },
  state: said,
  /** Of prompts alone; everywhere else these are empty. */
  previous: true,
  focus: true,
  prompt: true,
  contexts: { text: true },
  conversation: {
    omitted: true,
    turns: { role: true, text: true, calls: { name: true, status: true, input: true, output: true } },
  },
  workflow: { type: true, stage: true, item: true, artifact: true, sections: said },
  frame,
  frames: frame,
  rules: line,
  hasRules: true,
  ancestors: frame,
  siblings: frame,
  current: frame,
  children: frame,
  refused,
};
