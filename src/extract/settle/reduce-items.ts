// Merges repeated mentions into one item each, and lets later items supersede earlier ones about the same thing.
import { type Evidence, type Item, placeKey } from "../../model.js";
import { addTo, groupBy } from "../../text/lists.js";
import type { IsPlain } from "../../text/topic.js";
import { sameText } from "../../text/words.js";
import type { Tracer } from "../facts/to-item.js";

/** The position of a source in the session; unknown sources come last. */
export type Rank = (source: string) => number;

export interface Reduced {
  readonly items: readonly Item[];
  /** Superseded item → the later item that replaced it. */
  readonly replaced: ReadonlyMap<Item, Item>;
}

export const reduceItems = (items: readonly Item[], rank: Rank, isPlain: IsPlain, trace?: Tracer): Reduced =>
  supersede(mergeItems(oneGoal(items, trace), rank, trace), rank, isPlain, trace);

/** A message has one user goal: the one with the highest score, then the first. */
function oneGoal(items: readonly Item[], trace?: Tracer): readonly Item[] {
  const goals = new Map<string, Item>();
  for (const item of items) {
    const known = goals.get(item.evidence.source);
    if (item.kind === "goal" && item.by === "user" && (!known || item.score > known.score)) goals.set(item.evidence.source, item);
  }
  return items.filter((item) => {
    const best = item.kind === "goal" && item.by === "user" ? goals.get(item.evidence.source) : item;
    if (best !== item)
      trace?.({ rule: item.evidence.rule, outcome: "outdone", why: best?.evidence.rule ?? "", evidence: item.evidence });
    return best === item;
  });
}

/** Items of the same kind with the same words become one. The best place is its evidence; `also` keeps the others. */
export function mergeItems(items: readonly Item[], rank: Rank, trace?: Tracer): readonly Item[] {
  // A concept is already normalised, and c++ is not c#.
  const keyOfItem = ({ kind, text }: Item) => `${kind}\n${kind === "concept" ? text : sameText(text)}`;
  const groups = groupBy(items, keyOfItem);
  return inOrder(
    [...groups.values()].map((group) => mergeGroup(group, rank, trace)),
    rank,
  );
}

export function inOrder(items: readonly Item[], rank: Rank): readonly Item[] {
  const order = byPlace(rank);
  const ranked = items.map((item) => ({ item, rank: rank(item.evidence.source) }));
  ranked.sort(
    (a, b) =>
      a.rank - b.rank ||
      order(a.item.evidence, b.item.evidence) ||
      compare(a.item.kind, b.item.kind) ||
      compare(a.item.text, b.item.text),
  );
  return ranked.map(({ item }) => item);
}

function mergeGroup(group: readonly Item[], rank: Rank, trace?: Tracer): Item {
  const [first] = group;
  if (group.length === 1 && first && first.also.length === 0) return first;
  const order = byPlace(rank);
  const ranked = [...group].sort(
    (a, b) => b.score - a.score || order(a.evidence, b.evidence) || compare(JSON.stringify(a), JSON.stringify(b)),
  );
  const best = ranked[0] as Item;
  const places = new Map<string, Evidence>();
  for (const evidence of group.flatMap((item) => [item.evidence, ...item.also]).sort(order)) {
    const key = placeKey(evidence);
    if (key !== placeKey(best.evidence) && !places.has(key)) places.set(key, evidence);
  }
  for (const item of ranked.slice(1))
    trace?.({ rule: item.evidence.rule, outcome: "merged", why: placeText(best.evidence), evidence: item.evidence });
  const fields: Record<string, string> = {};
  for (const item of [...ranked].reverse()) Object.assign(fields, item.fields);
  const status = ranked.some((item) => item.status === "active") ? "active" : "superseded";
  return { ...best, fields: sortKeys(fields), status, also: [...places.values()] };
}

/** A later choice replaces an earlier one if it is about the same thing (`about`), if it is taken `instead` of it, or if one of
 * them rejects what the other chooses. What is said to be done is no longer open, and the other way round. */
