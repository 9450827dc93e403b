// Declares every name that a template can use. The linter checks templates against it, and template-fields.ts builds it.
import type { Kind } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import { parseTemplate, type TemplateToken } from "../rules/template/fill-template.js";

/** The shape of a name. `any` is a map whose keys the rules define. */
export type Shape = true | "any" | { readonly [name: string]: Shape };

/** `at`: the name of the message, if there is more to look up in it. */
/** `told`: what the summary says instead. */
const line = { text: true, number: true, first: true, last: true, at: true, told: true } as const;
const item = {
  ...line,
  reason: true,
  instead: true,
  fields: "any",
  category: true,
  by: true,
  source: true,
  quote: true,
  /** Of a goal: much else was asked for and done later. `began`: it was the first request. */
  began: true,
  earlier: true,
  /** `short`: the quote, cut at a clause end if it is long. `plain`: `short` as plain text. */
  short: true,
  plain: true,
  status: true,
  /** The words say of what kind it is, or a model marked it. Otherwise only cues suggest it. */
  sure: true,
} as const;
/** `plain`: without backticks, and escaped so that it never reads as a heading or quotation. `answers`: what the assistant said,
 * if this only answers it with yes, no or a choice. `after`: the request before, if this refers to it. `ofGoal`: a part of the
 * message that has the goal. `interrupted`: the user stopped the agent at once. `turn`: a message of the user's begins. `unseen`:
 * what the user said before this line is not shown; `unseenPaste`: it was only pasted; `unseenLast`: it is the last request.
 * `left`: so many more lines of its message are not shown. `under`: what introduces the list of this item; if the line before is
 * of the same list, `listed` is set instead. `changed`: the first line after a change of files. `chosen`, `declined`: an option
 * that the user picked or not. */
const statement = {
  ...line,
  turn: true,
  unseen: true,
  unseenPaste: true,
  unseenLast: true,
  left: true,
  under: true,
  listed: true,
  changed: true,
  chosen: true,
  declined: true,
  plain: true,
  answers: true,
  after: true,
  ofGoal: true,
  interrupted: true,
  answered: true,
  pasted: true,
  proposed: true,
  ordered: true,
  user: true,
  by: true,
  kind: true,
  source: true,
} as const;

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
  /** Facts below the template's `least`. */
  maybe: item,
  /** Facts that hold, of which a model did not say that they matter. */
  held: item,
  /** Facts that a model judged noise or stale. `fields.status`, `fields.round`, and `fields.witness`: the message that ends it. */
  judged: item,
  requests: statement,
  /** The first request, if it is not the goal. */
  opening: { ...line, plain: true, by: true, source: true },
  /** Requests that are not known to be settled. */
  pending: statement,
  statements: statement,
  /** `error`: the first line of the output that tells an error. `unsure`: it may pass now. */
  failing: { ...command, error: true, unsure: true },
  /** Commands that failed before and pass now. */
  fixed: command,
  /** The branch on which the session ended. */
  branch: line,
  /** The newest first: id and first line of the message. */
  commits: line,
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
  /** The user's rules: prohibitions and requirements. */
  instructions: item,
  /** What the project's notes say of where the work stands. */
  living: line,
  /** The working set: files that were used and not changed, then commands, references, names and skills. */
  used: path,
  commands: command,
  references: line,
  names: line,
  skills: line,
  /** Agents and background commands that were started and not heard of again. */
  running: line,
  /** Commands that the user refused or stopped, and that did not run later. */
  unrun: command,
  /** If the agent was at work when the session ended: the last that it said. */
  closing: statement,
  /** The same for its last calls, the oldest first: a command that was run, or what was done with a file. */
  lastCalls: { ...command, did: true, ran: true, failed: true },
  /** Lines of documents that the agent wrote, as it left them. `under`: the heading above it. */
  documents: { ...line, plain: true, file: true, under: true },
} as const;
export const LIST_NAMES = [...Object.keys(ITEM_LISTS), ...Object.keys(OTHER_LISTS)] as readonly ListName[];
export type ListName = keyof typeof ITEM_LISTS | keyof typeof OTHER_LISTS;

export const listOf = (kind: Kind): ListName =>
  LIST_NAMES.find((list) => (ITEM_LISTS as Record<string, Kind>)[list] === kind) as ListName;

const each = (value: Shape) => Object.fromEntries(LIST_NAMES.map((name) => [name, value])) as Record<ListName, Shape>;

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

/** `more`: how many lines of the section are not shown. */
const said = { id: true, title: true, lines: line, more: true } as const;

export const TEMPLATE_NAMES: Shape = {
  project: true,
  /** The project's name in lower case. */
  tag: true,
  session: { id: true, prefix: true, word: true, format: true },
  program: true,
  round: true,
  date: { year: true, month: true, day: true, iso: true },
  timestamp: true,
  /** The common folder of all absolute paths, if all changed files are in it. */
  root: true,
  counts: each(true),
  has: each(true),
  /** How many entries of a list are not shown. */
  more: each(true),
  hidden: true,
  /** The changed files, grouped by folder. */
  folders: line,
  /** The deleted files, grouped by folder. */
  gone: line,
  /** The used files, grouped by folder. */
  opened: line,
  /** The names of the working set, grouped by file. */
  homes: line,
  ...Object.fromEntries(Object.keys(ITEM_LISTS).map((name) => [name, item])),
  ...OTHER_LISTS,
  sections: { title: true, entries: item },
  state: said,
  /** The same, with every section, also those of which no line is shown. */
  outline: said,
  /** Only set in prompts. */
  previous: true,
  summary: true,
  focus: true,
  prompt: true,
  contexts: { text: true },
  conversation: {
    omitted: true,
    turns: { name: true, role: true, text: true, calls: { name: true, status: true, input: true, output: true } },
  },
  /** Facts that a model is asked to judge. `named`: it sees the names of messages. */
  candidates: { id: true, kind: true, at: true, user: true, text: true },
  /** Lines of the block behind a summary, of which a model chooses what is carried. */
  lines: { id: true, at: true, text: true },
  hasLines: true,
  named: true,
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

// The lists that a template uses. Entries of other lists are neither shown nor counted as hidden.

/** The lists that a template uses. Asking whether a list is empty counts too, because the answer must be right. */
export function usedLists(template: string, rules: RuleSet): ReadonlySet<ListName> {
  const names = new Set<ListName>();
  const visit = (tokens: readonly TemplateToken[], ofWorkflow: boolean) => {
    for (const token of tokens) {
      const isSection = token[0] === "#" || token[0] === "^";
      const name = isSection ? token[1].replace(/^has\./, "") : "";
      // The sections of a workflow also belong to the project's state.
      if (name === "sections" && !ofWorkflow) for (const { holds } of rules.sections) names.add(holds ? listOf(holds) : "state");
      else if (name === "workflow" || name === "outline") names.add("state");
      else if (name === "folders") names.add("changed");
      else if (name === "gone") names.add("deleted");
      else if (name === "opened") names.add("used");
      else if (name === "homes") names.add("names");
      else if (LIST_NAMES.includes(name as ListName)) names.add(name as ListName);
      if (Array.isArray(token[4])) visit(token[4], ofWorkflow || (token[0] === "#" && name === "workflow"));
    }
  };
  visit(parseTemplate(template), false);
  return names;
}
