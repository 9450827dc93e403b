// What tools did with the words of a sentence: were they written or run after it was said (it was meant), had they been
// read just before (it describes), or been written just before (it reports)? Was what it names taken out again?
import { DEED_CALLS, DEED_CHARACTERS, DEED_MESSAGES, DEED_VALUES, SEEN_CHARACTERS, SEEN_MESSAGES } from "../limits.js";
import type { Message, Session, ToolCall } from "../model.js";
import { remember } from "../rules/remember.js";
import type { RuleSet } from "../rules/rule-set.js";
import type { Tool } from "../rules/tool-set.js";
import type { Subject } from "./subject.js";
import { rememberedTerms, type Term, weighedTerms, worthIn, worthOfAll } from "./terms.js";
import { hasFailed } from "./tools.js";
import { type IsPlain, plainWords, topicOf } from "./topic.js";
import { balanceOf, type Edit, type Traces, tracesOf } from "./traces.js";

/**
 * Carried out by a call that came later, told of what one had printed before, or put in by an earlier one; and undone: all
 * that it names was put in by some call and is taken out by a later one.
 */
export const DEEDS = ["enacted", "described", "written", "undone"] as const;
export type Deed = (typeof DEEDS)[number];

export interface Deeds {
  /** From 0 to 1: the largest share of the sentence's terms, weighed, that one call holds. */
  readonly of: (subject: Subject, deed: Deed) => number;
}

interface Done {
  readonly message: number;
  readonly text: string;
}

/** Of fewer terms a share says nothing. */
const LEAST_TERMS = 3;
/** @param deleted paths that are gone at the end of the session */
export function createDeeds(session: Session, rules: RuleSet, deleted: readonly string[]): Deeds {
  // Made when somebody asks.
  let index: Index | undefined;
  const known = new WeakMap<Subject, Answers>();
  // The answers are asked for one behind the other.
  let last: { readonly subject: Subject; readonly terms: readonly Term[] } | undefined;
  const isPlain = plainWords(rules);
  return {
    of(subject, deed) {
      index ??= indexOf(session, rules, deleted);
      if (deed === "undone") return index.undoes ? isUndone(subject, index, isPlain) : 0;
      const answers = known.get(subject) ?? {};
      known.set(subject, answers);
      const before = answers[deed];
      if (before !== undefined) return before;
      if (last?.subject !== subject) last = { subject, terms: weighedTerms(subject.segment.text, isPlain) };
      const share = shareOf(subject, last.terms, deed, index);
      answers[deed] = share;
      return share;
    },
  };
}

type Answers = Partial<Record<Exclude<Deed, "undone">, number>>;

interface Index {
  readonly written: readonly Done[];
  readonly seen: readonly Done[];
  /** What edits did to a name. */
  readonly traces: (term: string) => Traces | null;
  readonly deleted: ReadonlySet<string>;
  /** Does any edit take something away? */
  readonly undoes: boolean;
  /** Message → its place. */
  readonly places: ReadonlyMap<string, number>;
}

function indexOf(session: Session, rules: RuleSet, deleted: readonly string[]): Index {
  const written: Done[] = [];
  const seen: Done[] = [];
  const edits: Edit[] = [];
  const places = new Map<string, number>();
  for (const [message, { id, toolCalls }] of session.messages.entries()) {
    if (!places.has(id)) places.set(id, message);
    for (const call of toolCalls) {
      const tool = rules.tools.get(call.name);
      if (!tool || tool.answers.length > 0) continue;
      const { added, old, isWritten, shown } = doneBy(call, tool);
      if (isWritten) {
        written.push({ message, text: added });
        if (tool.command.length === 0) edits.push({ message, added: rememberedTerms(added), removed: rememberedTerms(old) });
      }
      seen.push({ message, text: old === "" ? shown : `${old}\n${shown}` });
    }
  }
  const traces = remember((term: string) => tracesOf(term, edits));
  const undoes = deleted.length > 0 || edits.some(({ removed }) => removed.size > 0);
  return { written, seen, traces, deleted: new Set(deleted.map((path) => lastOf(path).toLowerCase())), undoes, places };
}

/** What counts of a call: its texts, and whether it put them anywhere. */
interface DoneBy {
  readonly tool: Tool;
  readonly added: string;
  readonly old: string;
  readonly isWritten: boolean;
  readonly shown: string;
}

const known = new WeakMap<ToolCall, DoneBy>();

