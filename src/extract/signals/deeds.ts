// Compares a sentence with tool calls: were its words written or run later (it was meant), read just before (it describes), or
// written just before (it reports)? Was what it names removed again?

import { DEED_CHARACTERS, SEEN_CHARACTERS } from "../../limits.js";
import type { Session, ToolCall } from "../../model.js";
import type { RuleSet } from "../../rules/rule-set.js";
import type { Tool } from "../../rules/tool-set.js";
import { lettersPattern } from "../../text/letters.js";
import { rememberWithin } from "../../text/remember.js";
import { hasFailed } from "../calls/call.js";
import type { Deed, Deeds, Subject } from "../match/subject.js";
import { type IsPlain, namesIn, plainWords, termsIn } from "../supersede/topic.js";

/** How many values of one call's input are examined: a list of numbers has many, and no text. */
const DEED_VALUES = 100_000;

/** Messages before a sentence whose tool output it may describe. */
const SEEN_MESSAGES = 5;

/** Messages after a sentence whose calls may carry it out, and before it whose calls may have written it. */
const DEED_MESSAGES = 10;

/** How many calls are examined for one sentence, nearest first: a host may put hundreds into one message. */
const DEED_CALLS = 40;

/** Characters of tool texts whose terms are cached: those of twice the calls that one sentence examines. */
const TERM_CHARACTERS = 1_000_000;

/** With fewer terms, a share means nothing. */
const LEAST_TERMS = 3;

/** A name counts more than a word. */
const NAME_WORTH = 2;

/** What calls did, in the order of the session. */
interface Done {
  readonly texts: string[];
  /** Message → its first text. */
  readonly starts: number[];
}

/** What a call added to a file, and what it removed. */
interface Edit {
  readonly message: number;
  readonly added: string;
  readonly old: string;
}

/** @param deleted paths that are gone at the end of the session */
export function createDeeds(session: Session, rules: RuleSet, deleted: readonly string[]): Deeds {
  // Built on first use.
  let index: Index | undefined;
  const isPlain = plainWords(rules);
  const known = new WeakMap<Subject, Partial<Record<Deed, number>>>();
  // The deeds of a subject are asked one after the other: keep its terms.
  let last: { readonly subject: Subject; readonly terms: readonly WeighedTerm[] } | undefined;
  return {
    of(subject, deed) {
      index ??= indexOf(session, rules, deleted);
      if (deed === "undone") return isUndone(subject, index);
      const shares = known.get(subject) ?? {};
      const before = shares[deed];
      if (before !== undefined) return before;
      const texts = textsNear(subject, deed, index);
      if (last?.subject !== subject && texts.length > 0) last = { subject, terms: weighedTerms(subject.segment.text, isPlain) };
      const share = texts.length > 0 && last ? largestShare(last.terms, texts) : 0;
      shares[deed] = share;
      known.set(subject, shares);
      return share;
    },
  };
}

interface Index {
  readonly written: Done;
  readonly seen: Done;
  /** Does any edit or deletion remove something? */
  readonly undoes: boolean;
  /** What edits did to each term. Built on first use. */
  readonly traces: () => Traces;
  /** The names of deleted files. */
  readonly deleted: ReadonlySet<string>;
  /** Message id → its position. */
  readonly places: ReadonlyMap<string, number>;
}

