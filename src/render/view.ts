// What a template can name. VIEW says it once: the lint checks templates against it, and toView builds it.
import type { Continuation, Extraction, Item, Kind, Statement } from "../model.js";
import type { RuleSet } from "../rules/rule-set.js";
import { shorten } from "./compose.js";

/** What a rendering needs to know beside the facts. */
export interface RenderContext {
  readonly project?: string;
  /** An instant in ISO form; dates are UTC. */
  readonly now?: string;
  /** How many compactions the session has seen, this one included. */
  readonly round?: number;
}

export type Shape = true | { readonly [name: string]: Shape };

const line = { text: true, number: true, last: true } as const;
const item = {
  ...line,
  reason: true,
  instead: true,
  category: true,
  by: true,
  source: true,
  quote: true,
  status: true,
} as const;
const statement = { ...line, by: true, kind: true, source: true } as const;

/** List name → the kind of item in it. */
export const ITEM_LISTS = {
  goals: "goal",
  constraints: "constraint",
  decisions: "decision",
  rejections: "rejection",
  findings: "finding",
  done: "done",
  remaining: "remaining",
  blockers: "blocker",
  questions: "question",
  concepts: "concept",
  notes: "note",
} as const satisfies Record<string, Kind>;

const OTHER_LISTS = {
  requests: statement,
  statements: statement,
  failing: line,
  read: line,
  changed: line,
  created: line,
  modified: line,
  deleted: line,
} as const;
export const LIST_NAMES = [...Object.keys(ITEM_LISTS), ...Object.keys(OTHER_LISTS)] as readonly ListName[];
export type ListName = keyof typeof ITEM_LISTS | keyof typeof OTHER_LISTS;

const each = (value: Shape) => Object.fromEntries(LIST_NAMES.map((name) => [name, value])) as Record<ListName, Shape>;

export const VIEW: Shape = {
  project: true,
  /** The project's name in lower case. */
  tag: true,
  session: { id: true, prefix: true, format: true },
  round: true,
  date: { year: true, month: true, day: true, iso: true },
  timestamp: true,
  counts: each(true),
  has: each(true),
  hidden: true,
  ...Object.fromEntries(Object.keys(ITEM_LISTS).map((name) => [name, item])),
  ...OTHER_LISTS,
  sections: { title: true, entries: item },
};

/** One line that a template may show; the worthiest stay when room is short. */
export interface Entry {
  readonly list: ListName;
  readonly worth: number;
  /** It carries a fact that somebody may miss. */
  readonly fact: boolean;
  readonly fields: Readonly<Record<string, string>>;
  /** Where it was said, if it was said. */
  readonly place?: Place;
}

/** A place in the session by which a fact is known again. */
export interface Place {
  readonly source: string;
  readonly start: number;
}

const PREFIX_CHARACTERS = 8;

