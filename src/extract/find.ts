// One subject × the rules → items, with a word on every candidate for those who ask why.
import type { Evidence, Item, Kind } from "../model.js";
import { AIM, ANNOUNCES, type Category, GUESSES, PASTED, REPORTED, type Rule, type RuleSet } from "../rules/rule-set.js";
import { sameText, toWords } from "../rules/words.js";
import { type Aim, tellAim } from "./aim.js";
import { toConcept } from "./concept.js";
import { firstPhrase, judge, type Match } from "./condition.js";
import { addUp, type Sum } from "./cues.js";
import { cutAtWord, tidyClause } from "./field.js";
import { endsLeadIn, ledBy } from "./led.js";
import type { Matcher } from "./matcher.js";
import { byUser, CHOICES, giverOf, isBarePick, matchOf } from "./picked.js";
import { MASK } from "./redact.js";
import { slotValues } from "./slots.js";
import { evidenceAt, evidenceOf, type Subject } from "./subject.js";

export type Outcome =
  | "fired"
  | "guarded"
  | "outside"
  | "refused"
  | "outdone"
  | "merged"
  | "superseded"
  | "over budget"
  | "too little";

/** What became of a candidate. */
export interface Trace {
  readonly rule: string;
  readonly outcome: Outcome;
  /** The guard, the selector, the rule or the place behind it. */
  readonly why?: string;
  readonly evidence: Evidence;
}

export interface Tracer {
  (trace: Trace): void;
  /** The one that is asked about: of cues, every sum is told then. */
  readonly asks?: string;
}

/** What gives an item: a rule, or cues that add up. */
export type Giver = Pick<Rule, "id" | "order" | "emit" | "set" | "score" | "category" | "length" | "nothing">;

interface Hit {
  readonly rule: Giver;
  readonly why?: string;
  readonly match: Match;
  readonly item: Item;
}

export function findItems(subject: Subject, rules: RuleSet, matcher: Matcher, trace?: Tracer): readonly Item[] {
  const local = matcher.localOf(subject);
  if (!trace && local.verdicts.length === 0 && local.cues.length === 0) return withPicks(subject, NO_ITEMS, rules);
  const hits: Hit[] = [];
  // Who asks why wants to hear of the others, too.
  const tried = trace ? matcher.candidates(subject).map(({ rule }) => ({ rule, verdict: judge(rule, subject) })) : undefined;
  for (const { rule, verdict } of tried ?? local.verdicts) {
    const tell = (outcome: Outcome, why?: string) =>
      trace?.({ rule: rule.id, outcome, evidence: evidenceOf(subject, rule.id), ...(why !== undefined && { why }) });
    const excluded = matcher.outside(rule.in, subject);
    if (excluded !== undefined) {
      // A rule that needs no word is outside of nearly everything: that is no news.
      const anchored = [...rule.match, ...rule.regex].some(({ anchors }) => anchors.length > 0);
      if (trace && anchored && verdict.is !== "no-match") tell("outside", excluded);
      continue;
    }
    if (verdict.is === "no-match") continue;
    if (verdict.is === "guarded") {
      tell("guarded", verdict.by);
      continue;
    }
    const absent = rule.signals.find((name) => !matcher.holds(subject, name));
    const present = rule.not.find((name) => matcher.holds(subject, name));
    if (absent !== undefined || present !== undefined) {
      // Nearly all texts of a message are not its aim.
      if (absent !== AIM) tell("guarded", absent !== undefined ? `signal ${absent} is absent` : `signal ${present}`);
      continue;
    }
    const aim = rule.signals.includes(AIM) ? subject.around?.aims.of(subject) : undefined;
    const item = toItem(subject, rule, verdict.match, rules.categories, evidenceOf(subject, rule.id), aim);
    const refusal = typeof item === "string" ? item : refusalOf(item, subject, matcher);
    if (typeof item === "string" || refusal !== undefined) tell("refused", refusal);
    else hits.push({ rule, match: verdict.match, item });
  }
  hits.push(...hitsOfCues(subject, rules, matcher, hits.length > 0, trace));
  const chosen = chooseHits(hits);
  for (const hit of trace ? hits : []) {
    const rival = chosen.get(hit);
    const sum = rival && trace?.asks !== hit.rule.id ? undefined : hit.why;
    const why = [rival?.rule.id, sum].filter((part) => part !== undefined).join("; ");
    trace?.({ rule: hit.rule.id, outcome: rival ? "outdone" : "fired", evidence: hit.item.evidence, ...(why !== "" && { why }) });
  }
  return withPicks(
    subject,
    hits.filter((hit) => !chosen.get(hit)).map(({ item }) => item),
    rules,
    trace,
  );
}

