// What later words may end: the items and the user's statements, in the order in which they were said last.
import { type FactPlace, type Item, type Kind, placeKey } from "../../model.js";
import { countBefore } from "../../text/lists.js";
import { placeOf, type Subject } from "../segments/subject.js";
import type { Rank } from "./reduce-items.js";

/** How many facts before a text are examined. */
const CLAIMS_BACK = 400;

/** Something that a later text may end: an item, or a statement in which no rule found one. */
export interface Claim {
  item?: Item;
  readonly kind: Kind | "statement";
  readonly by: Item["by"];
  readonly text: string;
  readonly quote: string;
  /** Where it was said, also as a key, and where it was said last. */
  readonly place: FactPlace;
  readonly key: string;
  readonly last: Position;
  ended?: string;
}

type Position = { readonly rank: number; readonly end: number };

/** Items and statements, sorted by the place where each was said last. */
export function claimsOf(items: readonly Item[], statements: readonly Subject[], rank: Rank): readonly Claim[] {
  const ofUser = new Set(statements.flatMap(({ source }) => (source.role === "user" ? [source.id] : [])));
  // No words end a name, and a sentence that begins with one is a statement.
  const claims = items
    .filter(({ kind }) => kind !== "concept")
    .map((item): Claim => {
      const { kind, text, evidence, also } = item;
      // What both said counts as the user's.
      const by = [evidence, ...also].some(({ source }) => ofUser.has(source)) ? "user" : item.by;
      const positions = [evidence, ...also].map(({ source, end }) => ({ rank: rank(source), end }));
      const last = positions.reduce((a, b) => (isBefore(a, b) ? b : a));
      return { item, kind, by, text, quote: evidence.quote, place: evidence, key: placeKey(evidence), last };
    });
  const known = new Set(claims.map(({ key }) => key));
  for (const subject of statements) {
    const place = placeOf(subject);
    const key = placeKey(place);
    if (known.has(key)) continue;
    const { source } = subject;
    const { text, end } = subject.segment;
    claims.push({ kind: "statement", by: source.by, text, quote: text, place, key, last: { rank: rank(source.id), end } });
  }
  return claims.sort((a, b) => (isBefore(a.last, b.last) ? -1 : isBefore(b.last, a.last) ? 1 : 0));
}

const isBefore = (a: Position, b: Position) => a.rank < b.rank || (a.rank === b.rank && a.end < b.end);

export const isOpenClaim = ({ item, ended }: Claim) => ended === undefined && item?.status !== "superseded";

/** The newest claims that end before a text starts, in their order. */
export function claimsBefore({ source, segment }: Subject, claims: readonly Claim[], rank: Rank): readonly Claim[] {
  const at = { rank: rank(source.id), end: segment.start + 1 };
  const count = countBefore(claims, ({ last }) => isBefore(last, at));
  return claims.slice(Math.max(0, count - CLAIMS_BACK), count);
}
