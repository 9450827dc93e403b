// What the user takes back: a text that says so (the signal `turns`), and what was chosen or demanded before in the same terms.
import { TURNS_OF_TERM } from "../limits.js";
import type { Item } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import type { Rank } from "./reduce.js";
import type { Ledger } from "./replace.js";
import { says } from "./selector.js";
import type { Subject } from "./subject.js";
import { termsOf } from "./terms.js";

/** The signals by which packs say that a text is against something, and that it forbids what it names. */
const FORBIDS = "forbids";
const BANS = "bans";
/** Share of an item's terms that the later text must name. */
const SHARE = 0.5;

export function retract(ledger: Ledger, turns: readonly Subject[], rank: Rank, rules: RuleSet): void {
  if (turns.length === 0) return;
  const idle = new Set(
    (["filler", "light", "negation", "joint"] as const).flatMap((mark) =>
      (rules.audit.get(mark) ?? []).flatMap((word) => [...termsOf(word)]),
    ),
  );
  const forbids = rules.signals.get(FORBIDS)?.match ?? [];
  const bans = rules.signals.get(BANS)?.match ?? [];
  const told = (text: string) => [...termsOf(text)].filter((term) => !idle.has(term));
  const byTerm = new Map<string, Subject[]>();
  for (const turn of turns) {
    for (const term of told(turn.segment.text)) {
      const list = byTerm.get(term) ?? [];
      byTerm.set(term, list);
      if (list.push(turn) > TURNS_OF_TERM) list.shift();
    }
  }
  for (const entry of [...ledger.entries]) {
    const { item } = entry;
    if (item.status !== "active" || !KINDS.includes(item.kind)) continue;
    const last = [item.evidence, ...item.also].reduce((a, b) => (order(a, b, rank) < 0 ? b : a));
    const terms = told(item.text);
    const named = new Map<Subject, number>();
    for (const term of terms) for (const turn of byTerm.get(term) ?? []) named.set(turn, (named.get(turn) ?? 0) + 1);
    const isBan = says(forbids, item.evidence.quote);
    const by = [...named].find(
      // Who forbids it once more stands by it.
      ([turn, count]) => count >= SHARE * terms.length && isLater(turn, last, rank) && !(isBan && says(bans, turn.segment.text)),
    )?.[0];
    if (by) ledger.replace(entry, { by });
  }
}

const KINDS: readonly string[] = ["decision", "constraint", "remaining"];

const order = (a: Item["evidence"], b: Item["evidence"], rank: Rank) => rank(a.source) - rank(b.source) || a.start - b.start;

function isLater({ source, segment }: Subject, at: Item["evidence"], rank: Rank): boolean {
  return rank(source.id) > rank(at.source) || (source.id === at.source && segment.start > at.end);
}