/** An option that the user took, or that he left, is one choice and no other; words that only name it are none. */
function withPicks(subject: Subject, items: readonly Item[], rules: RuleSet, trace?: Tracer): readonly Item[] {
  const pick = subject.around?.picks.of(subject);
  const isBare = !pick && items.some(({ kind }) => CHOICES.includes(kind)) && isBarePick(subject);
  if (!pick && !isBare) return items;
  const others = items.filter(({ kind }) => !CHOICES.includes(kind));
  for (const { evidence } of items.filter((item) => !others.includes(item)))
    trace?.({ rule: evidence.rule, outcome: "outdone", why: pick?.options.id ?? "picked", evidence });
  if (!pick) return others;
  const giver = giverOf(pick, rules.rules.length, rules.nothing);
  const item = toItem(subject, giver, matchOf(pick, subject), rules.categories, evidenceOf(subject, giver.id));
  if (typeof item === "string") return others;
  const words = evidenceOf(pick.by, giver.id);
  trace?.({ rule: giver.id, outcome: "fired", why: `${pick.state}, ${words.source}: ${words.quote}`, evidence: item.evidence });
  return [...others, byUser(item, pick, words)];
}

/** What cues add up to. @param spoken a rule said something already */
function hitsOfCues(
  subject: Subject,
  rules: RuleSet,
  matcher: Matcher,
  spoken: boolean,
  trace: Tracer | undefined,
): readonly Hit[] {
  const sums = addUp(subject, trace ? rules.cues : matcher.localOf(subject).cues, matcher, trace !== undefined);
  if (sums.length === 0) return NO_HITS;
  if (trace) tellSums(sums, subject, spoken, trace);
  const match: Match = { start: 0, end: subject.segment.text.length, slots: [] };
  const enough = sums.filter(({ total, cues, kept }) => total >= cues.least && !kept);
  return enough.flatMap((sum, index) => {
    const { id, kind, category, length } = sum.cues;
    const giver: Giver = {
      id,
      order: rules.rules.length + index,
      emit: kind,
      set: {},
      score: sum.score,
      ...(category !== undefined && { category }),
      length,
      nothing: rules.nothing,
    };
    const item = toItem(subject, giver, match, rules.categories, evidenceOf(subject, id));
    const refusal = typeof item === "string" ? item : refusalOf(item, subject, matcher);
    if (typeof item !== "string" && refusal === undefined) return [{ rule: giver, match, item, why: trace ? spell(sum) : "" }];
    trace?.({ rule: id, outcome: "refused", why: `${refusal}; ${spell(sum)}`, evidence: evidenceOf(subject, id) });
    return [];
  });
}

/**
 * Why cues give nothing: the strongest of those that fall short, and those that would have been enough. Where a rule spoke, that
 * is no news, but for who asks about them.
 */
function tellSums(sums: readonly Sum[], subject: Subject, spoken: boolean, trace: Tracer): void {
  const nearest = sums.find(({ kept }) => !kept);
  for (const sum of sums) {
    const { cues, total, kept } = sum;
    if (!kept && total >= cues.least) continue;
    const isNews = kept ? kept.outcome === "guarded" && total >= cues.least : sum === nearest && 2 * total >= cues.least;
    if (trace.asks === cues.id ? sum.parts().length === 0 : spoken || !isNews) continue;
    const why = [kept?.why, spell(sum)].filter((part) => part !== undefined).join("; ");
    trace({ rule: cues.id, outcome: kept?.outcome ?? "too little", why, evidence: evidenceOf(subject, cues.id) });
  }
}

const NO_HITS: readonly Hit[] = [];
const NO_ITEMS: readonly Item[] = [];

const spell = ({ parts, total, cues }: Sum) =>
  `${parts()
    .map(({ name, worth }) => `${name} ${worth > 0 ? "+" : ""}${worth}`)
    .join(", ")} = ${total} of ${cues.least}`;

/** The signal that makes it no fact: packs say what that sounds like. */
function refusalOf(item: Item, subject: Subject, matcher: Matcher): string | undefined {
  if (isGuess(item, subject, matcher)) return GUESSES;
  const others = othersBy(item, subject, matcher);
  if (others !== undefined) return others;
  // Unless it was joined to what it leads to.
  const isAlone = !BESIDE.includes(item.kind) && item.evidence.end <= subject.segment.end && endsLeadIn(subject, item.text);
  return isAlone && matcher.holds(subject, ANNOUNCES) ? ANNOUNCES : undefined;
}

