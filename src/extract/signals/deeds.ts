// Compares a sentence with tool calls: were its words written or run later (it was meant), read just before (it describes), or
// written just before (it reports)?

import { DEED_CHARACTERS, SEEN_CHARACTERS } from "../../limits.js";
import type { Session, ToolCall } from "../../model.js";
import type { RuleSet } from "../../rules/rule-set.js";
import type { Tool } from "../../rules/tool-set.js";
import { lettersPattern } from "../../text/characters.js";
import { type IsPlain, plainWords, rememberedTerms, termsIn } from "../../text/topic.js";
import { hasFailed } from "../calls/call.js";
import type { Subject } from "../segments/subject.js";
import { type Edit, readEdits } from "./undone.js";

/** How many values of one call's input are examined: a list of numbers has many, and no text. */
const DEED_VALUES = 100_000;

/** Messages before a sentence whose tool output it may describe. */
const SEEN_MESSAGES = 5;

/** Messages after a sentence whose calls may carry it out, and before it whose calls may have written it. */
const DEED_MESSAGES = 10;

/** How many calls are examined for one sentence, nearest first: a host may put hundreds into one message. */
const DEED_CALLS = 40;

/** With fewer terms, a share means nothing. */
const LEAST_TERMS = 3;

/** A name counts more than a word. */
const NAME_WORTH = 2;
const NAMED = lettersPattern(String.raw`[\p{N}_./:-]`);

/** What tools did with the words of a text: a later call carried it out, an earlier call printed it, an earlier call wrote it, a
 * later call removed all that it names, or a later edit added or removed something that it names. */
export const DEEDS = ["enacted", "described", "written", "undone", "edited"] as const;
export type Deed = (typeof DEEDS)[number];

export interface Deeds {
  /** From 0 to 1: the largest share of the text's weighted terms in one call. */
  readonly of: (subject: Subject, deed: Deed) => number;
}

type WeighedTerm = { readonly term: string; readonly worth: number };

/** What calls did, in the order of the session. */
interface Done {
  readonly texts: string[];
  /** Message → its first text. */
  readonly starts: number[];
}

/** @param deleted paths that are gone at the end of the session */
export function createDeeds(session: Session, rules: RuleSet, deleted: readonly string[]): Deeds {
  // Built on first use.
  let index: ReturnType<typeof indexOf> | undefined;
  const isPlain = plainWords(rules);
  // The deeds of a subject are asked one after the other.
  let last: { readonly subject: Subject; readonly shares: Map<Deed, number>; terms?: readonly WeighedTerm[] } | undefined;
  return {
    of(subject, deed) {
      index ??= indexOf(session, rules, deleted);
      const { source } = subject;
      const at = index.places.get(source.id);
      if (at === undefined) return 0;
      if (deed === "undone" || deed === "edited") {
        const holds = deed === "undone" ? index.edited.isUndone : index.edited.isEdited;
        return source.role === "assistant" && holds(subject.names, at) ? 1 : 0;
      }
      if (last?.subject !== subject) last = { subject, shares: new Map() };
      const known = last.shares.get(deed);
      if (known !== undefined) return known;
      // The assistant's words come before the calls of their message; the user's words are a separate message.
      const own = source.role === "assistant" ? at : at + 1;
      const texts = textsNear(deed, at, own, index);
      if (texts.length > 0) last.terms ??= weighedTerms(subject, isPlain);
      const share = largestShare(last.terms ?? [], texts);
      last.shares.set(deed, share);
      return share;
    },
  };
}

function indexOf(session: Session, rules: RuleSet, deleted: readonly string[]) {
  const written: Done = { texts: [], starts: [] };
  const seen: Done = { texts: [], starts: [] };
  const edits: Edit[] = [];
  /** Message id → its position. */
  const places = new Map<string, number>();
  for (const [message, { id, toolCalls }] of session.messages.entries()) {
    if (!places.has(id)) places.set(id, message);
    for (const { texts, starts } of [written, seen]) starts.push(texts.length);
    for (const call of toolCalls) {
      const tool = rules.tools.get(call.name);
      if (!tool || tool.answers.length > 0) continue;
      const { added, old } = textsOf(call, tool);
      if (isDeed(tool) && !hasFailed(call, tool)) {
        written.texts.push(added);
        if (tool.command.length === 0) edits.push({ message, added, old });
      }
      const shown = call.output.slice(0, SEEN_CHARACTERS);
      seen.texts.push(old === "" ? shown : `${old}\n${shown}`);
    }
  }
  function* writtenIn(): Iterable<readonly [number, string]> {
    for (const [message, start] of written.starts.entries())
      for (const text of written.texts.slice(start, written.starts[message + 1])) yield [message, text];
  }
  return { written, seen, places, edited: readEdits(edits, deleted, writtenIn) };
}

/** The texts of the nearest calls that can show a deed. */
function textsNear(deed: Deed, at: number, own: number, { written, seen }: { written: Done; seen: Done }): readonly string[] {
  const { texts, starts } = deed === "described" ? seen : written;
  const startOf = (message: number) => starts[Math.max(0, message)] ?? texts.length;
  if (deed === "enacted") return texts.slice(startOf(own), Math.min(startOf(at + 1 + DEED_MESSAGES), startOf(own) + DEED_CALLS));
  const from = startOf(at - (deed === "described" ? SEEN_MESSAGES : DEED_MESSAGES));
  return texts.slice(Math.max(from, startOf(at) - DEED_CALLS), startOf(at));
}

/** The terms that are not plain words, and how much each counts. */
function weighedTerms({ segment, names }: Subject, isPlain: IsPlain): readonly WeighedTerm[] {
  const terms: WeighedTerm[] = [];
  for (const term of termsIn(segment.text, names))
    if (!isPlain(term)) terms.push({ term, worth: NAMED(term).test(term) ? NAME_WORTH : 1 });
  return terms;
}

/** The largest share of the terms in one text. */
function largestShare(terms: readonly WeighedTerm[], texts: readonly string[]): number {
  if (terms.length < LEAST_TERMS) return 0;
  const total = terms.reduce((sum, { worth }) => sum + worth, 0);
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

/** What a call wrote or ran; nothing if it did neither. */
export function addedBy(call: ToolCall, { tools }: Pick<RuleSet, "tools">): readonly string[] {
  const tool = tools.get(call.name);
  return tool && isDeed(tool) && !hasFailed(call, tool) ? [textsOf(call, tool).added] : [];
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
