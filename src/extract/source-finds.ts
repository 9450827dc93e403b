// What the rules find in one source, in a form that can be kept for the next time.
import type { Item, Kind, Source } from "../model.js";

/** What was found before, by text and context; made anew for each rule set. */
export interface FindsCache {
  readonly get: (text: string, context: string) => string | undefined;
  readonly put: (text: string, context: string, finds: string) => void;
}

export interface SourceFinds {
  /** Blocks that were scanned line by line. */
  readonly scanned: number;
  /** The place of a segment in its source, and what was found in it. */
  readonly hits: readonly (readonly [number, readonly Item[]])[];
}

/** Everything that rules may ask of a source beside its text. Its name and its number are no part of it. */
export function contextOf(source: Source): string {
  let context = "";
  for (const field of FIELDS) context += `${source[field] ?? ""}\n`;
  return source.places.size === 0 ? context : context + [...source.places].sort().join(" ");
}

type Field = Exclude<keyof Source, "id" | "ordinal" | "text" | "places">;
// Written as a table, so that the compiler asks for a field that a source is given one day.
const FIELDS = Object.keys({ role: 0, by: 0, tool: 0, file: 0 } satisfies Record<Field, 0>) as readonly Field[];

export const kindsOf = (items: readonly Item[]): readonly Kind[] => [...new Set(items.map(({ kind }) => kind))];

/** Without the source's name and words: these are known where it is read. */
export function writeFinds({ scanned, hits }: SourceFinds): string {
  const bare = (item: Item) => ({
    ...item,
    evidence: { start: item.evidence.start, end: item.evidence.end, rule: item.evidence.rule },
  });
  return JSON.stringify([scanned, ...hits.map(([index, items]) => [index, items.map(bare)])]);
}

/** undefined when it is nothing that was written here. */
export function readFinds(written: string, source: Source): SourceFinds | undefined {
  try {
    const [scanned, ...hits] = JSON.parse(written) as [number, ...[number, Item[]][]];
    if (typeof scanned !== "number") return undefined;
    return { scanned, hits: hits.map(([index, items]) => [index, items.map((item) => withEvidence(item, source))] as const) };
  } catch {
    return undefined;
  }
}

/** Keys keep their order, so that the result is the same to the letter. */
function withEvidence(item: Item, source: Source): Item {
  const { start, end, rule } = item.evidence;
  if (!(start >= 0 && start <= end && end <= source.text.length)) throw new RangeError("no place of this text");
  const evidence = {
    source: source.id,
    start,
    end,
    quote: source.text.slice(start, end),
    rule,
    ...(source.tool !== undefined && { tool: source.tool }),
  };
  return { ...item, evidence };
}
