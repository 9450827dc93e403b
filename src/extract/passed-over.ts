// Options that were not taken are ruled out as long as what was taken stands, and until somebody takes them up after all.
import type { Item, Kind } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import type { Rank } from "./reduce.js";
import type { Ledger, Standing } from "./replace.js";
import { says } from "./selector.js";
import { plainWords, topicOf } from "./topic.js";

/** The signal by which packs say that a text is against something. */
const FORBIDS = "forbids";
const TAKES_UP: readonly Kind[] = ["decision", "done"];
/** Share of an option's words that are named where it is taken up. */
const NAMED_SHARE = 0.75;

export function endPassedOver(ledger: Ledger, rank: Rank, rules: RuleSet): void {
  const offered = ledger.entries.filter(({ item }) => rules.options.some(({ id }) => id === item.evidence.rule));
  if (offered.length === 0) return;
  const isPlain = plainWords(rules);
  const termsIn = ({ text }: Item) => topicOf(text, isPlain).terms;
  const forbids = rules.signals.get(FORBIDS)?.match ?? [];
  const isTaken = ({ item }: Standing) => item.kind === "decision";
  for (const entry of offered) {
    const { item } = entry;
    if (isTaken(entry) || item.status !== "active") continue;
    const taken = offered.filter((other) => isTaken(other) && other.item.evidence.source === item.evidence.source);
    const first = taken[0];
    if (first && taken.every(({ item: { status } }) => status === "superseded")) {
      ledger.end(entry, placeOf(first.item));
      continue;
    }
    const named = topicOf(nameIn(item.text), isPlain).terms;
    const ofTaken = new Set(taken.flatMap((other) => termsIn(other.item)));
    const own = named.filter((term) => !ofTaken.has(term));
    if (own.length === 0) continue;
    const at = Math.max(...[item.evidence, ...item.also].map(({ source }) => rank(source)));
    const by = ledger.entries.find(({ item: later }) => {
      if (later.status !== "active" || !TAKES_UP.includes(later.kind) || rank(later.evidence.source) <= at) return false;
      const terms = termsIn(later);
      return (
        own.every((term) => terms.includes(term)) &&
        named.filter((term) => terms.includes(term)).length >= NAMED_SHARE * named.length &&
        !says(forbids, later.evidence.quote)
      );
    });
    if (by) ledger.end(entry, placeOf(by.item));
  }
}

const placeOf = ({ evidence }: Item) => `${evidence.source}:${evidence.start}`;

/** What an option is called before it is explained. */
const nameIn = (text: string) => text.split(/ [-–—] |: |[,;(]/)[0] ?? text;
