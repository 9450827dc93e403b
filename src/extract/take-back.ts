// What the user takes back: the last thing that they asked for or settled before they said so.
import type { Evidence, Item, Kind } from "../model.js";
import type { Tracer } from "./find.js";
import type { Matcher } from "./matcher.js";
import { placeKey } from "./place.js";
import type { Rank } from "./reduce.js";
import type { Subject } from "./subject.js";

/** The signals by which packs say what taking back looks like: what was said just before, or in an earlier message. */
const RETRACTS = "retracts";
const RETRACTS_EARLIER = "retracts-earlier";

export interface Retraction {
  /** The message, and where in it. */
  readonly source: string;
  readonly start: number;
  readonly earlier: boolean;
}

export function retractionIn(subject: Subject, matcher: Matcher): Retraction | undefined {
  const earlier = matcher.holds(subject, RETRACTS_EARLIER);
  if (!earlier && !matcher.holds(subject, RETRACTS)) return undefined;
  return { source: subject.source.id, start: subject.segment.start, earlier };
}

const TAKEN_BACK: readonly Kind[] = ["goal", "constraint", "decision", "rejection"];

export function retractItems(
  items: readonly Item[],
  retractions: readonly Retraction[],
  previous: (source: string) => string | undefined,
  rank: Rank,
  trace?: Tracer,
): readonly Item[] {
  if (retractions.length === 0) return items;
  const open = items.filter(({ kind, status }) => status === "active" && TAKEN_BACK.includes(kind));
  // What the assistant said again may be the better place of the same item.
  const own = new Map<string, Evidence[]>();
  for (const { by, evidence, also } of open) for (const one of by === "user" ? [evidence] : also) append(own, one);
  const withdrawn = new Map<string, string>();
  const heard = new Set<string>();
  for (const { source, start, earlier } of retractions) {
    // Who says it twice in one message takes one thing back.
    if (heard.has(source)) continue;
    heard.add(source);
    const before = previous(source);
    const here = earlier ? [] : (own.get(source) ?? []).filter(({ end }) => end <= start);
    const near = [...here, ...(before === undefined ? [] : (own.get(before) ?? []))];
    const last = near.sort((a, b) => rank(a.source) - rank(b.source) || a.start - b.start).at(-1);
    if (last) withdrawn.set(placeKey(last), `${source}:${start}`);
  }
  return items.map((item): Item => {
    const places = item.by === "user" ? [item.evidence] : item.also;
    const why = places.map((one) => withdrawn.get(placeKey(one))).find((one) => one !== undefined);
    if (why === undefined) return item;
    tell(item.evidence, why, trace);
    return { ...item, status: "superseded" };
  });
}

function tell(evidence: Evidence, why: string, trace: Tracer | undefined): void {
  trace?.({ rule: evidence.rule, outcome: "superseded", why, evidence });
}

function append(bySource: Map<string, Evidence[]>, one: Evidence): void {
  const own = bySource.get(one.source);
  if (own) own.push(one);
  else bySource.set(one.source, [one]);
}
