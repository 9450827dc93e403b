// Is the opposite of a word said in its stead?
import type { Same } from "./audit-against.js";
import { type Indexed, marksAround, type Prepared } from "./audit-index.js";
import type { Lexicon } from "./audit-lexicon.js";
import type { Overlap, Profile } from "./audit-overlap.js";
import type { Marked, Term } from "./audit-text.js";

/** A word of the fact, however small, in whose stead its opposite is said. */
export function opposed(
  fact: Profile,
  summary: Indexed,
  { from, to, missing }: Pick<Overlap, "from" | "to" | "missing">,
  lexicon: Lexicon,
  same: Same,
) {
  // Words that tell an order were compared by what they order.
  const isOrdering = (weight: string) => same.order && weight === "filler";
  // A word of "ruled out" is no word by itself.
  const bound = boundWords(fact.prepared.marks);
  const paired = fact.prepared.terms.filter(
    ({ key, weight }, at) => lexicon.opposites(key).length > 0 && !isOrdering(weight) && !bound.has(at),
  );
  if (paired.length === 0) return undefined;
  const clauses = new Set([summary.terms[from]?.clause, summary.terms[to - 1]?.clause]);
  let [low, high] = [from, to];
  while (clauses.has(summary.terms[low - 1]?.clause)) low--;
  while (high < summary.terms.length && clauses.has(summary.terms[high]?.clause)) high++;
  const held = boundWords(marksAround(summary, from, to));
  const there = new Set(summary.terms.slice(low, high).flatMap(({ key }, index) => (held.has(low + index) ? [] : [key])));
  const own = new Set(fact.prepared.terms.map(({ key }) => key));
  const isOpposed = (key: string) => lexicon.opposites(key).some((other) => there.has(other) && !own.has(other));
  const joined =
    missing.length === 0 && isDeniedJoining(fact.prepared, 0, fact.prepared.terms.length) && isDeniedJoining(summary, low, high);
  const opposite = paired.find((term) => !there.has(term.key) && isOpposed(term.key) && !(joined && isJoining(term, fact)));
  return opposite && `the opposite of "${opposite.folded}" is said`;
}

/** Words inside a run of several that does something as a whole. */
function boundWords(marks: readonly Marked[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const { from, to, mark } of marks)
    if (to - from > 1 && mark !== "filler") for (let at = from; at < to; at++) found.add(at);
  return found;
}

const isJoining = ({ start }: Term, { prepared: { marks, terms } }: Profile) =>
  marks.some(({ mark, from }) => mark === "coordinator" && terms[from]?.start === start);

/** Where both are denied, "neither the one nor the other" is told by "and" as well as by "or". */
function isDeniedJoining({ marks, signs }: Prepared, low: number, high: number): boolean {
  const joins = marks.filter(({ mark, from }) => mark === "coordinator" && from >= low && from < high);
  return joins.length > 0 && joins.every(({ from }) => signs.sure[from] || signs.open[from]);
}
