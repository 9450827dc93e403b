// Checks whether and where a text meets a condition of a pack: its selector, its phrases, patterns and guards.
import { SEGMENT_MATCHES } from "../../limits.js";
import type { NodeType, Segment, Source } from "../../model.js";
import type { Condition, Holding, Selector } from "../../rules/condition.js";
import { literalsIn, mayMatch, type PatternMatch } from "../../rules/pattern/pattern.js";
import { firstPhrase, type Match, matchPhrase } from "../../rules/phrase/match-phrase.js";
import { mayHold, type Phrase } from "../../rules/phrase/phrase.js";
import { remember, rememberFor } from "../../text/remember.js";
import { toWords } from "../../text/words.js";
import type { Subject } from "../segments/subject.js";

export type Tested =
  | { readonly is: "match"; readonly match: Match }
  | { readonly is: "guarded"; readonly by: string }
  | { readonly is: "no-match" };

/** All matches of the patterns in a text, not only the first. */
export const allMatches = ({ regex }: Condition, { segment }: Subject): readonly Match[] =>
  regex.flatMap((pattern) => {
    const found: Match[] = [];
    for (const match of pattern.matches(segment.text)) if (found.push(fromPattern(match)) >= SEGMENT_MATCHES) break;
    return found;
  });

/** The first phrase that matches decides, even if a guard then prevents it. Without phrases and patterns, all text matches.
 * @param tried those of its phrases that may match, in their order */
export function testCondition(condition: Condition, subject: Subject, tried?: readonly Phrase[]): Tested {
  const match = firstMatch(condition, subject, tried);
  if (!match) return NO_MATCH;
  const guard = condition.unless.find((phrase) => guards(phrase, subject, match));
  return guard ? { is: "guarded", by: guard.source } : { is: "match", match };
}

const NO_MATCH: Tested = { is: "no-match" };

export function occurs(condition: Condition, subject: Subject): boolean {
  const { match, regex, unless } = condition;
  if (match.length > 0 || unless.length > 0) return testCondition(condition, subject).is === "match";
  return regex.length === 0 || regex.some((pattern) => pattern.occurs(subject.segment.text));
}

function firstMatch({ match: phrases, regex }: Condition, subject: Subject, tried?: readonly Phrase[]): Match | undefined {
  const { words, segment } = subject;
  if (phrases.length === 0 && regex.length === 0) return { start: 0, end: segment.text.length, slots: [] };
  const found = firstPhrase(tried ?? phrases, words);
  if (found || regex.length === 0) return found;
  const has = literalsIn(segment.text.toLowerCase());
  for (const pattern of regex) {
    if (!mayMatch(pattern, segment.text, has)) continue;
    for (const one of pattern.matches(segment.text)) return fromPattern(one);
  }
  return undefined;
}

/** A guard is ignored when it starts inside a captured slot: that is the fact itself, not what is said about it. */
function guards(phrase: Phrase, subject: Subject, match: Match): boolean {
  const { words } = subject;
  if (phrase.anchors.length === 0 || !mayHold(phrase, words)) return false;
  for (let from = 0; ; ) {
    const found = matchPhrase(phrase, words, from);
    if (!found) return false;
    const at = words.start[found.from] ?? 0;
    if (!match.slots.some((slot) => isFact(slot, match) && at >= slot.start && at < slot.end)) return true;
    from = found.from + 1;
  }
}

/** Words that the phrase itself names are not free text, and neither is what `...` skips before them. */
const isFact = ({ type, start }: Match["slots"][number], match: Match): boolean =>
  type === "gap" ? start > match.start : type !== "capture";

function fromPattern(found: PatternMatch): Match {
  const slots = Object.entries(found.groups).map(([name, span]) => ({ name, type: "pattern", ...span }));
  return { start: found.start, end: found.end, slots };
}

// Where a rule, a signal or cues apply: what a selector requires of a text and its message.

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
