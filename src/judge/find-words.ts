// Finds words that a model copied from what was said or from a tool's text. White space, Markdown emphasis and the form of quotation
// marks may differ; every word and every other character must be there.

import { wasUnrun } from "../extract/calls/call.js";
import type { Evidence, Message, Session, Source } from "../model.js";
import { masker, redactValue } from "../rules/redact/redact.js";
import type { RuleSet } from "../rules/rule-set.js";
import { isSpokenMessage } from "../source/session/messages.js";
import { withoutHost } from "../source/session/spoken.js";
import { isDeep } from "../text/forms.js";

/** Characters of tools that are searched, the newest first: what a model can read at once. */
const TOOLS_CHARACTERS = 800_000;

export function createWordFinder({ messages }: Session, sources: readonly Source[], rules: RuleSet) {
  const mask = masker(rules.redactions);
  const spoken = sources.filter(({ by }) => by === "user" || by === "assistant");
  const folded = new Map<Source | ToolText, Folded>();
  const read = new Map<Message, readonly ToolText[]>();
  let left = TOOLS_CHARACTERS;

  function toolsOf(message: Message): readonly ToolText[] {
    const known = read.get(message) ?? (left > 0 ? textsOfTools(message, rules, mask) : []);
    if (!read.has(message)) left -= known.reduce((sum, { text }) => sum + text.length, 0);
    read.set(message, known);
    return known;
  }

  /** @param message where they are, if that is known */
  return (words: string, message?: string) => {
    const isAsked = ({ id }: { readonly id: string }) => message === undefined || id === message;
    const masked = [mask(words)];
    // A tool's text is not masked yet. In the JSON of an input, a line break is two characters.
    const ways = new Set([words, words.replace(/\\[nrt]/g, " ")]);
    const longest = longestWord(words);
    const tools = () => messages.filter(isAsked).reverse().flatMap(toolsOf);
    const waysIn = (source: Source | ToolText) => ("masked" in source ? (source.text.includes(longest) ? ways : []) : masked);
    for (const some of [() => spoken.filter(isAsked).reverse(), tools])
      for (const source of some())
        for (const way of waysIn(source)) {
          const text = folded.get(source) ?? foldText(source.text);
          folded.set(source, text);
          const place = findQuote(way, text);
          if (place) return { source, ...place };
        }
    return undefined;
  };
}

