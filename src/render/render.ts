// Renders a Continuation with a template, within its token budget.
import { type FactPlace, placeKey } from "../extract/place.js";
import type { Late } from "../extract/steps.js";
import { plainWords } from "../extract/supersede/topic.js";
import type { Continuation, Extraction, SaidSection, Statement } from "../model.js";
import type { RuleSet, Template } from "../rules/rule-set.js";
import { fillTemplate } from "../rules/template/fill-template.js";
import { unlabelled } from "../text/forms.js";
import { sameText } from "../text/words.js";
import { joinMessages, joinRows, rankStatements, standingStatements } from "./compose.js";
import { toEntries } from "./entries.js";
import { extraTokens } from "./fields.js";
import type { Entry } from "./proven-entries.js";
import { ITEM_LISTS, LIST_NAMES, type ListName, usedLists } from "./shape.js";
import { shortenerOf } from "./shorten.js";
import { countTokens } from "./tokens.js";
import { createViews, type RenderContext, type Selection } from "./view.js";
import { workingTokens } from "./working.js";

/** A filled template. */
export interface Rendered {
  readonly text: string;
  readonly tokens: number;
  /** Facts of the template's lists that are not shown, because of the budget or the list's `max`. */
  readonly hidden: number;
  /** How many entries are shown. With 0, the text is only the template's frame. */
  readonly entries: number;
  /** The shown entries, in the order of the text: the list, the words and the place if they were said. */
  readonly listed: readonly { readonly list: string; readonly text: string; readonly place?: FactPlace }[];
  /** The places of the shown entries. */
  readonly shown: readonly FactPlace[];
  /** For each line of the text, the places of its entries. Present only on request. */
  readonly lines?: readonly (readonly FactPlace[])[];
  /** Where and how to store the text, if the template says so. */
  readonly store?: {
    readonly title?: string;
    readonly folder?: string;
    readonly file?: string;
    readonly tags: readonly string[];
  };
}

/** What a rendering can use besides the facts. */
export interface RenderOptions extends RenderContext {
  /** Overrides the template's budget. */
  readonly tokens?: number;
  /** true adds `lines` to the result. */
  readonly lines?: boolean;
  /** Returns true when time is up: then statements are not compared with each other any more. */
  readonly late?: Late | undefined;
}

/** Fewest tokens of a statement. Limits how many are ranked. */
const LEAST_STATEMENT_TOKENS = 6;

/** From this budget on, a brief tells what is around a line: the line above its list, and its message. */
const ROOMY_TOKENS = 1_000;
/** From this budget on, a line tells where files begin to change. */
const MARKED_TOKENS = 400;

/** How many entries to try first, and how many guesses to make before a binary search. */
const FIRST_ENTRIES = 32;
const GUESSES = 12;

