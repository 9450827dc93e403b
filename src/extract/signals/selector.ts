// Checks where a rule, a signal or cues apply: what a selector requires of a text and its message.
import type { NodeType, Segment, Source } from "../../model.js";
import type { Holding, Selector } from "../../rules/condition.js";
import { firstPhrase } from "../../rules/phrase/first-phrase.js";
import type { Phrase } from "../../rules/phrase/phrase.js";
import { remember, rememberFor } from "../../text/remember.js";
import { toWords } from "../../text/words.js";
import type { Subject } from "../segments/subject.js";

const hasRole = ({ role }: Selector, source: Source) => (role ? role.has(source.role as never) : source.role !== "system");

/** Quotations and links are somebody else's words; headings and cells are not sentences. Rules must ask for them. */
export const TALK: ReadonlySet<NodeType> = new Set(["sentence", "item", "task"]);

export const isFor = (selector: Selector, source: Source, { node }: Segment): boolean =>
  hasRole(selector, source) && (selector.node ?? TALK).has(node);

/** Does a selector depend on surrounding texts? */
export const asksAround = ({ opening, after, reply }: Selector) =>
  opening !== undefined || after !== undefined || reply !== undefined;

/** The key of the selector that the text or its message does not meet; undefined if they meet all. */
export function outside(selector: Selector, subject: Subject): keyof Selector | undefined {
  const { source, segment } = subject;
  if (!isFor(selector, source, segment)) return hasRole(selector, source) ? "node" : "role";
  for (const { key, holds } of checksOf(selector)) if (!holds(subject)) return key;
  return undefined;
}

export interface Check {
  readonly key: keyof Selector;
  readonly holds: (subject: Subject) => boolean;
  /** It is the same for all texts of a message. */
  readonly ofMessage: boolean;
}

/** Built once for a selector: most need only one or two checks. */
export const checksOf = rememberFor(toChecks);

const OF_MESSAGE: ReadonlySet<keyof Selector> = new Set(["place", "file", "message"]);

function toChecks({ mood, place, part, task, file, entry, leaf, message, words, has, under, lead }: Selector): readonly Check[] {
  const made: Check[] = [];
  const check = (key: keyof Selector, holds: Check["holds"]) => made.push({ key, holds, ofMessage: OF_MESSAGE.has(key) });
  const within = (size: number, { min, max }: { readonly min: number; readonly max: number }) => size >= min && size <= max;
  if (mood) check("mood", ({ segment }) => mood.has(segment.question ? "question" : "statement"));
  const places = [...(place ?? [])];
  if (place) check("place", ({ source }) => places.some((one) => source.places.has(one)));
  if (part) check("part", ({ segment }) => segment.part !== undefined && part.has(segment.part));
  if (task) check("task", ({ segment }) => task.has(segment.task ?? "none"));
  if (file) check("file", ({ source }) => file.has(source.file ?? ""));
  if (entry) check("entry", ({ segment }) => (segment.entry ?? 0) === 0 && (entry !== "head" || segment.head === true));
  if (leaf) check("leaf", ({ segment }) => segment.leaf !== false);
  if (message) check("message", ({ source }) => within(lengthOf(source), message));
  if (words) check("words", ({ words: said }) => within(said.folded.length, words));
  const held = [...(has ?? [])];
  if (has) check("has", ({ segment, source }) => held.some((what) => HOLDINGS[what](segment.text, source.text, segment.start)));
  if (under) check("under", underOneOf(under));
  if (lead) check("lead", ({ segment }) => segment.lead !== undefined && says(lead, segment.lead));
  return made;
}

/** The length of a message. In a tool output, the words of others are empty lines. */
export const lengthOf = ({ tool, text }: Source): number => (tool === undefined ? text : text.trim()).length;

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

/** Cached, because all texts below a heading share their list of headings. */
function underOneOf(phrases: readonly Phrase[]): Check["holds"] {
  const answer = rememberFor((headings: readonly string[]) => headings.some((heading) => saysHeading(phrases, heading)));
  return ({ segment: { headings } }) => headings.length > 0 && answer(headings);
}

/** Ignores numbers and ornaments before a heading. */
const saysHeading = (phrases: readonly Phrase[], heading: string) =>
  says(phrases, heading) || says(phrases, heading.replace(/^(?:[^\p{L}\p{N}]+|\d+(?:\.\d+)*[.):]?\s+)+/u, ""));

const wordsOf = remember(toWords);

/** Cached, because headings and lead-ins repeat for every item below them. */
const sayersOf = rememberFor((phrases: readonly Phrase[]) =>
  remember((text) => firstPhrase(phrases, wordsOf(text)) !== undefined),
);

export const says = (phrases: readonly Phrase[], text: string): boolean => sayersOf(phrases)(text);
