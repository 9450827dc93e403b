// One subject × the rules → items, with a word on every candidate for those who ask why.
import type { Evidence, Item, Kind } from "../model.js";
import type { Category, Rule, RuleSet } from "../rules/rule-set.js";
import { sameText } from "../rules/words.js";
import { toConcept } from "./concept.js";
import { cut, tidyClause } from "./field.js";
import { judge, type Match, type Matcher, outside, type Subject, says } from "./matcher.js";
import { MASK } from "./redact.js";
import { slotValues } from "./slots.js";

export type Outcome = "fired" | "guarded" | "outside" | "refused" | "outdone" | "merged" | "superseded" | "over budget";

/** What became of a candidate. */
export interface Trace {
  readonly rule: string;
  readonly outcome: Outcome;
  /** The guard, the selector, the rule or the place behind it. */
  readonly why?: string;
  readonly evidence: Evidence;
}

export type Tracer = (trace: Trace) => void;

interface Hit {
  readonly rule: Rule;
  readonly match: Match;
  readonly item: Item;
}

export function findItems(subject: Subject, rules: RuleSet, matcher: Matcher, trace?: Tracer): readonly Item[] {
  const hits: Hit[] = [];
  for (const rule of matcher.candidates(subject)) {
    const tell = (outcome: Outcome, why?: string) =>
      trace?.({ rule: rule.id, outcome, evidence: evidenceOf(subject, rule.id), ...(why !== undefined && { why }) });
    const excluded = outside(rule.in, subject);
    if (excluded !== undefined) {
      // A rule that needs no word is outside of nearly everything: that is no news.
      const anchored = [...rule.match, ...rule.regex].some(({ anchors }) => anchors.length > 0);
      if (trace && anchored && judge(rule, subject).is !== "no-match") tell("outside", excluded);
      continue;
    }
    const verdict = judge(rule, subject);
    if (verdict.is === "no-match") continue;
    if (verdict.is === "guarded") {
      tell("guarded", verdict.by);
      continue;
    }
    const absent = rule.signals.find((name) => !matcher.holds(subject, name));
    const present = rule.not.find((name) => matcher.holds(subject, name));
    if (absent !== undefined || present !== undefined) {
      tell("guarded", absent !== undefined ? `signal ${absent} is absent` : `signal ${present}`);
      continue;
    }
    const item = toItem(subject, rule, verdict.match, rules.categories, evidenceOf(subject, rule.id));
    if (typeof item === "string") tell("refused", item);
    else hits.push({ rule, match: verdict.match, item });
  }
  const chosen = chooseHits(hits);
  for (const hit of trace ? hits : []) {
    const rival = chosen.get(hit);
    trace?.({
      rule: hit.rule.id,
      outcome: rival ? "outdone" : "fired",
      evidence: hit.item.evidence,
      ...(rival && { why: rival.rule.id }),
    });
  }
  return hits.filter((hit) => !chosen.get(hit)).map(({ item }) => item);
}

// A goal is about its whole message and a concept about a name: neither stands against what the sentence says.
const BESIDE: readonly Kind[] = ["goal", "concept"];
const CHOICES: readonly Kind[] = ["decision", "rejection"];

/** Each hit that must give way, with the hit that outdoes it: one span gives one item, one sentence one choice. */
function chooseHits(hits: readonly Hit[]): ReadonlyMap<Hit, Hit> {
  const outdone = new Map<Hit, Hit>();
  const taken: Hit[] = [];
  const ranked = [...hits].sort((a, b) => b.item.score - a.item.score || a.rule.order - b.rule.order);
  for (const hit of ranked) {
    const { kind } = hit.item;
    if (BESIDE.includes(kind)) continue;
    const rival = taken.find(
      (other) =>
        (hit.match.start < other.match.end && other.match.start < hit.match.end) ||
        (CHOICES.includes(kind) && CHOICES.includes(other.item.kind)),
    );
    if (rival) outdone.set(hit, rival);
    else taken.push(hit);
  }
  return outdone;
}

function evidenceOf({ source, segment }: Subject, rule: string): Evidence {
  const { start, end } = segment;
  return {
    source: source.id,
    start,
    end,
    quote: source.text.slice(start, end),
    rule,
    ...(source.tool !== undefined && { tool: source.tool }),
  };
}

/** The item, or why there is none. */
function toItem(subject: Subject, rule: Rule, match: Match, categories: readonly Category[], evidence: Evidence): Item | string {
  const kind = rule.emit as Kind;
  const fields = slotValues(match, subject.segment.text);
  const said =
    fields.text ?? (match.slots.some(({ name }) => name === "text") ? "" : tidyClause(subject.segment.text.replace(/\s+/g, " ")));
  const { text: _, ...rest } = fields;
  const text = kind === "concept" ? (said.includes(MASK) ? undefined : toConcept(said)) : said;
  if (!text) return "says nothing";
  if (rule.nothing.has(sameText(text))) return "says nothing";
  const length = [...text].length;
  if (length < rule.length.min) return `shorter than ${rule.length.min}`;
  const { status, ...set } = rule.set;
  const category = categories.find(({ of, match: phrases }) => of.has(kind) && says(phrases, text))?.id ?? rule.category;
  const values = Object.entries({ ...rest, ...set }).map(([name, value]) => [name, cut(value, rule.length.max)]);
  return {
    kind,
    text: cut(text, rule.length.max),
    fields: Object.fromEntries(values),
    ...(category !== undefined && { category }),
    score: rule.score,
    by: subject.source.by,
    status: status === "superseded" ? "superseded" : "active",
    evidence,
    also: [],
  };
}