/** Fills a template with the facts of a session, within its budget. */
export function render(extraction: Extraction, template: Template, rules: RuleSet, options: RenderOptions = {}): Rendered {
  const budget = options.tokens ?? template.tokens;
  if (typeof budget !== "number" || Number.isNaN(budget)) throw new TypeError("tokens must be a number");
  const names = usedLists(template.text, rules);
  const shorten = shortenerOf(rules.restrictions);
  // A fact replaces its sentence with `once`, so sentences are not joined. Nor are tasks in a list.
  const rows = joinRows(standingStatements(extraction));
  const standing = template.once || !names.has("statements") ? rows : joinMessages(rows, extraction.continuation.items);
  const ranked = names.has("statements")
    ? rankStatements(saidOnce(standing, extraction.continuation, names), {
        most: Math.ceil(budget / LEAST_STATEMENT_TOKENS),
        // With `once`, facts have their own lists, and statements fill up the rest.
        budget: template.once ? 0 : budget,
        leads: template.once || budget >= ROOMY_TOKENS,
        isPlain: plainWords(rules),
        shorten,
        late: options.late,
      })
    : [];
  const { least, working } = template;
  const entryOptions = {
    lists: names,
    shorten,
    tokens: workingTokens(budget, working),
    roomy: budget >= ROOMY_TOKENS,
    marked: budget >= MARKED_TOKENS,
    ...(least && { least }),
  };
  const entries = toEntries(extraction.continuation, standing, ranked, entryOptions);
  const all = instructedOnce(askedOnce(notedOnce(entries, names), names), names, template);
  const lists = new Map<ListName, Entry[]>(LIST_NAMES.map((name) => [name, []]));
  for (const entry of all) lists.get(entry.list)?.push(entry);
  const wanted = all.filter(({ list }) => names.has(list));
  const sorted = newestFirst([...wanted].sort(byWorthFirst), template);
  const byWorth = withoutRepeats(capped(onlyOnce(sorted, template), template));
  const facts = distinctFacts(template.once ? byWorth : wanted).at(-1) ?? 0;
  const told = distinctFacts(byWorth);
  const hiddenAt = (shown: number) => facts - (told[shown - 1] ?? 0);
  const toView = createViews(extraction.continuation, lists, rules, options);
  const viewOf = (shown: number, whole: readonly Entry[] = [], named = false, mark?: Selection["mark"]) =>
    toView({ shown: new Set(byWorth.slice(0, shown)), whole: new Set(whole), named, hidden: hiddenAt(shown), mark });
  const textOf = (view: object) => fillTemplate(template.text, view).replace(/\n{2,}$/, "\n");

  const low = mostThatFit(byWorth.length, budget, (shown) => countTokens(textOf(viewOf(shown))));
  const short = viewOf(low);
  const longer = fitting(byWorth.slice(0, low), budget - countTokens(textOf(short)));
  const whole = mostThatFit(longer.length, budget, (first) => countTokens(textOf(viewOf(low, longer.slice(0, first)))));
  const unnamed = whole === 0 ? short : viewOf(low, longer.slice(0, whole));
  const named = budget >= ROOMY_TOKENS && options.names ? viewOf(low, longer.slice(0, whole), true) : unnamed;
  const view = countTokens(textOf(named)) <= budget ? named : unnamed;
  const text = withinBudget(textOf(view), budget);
  const kept = new Set(byWorth.slice(0, low));
  const { store } = template;
  // Remove the gaps that missing values, such as the project or the date, leave.
  const filed = (value: string | undefined) =>
    value === undefined ? undefined : fillTemplate(value, view).replace(/ {2,}/g, " ").trim();
  return {
    text,
    tokens: countTokens(text),
    hidden: hiddenAt(low),
    entries: low,
    listed: all
      .filter((entry) => kept.has(entry))
      .map(({ list, fields, place }) => ({ list, text: String(fields.text), ...(place && { place }) })),
    shown: byWorth.slice(0, low).flatMap(({ place }) => (place ? [place, ...(place.joined ?? [])] : [])),
    ...(options.lines && { lines: placesByLine((mark) => textOf(viewOf(low, longer.slice(0, whole), view === named, mark))) }),
    ...(store && {
      store: definedOnly({
        title: filed(store.title),
        folder: filed(store.folder)
          ?.replace(/\/{2,}/g, "/")
          .replace(/\/$/, ""),
        file: filed(store.file),
        tags: store.tags.map((tag) => fillTemplate(tag, view)).filter((tag) => tag.trim() !== ""),
      }),
    }),
  };
}

/** Fills the template with marked entries, and finds the marks in each line. */
function placesByLine(fill: (mark: NonNullable<Selection["mark"]>) => string): Rendered["lines"] {
  const places: FactPlace[] = [];
  const text = fill(({ place }) => (place ? `\uE000${places.push(place) - 1}\uE001` : ""));
  return text
    .split("\n")
    .map((line) => [...line.matchAll(/\uE000(\d+)\uE001/g)].flatMap(([, index]) => places[Number(index)] ?? []));
}