function indexOf(session: Session, rules: RuleSet, deleted: readonly string[]): Index {
  const written: Done = { texts: [], starts: [] };
  const seen: Done = { texts: [], starts: [] };
  const edits: Edit[] = [];
  const places = new Map<string, number>();
  for (const [message, { id, toolCalls }] of session.messages.entries()) {
    if (!places.has(id)) places.set(id, message);
    for (const { texts, starts } of [written, seen]) starts.push(texts.length);
    for (const call of toolCalls) {
      const tool = rules.tools.get(call.name);
      if (!tool || tool.answers.length > 0) continue;
      const { added, old, isWritten, shown } = doneBy(call, tool);
      if (isWritten) {
        written.texts.push(added);
        if (tool.command.length === 0) edits.push({ message, added, old });
      }
      seen.texts.push(old === "" ? shown : `${old}\n${shown}`);
    }
  }
  let traces: Traces | undefined;
  return {
    written,
    seen,
    undoes: deleted.length > 0 || edits.some(({ old }) => old !== ""),
    traces() {
      traces ??= tracesOf(edits);
      return traces;
    },
    deleted: new Set(deleted.map((path) => lastOf(path).toLowerCase())),
    places,
  };
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
function isUndone({ source, segment }: Subject, { written, undoes, traces, deleted, places }: Index): 0 | 1 {
  const at = places.get(source.id);
  if (!undoes || at === undefined || source.role !== "assistant") return 0;
  let undone = false;
  for (const name of namesIn(segment.text)) {
    const term = lastOf(name);
    if (!LETTER(term).test(term)) continue;
    if (deleted.has(term) && namedAfter(term, written, at)) {
      undone = true;
      continue;
    }
    const balance = balanceOf(traces().get(term), at);
    if (balance === "in") return 0;
    if (balance === "out") undone = true;
  }
  return undone ? 1 : 0;
}

const namedAfter = (term: string, { texts, starts }: Done, at: number) =>
  texts.slice(starts[at + 1] ?? texts.length).some((text) => [...rememberedTerms(text)].some((one) => lastOf(one) === term));

/** Cached, because many sentences and the next compaction ask for the same tool texts. */
const rememberedTerms = rememberWithin(TERM_CHARACTERS, termsIn);

interface WeighedTerm {
  readonly term: string;
  readonly worth: number;
}

/** The terms that are not plain words, and how much each counts. */
function weighedTerms(text: string, isPlain: IsPlain): readonly WeighedTerm[] {
  const terms: WeighedTerm[] = [];
  for (const term of termsIn(text)) if (!isPlain(term)) terms.push({ term, worth: NAMED(term).test(term) ? NAME_WORTH : 1 });
  return terms;
}

const NAMED = lettersPattern(String.raw`[\p{N}_./:-]`);
const LETTER = lettersPattern(String.raw`[\p{L}]`);

/** The texts of the nearest calls that can show a deed. */
function textsNear({ source }: Subject, deed: Deed, { written, seen, places }: Index): readonly string[] {
  const at = places.get(source.id);
  if (at === undefined) return [];
  const { texts, starts } = deed === "described" ? seen : written;
  const startOf = (message: number) => starts[Math.max(0, message)] ?? texts.length;
  if (deed === "enacted") {
    // The assistant's words come before the calls of their message; the user's words are a separate message.
    const from = startOf(source.role === "assistant" ? at : at + 1);
    return texts.slice(from, Math.min(startOf(at + 1 + DEED_MESSAGES), from + DEED_CALLS));
  }
  const to = startOf(at);
  return texts.slice(Math.max(startOf(at - (deed === "described" ? SEEN_MESSAGES : DEED_MESSAGES)), to - DEED_CALLS), to);
}

/** The largest share of the terms in one text. */
function largestShare(terms: readonly WeighedTerm[], texts: readonly string[]): number {
  if (terms.length < LEAST_TERMS) return 0;
  let total = 0;
  for (const { worth } of terms) total += worth;
  let best = 0;
  for (const text of texts) {
    const held = rememberedTerms(text);
    let sum = total;
    for (const { term, worth } of terms) {
      if (held.has(term)) continue;
      sum -= worth;
      if (sum <= best) break;
    }
    best = Math.max(best, sum);
  }
  return best / total;
}

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

interface Trace {
  /** Additions minus removals in all edits that touch a name, and whether the first edit added it. */
  sum: number;
  readonly isNew: boolean;
  /** The last edit that touches it. */
  message: number;
  change: number;
}

type Traces = ReadonlyMap<string, Trace>;

function tracesOf(edits: readonly Edit[]): Traces {
  const traces = new Map<string, Trace>();
  for (const { message, added, old } of edits) {
    const [now, before] = [rememberedTerms(added), rememberedTerms(old)];
    const touch = (terms: ReadonlySet<string>, others: ReadonlySet<string>, change: number) => {
      for (const term of terms) {
        if (others.has(term)) continue;
        const known = traces.get(term);
        if (known) Object.assign(known, { sum: known.sum + change, message, change });
        else traces.set(term, { sum: change, isNew: change > 0, message, change });
      }
    };
    touch(now, before, 1);
    touch(before, now, -1);
  }
  return traces;
}

/** Is a name still there, or did the last edit that touches it remove it? Undefined if no edit after the message touches it. */
function balanceOf(trace: Trace | undefined, at: number): "in" | "out" | undefined {
  if (!trace || trace.message <= at) return undefined;
  return trace.change < 0 && trace.sum <= 0 && trace.isNew ? "out" : "in";
}
