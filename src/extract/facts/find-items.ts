// Applies the rules to one text: returns its items, and traces every candidate for `explain`.
import type { Item, Kind } from "../../model.js";
import { ANNOUNCES, DISPUTED, FORMER, GUESSES, LEANS, PASTED, QUOTED, REPORTED } from "../../rules/condition.js";
import type { Match } from "../../rules/phrase/match-phrase.js";
import type { Cues, Rule, RuleSet } from "../../rules/rule-set.js";
import { countBefore, groupBy } from "../../text/lists.js";
import { rememberFor } from "../../text/remember.js";
import { evidenceAt, evidenceOf, type Subject } from "../segments/subject.js";
import { type Tested, testCondition } from "../signals/condition.js";
import { mayMeet } from "../signals/condition-index.js";
import type { Signals } from "../signals/signals.js";
import { addUp, type Sum } from "./cues.js";
import { cutAtWord } from "./field.js";
import { CHOICES, type Giver, type Outcome, type Trace, type Tracer, toItem, withPicks } from "./to-item.js";

/** What became of a rule or of cues at a text. */
interface Attempt {
  readonly rule: Giver;
  readonly outcome: Outcome;
  readonly why?: string | undefined;
  readonly sum?: Sum;
}

type Hit = Attempt & { readonly match: Match; readonly item: Item };

export function findItems(subject: Subject, rules: RuleSet, signals: Signals, trace?: Tracer): readonly Item[] {
  const local = signals.localOf(subject);
  if (!trace && local.tested.length === 0 && local.cues.length === 0) return withPicks(subject, NO_ITEMS, rules, signals);
  // A trace also covers the candidates that do not apply.
  const tried = trace
    ? rules.rules.filter((rule) => mayMeet(rule, subject)).map((rule) => ({ rule, outcome: testCondition(rule, subject) }))
    : local.tested;
  const found = tried.flatMap(({ rule, outcome }) => tryRule(rule, outcome, subject, rules, signals) ?? []);
  const cues = trace ? rules.cues : local.cues;
  const all = [...found, ...tryCues(subject, cues, rules, signals, found.some(isHit), trace)];
  const hits = all.filter(isHit);
  const rivals = chooseHits(hits);
  if (trace) {
    for (const one of all) if (!isHit(one)) trace(toTrace(one, subject));
    for (const hit of hits) trace(toTrace(withRival(hit, rivals.get(hit), trace.asks), subject));
  }
  return withPicks(
    subject,
    hits.filter((hit) => !rivals.get(hit)).map(({ item }) => item),
    rules,
    signals,
    trace,
  );
}

const isHit = (one: Attempt): one is Hit => "item" in one;

function toTrace(one: Attempt, subject: Subject): Trace {
  const { rule, outcome, why, sum } = one;
  return {
    rule: rule.id,
    outcome,
    evidence: isHit(one) ? one.item.evidence : evidenceOf(subject, rule.id),
    ...(why && { why }),
    ...(sum && { sum: { parts: sum.parts(), total: sum.total, least: sum.cues.least } }),
  };
}

/** @param asked the rule that the user asks about */
function withRival(hit: Hit, rival: Hit | undefined, asked: string | undefined): Hit {
  if (!rival) return hit;
  const sum = asked === hit.rule.id ? hit.why : undefined;
  return { ...hit, outcome: "outdone", why: [rival.rule.id, sum].filter((part) => part !== undefined).join("; ") };
}

