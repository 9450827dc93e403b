// What each line of a brief or a carried block is worth. If room is short, the lines with the highest worth stay.
import type { Item } from "../model.js";
import { CUES_PREFIX } from "../rules/compile/signals.js";
import type { ListName } from "./shape.js";
import { estimateOf } from "./tokens.js";

/** Worth of pins: above everything except the continuation's sections. */
export const PIN_WORTH = 3;

/**
 * Proven lines (files, commands, todos) come before statements. Only the `first` ones of a list are worth more than any
 * statement; later ones compete with statements, and long ones lose, so that a long list cannot fill the brief.
 */
const PROVEN = {
  requests: { worth: 1.5, first: 1 },
  questions: { worth: 1.45, first: 1 },
  opening: { worth: 1.42, first: 1 },
  failing: { worth: 1.4, first: 1 },
  unrun: { worth: 1.35, first: 1 },
  doing: { worth: 1.3, first: 1 },
  todos: { worth: 1.3, first: 1 },
  changed: { worth: 1.2, first: 3 },
  commits: { worth: 1.15, first: 1 },
  fixed: { worth: 1.1, first: 1 },
} as const satisfies Partial<Record<ListName, { readonly worth: number; readonly first: number }>>;
/** The worth of the first statement, and after how many lines it halves: for statements, and for later proven lines. */
const SAID_WORTH = 0.5;
export const SAID_PACE = 10;
const PROVEN_PACE = 2;
export const saidWorth = (index: number, pace: number) => (SAID_WORTH * pace) / (pace + index);
/** Tokens of an average line. */
const LINE_TOKENS = 12;
export function provenWorth(list: keyof typeof PROVEN, index: number, text: string): number {
  const { worth, first } = PROVEN[list];
  if (index < first) return worth - index / 1_000;
  return saidWorth(index - first, PROVEN_PACE) * Math.min(1, LINE_TOKENS / estimateOf(text));
}

/** Added to what may be a rule of the user's: it outlasts the assistant's choices. */
const RULE_WORTH = 0.3;

/** The order of what must not give way: the user's rules, where the work stands, what runs, the working set. */
export const INSTRUCTION_WORTH = 2.5;
/** Of a rule in the list of all constraints: below its entry in the list of the user's rules. */
const CONSTRAINT_WORTH = 2.4;
export const LIVING_WORTH = 2.2;
export const RUNNING_WORTH = 1.25;
export const WORKING_WORTH = 1.05;
/** One changed file that was used lately joins the working set per so many of its tokens. */
export const TOKENS_PER_CHANGE = 30;
/** Most tokens of where the work stands. */
export const LIVING_TOKENS = 250;

/** A goal below this salience gets the worth of a statement: a session may begin with a title or "do this:". */
export const GOAL_SALIENCE = 0.25;
/** In a message with so many statements, each one has little salience. */
export const LONG_PROMPT = 20;

/** After so many later messages of the user's, of at least so many words, the session has moved on from a goal. */
export const MOVED_ON = 3;
export const REQUEST_WORDS = 4;

/**
 * Worth of a line of the continuation: the first line of each section stays longest, and where the workflow is before the
 * rest. Later lines are worth less than what the user asked for.
 */
export const stateWorth = (index: number, section: number, ofWorkflow: boolean): number =>
  index > 0 ? WORKING_WORTH + 0.01 - index / 1_000 - section / 100_000 : (ofWorkflow ? 101 : 100) - section / 100;

/** Finished todos are worth less than most statements, and files that were only read less than any changed file. */
export const TICKED_WORTH = 0.3;
export const READ_WORTH = 0;

/** Did the user state a rule in so many words? What only cues suggest is not sure enough. */
export const isInstruction = ({ kind, by, evidence }: Item) =>
  by === "user" && kind === "constraint" && !evidence.rule.startsWith(CUES_PREFIX);

/** What a fact is worth that is not a goal. */
export function itemWorth(item: Item): number {
  if (isInstruction(item)) return CONSTRAINT_WORTH + item.score / 10;
  return item.score + (item.kind === "constraint" && item.by === "user" ? RULE_WORTH : 0);
}
