// What each denial of a text denies, so that two texts can be compared denial by denial: a "no" elsewhere is another one.
import { isAnchor, type Telling } from "./audit-anchors.js";
import { clauseAround, endOfClause, endOfRun, hasContent, startOfClause } from "./audit-clauses.js";
import { type Indexed, markedAround, type Prepared } from "./audit-index.js";
import type { Found, Lexicon } from "./audit-lexicon.js";
import type { Profile } from "./audit-overlap.js";
import { leftBehind, originsOf } from "./audit-stance.js";
import type { Marked, Stretch, Term } from "./audit-text.js";

const DENYING: ReadonlySet<Found> = new Set<Found>(["negation", "denial", "exchange"]);
/** What they say is turned round by a denial: "not missing". */
const TURNING: ReadonlySet<Found> = new Set<Found>(["withdrawal", "failure", "denial", "exception", "pending"]);

interface Denied {
  /** What is denied first. */
  readonly core: ReadonlySet<string>;
  /** What the denial may be told of: the words of its clause. */
  readonly wide: ReadonlySet<string>;
  /** Another denial stands inside it: "not chosen over". */
  readonly nested: boolean;
  /** It may be no denial: "from 3 to 5". */
  readonly loose?: true;
}

/** Why the denials of two texts do not deny the same things; undefined when each has its like. */
export function sameDenials(
  fact: Profile,
  summary: Indexed,
  { low, high, places }: Telling,
  lexicon: Lexicon,
): string | undefined {
  const own = fact.prepared;
  const here = deniedIn(own, { from: 0, to: own.terms.length }, places, lexicon);
  const there = deniedIn(markedAround(summary, low, high), { from: low, to: high }, fact.content, lexicon);
  if (here.some(({ nested }) => nested) !== there.some(({ nested }) => nested)) return "denied twice in one of the two";
  const lost = unmatched(here, there);
  if (lost) return `not denied: ${[...lost.core].join(", ")}`;
  const added = unmatched(there, here);
  return added && `denied: ${[...added.core].join(", ")}`;
}

const isAnchorOf = ({ content }: Profile, key: string) => {
  const wanted = content.get(key);
  return wanted !== undefined && isAnchor(wanted.term);
};

/** The fact denies nothing, and the summary something of it; or the summary denies a denial. */
export function isDeniedAnew(fact: Profile, summary: Indexed, { low, high, places }: Telling, lexicon: Lexicon): boolean {
  const own = fact.prepared;
  const here = deniedIn(own, { from: 0, to: own.terms.length }, places, lexicon);
  const there = deniedIn(markedAround(summary, low, high), { from: low, to: high }, fact.content, lexicon);
  if (there.some(({ nested }) => nested) && !here.some(({ nested }) => nested)) return true;
  const isNamed = ({ core }: Denied) => [...core].some((key) => isAnchorOf(fact, key));
  if (here.some((one) => !one.loose && isNamed(one) && !there.some((other) => meets(one.core, other.wide)))) return true;
  if (here.some(({ loose }) => !loose)) return false;
  return there.some(({ core, loose }) => !loose && [...core].some((key) => fact.content.has(key)));
}

const meets = (one: ReadonlySet<string>, other: ReadonlySet<string>) => [...one].some((key) => other.has(key));
const isLike = (one: Denied, other: Denied) => meets(one.core, other.wide) && meets(one.wide, other.core);

/** A denial without its like. Of two that have the same one, the second must deny no more than the others deny: "no A and no B" is "neither A nor B". */
function unmatched(some: readonly Denied[], others: readonly Denied[]): Denied | undefined {
  const taken = new Set<Denied>();
  const all = new Set(others.flatMap(({ core }) => [...core]));
  return some.find((one) => {
    if (one.loose) return false;
    const like = others.filter((other) => isLike(one, other));
    const free = like.find((other) => !taken.has(other));
    if (free) taken.add(free);
    return like.length === 0 || (!free && ![...one.core].every((key) => all.has(key)));
  });
}