/** Undefined if nothing is worth telling: a rule that needs no word is outside, or lacks its signal, almost everywhere. */
function tryRule(rule: Rule, tested: Tested, subject: Subject, rules: RuleSet, signals: Signals): Attempt | undefined {
  if (tested.is === "no-match") return undefined;
  const excluded = signals.outside(rule.in, subject);
  if (excluded !== undefined) return isAnchored(rule) ? { rule, outcome: "outside", why: excluded } : undefined;
  if (tested.is === "guarded") return { rule, outcome: "guarded", why: tested.by };
  const absent = rule.signals.find((name) => !signals.holds(subject, name));
  if (absent !== undefined) return isAnchored(rule) ? { rule, outcome: "guarded", why: `signal ${absent} is absent` } : undefined;
  const present = rule.not.find((name) => signals.holds(subject, name));
  if (present !== undefined) return { rule, outcome: "guarded", why: `signal ${present}` };
  const isOthers = CHOICES.includes(rule.emit as Kind) && isInQuotes(subject, tested.match);
  const item = isOthers ? QUOTED : toItem(subject, rule, tested.match, rules.categories);
  const refusal = typeof item === "string" ? item : refusalOf(item, subject, signals);
  if (typeof item === "string" || refusal !== undefined) return { rule, outcome: "refused", why: refusal };
  const whole = withBefore(withWhatFollows(item, subject, rule.length.max, signals), subject, signals);
  const hit: Hit = { rule, outcome: "fired", match: tested.match, item: whole };
  return hit;
}