/** The most entries that fit the budget. Each try renders a text, so guesses are interpolated from earlier ones. */
function mostThatFit(all: number, budget: number, tokensOf: (shown: number) => number): number {
  let low = { shown: 0, tokens: 0 };
  let high = { shown: all + 1, tokens: Number.POSITIVE_INFINITY };
  for (let round = 0; high.shown - low.shown > 1; round++) {
    const gap = high.shown - low.shown;
    const pace =
      high.tokens === Number.POSITIVE_INFINITY ? low.tokens / Math.max(1, low.shown) : (high.tokens - low.tokens) / gap;
    const step = low.shown === 0 && pace === 0 ? FIRST_ENTRIES : Math.round((budget - low.tokens) / Math.max(1, pace));
    // If the guesses do not converge, use binary search.
    const guess = low.shown + Math.min(gap - 1, Math.max(1, round < GUESSES ? step : gap >> 1));
    const tokens = tokensOf(guess);
    if (tokens <= budget) low = { shown: guess, tokens };
    else high = { shown: guess, tokens };
  }
  return low.shown;
}

/** The cut entries that fit in full, highest worth first. */
function fitting(shown: readonly Entry[], room: number): readonly Entry[] {
  let left = room;
  return shown.filter((entry) => {
    const more = extraTokens(entry);
    if (more === 0 || more > left) return false;
    left -= more;
    return true;
  });
}

/** For each entry, the number of distinct facts up to it. */
function distinctFacts(entries: readonly Entry[]): readonly number[] {
  const keys = new Set<string>();
  return entries.map((entry) => (entry.fact ? keys.add(factKey(entry)).size : keys.size));
}

/** Among facts of equal worth, newer ones come first. A list with its own `max` keeps its order. */
function newestFirst(entries: readonly Entry[], { max }: Template): readonly Entry[] {
  const sorted = [...entries];
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    const { list, worth } = sorted[from] as Entry;
    while (sorted[to]?.list === list && sorted[to]?.worth === worth) to++;
    if (list !== "goals" && list in ITEM_LISTS && max[list] === undefined)
      sorted.splice(from, to - from, ...sorted.slice(from, to).reverse());
  }
  return sorted;
}

const byWorthFirst = (a: Entry, b: Entry) => b.worth - a.worth;

/** The identity of a fact: the same for a goal, a request and a statement at one place. */
const factKey = ({ list, place, fields }: Entry) =>
  place && SAID.includes(list) ? placeKey(place) : `${list}\n${place ? placeKey(place) : ""}\n${String(fields.text)}`;
const SAID: readonly ListName[] = [
  "goals",
  "requests",
  "pending",
  "instructions",
  "questions",
  "opening",
  "statements",
  "decisions",
];

/** With `once`, a fact replaces its sentence. Of several facts in one sentence, the one with the highest worth stays. */
function onlyOnce(entries: readonly Entry[], { once }: Template): readonly Entry[] {
  if (!once) return entries;
  const facts = entries.filter(({ list, place }) => place && list !== "statements" && list !== "requests");
  const first = new Map([...facts].reverse().map((entry) => [placeKey(entry.place as FactPlace), entry]));
  return entries.filter((entry) => !entry.place || (first.get(placeKey(entry.place)) ?? entry) === entry);
}

/**
 * A fact is quoted from one of the places that say it, or from none if the project's state is shown and says it too. "Option A"
 * does not say what it picks, so it stays.
 */
function saidOnce(
  statements: readonly Statement[],
  { items, sections = [] }: Continuation,
  names: ReadonlySet<ListName>,
): readonly Statement[] {
  const isListed = ({ of }: SaidSection) => names.has(of === "carried" ? "living" : "state");
  const noted = sections.filter(isListed).flatMap(({ lines }) => lines);
  const notedLines = new Set(noted.map((line) => sameText(unlabelled(line))));
  const own = new Set<string>();
  const repeated = new Map<string, string>();
  for (const { text, status, evidence, also } of items) {
    if (status !== "active") continue;
    const isNoted = noted.some((line) => holds(line, text));
    if (!isNoted) own.add(placeKey(evidence));
    for (const place of isNoted ? [evidence, ...also] : also) repeated.set(placeKey(place), text);
  }
  return statements.filter((one) => {
    if (one.by === "file" && notedLines.has(sameText(unlabelled(one.text)))) return false;
    const text = own.has(placeKey(one)) ? undefined : repeated.get(placeKey(one));
    return text === undefined || !holds(one.text, text);
  });
}

