// Renders a Continuation with a template, within its token budget.

import {
  type ChosenLines,
  type Continuation,
  type DocumentLine,
  type Extraction,
  type FactPlace,
  type LastCall,
  placeKey,
  type Statement,
} from "../model.js";
import type { RuleSet, Template } from "../rules/rule-set.js";
import { fillTemplate } from "../rules/template/fill-template.js";
import { atOnce, type Late, type Steps } from "../steps.js";
import { rankEntries } from "./choose.js";
import { chooseSaid } from "./choose-said.js";
import { type Add, type ChoosableLine, chosenFrom, type Entry, isChoosable, keysOf, PLAIN_ENTRY } from "./entry.js";
import { fitBudget } from "./fit-budget.js";
import { addByHand, addInstructions, addItems } from "./item-entries.js";
import { createMaterial, type EntryOptions } from "./material.js";
import type { Known } from "./news.js";
import { addCalls, addDocuments, addFiles, addLastCalls, addNotes } from "./proven-entries.js";
import { addOpening, addRequests, addStatements, goalsOf, lastWords } from "./said-entries.js";
import { shortenerOf } from "./shorten.js";
import { createTemplateFields, type RenderContext, type Selection } from "./template-fields.js";
import { LIST_NAMES, type ListName, usedLists } from "./template-names.js";
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
  /** The lines that a model may choose, the best first. Present only on request. */
  readonly choosable?: readonly ChoosableLine[];
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
  /** true adds `lines` and `choosable` to the result. */
  readonly lines?: boolean;
  /** What the reader has read before: only what it does not tell is shown. */
  readonly told?: Known | undefined;
  /** The facts that it states otherwise, by kind and text, and its words: both are shown. */
  readonly denied?: ReadonlyMap<string, string> | undefined;
  /** What a model chose of the choosable lines. */
  readonly chosen?: ChosenLines | undefined;
  /** Returns true when time is up: then lines are not compared with each other any more. */
  readonly late?: Late | undefined;
}

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
  const { items, statements } = chooseSaid(extraction, template, names.has("statements"));
  const all = toEntries(
    { continuation: { ...continuation, items }, statements, documents, lastCalls },
    {
      lists: names,
      single: new Set(rules.sections.flatMap(({ id, max }) => (max === 1 ? [id] : []))),
      budget,
      shorten: shortenerOf(rules.restrictions),
      own: new Set(rules.rules.flatMap(({ id, own }) => (own ? [id] : []))),
      denied: options.denied,
      once: template.once,
      least: template.least,
    },
  );
  const entries = options.chosen ? chosenFrom(all, options.chosen) : all;
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
  const distinct = distinctFacts(ranked);
  const hiddenAt = (shown: number) => facts - (distinct[shown - 1] ?? 0);
  const toFields = createTemplateFields(continuation, lists, rules, options);
  const fieldsOf = (shown: number, whole: readonly Entry[], named: boolean, mark?: Selection["mark"]) =>
    toFields({ shown: new Set(ranked.slice(0, shown)), whole: new Set(whole), named, hidden: hiddenAt(shown), mark });
  const textOf = (fields: object) => fillTemplate(template.text, fields).replace(/\n{2,}$/, "\n");

  const fitted = fitBudget(ranked, budget, options.names !== undefined, ({ shown, whole, named }) => {
    const fields = fieldsOf(shown, whole, named);
    return { fields, text: textOf(fields) };
  });
  const { shown: low, whole, named, fields, text } = fitted;
  const kept = new Set(ranked.slice(0, low));
  const { store } = template;
  // Remove the gaps that missing values, such as the project or the date, leave.
  const filed = (name: string, value: string | undefined, tidied = (filled: string) => filled) =>
    value !== undefined && { [name]: tidied(fillTemplate(value, fields).replace(/ {2,}/g, " ").trim()) };
  return {
    text,
    tokens: countTokens(text),
    hidden: hiddenAt(low),
    entries: low,
    listed: entries
      .filter((entry) => kept.has(entry))
      .map(({ list, fields, place }) => ({ list, text: String(fields.text), ...(place && { place }) })),
    shown: ranked.slice(0, low).flatMap(({ place }) => (place ? [place, ...(place.joined ?? [])] : [])),
    ...(options.lines && linesOf(text, ranked.slice(0, low), (mark) => textOf(fieldsOf(low, whole, named, mark)))),
    ...(store && {
      store: {
        ...filed("title", store.title),
        ...filed("folder", store.folder, (path) => path.replace(/\/{2,}/g, "/").replace(/\/$/, "")),
        ...filed("file", store.file),
        tags: store.tags.map((tag) => fillTemplate(tag, fields)).filter((tag) => tag.trim() !== ""),
      },
    }),
  };
}

