// Where a rule, a signal or cues apply: what a selector asks of a text and of the message it stands in.
import type { NodeType, Segment, Source } from "../model.js";
import type { Phrase } from "../rules/phrase.js";
import { matchPhrase } from "../rules/phrase-match.js";
import { remember } from "../rules/remember.js";
import type { Holding, Selector } from "../rules/rule-set.js";
import { toWords } from "../rules/words.js";
import type { Subject } from "./subject.js";

const hasRole = ({ role }: Selector, source: Source) => (role ? role.has(source.role as never) : source.role !== "system");

/** Quotations and links are somebody else's words, and headings and cells no sentences: rules must ask for them. */
export const TALK: ReadonlySet<NodeType> = new Set(["sentence", "item", "task"]);

export function isFor(selector: Selector, source: Source, { node }: Segment): boolean {
  return hasRole(selector, source) && (selector.node ?? TALK).has(node);
}

/** The key of the selector that does not hold for the text and its message; undefined when all do. */
export function outside(selector: Selector, subject: Subject): keyof Selector | undefined {
  const { source, segment } = subject;
  if (!isFor(selector, source, segment)) return hasRole(selector, source) ? "node" : "role";
  for (const { key, holds } of checksOf(selector)) if (!holds(subject)) return key;
  return undefined;
}

export interface Check {
  readonly key: keyof Selector;
  readonly holds: (subject: Subject) => boolean;
  /** What it asks about: the message, the headings and the lead-in over several texts of it, or each text itself. */
  readonly of: "source" | "stretch" | "text";
}

const OF: Readonly<Partial<Record<keyof Selector, Check["of"]>>> = {
  place: "source",
  file: "source",
  message: "source",
  under: "stretch",
  lead: "stretch",
};

const checks = new WeakMap<Selector, readonly Check[]>();

/** Most selectors ask for one thing or two. */
export function checksOf(selector: Selector): readonly Check[] {
  const before = checks.get(selector);
  if (before) return before;
  const made = toChecks(selector);
  checks.set(selector, made);
  return made;
}

function toChecks({ mood, place, part, task, file, entry, leaf, message, words, has, under, lead }: Selector): readonly Check[] {
  const made: Check[] = [];
  const check = (key: keyof Selector, holds: Check["holds"]) => made.push({ key, holds, of: OF[key] ?? "text" });
  const within = (size: number, { min, max }: { readonly min: number; readonly max: number }) => size >= min && size <= max;
  if (mood) check("mood", ({ segment }) => mood.has(segment.question ? "question" : "statement"));
  const places = [...(place ?? [])];
  if (place) check("place", ({ source }) => places.some((one) => source.places.has(one)));
  if (part) check("part", ({ segment }) => segment.part !== undefined && part.has(segment.part));
  if (task) check("task", ({ segment }) => task.has(segment.task ?? "none"));
  if (file) check("file", ({ source }) => file.has(source.file ?? ""));
  if (entry) check("entry", ({ segment }) => (segment.entry ?? 0) === 0 && (entry !== "head" || segment.head === true));
  if (leaf) check("leaf", ({ segment }) => segment.leaf !== false);
  // Of an output, what others say is empty lines.
  const lengthOf = ({ tool, text }: Source) => (tool === undefined ? text : text.trim()).length;
  if (message) check("message", ({ source }) => within(lengthOf(source), message));
  if (words) check("words", ({ words: said }) => within(said.folded.length, words));
  const held = [...(has ?? [])];
  if (has) check("has", ({ segment, source }) => held.some((what) => HOLDINGS[what](segment.text, source.text, segment.start)));
  if (under) check("under", underOneOf(under));
  if (lead) check("lead", ({ segment }) => segment.lead !== undefined && says(lead, segment.lead));
  return made;
}

const HOLDINGS: Readonly<Record<Holding, (text: string, source: string, start: number) => boolean>> = {
  code: (text) => text.includes("`"),
  path: (text) => /[\w.-]\/[\w.-]|\w\.[a-z]{1,4}\b/i.test(text),
  number: (text) => (isAscii(text) ? /(?:^|[^A-Za-z0-9_.])[0-9]/ : /(?:^|[^\p{L}\p{N}_.])\p{N}/u).test(text),
  name: (text) =>
    (isAscii(text) ? /[a-z][A-Z]|[A-Za-z]_[A-Za-z]|[A-Za-z]\(\)/ : /\p{Ll}\p{Lu}|\p{L}_\p{L}|\p{L}\(\)/u).test(text),
  bold: (_, source, start) => source.startsWith("**", start) || source.startsWith("__", start),
  arrow: (text) => /→|->|=>/.test(text),
  bare: (text) => /^(?:`[^`]*`|[^\s`]+)[.:,]?$/.test(text),
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII.
const isAscii = (text: string) => /^[\x00-\x7f]*$/.test(text);

/** All texts below a heading share their list of headings. */
function underOneOf(phrases: readonly Phrase[]): Check["holds"] {
  const known = new WeakMap<readonly string[], boolean>();
  return ({ segment: { headings } }) => {
    if (headings.length === 0) return false;
    let answer = known.get(headings);
    if (answer === undefined) {
      answer = headings.some((heading) => saysHeading(phrases, heading));
      known.set(headings, answer);
    }
    return answer;
  };
}

/** Numbers and ornaments before a heading are not part of what it says. */
const saysHeading = (phrases: readonly Phrase[], heading: string) =>
  says(phrases, heading) || says(phrases, heading.replace(/^(?:[^\p{L}\p{N}]+|\d+(?:\.\d+)*[.):]?\s+)+/u, ""));

const remembered = new WeakMap<readonly Phrase[], (text: string) => boolean>();
const wordsOf = remember(toWords);

/** Headings and leads repeat for every item below them. */
export function says(phrases: readonly Phrase[], text: string): boolean {
  let answer = remembered.get(phrases);
  if (!answer) {
    answer = remember((said) => {
      const words = wordsOf(said);
      return phrases.some((phrase) => matchPhrase(phrase, words) !== undefined);
    });
    remembered.set(phrases, answer);
  }
  return answer(text);
}