/** Has the line all words of the text, in a row? */
const holds = (line: string, text: string) => ` ${sameText(line)} `.includes(` ${sameText(text)} `);

/**
 * Removes rules of the user's that the goal says too, or the last request. That line is then worth as much as the rule. With
 * `once`, a rule replaces the request, and so it does if the goal's line tells what is asked for.
 */
function instructedOnce(entries: readonly Entry[], names: ReadonlySet<ListName>, template: Template): readonly Entry[] {
  if (!names.has("instructions")) return entries;
  const isTold = ({ list, fields }: Entry) => list === "goals" || (list === "requests" && !template.once && !fields.ofGoal);
  const lines = capped(entries.filter((one) => names.has(one.list) && isTold(one)).sort(byWorthFirst), template);
  const saying = new Map<Entry, number>();
  const left = entries.filter((rule) => {
    const line = rule.list === "instructions" ? lines.find((one) => saysRule(one, rule)) : undefined;
    if (line) saying.set(line, rule.worth);
    return line === undefined;
  });
  const rules = new Set(left.flatMap(({ list, place }) => (list === "instructions" && place ? [placeKey(place)] : [])));
  const isRule = ({ list, place, fields }: Entry) => list === "requests" && fields.ofGoal && place && rules.has(placeKey(place));
  return left
    .filter((entry) => !isRule(entry))
    .map((entry) => ({ ...entry, worth: Math.max(entry.worth, saying.get(entry) ?? 0) }));
}

const saysRule = ({ place, fields }: Entry, rule: Entry) =>
  place?.source === rule.place?.source && String(fields.plain).includes(String(rule.fields.plain));

/** Removes decisions that the project's state tells. */
function notedOnce(entries: readonly Entry[], names: ReadonlySet<ListName>): readonly Entry[] {
  if (!names.has("state")) return entries;
  const noted = entries.filter(({ list }) => list === "state").map(({ fields }) => String(fields.text));
  return entries.filter(({ list, fields }) => list !== "decisions" || !noted.some((line) => holds(line, String(fields.text))));
}

/** Removes open questions that are already among the requests. */
function askedOnce(entries: readonly Entry[], names: ReadonlySet<ListName>): readonly Entry[] {
  const isRequest = (list: ListName) => (list === "pending" || list === "requests") && names.has(list);
  const requests = new Set(entries.flatMap(({ list, place }) => (isRequest(list) && place ? [placeKey(place)] : [])));
  return entries.filter(({ list, place }) => list !== "questions" || !place || !requests.has(placeKey(place)));
}

/** Lists that a brief shows above what was said, and their statements only there. */
const ABOVE: readonly ListName[] = ["requests", "questions", "opening", "instructions", "decisions"];

/** Removes statements that are already shown above. */
function withoutRepeats(entries: readonly Entry[]): readonly Entry[] {
  const asked = new Set(entries.flatMap(({ list, place }) => (ABOVE.includes(list) && place ? [placeKey(place)] : [])));
  return entries.filter(({ list, place }) => list !== "statements" || !place || !asked.has(placeKey(place)));
}

/** Applies the template's `max` to each list. */
function capped(entries: readonly Entry[], { max }: Template): readonly Entry[] {
  const seen = new Map<ListName, number>();
  return entries.filter(({ list }) => {
    const number = (seen.get(list) ?? 0) + 1;
    seen.set(list, number);
    return number <= (max[list] ?? Number.MAX_SAFE_INTEGER);
  });
}

/** Removes whole lines at the end if the template's frame alone is over budget. */
function withinBudget(text: string, budget: number): string {
  if (countTokens(text) <= budget) return text;
  const lines = text.split("\n");
  let kept = lines.length;
  while (kept > 0 && countTokens(lines.slice(0, kept).join("\n")) > budget) kept--;
  return lines.slice(0, kept).join("\n").trimEnd();
}

function definedOnly<T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
