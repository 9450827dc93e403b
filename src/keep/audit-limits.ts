// What a limit or an exception stands with.
import type { Indexed, Prepared } from "./audit-index.js";
import type { Overlap, Profile } from "./audit-overlap.js";
import type { Marked, Term } from "./audit-text.js";

/** "Only the bot may publish" does not say that the bot may only publish. */
export function limited(
  { prepared }: Profile,
  summary: Indexed,
  { from, to }: Overlap,
  there: readonly Marked[],
): string | undefined {
  return boundBy("limit", prepared, summary, { from, to }, there) ?? boundBy("exception", prepared, summary, { from, to }, there);
}

function boundBy(
  kind: "limit" | "exception",
  prepared: Prepared,
  summary: Indexed,
  { from, to }: Pick<Overlap, "from" | "to">,
  there: readonly Marked[],
): string | undefined {
  const own = prepared.marks.find(({ mark }) => mark === kind);
  if (!own) return undefined;
  const meant = besideLimit(prepared.terms, own);
  const others = there.filter(({ mark }) => mark === kind);
  if (meant.size === 0 || others.length === 0 || to <= from) return undefined;
  const [nearest = ""] = meant;
  const isSame = (words: ReadonlySet<string>) => words.has(nearest) && meant.has([...words][0] ?? "");
  return others.some((mark) => isSame(besideLimit(summary.terms, mark)))
    ? undefined
    : `its "${own.key}" stands with something else`;
}

/** The run of words behind a limit; before it, when nothing is behind. */
function besideLimit(terms: readonly Term[], { from, to }: Marked): ReadonlySet<string> {
  const { clause } = terms[from] as Term;
  const run = (start: number, step: 1 | -1) => {
    const found = new Set<string>();
    let at = start;
    while (terms[at]?.clause === clause && terms[at]?.weight !== "content") at += step;
    for (; terms[at]?.clause === clause && terms[at]?.weight === "content"; at += step) found.add(terms[at]?.key as string);
    return found;
  };
  const behind = run(to, 1);
  return behind.size > 0 ? behind : run(from - 1, -1);
}
