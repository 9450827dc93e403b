// Applies the rules to one text: returns its items, and traces every candidate for `explain`.
import type { Item, Kind } from "../../model.js";
import { ANNOUNCES, DISPUTED, FORMER, GUESSES, LEANS, PASTED, QUOTED, REPORTED } from "../../rules/condition.js";
import type { Rule, RuleSet } from "../../rules/rule-set.js";
import { rememberFor } from "../../text/remember.js";
import { countBefore, groupBy } from "../../text/sorted.js";
import { CHOICES, withPicks } from "../picks/picked-items.js";
import { type Match, testCondition } from "./condition.js";
import { addUp, type Sum } from "./cues.js";
import { cutAtWord } from "./field.js";
import type { Matcher } from "./matcher.js";
import { evidenceAt, evidenceOf, type Subject } from "./subject.js";
import { type Giver, type Outcome, type Tracer, toItem } from "./to-item.js";

interface Hit {
  readonly rule: Giver;
  readonly why?: string;
  readonly sum?: Sum;
  readonly match: Match;
  readonly item: Item;
}

export function findItems(subject: Subject, rules: RuleSet, matcher: Matcher, trace?: Tracer): readonly Item[] {
  const local = matcher.localOf(subject);
  if (!trace && local.tested.length === 0 && local.cues.length === 0) return withPicks(subject, NO_ITEMS, rules);
  const hits: Hit[] = [];
  // A trace also covers the candidates that do not apply.
  const tried = trace ? matcher.candidates(subject).map((rule) => ({ rule, outcome: testCondition(rule, subject) })) : undefined;
  for (const { rule, outcome } of tried ?? local.tested) {
    const tell = (told: Outcome, why?: string) =>
      trace?.({ rule: rule.id, outcome: told, evidence: evidenceOf(subject, rule.id), ...(why !== undefined && { why }) });
    const excluded = matcher.outside(rule.in, subject);
    if (excluded !== undefined) {
      // A rule that needs no word is outside almost everywhere: not worth tracing.
      if (trace && isAnchored(rule) && outcome.is !== "no-match") tell("outside", excluded);
      continue;
    }
    if (outcome.is === "no-match") continue;
    if (outcome.is === "guarded") {
      tell("guarded", outcome.by);
      continue;
    }
    const absent = rule.signals.find((name) => !matcher.holds(subject, name));
    const present = rule.not.find((name) => matcher.holds(subject, name));
    if (absent !== undefined || present !== undefined) {
      // A rule that needs no word lacks its signal almost everywhere: not worth tracing.
      if (absent === undefined || isAnchored(rule)) tell("guarded", absent ? `signal ${absent} is absent` : `signal ${present}`);
      continue;
    }
    const item = toItem(subject, rule, outcome.match, rules.categories);
    const refusal = typeof item === "string" ? item : refusalOf(item, subject, matcher);
    if (typeof item === "string" || refusal !== undefined) tell("refused", refusal);
    else
      hits.push({
        rule,
        match: outcome.match,
        item: withBefore(withWhatFollows(item, subject, rule.length.max), subject, matcher),
      });
  }
  hits.push(...hitsOfCues(subject, rules, matcher, hits.length > 0, trace));
  const chosen = chooseHits(hits);
  for (const hit of trace ? hits : []) {
    const rival = chosen.get(hit);
    const sum = rival && trace?.asks !== hit.rule.id ? undefined : hit.why;
    const why = [rival?.rule.id, sum].filter((part) => part !== undefined).join("; ");
    trace?.({
      rule: hit.rule.id,
      outcome: rival ? "outdone" : "fired",
      evidence: hit.item.evidence,
      ...(why !== "" && { why }),
      ...addends(hit.sum),
    });
  }
  return withPicks(
    subject,
    hits.filter((hit) => !chosen.get(hit)).map(({ item }) => item),
    rules,
    trace,
  );
}

