// What a limit or an exception stands with.
import { endOfClause, hasContent } from "./audit-clauses.js";
import type { Indexed } from "./audit-index.js";
import type { Overlap, Profile } from "./audit-overlap.js";
import type { Marked, Term } from "./audit-text.js";

/** "Only the bot may publish" does not say that the bot may only publish. */
export function limited(fact: Profile, summary: Indexed, { from, to }: Overlap, there: readonly Marked[]): string | undefined {
  return boundBy("limit", fact, summary, { from, to }, there) ?? boundBy("exception", fact, summary, { from, to }, there);
}

function boundBy(
  kind: "limit" | "exception",
  { prepared, content }: Profile,
  summary: Indexed,
  { from, to }: Pick<Overlap, "from" | "to">,
  there: readonly Marked[],
): string | undefined {
  // "Just" may be a limit or no more than a filler: only what surely limits must be told.
  const own = prepared.marks.find((one) => one.mark === kind && (kind !== "limit" || isHedge(one, prepared.marks)));
  if (!own) return undefined;
  const meant = besideLimit(prepared.terms, own, content);
  const others = there.filter(({ mark }) => mark === kind);
  if (meant.size === 0 || others.length === 0 || to <= from) return undefined;
  const [nearest = ""] = meant;
  const isSame = (words: ReadonlySet<string>) => words.has(nearest) && meant.has([...words][0] ?? "");
  const isBound = (mark: Marked) =>
    isSame(besideLimit(summary.terms, mark, content)) || (kind === "limit" && isSame(beforeLimit(summary, mark, content)));
  return others.some(isBound) ? undefined : `its "${own.key}" stands with something else`;
}

const isHedge = ({ from }: Marked, marks: readonly Marked[]) => marks.some((one) => one.mark === "hedge" && one.from === from);

/** "The bot alone may publish", "the bot is the only one": the words right before, where the fact's do not go on behind. */
function beforeLimit({ terms, auxiliary }: Indexed, { from, to }: Marked, content: Profile["content"]): ReadonlySet<string> {
  const isOwn = (at: number) => terms[at]?.clause === terms[from]?.clause && content.has(terms[at]?.key ?? "");
  const found = new Set<string>();
  const near = terms[from - 1]?.weight === "filler" ? [from - 1, from - 2] : [from - 1];
  const verb = near.find((at) => auxiliary.has(at) && terms[at]?.clause === terms[from]?.clause);
  if (verb === undefined && isOwn(to)) return found;
  for (let at = (verb ?? from) - 1; isOwn(at); at--) found.add((terms[at] as Term).key);
  return found;
}

/** The run of the fact's words behind a limit, if need be behind a colon; before it, when nothing is behind. */
function besideLimit(terms: readonly Term[], { mark, from, to }: Marked, content: Profile["content"]): ReadonlySet<string> {
  const isOwn = (at: number) => terms[at]?.weight === "content" && content.has(terms[at]?.key ?? "") && !terms[at]?.vague;
  const run = (start: number, step: 1 | -1, clause: number | undefined) => {
    const found = new Set<string>();
    let at = start;
    while (terms[at]?.clause === clause && !isOwn(at)) at += step;
    for (; terms[at]?.clause === clause && isOwn(at); at += step) found.add(terms[at]?.key as string);
    return found;
  };
  const { clause, sentence } = terms[from] as Term;
  // "Sole exemption: the probe".
  const named = mark === "exception" && terms[to]?.sentence === sentence ? terms[to]?.clause : clause;
  const behind = run(to, 1, named);
  if (behind.size > 0 || (terms[to]?.clause === named && hasContent(terms, to, endOfClause(terms, to)))) return behind;
  return run(from - 1, -1, clause);
}
