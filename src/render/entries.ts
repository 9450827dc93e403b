// Everything that a template may show, line by line, with its worth.
import { PINS } from "../extract/by-hand.js";
import { type Place, placeKey } from "../extract/place.js";
import type { Continuation, Extraction, Item, Kind, Statement } from "../model.js";
import { shorten } from "./compose.js";
import { ITEM_LISTS, type ListName } from "./shape.js";

/** One line that a template may show; the worthiest stay when room is short. */
export interface Entry {
  readonly list: ListName;
  readonly worth: number;
  /** It carries a fact that somebody may miss. */
  readonly fact: boolean;
  readonly fields: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  /** Where it was said, if it was said. */
  readonly place?: Place;
}

/** Above everything else. */
const PIN_WORTH = 3;

/** Of the continuation's sections, the first lines stay longest, those of the first sections before the others. */
const STATE_WORTH = 100;

/** The state of a todo → the list that shows it. */
const TODO_LISTS = { open: "todos", doing: "doing", done: "ticked" } as const;

/** Entries in the order in which each list shows them. */
export function toEntries(
  continuation: Continuation,
  standing: readonly Statement[],
  ranked: readonly Statement[],
): readonly Entry[] {
  const { items, files, errors, todos } = continuation;
  const superseded = new Set(items.filter(({ status }) => status === "superseded").map(({ evidence }) => placeKey(evidence)));
  // A goal in words that nobody stands by any more is no goal.
  const stands = ({ kind, evidence }: Item) => kind !== "goal" || !superseded.has(placeKey(evidence));
  const active = items.filter((item) => item.status === "active" && stands(item));
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
  for (const one of active.filter(({ evidence }) => evidence.rule === PINS))
    entries.push({ list: "pinned", worth: PIN_WORTH, fact: true, fields: itemFields(one), place: one.evidence });
  const changed = [...files.created, ...files.modified, ...files.deleted].sort();
  const root = commonFolder(continuation);
  for (const [list, paths] of Object.entries({ ...files, changed })) {
    for (const path of paths)
      entries.push({
        list: list as ListName,
        worth: list === "read" ? 0.4 : 1.2,
        fact: true,
        fields: { text: harmless(path), short: harmless(path.startsWith(root) ? path.slice(root.length) : path) },
      });
  }
  const failing = new Set(errors.filter(({ resolved }) => !resolved).map(({ command }) => command));
  for (const command of failing)
    entries.push({ list: "failing", worth: 1.4, fact: true, fields: { text: harmless(shorten(oneLine(command))) } });
  const mended = new Set(errors.filter(({ resolved }) => resolved).map(({ command }) => command));
  for (const command of mended)
    if (!failing.has(command))
      entries.push({ list: "mended", worth: 1.1, fact: true, fields: { text: harmless(shorten(oneLine(command))) } });
  for (const { text, state } of todos)
    entries.push({ list: TODO_LISTS[state], worth: state === "done" ? 0.3 : 1.3, fact: true, fields: { text: shorten(text) } });
  for (const [place, { id, lines }] of (continuation.sections ?? []).entries()) {
    // That there is nothing to say gives way first.
    if (lines.length === 0) entries.push({ list: "state", worth: -place, fact: false, fields: { text: "", section: id } });
    for (const [index, text] of lines.entries()) {
      const worth = STATE_WORTH - index - place / 100;
      entries.push({ list: "state", worth, fact: true, fields: { text: oneLine(text), section: id } });
    }
  }

  const goals = new Set(active.filter(({ kind }) => kind === "goal").map(({ evidence }) => placeKey(evidence)));
  const requests = standing.filter((one) => one.places.has("last-request") && !goals.has(placeKey(one)));
  for (const one of requests)
    entries.push({ list: "requests", worth: 1.5 + one.salience / 100, fact: true, fields: statementFields(one), place: one });
  const worth = new Map(ranked.map((one, index) => [one, 1 / (index + 2)]));
  const inOrder = ranked.filter((one) => !goals.has(placeKey(one))).sort((a, b) => a.ordinal - b.ordinal || a.start - b.start);
  for (const one of inOrder) {
    const fact = one.kinds.length > 0;
    entries.push({ list: "statements", worth: worth.get(one) ?? 0, fact, fields: statementFields(one), place: one });
  }
  return entries;
}

/** The statements that nothing later replaced. */
export function standingStatements({ continuation, statements }: Extraction): readonly Statement[] {
  const gone = continuation.items.filter(({ status }) => status === "superseded").flatMap((one) => [one.evidence, ...one.also]);
  const places = new Set(gone.map(placeKey));
  return statements.filter((one) => !places.has(placeKey(one)));
}

function itemFields({ text, fields, category, by, status, evidence }: Item): Entry["fields"] {
  return {
    ...(fields.reason !== undefined && { reason: fields.reason }),
    ...(fields.instead !== undefined && { instead: fields.instead }),
    fields,
    text: oneLine(text),
    by,
    status,
    source: evidence.source,
    quote: oneLine(evidence.quote),
    category: category ?? "",
  };
}

function statementFields(one: Statement): Entry["fields"] {
  const box = one.task ? `[${one.task === "done" ? "x" : " "}] ` : "";
  return {
    text: box + shorten(oneLine(one.text)),
    user: one.by === "user" ? "user" : "",
    by: one.by,
    kind: one.kinds[0] ?? "",
    source: one.source,
  };
}

/** A path or a command may hold anything; in a list between tags it must neither end its line nor the list. */
export const harmless = (text: string) =>
  text
    .replace(/[\r\n]+/g, "\\n")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

/** The folder that all absolute paths have in common, with its slash; empty when there is none to speak of. */
export function commonFolder({ files }: Continuation): string {
  const paths = Object.values(files)
    .flat()
    .filter((path) => path.startsWith("/"));
  const [first = "", ...rest] = paths;
  let folder = first.slice(0, first.lastIndexOf("/") + 1);
  for (const path of rest)
    while (!path.startsWith(folder)) folder = folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1);
  return folder.length > 1 ? folder : "";
}