/** The hits of cues. @param spoken a rule already found something */
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
  const enough = sums.filter(({ total, cues, kept }) => total >= cues.least && !kept);
  return enough.flatMap((sum, index) => {
    const order = rules.rules.length + index;
    const item = itemOfSum(sum, order, subject, rules, matcher);
    const { id } = sum.cues;
    if (typeof item !== "string")
      return [{ rule: giverOf(sum, order, rules), match: wholeOf(subject), item, why: trace ? spell(sum) : "", sum }];
    trace?.({ rule: id, outcome: "refused", why: `${item}; ${spell(sum)}`, evidence: evidenceOf(subject, id), ...addends(sum) });
    return [];
  });
}

/** The item that cues give, or the reason why they give none. */
export function itemOfSum(sum: Sum, order: number, subject: Subject, rules: RuleSet, matcher: Matcher): Item | string {
  const item = toItem(subject, giverOf(sum, order, rules), wholeOf(subject), rules.categories);
  return typeof item === "string" ? item : (refusalOf(item, subject, matcher) ?? item);
}

const wholeOf = ({ segment }: Subject): Match => ({ start: 0, end: segment.text.length, slots: [] });

function giverOf({ cues: { id, kind, category, length }, score }: Sum, order: number, { nothing }: RuleSet): Giver {
  return { id, order, emit: kind, set: {}, score, ...(category !== undefined && { category }), length, nothing };
}

/**
 * Traces why cues give nothing: the nearest sum below its threshold, and guarded sums above it. If a rule found something,
 * traces only the cues that the user asks about.
 */
function tellSums(sums: readonly Sum[], subject: Subject, spoken: boolean, trace: Tracer): void {
  const nearest = sums.find(({ kept }) => !kept);
  for (const sum of sums) {
    const { cues, total, kept } = sum;
    if (!kept && total >= cues.least) continue;
    const isNews = kept ? kept.outcome === "guarded" && total >= cues.least : sum === nearest && 2 * total >= cues.least;
    if (trace.asks === cues.id ? sum.parts().length === 0 : spoken || !isNews) continue;
    const why = [kept?.why, spell(sum)].filter((part) => part !== undefined).join("; ");
    trace({
      rule: cues.id,
      outcome: kept?.outcome ?? "too little",
      why,
      evidence: evidenceOf(subject, cues.id),
      ...addends(sum),
    });
  }
}

const isAnchored = ({ match, regex }: Rule) => [...match, ...regex].some(({ anchors }) => anchors.length > 0);

const NO_HITS: readonly Hit[] = [];
const NO_ITEMS: readonly Item[] = [];

const addends = (sum: Sum | undefined) => sum && { sum: { parts: sum.parts(), total: sum.total, least: sum.cues.least } };

const spell = ({ parts, total, cues }: Sum) =>
  `${parts()
    .map(({ name, worth }) => `${name} ${worth > 0 ? "+" : ""}${worth}`)
    .join(", ")} = ${total} of ${cues.least}`;

/** The signal that refuses the item; packs define what it sounds like. */
function refusalOf(item: Item, subject: Subject, matcher: Matcher): string | undefined {
  if (isGuess(item, subject, matcher)) return GUESSES;
  const quote = [QUOTED, DISPUTED].find((name) => matcher.holds(subject, name));
  if (quote !== undefined) return quote;
  if (item.kind !== "concept" && matcher.holds(subject, FORMER)) return FORMER;
  const others = othersBy(item, subject, matcher);
  if (others !== undefined) return others;
  if (!LEAD_IN.test(subject.segment.text)) return undefined;
  if (item.kind === "goal") return BARE_FIELD.test(behind(subject)?.text ?? "") ? "a field follows" : undefined;
  return !BESIDE.includes(item.kind) && matcher.holds(subject, ANNOUNCES) ? ANNOUNCES : undefined;
}

