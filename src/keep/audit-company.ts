// With what each name and word stands together: have two of them changed places?
import { isAnchor, leadsOf, sitesOf, type Telling, tellingOf } from "./audit-anchors.js";
import { type Indexed, marksAround, type Prepared } from "./audit-index.js";
import type { Overlap, Profile, Wanted } from "./audit-overlap.js";
import type { Term } from "./audit-text.js";

/** Two names have each other's company. */
export const areSwapped = (fact: Profile, summary: Indexed, match: Overlap): boolean =>
  exchangedCompany(fact, summary, tellingOf(fact, summary, match), true) !== undefined;

/** Names of one sort keep their order, or what stands with them; no two words have each other's company. */
export function exchangedCompany(
  fact: Profile,
  summary: Indexed,
  { places, low, high }: Telling,
  named = false,
  areApart: (one: number, other: number) => boolean = () => false,
): string | undefined {
  const own = fact.prepared;
  const found = [...places].flatMap(([key, [at, more]]) => {
    const wanted = fact.content.get(key) as Wanted;
    return at === undefined || more !== undefined || wanted.count > 1 ? [] : [{ key, at, own: wanted.at, term: wanted.term }];
  });
  type One = (typeof found)[number];
  const companions = (parts: Uint32Array, which: "at" | "own") => {
    const byPart = new Map<number, string[]>();
    for (const one of found) append(byPart, parts[one[which]] as number, one.key);
    return (one: One) => (byPart.get(parts[one[which]] as number) ?? []).filter((key) => key !== one.key);
  };
  const [meant, told] = [companions(own.parts, "own"), companions(summary.parts, "at")];
  const gain = (one: One, other: One) => meets(meant(one), told(one)) - meets(meant(one), told(other));
  const [leads, others] = [leadsOf(own.marks), leadsOf(marksAround(summary, low, high))];
  const here = (one: Site) => sitesOf(own.terms, leads, one.own);
  const there = (one: Site) => sitesOf(summary.terms, others, one.at);
  for (const [index, one] of found.entries())
    for (const other of found.slice(index + 1)) {
      const [mine, yours] = [gain(one, other), gain(other, one)];
      const both = `"${one.term.folded}" and "${other.term.folded}" have changed places`;
      const together = own.parts[one.own] === own.parts[other.own] && summary.parts[one.at] === summary.parts[other.at];
      const areNames = [one, other].every(({ term }) => isAnchor(term) && term.sort !== "number");
      if (sortOf(own, one.own) !== sortOf(own, other.own) && !(together && areNames && !named)) continue;
      if (mine < 0 && yours < 0 && (!named || isAnchor(one.term))) return both;
      const quoted = [one, other].every(({ at }) => isAnchor(summary.terms[at] as Term));
      if (named || !(isAnchor(one.term) || quoted)) continue;
      const before = (own.ranks[one.own] as number) < (own.ranks[other.own] as number);
      // What the one text turns down and stands by, the other was found to turn down and stand by too.
      if (areApart(one.own, other.own) || keepSites(here, there, one, other)) continue;
      if (before === (summary.ranks[one.at] as number) < (summary.ranks[other.at] as number)) continue;
      if (own.parts[one.own] === own.parts[other.own] || mine <= 0 || yours <= 0) return both;
    }
  return undefined;
}

interface Site {
  readonly own: number;
  readonly at: number;
}

/** "8 s of the 9 s": what stands behind "of" in both is the same. */
function keepSites(
  here: (one: Site) => readonly string[],
  there: (one: Site) => readonly string[],
  one: Site,
  other: Site,
): boolean {
  const [mine, yours] = [here(one), here(other)];
  const [first, second] = [mine.filter((site) => !yours.includes(site)), yours.filter((site) => !mine.includes(site))];
  const kept = meets(first, there(one)) + meets(second, there(other));
  return kept > 0 && meets(first, there(other)) + meets(second, there(one)) === 0;
}

const meets = (one: readonly string[], other: readonly string[]) => one.filter((key) => other.includes(key)).length;

function append(map: Map<number, string[]>, key: number, value: string): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

const SHAPES: readonly (readonly [string, RegExp])[] = [
  ["option", /^-/],
  ["path", /\//],
  ["file", /\.\p{L}/u],
  ["snake", /_/],
  ["acronym", /^\p{Lu}+$/u],
  ["camel", /\p{Ll}\p{Lu}/u],
  ["proper", /^\p{Lu}\p{Ll}+$/u],
];

/** Numbers of one unit, names of one shape, plain words: what could stand in each other's place. */
function sortOf({ terms, text }: Prepared, at: number): string {
  const term = terms[at] as Term;
  if (term.sort === "number") return `number ${terms[at + 1]?.weight === "content" ? terms[at + 1]?.key : ""}`;
  if (!isAnchor(term)) return "word";
  const said = text.slice(term.start, term.end);
  return SHAPES.find(([, shape]) => shape.test(said))?.[0] ?? "name";
}
