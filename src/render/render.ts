// Renders a Continuation with a template, within its token budget.
import { type FactPlace, placeKey } from "../extract/place.js";
import { atOnce, type Late, type Steps } from "../extract/steps.js";
import type { Extraction } from "../model.js";
import type { RuleSet, Template } from "../rules/rule-set.js";
import { fillTemplate } from "../rules/template/fill-template.js";
import { rankEntries } from "./choose.js";
import { toEntries } from "./entries.js";
import type { Entry } from "./entry.js";
import { extraTokens } from "./fields.js";
import type { Known } from "./news.js";
import { countLines, withoutFragments, withoutPasted, withPasted } from "./pastes.js";
import { LIST_NAMES, type ListName, usedLists } from "./shape.js";
import { shortenerOf } from "./shorten.js";
import { joinMessages, joinRows, standingStatements, withoutFallen, withoutOldSentences } from "./statements.js";
import { createViews, type RenderContext, type Selection } from "./template-fields.js";
import { countTokens } from "./tokens.js";

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
  /** What the reader has read before: only what it does not tell is shown. */
  readonly told?: Known | undefined;
  /** The facts that it states otherwise, by kind and text, and its words: both are shown. */
  readonly denied?: ReadonlyMap<string, string> | undefined;
  /** Returns true when time is up: then lines are not compared with each other any more. */
  readonly late?: Late | undefined;
}

/** From this budget on, there is room for the names of messages. */
const ROOMY_TOKENS = 1_000;

/** How many entries to try first, and how many guesses to make before a binary search. */
const FIRST_ENTRIES = 32;
const GUESSES = 12;

/** Fills a template with the facts of a session, within its budget. */
export const render = (extraction: Extraction, template: Template, rules: RuleSet, options?: RenderOptions): Rendered =>
  atOnce(renderInSteps(extraction, template, rules, options));

/** Like `render`, with a pause after each stage. */
export function* renderInSteps(
  extraction: Extraction,
  template: Template,
  rules: RuleSet,
  options: RenderOptions = {},
): Steps<Rendered> {
  const budget = options.tokens ?? template.tokens;
  if (typeof budget !== "number" || Number.isNaN(budget)) throw new TypeError("tokens must be a number");
  const { continuation, documents = [], lastCalls = [] } = extraction;
  const names = usedLists(template.text, rules);
  const standing = standingStatements(extraction);
  const isRecent = template.recent !== undefined;
  const recent = isRecent ? withoutOldSentences(standing, template.recent) : standing;
  const counts = countLines(extraction.statements);
  const said = withPasted(recent, counts);
  const rows = joinRows(template.once ? withoutFragments(said, counts) : said);
  const statements = names.has("statements") ? joinMessages(rows, continuation.items) : rows;
  const standingItems =
    extraction.statements.length > 0 ? withoutFallen(continuation.items, recent, isRecent) : continuation.items;
  const items = withoutPasted(standingItems, said);
  const entries = toEntries(
    { continuation: { ...continuation, items }, statements, documents, lastCalls },
    {
      lists: names,
      budget,
      shorten: shortenerOf(rules.restrictions),
      own: new Set(rules.rules.flatMap(({ id, own }) => (own ? [id] : []))),
      denied: options.denied,
      once: template.once,
      least: template.least,
    },
  );
  const lists = new Map<ListName, Entry[]>(LIST_NAMES.map((name) => [name, []]));
  for (const entry of entries) lists.get(entry.list)?.push(entry);
  yield;
  const wanted = entries.filter(({ list }) => names.has(list));
  const { ranked, telling } = rankEntries(wanted, {
    budget,
    rules,
    max: template.max,
    byNews: template.once === true || names.has("statements"),
    known: options.told,
    late: options.late,
  });
  yield;
  // What the reader was told is not hidden.
  const facts = distinctFacts(options.told === undefined ? wanted : telling).at(-1) ?? 0;
  const told = distinctFacts(ranked);
  const hiddenAt = (shown: number) => facts - (told[shown - 1] ?? 0);
  const toView = createViews(continuation, lists, rules, options);
  const viewOf = (shown: number, whole: readonly Entry[] = [], named = false, mark?: Selection["mark"]) =>
    toView({ shown: new Set(ranked.slice(0, shown)), whole: new Set(whole), named, hidden: hiddenAt(shown), mark });
  const textOf = (view: object) => fillTemplate(template.text, view).replace(/\n{2,}$/, "\n");

  const low = mostThatFit(ranked.length, budget, (shown) => countTokens(textOf(viewOf(shown))));
  const short = viewOf(low);
  const longer = fitting(ranked.slice(0, low), budget - countTokens(textOf(short)));
  const whole = mostThatFit(longer.length, budget, (first) => countTokens(textOf(viewOf(low, longer.slice(0, first)))));
  const unnamed = whole === 0 ? short : viewOf(low, longer.slice(0, whole));
  const named = budget >= ROOMY_TOKENS && options.names ? viewOf(low, longer.slice(0, whole), true) : unnamed;
  const view = countTokens(textOf(named)) <= budget ? named : unnamed;
  const text = withinBudget(textOf(view), budget);
  const kept = new Set(ranked.slice(0, low));
  const { store } = template;
  // Remove the gaps that missing values, such as the project or the date, leave.
  const filed = (value: string | undefined) =>
    value === undefined ? undefined : fillTemplate(value, view).replace(/ {2,}/g, " ").trim();
  return {
    text,
    tokens: countTokens(text),
    hidden: hiddenAt(low),
    entries: low,
    listed: entries
      .filter((entry) => kept.has(entry))
      .map(({ list, fields, place }) => ({ list, text: String(fields.text), ...(place && { place }) })),
    shown: ranked.slice(0, low).flatMap(({ place }) => (place ? [place, ...(place.joined ?? [])] : [])),
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

/** The identity of a fact: a sentence counts once, whatever its lists. */
const factKey = ({ list, place, tells }: Entry) => (place ? placeKey(place) : `${list}\n${tells}`);

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