/** "I fixed it by:" says nothing without what follows. */
const LEAD_IN = /[:：]["'”’*_`]*$/u;

/** "Ticket: AB-12" under "Current task:" is a state, and says nothing of the task. */
const BARE_FIELD = /^[\w ]{1,24}: \S+$/;

/** What comes next in the message. */
function behind({ source, segment, around }: Subject) {
  const subjects = around?.subjects(source) ?? [];
  return subjects[countBefore(subjects, (one) => one.segment.start < segment.end)]?.segment;
}

/** The texts of a message by the line above their list, in their order. */
const byLead = rememberFor((subjects: readonly Subject[]) => groupBy(subjects, ({ segment }) => segment.lead));

/** "Implement the following plan:" is a goal only together with what follows. */
function withWhatFollows(item: Item, subject: Subject, most: number): Item {
  const { source, segment } = subject;
  const next = item.kind === "goal" && LEAD_IN.test(segment.text) ? behind(subject) : undefined;
  if (!next) return item;
  const evidence = evidenceAt(source, segment.start, next.end, item.evidence.rule);
  return { ...item, text: cutAtWord(`${item.text}: ${next.text.replace(/\s+/g, " ")}`, most), evidence };
}

/** "Do not merge it" needs the text before it: the line above its list, or the sentence before. */
function withBefore(item: Item, subject: Subject, matcher: Matcher): Item {
  const { source, segment, around } = subject;
  if (item.kind !== "constraint" || !around || !matcher.holds(subject, LEANS)) return item;
  const { start, lead } = segment;
  const beside = byLead(around.subjects(source)).get(lead) ?? [];
  const said = beside[countBefore(beside, (one) => one.segment.start < start) - 1]?.segment.text ?? "";
  const before = (LEAD_IN.test(said) ? said : (lead ?? said)).replace(/\s+/g, " ");
  return before === "" || before.length > BEFORE_CHARACTERS ? item : { ...item, fields: { ...item.fields, before } };
}
/** A longer text is not shown with the rule. */
const BEFORE_CHARACTERS = 100;

/** What the assistant only guesses. */
const isGuess = ({ kind, by }: Item, subject: Subject, matcher: Matcher) =>
  by === "assistant" && !NO_FACTS.includes(kind) && matcher.holds(subject, GUESSES);
const NO_FACTS: readonly Kind[] = ["goal", "question", "concept", "note"];

/** What the user only pastes or reports is not what the user wants. */
const othersBy = ({ kind, by }: Item, subject: Subject, matcher: Matcher) =>
  by === "user" && WANTED.includes(kind) ? [PASTED, REPORTED].find((name) => matcher.holds(subject, name)) : undefined;
const WANTED: readonly Kind[] = ["constraint", "decision", "rejection", "remaining"];

/** A goal is about its whole message and a concept about a name: neither competes with what the sentence says. */
export const BESIDE: readonly Kind[] = ["goal", "concept"];

/** Each hit that loses, with the hit that beats it: one span gives one item, one sentence one choice. */
function chooseHits(hits: readonly Hit[]): ReadonlyMap<Hit, Hit> {
  const outdone = new Map<Hit, Hit>();
  const taken: Hit[] = [];
  // Rules first: a rule names what it found; cues only weigh it. A team's rules come before the built-in ones, and cues come in
  // the order of their sums.
  const scoreOf = (hit: Hit) => (isFromCues(hit) ? 0 : hit.item.score);
  const ranked = [...hits].sort(
    (a, b) =>
      Number(isFromCues(a)) - Number(isFromCues(b)) ||
      Number(b.rule.own ?? false) - Number(a.rule.own ?? false) ||
      scoreOf(b) - scoreOf(a) ||
      a.rule.order - b.rule.order,
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

/** If one of two hits is a note, a hit of a rule and a hit of cues do not compete. */
const isAside = (a: Hit, b: Hit) => (a.item.kind === "note" || b.item.kind === "note") && isFromCues(a) !== isFromCues(b);
const isFromCues = ({ why }: Hit) => why !== undefined;