function doneBy(call: ToolCall, tool: Tool): DoneBy {
  const before = known.get(call);
  if (before?.tool === tool) return before;
  const isWritten = isDeed(tool) && !hasFailed(call, tool);
  const done = { tool, ...textsOf(call, tool), isWritten, shown: call.output.slice(0, SEEN_CHARACTERS) };
  known.set(call, done);
  return done;
}

/** All that the calls of a message say of the texts around it; "" when it is nothing. A reader may have dropped the rest. */
export function deedsOf({ toolCalls }: Message, { tools }: RuleSet): string {
  const counted = toolCalls.flatMap((call) => {
    const tool = tools.get(call.name);
    if (!tool || tool.answers.length > 0) return [];
    const { added, old, isWritten, shown } = doneBy(call, tool);
    return [isWritten ? added : "", isWritten, old, shown];
  });
  return counted.length === 0 ? "" : JSON.stringify(counted);
}

const lastOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** Is everything that it names taken out after it was said, by edits or with its file? */
function isUndone({ source, segment }: Subject, { written, traces, deleted, places }: Index, isPlain: IsPlain): 0 | 1 {
  const at = places.get(source.id);
  if (at === undefined || source.role !== "assistant") return 0;
  let undone = false;
  for (const name of topicOf(segment.text, isPlain).names) {
    const term = lastOf(name);
    if (!/\p{L}/u.test(term)) continue;
    if (deleted.has(term) && namedAfter(term, written, at)) {
      undone = true;
      continue;
    }
    const balance = balanceOf(traces(term), at);
    if (balance === "in") return 0;
    if (balance === "out") undone = true;
  }
  return undone ? 1 : 0;
}

const namedAfter = (term: string, list: readonly Done[], at: number) =>
  list.slice(firstAt(list, at + 1)).some(({ text }) => rememberedTerms(text).has(term));

function shareOf({ source }: Subject, terms: readonly Term[], deed: Deed, { written, seen, places }: Index): number {
  const at = places.get(source.id);
  if (at === undefined || terms.length < LEAST_TERMS) return 0;
  // What the assistant says stands before the calls of its message; the user's words are a message of their own.
  const own = source.role === "assistant" ? at : at + 1;
  if (deed === "enacted") return nearestShare(terms, written, own, at + 1 + DEED_MESSAGES, 1);
  if (deed === "described") return nearestShare(terms, seen, at - SEEN_MESSAGES, at, -1);
  return nearestShare(terms, written, at - DEED_MESSAGES, at, -1);
}

/** Of the calls of some messages, the nearest. */
function nearestShare(terms: readonly Term[], list: readonly Done[], from: number, to: number, step: 1 | -1): number {
  const total = worthOfAll(terms);
  let best = 0;
  let index = step === 1 ? firstAt(list, from) : firstAt(list, to) - 1;
  for (let left = DEED_CALLS; left > 0 && best < total; left--, index += step) {
    const one = list[index];
    if (!one || one.message < from || one.message >= to) break;
    best = Math.max(best, worthIn(terms, rememberedTerms(one.text)));
  }
  return best / total;
}

/** The first entry at or behind a message; entries are in order. */
function firstAt(list: readonly Done[], message: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] as Done).message < message) low = middle + 1;
    else high = middle;
  }
  return low;
}

const isDeed = ({ effect, command, patch, todo }: Tool) =>
  (effect !== undefined && effect !== "read") || command.length > 0 || patch.length > 0 || todo !== undefined;

/** What a call puts in, and what it takes away. */
function textsOf({ input }: ToolCall, tool: Tool): { added: string; old: string } {
  const added: string[] = [];
  const old: string[] = [];
  let room = DEED_CHARACTERS;
  let left = DEED_VALUES;
  // Not by recursion: a call may be given data of any depth. The next value is the last of these.
  const waiting: [value: unknown, key: string][] = [[input, ""]];
  for (let next = waiting.pop(); next && room > 0 && left > 0; next = waiting.pop(), left--) {
    const [value, key] = next;
    if (typeof value === "string") {
      const text = value.slice(0, room);
      room -= text.length;
      if (tool.old.includes(key)) old.push(text);
      else if (tool.patch.includes(key)) for (const line of text.split("\n")) (line.startsWith("-") ? old : added).push(line);
      else added.push(text);
    } else if (Array.isArray(value)) for (let index = value.length; index-- > 0; ) waiting.push([value[index], key]);
    else if (typeof value === "object" && value !== null)
      for (const [name, one] of Object.entries(value).reverse()) waiting.push([one, name]);
  }
  return { added: added.join("\n"), old: old.join("\n") };
}