/** What the assistant only supposes. */
const isGuess = ({ kind, by }: Item, subject: Subject, matcher: Matcher) =>
  by === "assistant" && !NO_FACTS.includes(kind) && matcher.holds(subject, GUESSES);
const NO_FACTS: readonly Kind[] = ["goal", "question", "concept", "note"];

/** What the user only shows or reports is nothing that he wants. */
const othersBy = ({ kind, by }: Item, subject: Subject, matcher: Matcher) =>
  by === "user" && WANTED.includes(kind) ? [PASTED, REPORTED].find((name) => matcher.holds(subject, name)) : undefined;
const WANTED: readonly Kind[] = ["constraint", "decision", "rejection", "remaining"];

// A goal is about its whole message and a concept about a name: neither stands against what the sentence says.
const BESIDE: readonly Kind[] = ["goal", "concept"];

/** Each hit that must give way, with the hit that outdoes it: one span gives one item, one sentence one choice. */
function chooseHits(hits: readonly Hit[]): ReadonlyMap<Hit, Hit> {
  const outdone = new Map<Hit, Hit>();
  const taken: Hit[] = [];
  // A rule names what it found; cues only weigh it.
  const ranked = [...hits].sort(
    (a, b) => Number(isFromCues(a)) - Number(isFromCues(b)) || b.item.score - a.item.score || a.rule.order - b.rule.order,
  );
  for (const hit of ranked) {
    const { kind } = hit.item;
    if (BESIDE.includes(kind)) continue;
    const rival = taken.find(
      (other) =>
        !isAside(hit, other) &&
        ((hit.match.start < other.match.end && other.match.start < hit.match.end) ||
          (CHOICES.includes(kind) && CHOICES.includes(other.item.kind))),
    );
    if (rival) outdone.set(hit, rival);
    else taken.push(hit);
  }
  return outdone;
}

/** A remark of a rule and what cues make of the whole sentence stand beside each other. */
const isAside = (a: Hit, b: Hit) => (a.item.kind === "note" || b.item.kind === "note") && isFromCues(a) !== isFromCues(b);
const isFromCues = ({ why }: Hit) => why !== undefined;

/** The item, or why there is none. */
function toItem(
  subject: Subject,
  rule: Giver,
  match: Match,
  categories: readonly Category[],
  place: Evidence,
  aim?: Aim,
): Item | string {
  const told = aim && aim.length > 1 ? tellAim(aim, rule.id) : { said: subject.segment.text, evidence: place };
  const { evidence } = told;
  const kind = rule.emit as Kind;
  const fields = slotValues(match, subject.segment.text);
  const said = fields.text ?? (match.slots.some(({ name }) => name === "text") ? "" : tidyClause(told.said.replace(/\s+/g, " ")));
  const { text: _, ...rest } = fields;
  const text = kind === "concept" ? (said.includes(MASK) ? undefined : toConcept(said)) : said;
  if (!text) return "says nothing";
  if (rule.nothing.has(sameText(text))) return "says nothing";
  const length = [...text].length;
  if (length < rule.length.min) return `shorter than ${rule.length.min}`;
  const leads = !BESIDE.includes(kind) && endsLeadIn(subject, text);
  const led = leads ? ledBy(subject) : undefined;
  const { status, ...set } = rule.set;
  const category = categoryOf(kind, text, categories) ?? rule.category;
  const values = Object.entries({ ...rest, ...set }).map(([name, value]) => [name, cutAtWord(value, rule.length.max)]);
  return {
    kind,
    text: cutAtWord(leads ? `${text}: ${led?.text ?? ""}`.trimEnd() : text, rule.length.max),
    fields: Object.fromEntries(values),
    ...(category !== undefined && { category }),
    score: rule.score,
    by: subject.source.by,
    status: status === "superseded" ? "superseded" : "active",
    evidence: led ? evidenceAt(subject.source, evidence.start, led.end, evidence.rule) : evidence,
    also: [],
  };
}

function categoryOf(kind: Kind, text: string, categories: readonly Category[]): string | undefined {
  if (!categories.some(({ of }) => of.has(kind))) return undefined;
  const words = toWords(text);
  const wordSet = new Set(words.folded);
  return categories.find(({ of, match }) => of.has(kind) && firstPhrase(match, words, wordSet) !== undefined)?.id;
}