/** Entries in the order in which each list shows them. */
export function toEntries({ continuation, statements }: Extraction, ranked: readonly Statement[]): readonly Entry[] {
  const { items, files, errors } = continuation;
  const active = items.filter(({ status }) => status === "active");
  const entries: Entry[] = [];
  for (const [list, kind] of Object.entries(ITEM_LISTS) as [keyof typeof ITEM_LISTS, Kind][]) {
    for (const one of active)
      if (one.kind === kind)
        entries.push({
          list,
          worth: one.score + (kind === "goal" ? 1 : 0),
          fact: true,
          fields: itemFields(one),
          place: one.evidence,
        });
  }
  const changed = [...files.created, ...files.modified, ...files.deleted].sort();
  for (const [list, paths] of Object.entries({ ...files, changed })) {
    for (const path of paths)
      entries.push({ list: list as ListName, worth: list === "read" ? 0.4 : 1.2, fact: true, fields: { text: path } });
  }
  const failing = new Set(errors.filter(({ resolved }) => !resolved).map(({ command }) => command));
  for (const command of failing)
    entries.push({ list: "failing", worth: 1.4, fact: true, fields: { text: shorten(command.replace(/\s+/g, " ")) } });

  const gone = new Set(
    items
      .filter(({ status }) => status === "superseded")
      .flatMap((one) => [one.evidence, ...one.also])
      .map(placeKey),
  );
  const goals = new Set(active.filter(({ kind }) => kind === "goal").map(({ evidence }) => placeKey(evidence)));
  const requests = statements.filter(
    (one) => one.places.has("last-request") && !gone.has(placeKey(one)) && !goals.has(placeKey(one)),
  );
  for (const [index, one] of requests.entries())
    entries.push({ list: "requests", worth: 1.5 - index / 100, fact: true, fields: statementFields(one), place: one });
  const shown = new Set([...requests.map(placeKey), ...goals]);
  const rest = ranked.filter((one) => !gone.has(placeKey(one)) && !shown.has(placeKey(one)));
  const worth = new Map(rest.map((one, index) => [one, 1 / (index + 2)]));
  const inOrder = [...rest].sort((a, b) => a.ordinal - b.ordinal || a.start - b.start);
  for (const one of inOrder)
    entries.push({
      list: "statements",
      worth: worth.get(one) ?? 0,
      fact: one.kinds.length > 0,
      fields: statementFields(one),
      place: one,
    });
  return entries;
}

export const placeKey = ({ source, start }: Place) => `${source}\n${start}`;

function itemFields({ text, fields, category, by, status, evidence }: Item): Readonly<Record<string, string>> {
  return {
    ...fields,
    text: oneLine(text),
    by,
    status,
    source: evidence.source,
    quote: oneLine(evidence.quote),
    category: category ?? "",
  };
}

function statementFields(one: Statement): Readonly<Record<string, string>> {
  const box = one.task ? `[${one.task === "done" ? "x" : " "}] ` : "";
  return { text: box + shorten(oneLine(one.text)), by: one.by, kind: one.kinds[0] ?? "", source: one.source };
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

/** The view of the entries that are shown. Null prototypes: a template can name nothing but what is here. */
export function toView(
  continuation: Continuation,
  all: readonly Entry[],
  shown: ReadonlySet<Entry>,
  rules: RuleSet,
  context: RenderContext,
): object {
  const now = context.now !== undefined && !Number.isNaN(Date.parse(context.now)) ? new Date(context.now).toISOString() : "";
  const [year = "", month = "", day = ""] = now.slice(0, 10).split("-");
  const lists = {} as Record<ListName, object[]>;
  const counts = {} as Record<ListName, number>;
  for (const name of LIST_NAMES) {
    const own = all.filter(({ list }) => list === name);
    counts[name] = own.length;
    lists[name] = lines(own.filter((entry) => shown.has(entry)));
  }
  const sections = rules.sections.flatMap(({ title, holds, max }) => {
    const name = LIST_NAMES.find((list) => (ITEM_LISTS as Record<string, string>)[list] === holds) as ListName;
    const entries = lists[name].slice(0, max);
    return entries.length > 0 ? [bare({ title, entries })] : [];
  });
  return bare({
    project: context.project ?? "",
    tag: (context.project ?? "").toLowerCase(),
    session: bare({ ...continuation.session, prefix: [...continuation.session.id].slice(-PREFIX_CHARACTERS).join("") }),
    round: context.round ?? 1,
    date: bare({ year, month, day, iso: now.slice(0, 10) }),
    timestamp: now,
    counts: bare(counts),
    has: bare(Object.fromEntries(LIST_NAMES.map((name) => [name, lists[name].length > 0]))),
    hidden: 0,
    ...lists,
    sections,
  });
}

function lines(entries: readonly Entry[]): object[] {
  return entries.map(({ fields }, index) => bare({ ...fields, number: index + 1, last: index === entries.length - 1 }));
}

function bare(fields: object): object {
  return Object.assign(Object.create(null), fields);
}