function supersede(items: readonly Item[], rank: Rank, isPlain: IsPlain, trace?: Tracer): Reduced {
  const order = byPlace(rank);
  const last = ({ evidence, also }: Item) =>
    also.length === 0 ? evidence : ([evidence, ...also].sort(order).at(-1) as Evidence);
  const inTurn = (isMeant: (item: Item) => boolean) =>
    items
      .filter((item) => isMeant(item) && item.status === "active")
      .map((item) => ({ item, place: last(item) }))
      .sort((a, b) => order(a.place, b.place));
  const choices = inTurn(({ kind }) => kind === "decision" || kind === "rejection");
  const replaced = new Map<Item, Item>();
  /** "the job queue" and "a job queue" are one. */
  const keyOf = (value = "") =>
    sameText(value)
      .split(" ")
      .filter((word) => word !== "" && !isPlain(word))
      .join(" ");
  const namesOf = ({ text, fields: { choice } }: Item) =>
    new Set(
      [...endings(sameText(text)), ...(choice === undefined ? beginnings(keyOf(text)) : [keyOf(choice)])].filter((name) => name),
    );
  // Name → what was chosen or rejected by it. The same thing may be chosen in different words.
  const about = new Map<string, Item>();
  const chosen = new Map<string, Item[]>();
  const rejected = new Map<string, Item[]>();
  /** @param isWhole what is said of a thing as such is said of all that it is used for */
  const replace = (known: Map<string, Item[]>, name: string, by: Item, isWhole: (topic: string, own: string) => boolean) => {
    const own = keyOf(by.fields.about);
    const left = (known.get(name) ?? []).filter((one) => {
      const topic = keyOf(one.fields.about);
      const isMeant = topic === own || isWhole(topic, own);
      if (isMeant) replaced.set(one, by);
      return !isMeant;
    });
    if (left.length === 0) known.delete(name);
    else known.set(name, left.slice(-MOST_TOPICS));
  };
  for (const { item } of choices) {
    const { choice, instead } = item.fields;
    const names = [sameText(item.text), keyOf(choice)].filter((name) => name);
    if (item.kind === "rejection") {
      for (const name of names) replace(chosen, name, item, (_, own) => own === "");
      for (const name of namesOf(item)) addTo(rejected, name, item);
      continue;
    }
    const topic = keyOf(item.fields.about);
    const earlier = about.get(topic);
    if (topic && earlier) replaced.set(earlier, item);
    if (topic) about.set(topic, item);
    for (const name of new Set([sameText(instead ?? ""), keyOf(instead)].filter((one) => one)))
      replace(chosen, name, item, (topic, own) => topic === "" || own === "");
    for (const name of names) replace(rejected, name, item, (topic) => topic === "");
    for (const name of namesOf(item)) addTo(chosen, name, item);
  }
  // Of several copies of a list, the last one says what is done.
  const steps = new Map<string, Item>();
  for (const { item } of inTurn(({ kind }) => kind === "done" || kind === "remaining")) {
    const text = sameText(item.text);
    const earlier = steps.get(text);
    if (earlier && earlier.kind !== item.kind) replaced.set(earlier, item);
    steps.set(text, item);
  }
  const ended = new Map<Item, Item>();
  const standing = items.map((item): Item => {
    const by = replaced.get(item);
    if (!by) return item;
    trace?.({ rule: item.evidence.rule, outcome: "superseded", why: placeText(by.evidence), evidence: item.evidence });
    const gone = { ...item, status: "superseded" } as const;
    ended.set(gone, by);
    return gone;
  });
  return { items: standing, replaced: ended };
}

export const placeText = ({ source, start }: Pick<Evidence, "source" | "start">): string => `${source}:${start}`;

/** "use mysql" is also known as "mysql": a replaced choice is mostly named without its verb. */
const ENDING_WORDS = 3;
const endings = (text: string): readonly string[] => {
  const words = text.split(" ");
  const shorter = Array.from({ length: Math.min(ENDING_WORDS, words.length - 1) }, (_, index) =>
    words.slice(-index - 1).join(" "),
  );
  // Also by the name, with or without a verb before it: "redis" in "use redis for the sessions" and in "redis for the sessions".
  const named = [words.slice(0, 1), words.slice(1, 2), words.slice(1, 3)]
    .map((name) => name.join(" "))
    .filter((name) => name !== "");
  return [text, ...shorter, ...named];
};

/** "retry failed webhooks five times" is given up by "not to retry failed webhooks". */
function beginnings(text: string): readonly string[] {
  const words = text.split(" ");
  return [2, 3, 4].filter((count) => count < words.length).map((count) => words.slice(0, count).join(" "));
}

/** For how many things one name is remembered. */
const MOST_TOPICS = 100;

const byPlace = (rank: Rank) => (a: Evidence, b: Evidence) =>
  rank(a.source) - rank(b.source) ||
  compare(a.source, b.source) ||
  (a.tool ?? -1) - (b.tool ?? -1) ||
  a.start - b.start ||
  a.end - b.end ||
  compare(a.rule, b.rule);

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

const sortKeys = (fields: Record<string, string>) => Object.fromEntries(Object.entries(fields).sort(([a], [b]) => compare(a, b)));