/** The identity of a fact: a sentence counts once, whatever its lists. */
const factKey = ({ list, place, tells }: Entry) => (place ? placeKey(place) : `${list}\n${tells}`);

/** Fills the template with marked entries, and finds the marks in each line. */
function linesOf(text: string, ranked: readonly Entry[], fill: (mark: NonNullable<Selection["mark"]>) => string) {
  const marked: Entry[] = [];
  const lines = fill((entry) => `\uE000${marked.push(entry as Entry) - 1}\uE001`)
    .split("\n")
    .map((line) => [...line.matchAll(/\uE000(\d+)\uE001/g)].flatMap(([, index]) => marked[Number(index)] ?? []));
  const shown = text.split("\n");
  const rows = new Map(
    lines.flatMap((row, at) => (row.length === 1 ? row.map((entry) => [lineKey(entry), shown[at] ?? ""]) : [])),
  );
  const choosable = ranked.filter(isChoosable).flatMap((entry): ChoosableLine[] => {
    const { tells, place } = entry;
    const row = rows.get(lineKey(entry));
    return row ? [{ tells, keys: keysOf(entry), text: row, ...(place && { place }) }] : [];
  });
  return { lines: lines.map((row) => row.flatMap(({ place }) => place ?? [])), choosable };
}

const lineKey = (entry: Entry) => `${entry.list}\n${keysOf(entry)[0]}`;

/** For each entry, the number of distinct facts up to it. */
function distinctFacts(entries: readonly Entry[]): readonly number[] {
  const keys = new Set<string>();
  return entries.map((entry) => (entry.fact ? keys.add(factKey(entry)).size : keys.size));
}

// Lists every line that a template may show: what was said, and what calls and notes prove.

interface EntryParts {
  readonly continuation: Continuation;
  readonly statements: readonly Statement[];
  readonly documents: readonly DocumentLine[];
  readonly lastCalls: readonly LastCall[];
}

const COUNTED = { ...PLAIN_ENTRY, tells: "", salience: 0, when: 0, fact: false, fields: {} } as const;

/** All entries, in the order in which each list shows them. */
function toEntries({ continuation, statements, documents, lastCalls }: EntryParts, options: EntryOptions) {
  const { lists, once, single } = options;
  const entries: Entry[] = [];
  const add: Add = (list, toEntry) =>
    entries.push(lists.has(list) ? { list, of: list, ...toEntry() } : { list, of: list, ...COUNTED });
  const material = createMaterial(continuation, statements, options);
  const { line, toldOf, ofStatement } = material;
  addItems(add, material, continuation.sections);
  addByHand(add, material);
  addInstructions(add, material);
  addFiles(add, continuation);
  addCalls(add, continuation, line, toldOf);
  addNotes(add, continuation, line, single);
  addDocuments(add, documents);
  const closing = lastWords(statements);
  if (closing) addLastCalls(add, lastCalls);
  if (closing) add("closing", () => ({ ...ofStatement(closing), share: "end", fact: false, ...line.ofStatement(closing) }));
  const goals = goalsOf(material);
  addOpening(add, material, goals);
  addRequests(add, material, goals);
  // With `once`, a fact replaces its sentence.
  const facts = new Set(once ? entries.flatMap(({ list, place }) => (place && lists.has(list) ? [placeKey(place)] : [])) : []);
  addStatements(add, material, goals, facts);
  return entries;
}
