// Which names a text stands by, and which it turns down.
import { isAnchor, type Telling } from "./audit-anchors.js";
import { endOfClause, endOfRun, hasContent } from "./audit-clauses.js";
import { exchangedCompany } from "./audit-company.js";
import { type Indexed, markedAround, marksAround, type Prepared } from "./audit-index.js";
import type { Found, Lexicon } from "./audit-lexicon.js";
import type { Overlap, Profile, Wanted } from "./audit-overlap.js";
import type { Marked, Term } from "./audit-text.js";

const DENYING: ReadonlySet<Found> = new Set<Found>(["negation", "denial"]);

type Stance = "in" | "out" | "open";

interface Stances {
  /** Denied, exchanged for others or taken back. */
  readonly out: ReadonlySet<number>;
  /** Neither surely. */
  readonly open: ReadonlySet<number>;
}

/** Behind what a negation denies first, it may deny the rest or not: "not read A with B". */
function stancesOf(
  { signs, terms, marks, placed }: Prepared,
  low: number,
  high: number,
  partings: readonly number[],
  left: readonly number[],
  origins: readonly number[],
): Stances {
  const [out, open] = [new Set(left), new Set<number>()];
  for (let at = low; at < high; at++)
    if (signs.sure[at]) out.add(at);
    else if (signs.open[at]) open.add(at);
  const relations = new Set(marks.flatMap(({ mark, from }) => (mark === "relation" ? [from] : [])));
  for (const { mark, from, to } of marks) {
    if (mark !== "negation" || from < low || from >= high) continue;
    let content = false;
    for (let [at, first] = [to, true]; terms[at]?.clause === terms[from]?.clause; at++) {
      if (content && (placed.has(at) || relations.has(at))) first = false;
      content ||= terms[at]?.weight === "content";
      if (!first && out.delete(at)) open.add(at);
    }
  }
  for (const from of partings) {
    let start = from;
    while (terms[start - 1]?.clause === terms[from]?.clause) start--;
    const [first, last] = hasContent(terms, start, from)
      ? [start, from]
      : [from + 1, endOfRun(terms, from + 1, endOfClause(terms, from))];
    for (let at = first; at < last; at++) out.add(at);
  }
  for (const at of origins) if (!out.has(at)) open.add(at);
  return { out, open };
}

const stanceAt = ({ out, open }: Stances, at: number): Stance => (out.has(at) ? "out" : open.has(at) ? "open" : "in");

/** "Switched the build from A": places of what is left, behind the small word. */
export function leftBehind({ terms, marks }: Prepared, low: number, high: number, lexicon: Lexicon): readonly number[] {
  const found: number[] = [];
  for (const { mark, from, to } of marks) {
    if (mark !== "relation" || from < low || from >= high) continue;
    const { clause, folded } = terms[from] as Term;
    let verb = from - 1;
    while (terms[verb]?.clause === clause && !lexicon.isLeaving(terms[verb]?.key ?? "", folded)) verb--;
    if (terms[verb]?.clause !== clause) continue;
    for (let at = to; at < endOfRun(terms, to, endOfClause(terms, to)); at++) found.push(at);
  }
  return found;
}

/** "From 3 to 5": what it was is left, or only where something begins. */
export function originsOf({ terms, marks }: Prepared, low: number, high: number, lexicon: Lexicon): readonly number[] {
  const relations = new Set(marks.flatMap(({ mark, from }) => (mark === "relation" ? [from] : [])));
  const found: number[] = [];
  for (const { mark, from, to } of marks) {
    if (mark !== "relation" || from < low || from >= high || !lexicon.isOrigin(terms[from]?.folded ?? "")) continue;
    const end = endOfRun(terms, to, endOfClause(terms, to));
    if (relations.has(end)) for (let at = to; at < end; at++) if (isAnchor(terms[at] as Term)) found.push(at);
  }
  return found;
}

