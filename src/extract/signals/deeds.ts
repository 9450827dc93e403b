// Compares a sentence with tool calls: were its words written or run later (it was meant), read just before (it describes), or
// written just before (it reports)? Was what it names removed again?

import { DEED_CHARACTERS, SEEN_CHARACTERS } from "../../limits.js";
import type { Session, ToolCall } from "../../model.js";
import type { RuleSet } from "../../rules/rule-set.js";
import type { Tool } from "../../rules/tool-set.js";
import { remember } from "../../text/remember.js";
import { countBefore } from "../../text/sorted.js";
import { hasFailed } from "../calls/call.js";
import type { Deed, Deeds, Subject } from "../match/subject.js";
import { type IsPlain, mayHoldName, plainWords, topicOf } from "../supersede/topic.js";
import { rememberedTerms, type WeighedTerm, weighedTerms, worthIn, worthOfAll } from "./terms.js";

/** How many values of one call's input are examined: a list of numbers has many, and no text. */
const DEED_VALUES = 100_000;

/** Messages before a sentence whose tool output it may describe. */
const SEEN_MESSAGES = 5;

/** Messages after a sentence whose calls may carry it out, and before it whose calls may have written it. */
const DEED_MESSAGES = 10;

/** How many calls are examined for one sentence, nearest first: a host may put hundreds into one message. */
const DEED_CALLS = 40;

interface Done {
  readonly message: number;
  readonly text: string;
}

/** With fewer terms, a share means nothing. */
const LEAST_TERMS = 3;
/** @param deleted paths that are gone at the end of the session */
export function createDeeds(session: Session, rules: RuleSet, deleted: readonly string[]): Deeds {
  // Built on first use.
  let index: Index | undefined;
  const known = new WeakMap<Subject, Answers>();
  // The deeds of a subject are asked one after the other: keep its terms.
  let last: { readonly subject: Subject; readonly terms: readonly WeighedTerm[] } | undefined;
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
  /** Does any edit or deletion remove something? */
  readonly undoes: boolean;
  /** Message id → its position. */
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

/** What matters of a call: its texts, and whether it wrote them. */
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

const lastOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** Was what it names removed later, by edits or with its file, and nothing of it kept? */
function isUndone({ source, segment }: Subject, { written, traces, deleted, places }: Index, isPlain: IsPlain): 0 | 1 {
  const at = places.get(source.id);
  if (at === undefined || source.role !== "assistant" || !mayHoldName(segment.text)) return 0;
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
  list.slice(firstAt(list, at + 1)).some(({ text }) => [...rememberedTerms(text)].some((one) => lastOf(one) === term));

function shareOf({ source }: Subject, terms: readonly WeighedTerm[], deed: Deed, { written, seen, places }: Index): number {
  const at = places.get(source.id);
  if (at === undefined || terms.length < LEAST_TERMS) return 0;
  // The assistant's words come before the calls of their message; the user's words are a separate message.
  const own = source.role === "assistant" ? at : at + 1;
  if (deed === "enacted") return nearestShare(terms, written, own, at + 1 + DEED_MESSAGES, 1);
  if (deed === "described") return nearestShare(terms, seen, at - SEEN_MESSAGES, at, -1);
  return nearestShare(terms, written, at - DEED_MESSAGES, at, -1);
}

/** The largest share of the terms in one call, among the nearest calls of these messages. */
function nearestShare(terms: readonly WeighedTerm[], list: readonly Done[], from: number, to: number, step: 1 | -1): number {
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

/** The first entry at or after a message; entries are sorted. */
const firstAt = (list: readonly Done[], message: number) => countBefore(list, (one) => one.message < message);

const isDeed = ({ effect, command, patch, todo }: Tool) =>
  (effect !== undefined && effect !== "read") || command.length > 0 || patch.length > 0 || todo !== undefined;

/** What a call adds, and what it removes. */
function textsOf({ input }: ToolCall, tool: Tool): { added: string; old: string } {
  const added: string[] = [];
  const old: string[] = [];
  let room = DEED_CHARACTERS;
  let left = DEED_VALUES;
  // No recursion: the input may be nested to any depth. The next value is the last of the list.
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

// What edits did to a name: is it still there, or was it removed again?

/** What a call added to a file, and what it removed. */
export interface Edit {
  readonly message: number;
  readonly added: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
}

export interface Traces {
  /** Additions minus removals in all edits that touch a name, and whether the first edit added it. */
  readonly sum: number;
  readonly isNew: boolean;
  readonly last: { readonly message: number; readonly change: number };
}

export function tracesOf(term: string, edits: readonly Edit[]): Traces | null {
  let traces: Traces | undefined;
  for (const { message, added, removed } of edits) {
    const change = Number(added.has(term)) - Number(removed.has(term));
    if (change === 0) continue;
    traces = { sum: (traces?.sum ?? 0) + change, isNew: traces?.isNew ?? change > 0, last: { message, change } };
  }
  return traces ?? null;
}

/** Is a name still there, or did the last edit that touches it remove it? Undefined if no edit after the message touches it. */
export function balanceOf(traces: Traces | null, at: number): "in" | "out" | undefined {
  if (!traces || traces.last.message <= at) return undefined;
  return traces.last.change < 0 && traces.sum <= 0 && traces.isNew ? "out" : "in";
}
