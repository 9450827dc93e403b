// Collects from each text of a session: items, statements to weigh, and later words that may end earlier facts.
import type { Item, Kind, Segment } from "../model.js";
import { OPTIONS_PREFIX } from "../rules/compile/signals.js";
import { type AskedSignal, PASTED, QUOTED } from "../rules/condition.js";
import type { RuleSet, Update } from "../rules/rule-set.js";
import { findItems } from "./match/find-items.js";
import type { Matcher } from "./match/matcher.js";
import type { Subject } from "./match/subject.js";
import type { Tracer } from "./match/to-item.js";
import type { Weighed } from "./signals/salience.js";
import type { UpdatingText } from "./supersede/settle-items.js";

export interface CollectedTexts {
  readonly items: readonly Item[];
  readonly weighed: readonly Weighed[];
  /** What the user said, without pasted text, and states that the assistant told. */
  readonly statements: readonly Subject[];
  readonly updating: readonly UpdatingText[];
  readonly take: (subject: Subject) => void;
  /** Restores the order of the session after texts were read in another one. */
  readonly sort: () => void;
}

interface CollectOptions {
  /** false: nothing is collected in `weighed`. */
  readonly statements?: boolean;
  readonly trace?: Tracer;
}

const HAS_STATE: AskedSignal = "has-state";

/** A heading may be the option that the user picked. */
const isPick = ({ evidence }: Item) => evidence.rule.startsWith(OPTIONS_PREFIX);

/** Headings and links are not statements. */
export const isStatement = ({ node }: Segment): boolean => node !== "heading" && node !== "link";

export function collectTexts(rules: RuleSet, matcher: Matcher, options: CollectOptions): CollectedTexts {
  const items: Item[] = [];
  const weighed: Weighed[] = [];
  const statements: Subject[] = [];
  const updating: UpdatingText[] = [];
  const own = new Set(rules.rules.flatMap(({ id, own: isOwn }) => (isOwn ? [id] : [])));

  function take(subject: Subject): void {
    const found = findItems(subject, rules, matcher, options.trace);
    items.push(...found);
    if (!isStatement(subject.segment) && !found.some(isPick)) return;
    const { role } = subject.source;
    // Pasted and quoted text ends no facts and does not count as said by the user.
    const isPasted = role === "user" && [PASTED, QUOTED].some((name) => matcher.holds(subject, name));
    const isMet = ({ signal, found: needed, ends }: Update) =>
      matcher.holds(subject, signal) && (!needed || found.some(({ kind }) => ends.has(kind)));
    const updates = isPasted ? [] : rules.updates.filter(isMet);
    if (updates.length > 0) updating.push({ subject, updates });
    if (role === "user" ? !isPasted : matcher.holds(subject, HAS_STATE)) statements.push(subject);
    if (options.statements !== false)
      weighed.push({ subject, kinds: kindsOf(found), isOwn: found.some(({ evidence }) => own.has(evidence.rule)) });
  }

  function sort(): void {
    const byPlace = (a: Subject, b: Subject) => a.source.ordinal - b.source.ordinal;
    weighed.sort((a, b) => byPlace(a.subject, b.subject));
    statements.sort(byPlace);
    updating.sort((a, b) => byPlace(a.subject, b.subject));
  }

  return { items, weighed, statements, updating, take, sort };
}

const NO_KINDS: readonly Kind[] = [];
const kindsOf = (items: readonly Item[]): readonly Kind[] =>
  items.length === 0 ? NO_KINDS : [...new Set(items.map(({ kind }) => kind))];
