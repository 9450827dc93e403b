// Many mentions → one item each, and what was said later about the same thing stands over what was said before.
import type { Evidence, Item } from "../model.js";
import { remember } from "../rules/remember.js";
import { sameText } from "../rules/words.js";
import type { Tracer } from "./find.js";
import { placeKey } from "./place.js";

/** The place of a source in the session; sources that are not known come last. */
export type Rank = (source: string) => number;

export function reduceItems(items: readonly Item[], rank: Rank, trace?: Tracer): readonly Item[] {
  return supersede(mergeItems(items, rank, trace), rank, trace);
}

/** The same kind and the same words are one item; its best place is its evidence, the others are kept. */
export function mergeItems(items: readonly Item[], rank: Rank, trace?: Tracer): readonly Item[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    // A concept is in its one form already, and c++ is not c#.
    const key = `${item.kind}\n${item.kind === "concept" ? item.text : sameText(item.text)}`;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return inOrder(
    [...groups.values()].map((group) => mergeGroup(group, rank, trace)),
    rank,
  );
}

/** As they were said. */
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
    trace?.({
      rule: item.evidence.rule,
      outcome: "merged",
      why: `${best.evidence.source}:${best.evidence.start}`,
      evidence: item.evidence,
    });
  const fields: Record<string, string> = {};
  for (const item of [...ranked].reverse()) Object.assign(fields, item.fields);
  const status = ranked.some((item) => item.status === "active") ? "active" : "superseded";
  return { ...best, fields: sortKeys(fields), status, also: [...places.values()] };
}

/**
 * A later choice replaces an earlier one when it is about the same thing (`about`), when it names it as what it is
 * taken `instead` of, or when it rejects the very thing. What is said to be done is open no more, and the other way round.
 */
function supersede(items: readonly Item[], rank: Rank, trace?: Tracer): readonly Item[] {
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
  const about = new Map<string, Item>();
  // The same may be chosen in several words.
  const chosen = new Map<string, Item[]>();
  const rejected = new Map<string, Item>();
  for (const { item } of choices) {
    const text = sameText(item.text);
    const replace = (earlier: Item | undefined) => earlier && replaced.set(earlier, item);
    const replaceChosen = (name: string) => {
      chosen.get(name)?.forEach(replace);
      chosen.delete(name);
    };
    const names = [...endings(text), keyOf(item.fields.choice)].filter((name) => name !== "");
    if (item.kind === "rejection") {
      replaceChosen(text);
      for (const name of names) rejected.set(name, item);
      continue;
    }
    const topic = keyOf(item.fields.about);
    if (topic) {
      replace(about.get(topic));
      about.set(topic, item);
    }
    replaceChosen(keyOf(item.fields.instead));
    for (const name of [text, keyOf(item.fields.choice)]) replace(rejected.get(name));
    for (const name of new Set(names)) {
      const list = chosen.get(name);
      if (list) list.push(item);
      else chosen.set(name, [item]);
    }
  }
  // Of copies of a list the last tells what is done.
  const steps = new Map<string, Item>();
  for (const { item } of inTurn(({ kind }) => kind === "done" || kind === "remaining")) {
    const text = sameText(item.text);
    const earlier = steps.get(text);
    if (earlier && earlier.kind !== item.kind) replaced.set(earlier, item);
    steps.set(text, item);
  }
  return items.map((item) => {
    const by = replaced.get(item);
    if (!by) return item;
    trace?.({
      rule: item.evidence.rule,
      outcome: "superseded",
      why: `${by.evidence.source}:${by.evidence.start}`,
      evidence: item.evidence,
    });
    return { ...item, status: "superseded" };
  });
}

/** "use mysql" is also known as "mysql": what is replaced is mostly named without its verb. */
const ENDING_WORDS = 3;
const endings = remember((text: string): readonly string[] => {
  const words = text.split(" ");
  const shorter = Array.from({ length: Math.min(ENDING_WORDS, words.length - 1) }, (_, index) =>
    words.slice(-index - 1).join(" "),
  );
  // And by the name behind its verb: "redis" of "use redis for the sessions".
  const named = [words.slice(1, 2), words.slice(1, 3)].map((name) => name.join(" ")).filter((name) => name !== "");
  return [text, ...shorter, ...named];
});

const keyOf = (value: string | undefined) => (value === undefined ? "" : sameText(value));

const byPlace = (rank: Rank) => (a: Evidence, b: Evidence) =>
  rank(a.source) - rank(b.source) ||
  compare(a.source, b.source) ||
  (a.tool ?? -1) - (b.tool ?? -1) ||
  a.start - b.start ||
  a.end - b.end ||
  compare(a.rule, b.rule);

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

const sortKeys = (fields: Record<string, string>) => Object.fromEntries(Object.entries(fields).sort(([a], [b]) => compare(a, b)));