function deniedIn(
  text: Prepared,
  { from: low, to: high }: Stretch,
  shared: { has(key: string): boolean },
  lexicon: Lexicon,
): readonly Denied[] {
  const { terms, marks } = text;
  const found: Denied[] = [];
  const keysOf = (some: readonly Term[]) => new Set(some.flatMap(({ key, weight }) => (weight === "filler" ? [] : [key])));
  const told = new Set<number>();
  for (const mark of marks) {
    if (!DENYING.has(mark.mark) || mark.from < low || mark.from >= high) continue;
    told.add(mark.from);
    const first = mark.mark === "exchange" ? exchangedBy(text, mark) : deniedBy(text, mark);
    const core = keysOf(terms.slice(first.from, first.to));
    const { low: start, high: end } = clauseAround(terms, mark);
    const whole = keysOf(terms.slice(start, end));
    const turned = marks.some(
      ({ mark: kind, from }) => TURNING.has(kind) && from !== mark.from && from >= first.from && from < first.to,
    );
    // "Rather than" and its like deny the next words and no others.
    const bound = turned || mark.mark === "exchange" || isRelated(text, mark);
    // "The broker is not to blame": where other words say what is denied, it is what they say it of.
    const isOther = ![...core].some((key) => shared.has(key));
    const nested = marks.some((one) => isInside(one, { from: mark.to, to: first.to }, text));
    found.push(
      bound ? { core, wide: core, nested } : { core: isOther ? whole : core, wide: new Set([...whole, ...core]), nested },
    );
  }
  for (let at = low; at < high; at++) {
    if (!lexicon.isParting((terms[at] as Term).key) || told.has(at)) continue;
    const clause = clauseAround(terms, { mark: "withdrawal", key: "", from: at, to: at + 1 });
    const core = keysOf(terms.slice(clause.low, clause.high));
    found.push({ core, wide: core, nested: false });
  }
  const left = keysOf(leftBehind(text, low, high, lexicon).map((at) => terms[at] as Term));
  if (left.size > 0) found.push({ core: left, wide: left, nested: false });
  const begun = keysOf(originsOf(text, low, high, lexicon).map((at) => terms[at] as Term));
  if (begun.size > 0 && left.size === 0) found.push({ core: begun, wide: begun, nested: false, loose: true });
  return found;
}

/** "Neither A nor B" denies both once. */
function isInside({ mark, from }: Marked, stretch: Stretch, { marks }: Prepared): boolean {
  if ((mark !== "negation" && mark !== "denial") || from < stretch.from || from >= stretch.to) return false;
  return !marks.some((one) => one.mark === "coordinator" && (one.from === from || one.to === from));
}

/** "Replace A with B", "A is replaced by B". */
function exchangedBy(text: Prepared, mark: Marked): Stretch {
  const { low, high } = clauseAround(text.terms, mark);
  let end = mark.to;
  while (end < high && !relationsOf(text).has(end)) end++;
  return hasContent(text.terms, mark.to, end) ? { from: mark.to, to: end } : { from: low, to: mark.from };
}

const relationsOf = ({ marks }: Prepared) => new Set(marks.flatMap(({ mark, from }) => (mark === "relation" ? [from] : [])));
const isRelated = ({ marks }: Prepared, { from }: Marked) => marks.some((one) => one.mark === "relation" && one.from === from);

/** The words that a denial is about first: not where, when or with what. */
function deniedBy(text: Prepared, mark: Marked): Stretch {
  const { terms, placed } = text;
  const { low, high } = clauseAround(terms, mark);
  if (mark.mark === "denial" && !mark.forbids) {
    if (hasContent(terms, low, mark.from) || hasContent(terms, mark.to, high)) return { from: low, to: high };
    const before = startOfClause(terms, low);
    return before < low ? { from: before, to: low } : { from: high, to: endOfClause(terms, high) };
  }
  const relations = relationsOf(text);
  if (relations.has(mark.from)) return { from: mark.to, to: endOfRun(terms, mark.to, high) };
  let end = mark.to;
  for (let content = false; end < high && !(content && (placed.has(end) || relations.has(end))); end++)
    content ||= (terms[end] as Term).weight === "content";
  if (hasContent(terms, mark.to, end)) return { from: mark.to, to: end };
  return hasContent(terms, low, mark.from) ? { from: low, to: high } : { from: high, to: endOfClause(terms, high) };
}