/** Characters that a copy may leave out. */
const LEFT_OUT = /[*`\u00AD\u200B-\u200F\u2060-\u2064\uFEFF]/;
/** Programs colour their output; a copy has no colours. */
const ESCAPE = "\u001B";
const COLOUR = new RegExp(`${ESCAPE}\\[[0-9;]{0,40}[A-Za-z]`, "y");
const FORMS: Readonly<Record<string, string>> = { "“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "…": "..." };
const TRIES = 100;

export const withoutColours = (text: string) => text.replace(new RegExp(COLOUR, "g"), "");

interface Folded {
  readonly text: string;
  /** For each character, where it is in the original. */
  readonly at: readonly number[];
}

function foldText(given: string): Folded {
  const folded: string[] = [];
  const at: number[] = [];
  for (let index = 0; index < given.length; index++) {
    const character = given[index] as string;
    if (LEFT_OUT.test(character)) continue;
    COLOUR.lastIndex = index;
    if (character === ESCAPE && COLOUR.test(given)) {
      index = COLOUR.lastIndex - 1;
      continue;
    }
    const isBlank = /\s/.test(character);
    if (isBlank && (folded.length === 0 || folded.at(-1) === " ")) continue;
    for (const one of isBlank ? " " : (FORMS[character] ?? character)) {
      folded.push(one);
      at.push(index);
    }
  }
  return { text: folded.join(""), at };
}

/** The place of a quote in a text; the last one if there are several. A word that is cut at its end counts whole. */
function findQuote(quote: string, { text, at }: Folded): { readonly start: number; readonly end: number } | undefined {
  const wanted = foldText(quote)
    .text.replace(/\.\.\.\s?$/, "")
    .trimEnd();
  if (wanted === "") return undefined;
  let from = text.length;
  for (let tries = 0; tries < TRIES && from > 0; tries++) {
    from = text.lastIndexOf(wanted, from - 1);
    if (from < 0) return undefined;
    if (isInWord(text, from)) continue;
    let last = from + wanted.length - 1;
    while (isInWord(text, last + 1)) last++;
    return { start: at[from] as number, end: (at[last] as number) + 1 };
  }
  return undefined;
}

/** In texts without it, a quote need not be looked for. */
const longestWord = (text: string) =>
  (text.match(/[\p{L}\p{N}]+/gu) ?? []).reduce((longest, word) => (word.length > longest.length ? word : longest), "");

const LETTER = /[\p{L}\p{N}_]/u;
/** Is the position between two letters of a word? */
const isInWord = (text: string, position: number) => LETTER.test(text[position - 1] ?? "") && LETTER.test(text[position] ?? "");

// The texts of tools, which a model may quote: what the agent wrote into a call, what came back, and what the host wrote.

interface ToolText extends Pick<Evidence, "tool" | "input"> {
  /** The message. */
  readonly id: string;
  readonly by: "tool";
  readonly text: string;
  /** The agent wrote it into a call that the user refused or stopped, or that never started. */
  readonly unrun: boolean;
  /** A part of the text, secrets masked. A mask is as long as its secret. */
  readonly masked: (start: number, end: number) => string;
}

type Mask = (text: string) => string;

const textsOfTools = (message: Message, rules: RuleSet, mask: Mask): readonly ToolText[] => [
  ...textsOfCalls(message, rules, mask),
  ...textOfHost(message, mask),
];

/** Hosts write in the user's name, too: outputs of their commands, texts of hooks, reminders, summaries. */
function textOfHost(message: Message, mask: Mask): readonly ToolText[] {
  const { id, role, text } = message;
  const isWritten = role === "tool" || !isSpokenMessage(message) || (role === "user" && withoutHost(text) !== text);
  if (!isWritten) return [];
  const masked = (start: number, end: number) => maskedPart({ text }, "text", start, end, mask);
  return [{ id, by: "tool", text, unrun: false, masked }];
}

function textsOfCalls({ id, toolCalls }: Message, rules: RuleSet, mask: Mask): readonly ToolText[] {
  return toolCalls.flatMap((call, tool) => {
    const { input, output } = call;
    const isUnrun = wasUnrun(call, rules);
    /** @param keys where it is in the input */
    const textsIn = (parent: object, keys?: readonly string[]): readonly ToolText[] =>
      Object.entries(parent).flatMap(([key, text]: [string, unknown]): readonly ToolText[] => {
        const path = keys && [...keys, key];
        if (typeof text === "object" && text !== null) return textsIn(text, path);
        if (typeof text !== "string") return [];
        const masked = (start: number, end: number) => maskedPart(parent, key, start, end, mask);
        const place = { id, by: "tool" as const, tool, ...(path && { input: path.join(".") }) };
        return [{ ...place, text, unrun: isUnrun && path !== undefined, masked }];
      });
    const written = typeof input === "string" ? { "": input } : isDeep(input) ? {} : input;
    return [...textsIn({ output }), ...textsIn(written ?? {}, [])];
  });
}

/** Characters around a part, and of the texts beside it, that may show that something in it is a secret. */
const NEAR_CHARACTERS = 4_000;
const BESIDE_CHARACTERS = 200;

/** Masking a long text takes long, so only what is near is masked, together with the texts beside it. */
function maskedPart(parent: object, own: string, start: number, end: number, mask: Mask): string {
  const from = Math.max(0, start - NEAR_CHARACTERS);
  const beside = Object.entries(parent).map(([key, value]) => {
    const ends = key === own ? [from, end + NEAR_CHARACTERS] : [0, BESIDE_CHARACTERS];
    return [key, String(value).slice(...ends)] as const;
  });
  const near = Array.isArray(parent) ? beside.map(([, value]) => value) : Object.fromEntries(beside);
  const masked = Object.values(redactValue(near, mask) as Record<string, string>);
  return masked[Object.keys(parent).indexOf(own)]?.slice(start - from, end - from) ?? "";
}
