// Who does what to whom: has what stands before a word changed places with what stands behind it?
import type { Indexed, Prepared } from "./audit-index.js";
import type { Overlap, Profile } from "./audit-overlap.js";
import type { Term } from "./audit-text.js";

interface Sides {
  readonly left: ReadonlySet<string>;
  readonly right: ReadonlySet<string>;
  /** The doer is named behind the verb. */
  readonly told: boolean;
}

export function sameRoles({ prepared, content, light }: Profile, summary: Indexed, { from, to }: Overlap): boolean {
  for (let at = from; at < to; at++) {
    const { key, weight } = summary.terms[at] as Term;
    if (weight === "filler") continue;
    const own = light.get(key) ?? content.get(key)?.at;
    if (own === undefined || (content.get(key)?.count ?? 1) > 1) continue;
    const [here, there] = [sidesOf(prepared, own), sidesOf(summary, at)];
    // A word that is said twice stands on both sides.
    const meets = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
      [...one].some((word) => other.has(word) && content.get(word)?.count === 1);
    const before = meets(there.left, here.right);
    const behind = meets(there.right, here.left);
    if ((before && behind) || ((here.told || there.told) && (before || behind))) return false;
  }
  return true;
}

/** The nearest words on each side, in a passive as its doer would tell them. */
const NEITHER: Sides = { left: new Set(), right: new Set(), told: false };

function sidesOf({ terms, doers, auxiliary, placed }: Prepared, at: number): Sides {
  // "Deploys are …": no verb.
  if (auxiliary.has(at + 1)) return NEITHER;
  const doer = doers.get(at);
  const left = runFrom(terms, at, -1, placed);
  if (!doer) return { left, right: runFrom(terms, at, 1, placed), told: false };
  return { left: new Set(doer.map((index) => (terms[index] as Term).key)), right: left, told: doer.length > 0 };
}

/** Words of a run: longer ones are sentences. */
const RUN_WORDS = 6;

/** Not over "of": what stands behind it belongs to a name, not to a verb. */
function runFrom(terms: readonly Term[], at: number, step: 1 | -1, placed: ReadonlySet<number>): ReadonlySet<string> {
  const { clause } = terms[at] as Term;
  const found = new Set<string>();
  const end = at + step * RUN_WORDS;
  let next = at + step;
  while (next !== end && terms[next]?.clause === clause && terms[next]?.weight !== "content" && !placed.has(next)) next += step;
  for (; next !== end && terms[next]?.clause === clause && terms[next]?.weight === "content"; next += step)
    found.add((terms[next] as Term).key);
  return found;
}

/** A small verb stands with the same word: "keep the one, split the other" is not "split the one, keep the other". */
export function sameCompany({ light, prepared }: Profile, { terms }: Indexed, { from, to }: Overlap): boolean {
  for (let at = from; at < to; at++) {
    const { key, weight } = terms[at] as Term;
    const own = weight === "light" ? light.get(key) : undefined;
    if (own === undefined) continue;
    const [here, there] = [neighbours(prepared.terms, own), neighbours(terms, at)];
    if (here.length > 0 && there.length > 0 && !here.some((one) => there.includes(one))) return false;
  }
  return true;
}

/** The nearest content words of the clause on each side. */
function neighbours(terms: readonly Term[], at: number): readonly string[] {
  return [-1, 1].flatMap((step) => {
    let next = at + step;
    while (terms[next]?.clause === terms[at]?.clause && terms[next]?.weight !== "content") next += step;
    const run: string[] = [];
    for (; terms[next]?.clause === terms[at]?.clause && terms[next]?.weight === "content"; next += step)
      run.push((terms[next] as Term).key);
    return run;
  });
}