/** Is it in quotation marks, as somebody else's words? */
function isInQuotes({ segment: { text } }: Subject, { start }: Match): boolean {
  const before = text.slice(0, start).replace(/[“”„]/g, '"');
  return before.includes('"') && (before.split('"').length - 1) % 2 === 1 && text.slice(start).search(/["“”]/) > 0;
}

/** What cues find. With a trace, also why they find nothing: the nearest sum below its threshold, and guarded sums above it.
 * @param spoken a rule already found something: then only the cues that the user asks about are told */
function tryCues(
  subject: Subject,
  all: readonly Cues[],
  rules: RuleSet,
  signals: Signals,
  spoken: boolean,
  trace: Tracer | undefined,
): readonly Attempt[] {
  const sums = addUp(subject, all, signals, trace !== undefined);
  if (sums.length === 0) return NO_ATTEMPTS;
  const nearest = sums.find(({ kept }) => !kept);
  const short: Attempt[] = [];
  const enough: Attempt[] = [];
  for (const sum of sums) {
    const { cues, total, kept } = sum;
    const rule = giverOf(sum, rules.rules.length + enough.length, rules);
    const why = trace && spell(sum);
    if (total >= cues.least && !kept) {
      const item = itemOfSum(sum, rule.order, subject, rules, signals);
      if (typeof item === "string") enough.push({ rule, outcome: "refused", why: `${item}; ${why}`, sum });
      else {
        const hit: Hit = { rule, outcome: "fired", match: wholeOf(subject), item, why, sum };
        enough.push(hit);
      }
      continue;
    }
    const isNews = kept ? kept.outcome === "guarded" && total >= cues.least : sum === nearest && 2 * total >= cues.least;
    if (trace?.asks === cues.id ? sum.parts().length === 0 : spoken || !isNews) continue;
    short.push({ rule, outcome: kept?.outcome ?? "too little", why: kept ? `${kept.why}; ${why}` : why, sum });
  }
  return [...short, ...enough];
}

/** The item that cues give, or the reason why they give none. */
export function itemOfSum(sum: Sum, order: number, subject: Subject, rules: RuleSet, signals: Signals): Item | string {
  const item = toItem(subject, giverOf(sum, order, rules), wholeOf(subject), rules.categories);
  return typeof item === "string" ? item : (refusalOf(item, subject, signals) ?? item);
}

const wholeOf = ({ segment }: Subject): Match => ({ start: 0, end: segment.text.length, slots: [] });

function giverOf({ cues: { id, kind, category, length }, score }: Sum, order: number, { nothing }: RuleSet): Giver {
  return { id, order, emit: kind, set: {}, score, ...(category !== undefined && { category }), length, nothing };
}

const isAnchored = ({ match, regex }: Rule) =>
  match.some(({ anchors }) => anchors.length > 0) || regex.some(({ anchors }) => anchors.length > 0);

const NO_ATTEMPTS: readonly Attempt[] = [];
const NO_ITEMS: readonly Item[] = [];

const spell = ({ parts, total, cues }: Sum) =>
  `${parts()
    .map(({ name, worth }) => `${name} ${worth > 0 ? "+" : ""}${worth}`)
    .join(", ")} = ${total} of ${cues.least}`;

/** The signal that refuses the item; packs define what it sounds like. */
function refusalOf(item: Item, subject: Subject, signals: Signals): string | undefined {
  if (isGuess(item, subject, signals)) return GUESSES;
  const quote = [QUOTED, DISPUTED].find((name) => signals.holds(subject, name));
  if (quote !== undefined) return quote;
  if (item.kind !== "concept" && signals.holds(subject, FORMER)) return FORMER;
  const others = othersBy(item, subject, signals);
  if (others !== undefined) return others;
  if (!LEAD_IN.test(subject.segment.text)) return undefined;
  if (item.kind === "goal") return BARE_FIELD.test(behind(subject, signals)?.text ?? "") ? "a field follows" : undefined;
  return !BESIDE.includes(item.kind) && signals.holds(subject, ANNOUNCES) ? ANNOUNCES : undefined;
}

/** "I fixed it by:" says nothing without what follows. */
const LEAD_IN = /[:：]["'”’*_`]*$/u;

/** "Ticket: AB-12" under "Current task:" is a state, and says nothing of the task. */
const BARE_FIELD = /^[\w ]{1,24}: \S+$/;

/** What comes next in the message. */
function behind({ source, segment }: Subject, { texts }: Signals) {
  const subjects = texts.subjects(source);
  return subjects[countBefore(subjects, (one) => one.segment.start < segment.end)]?.segment;
}

/** The texts of a message by the line above their list, in their order. */
const byLead = rememberFor((subjects: readonly Subject[]) => groupBy(subjects, ({ segment }) => segment.lead));

/** "Implement the following plan:" is a goal only together with what follows. */
function withWhatFollows(item: Item, subject: Subject, most: number, signals: Signals): Item {
  const { source, segment } = subject;
  const next = item.kind === "goal" && LEAD_IN.test(segment.text) ? behind(subject, signals) : undefined;
  if (!next) return item;
  const evidence = evidenceAt(source, segment.start, next.end, item.evidence.rule);
  return { ...item, text: cutAtWord(`${item.text}: ${next.text.replace(/\s+/g, " ")}`, most), evidence };
}

/** "Do not merge it" needs the text before it: the line above its list, or the sentence before. */
function withBefore(item: Item, subject: Subject, signals: Signals): Item {
  const { source, segment } = subject;
  if (item.kind !== "constraint" || source.role === "file" || !signals.holds(subject, LEANS)) return item;
  const { start, lead, headings } = segment;
  const beside = byLead(signals.texts.subjects(source)).get(lead) ?? [];
  const said = beside[countBefore(beside, (one) => one.segment.start < start) - 1]?.segment.text || headings.at(-1) || "";
  const before = (LEAD_IN.test(said) ? said : (lead ?? said)).replace(/\s+/g, " ");
  return before === "" ? item : { ...item, fields: { ...item.fields, before: cutAtWord(before, BEFORE_CHARACTERS) } };
}
/** Of a longer text, the beginning is shown with the rule. */
const BEFORE_CHARACTERS = 100;

/** What the assistant only guesses. */
const isGuess = ({ kind, by }: Item, subject: Subject, signals: Signals) =>
  by === "assistant" && !NO_FACTS.includes(kind) && signals.holds(subject, GUESSES);
const NO_FACTS: readonly Kind[] = ["goal", "question", "concept", "note"];

/** What the user only pastes or reports is not what the user wants. */
const othersBy = ({ kind, by }: Item, subject: Subject, signals: Signals) =>
  by === "user" && WANTED.includes(kind) ? [PASTED, REPORTED].find((name) => signals.holds(subject, name)) : undefined;
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

/** A note does not compete with other kinds if a team's rule finds it, or if one of both is found by cues. */
const isAside = (a: Hit, b: Hit) =>
  (a.item.kind === "note" || b.item.kind === "note") &&
  (isFromCues(a) !== isFromCues(b) || (a.item.kind !== b.item.kind && (a.item.kind === "note" ? a : b).rule.own === true));
const isFromCues = ({ sum }: Hit) => sum !== undefined;