/** Where something is said to be out: "dropped", "taken out". */
function partingsOf(terms: readonly Term[], low: number, high: number, lexicon: Lexicon): readonly number[] {
  const found: number[] = [];
  for (let at = low; at < high; at++) if (lexicon.isParting((terms[at] as Term).key)) found.push(at);
  return found;
}

/** Why two texts do not stand by the same; undefined when they do. */
export function sameStances(
  fact: Profile,
  summary: Indexed,
  match: Overlap,
  telling: Telling,
  lexicon: Lexicon,
): string | undefined {
  const own = fact.prepared;
  const marks = marksAround(summary, match.from, match.to);
  const { low, high } = telling;
  const near = markedAround(summary, low, high);
  const here = partingsOf(own.terms, 0, own.terms.length, lexicon);
  const gone = partingsOf(summary.terms, low, high, lexicon);
  const keys = (terms: readonly Term[], places: readonly number[]) => new Set(places.map((at) => terms[at]?.key));
  const [parting, parted] = [keys(own.terms, here), keys(summary.terms, gone)];
  // What both call out says nothing about what else one of them denies.
  const denies = (list: readonly Marked[], one: ReadonlySet<unknown>, other: ReadonlySet<unknown>) =>
    [...one].some((key) => !other.has(key)) || list.some(({ mark }) => DENYING.has(mark));
  const [left, behind] = [leftBehind(own, 0, own.terms.length, lexicon), leftBehind(near, low, high, lexicon)];
  const isDenied = denies(marks, parted, parting) || behind.length > 0;
  const [origins, starts] = [originsOf(own, 0, own.terms.length, lexicon), originsOf(near, low, high, lexicon)];
  const denied = denies(own.marks, parting, parted) || left.length > 0;
  // "3, previously 1" denies no more than "from 1 to 3" does.
  if (denied !== isDenied && (denied ? starts : origins).length === 0) return "denied in one of the two";
  const before = stancesOf(own, 0, own.terms.length, here, left, origins);
  const after = stancesOf(near, low, high, gone, behind, starts);
  // "From 1 to 3" is not "1, up from 3".
  const begun = new Set(origins.map((at) => own.terms[at]?.key));
  const isTurned = ({ mark, from, to }: Marked) =>
    mark === "relation" &&
    lexicon.isOrigin(summary.terms[from]?.folded ?? "") &&
    fact.content.get(summary.terms[to]?.key ?? "")?.term.sort === "number" &&
    !begun.has(summary.terms[to]?.key);
  if (origins.length > 0 && marks.some(isTurned)) return "from another number";
  let [agreed, there] = [0, 0];
  for (const [key, places] of telling.places) {
    const wanted = fact.content.get(key) as Wanted;
    if (wanted.mixed || wanted.count > 1) continue;
    const meant = stanceAt(before, wanted.at);
    const told = places.map((at) => stanceAt(after, at));
    if (meant !== "in" && told.some((stance) => stance !== "in")) agreed++;
    if (told.includes(meant) || meant === "open" || told.includes("open")) continue;
    if (meant === "in") there++;
    if (isAnchor(wanted.term)) return `denied in one of the two: ${wanted.term.folded}`;
  }
  const isIn = (at: number, clause: number | undefined) => summary.terms[at]?.clause === clause;
  const idle = marks.some(({ mark, from }) => {
    if (!DENYING.has(mark)) return false;
    const { clause } = summary.terms[from] as Term;
    const held = [...telling.places].filter(([, places]) => places.some((at) => isIn(at, clause)));
    const stances = held.map(([key]) => stanceAt(before, (fact.content.get(key) as Wanted).at));
    return stances.includes("in") && !stances.includes("out");
  });
  if (idle) return "something else is denied";
  if (gone.some((at) => summary.signs.sure[at]) !== here.some((at) => own.signs.sure[at])) return "not taken back";
  if (there > 0 || (isDenied && agreed === 0)) return "another word is denied";
  const areApart = (one: number, other: number) => {
    const both = [stanceAt(before, one), stanceAt(before, other)];
    return both.includes("in") && both.includes("out");
  };
  return exchangedCompany(fact, summary, telling, false, areApart);
}
