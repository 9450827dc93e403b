// What the lines of a brief are made from: the standing facts and statements of a session, and what each one weighs.
import { type Continuation, type FactPlace, type Item, type Kind, placeKey, type Statement } from "../model.js";
import { groupBy } from "../text/lists.js";
import { sameText } from "../text/words.js";
import type { Entry } from "./entry.js";
import { type LineBuilders, linesBy } from "./fields.js";
import type { ToldOf } from "./proven-entries.js";
import { type Shorten, STATEMENT_CHARACTERS } from "./shorten.js";
import { createJoinedOf, isOnlyLast } from "./statements.js";
import type { ListName } from "./template-names.js";

/** In a message with so many statements, each one has little salience. */
const LONG_PROMPT = 20;

/** Of what was said last, fields of a report have to be worth more than this. */
const END_SALIENCE = 0.2;

/** A label says what sort of line it is, not what it tells. */
const LABEL = /^[\p{L} ]{1,30}: (?=\S)/u;

/** Kinds that say what somebody wants, not how things are. */
const WANTED: ReadonlySet<Kind> = new Set<Kind>(["goal", "decision", "constraint", "rejection"]);

export interface EntryOptions {
  /** The lists that the template shows. The entries of others are only counted. */
  readonly lists: ReadonlySet<ListName>;
  /** The sections of notes that have one line. */
  readonly single: ReadonlySet<string>;
  readonly budget: number;
  readonly shorten: Shorten;
  /** The ids of a team's own rules: what they find comes before what was only said. */
  readonly own: ReadonlySet<string>;
  /** The facts that a summary states otherwise, by kind and text, and its words. */
  readonly denied?: ReadonlyMap<string, string> | undefined;
  /** A fact has its own line, whatever other line says it. */
  readonly once?: boolean | undefined;
  /** The lowest score of a list: facts below it are only `maybe`, unless a model marked them. */
  readonly least?: Readonly<Record<string, number>> | undefined;
}

type Weighed = Pick<Entry, "tells" | "salience" | "when" | "place" | "must" | "share">;

/** What the lines are made from, and how they are made. */
export interface Material extends Omit<EntryOptions, "shorten" | "denied"> {
  readonly line: LineBuilders;
  readonly statements: readonly Statement[];
  readonly items: readonly Item[];
  /** The facts that stand. */
  readonly active: readonly Item[];
  /** What the summary says instead of a fact. */
  readonly toldOf: ToldOf;
  readonly weightOf: (place: FactPlace) => number | undefined;
  /** How often the same words were said. */
  readonly timesOf: (text: string) => number;
  readonly saidIn: ReadonlyMap<string, readonly Statement[]>;
  readonly isLong: (source: string) => boolean;
  readonly isEnd: (one: Statement) => boolean;
  /** The table row or short message that a fact is a part of. */
  readonly joinedOf: (item: Item) => Statement | undefined;
  /** Longest text in characters. */
  readonly longest: (perToken: number) => number;
  readonly ofItem: (item: Item) => Weighed & { readonly fact: true };
  readonly ofStatement: (one: Statement) => Weighed;
}

export function createMaterial(
  { items }: Pick<Continuation, "items">,
  statements: readonly Statement[],
  { shorten, denied, ...options }: EntryOptions,
): Material {
  const line = linesBy(shorten);
  const toldOf: ToldOf = (kind, text) => denied?.get(`${kind}\n${text}`);
  const last = statements.at(-1)?.ordinal ?? 0;
  const whenOf = (ordinal: number) => (last === 0 ? 1 : Math.max(0, Math.min(1, ordinal / last)));
  const ordinals = new Map(statements.map(({ source, ordinal }) => [source, ordinal]));
  const weights = new Map(statements.map((one) => [placeKey(one), one.salience]));
  const times = new Map<string, number>();
  const writtenIn = new Map<string, number>();
  for (const { text, source, pasted } of statements) {
    const words = sameText(text);
    times.set(words, (times.get(words) ?? 0) + 1);
    if (!pasted) writtenIn.set(source, (writtenIn.get(source) ?? 0) + 1);
  }
  const timesOf = (text: string) => times.get(sameText(text)) ?? 1;
  const weightOf = (place: FactPlace) => weights.get(placeKey(place));
  const saidIn = groupBy(statements, ({ source }) => source);
  return {
    ...options,
    line,
    statements,
    items,
    active: activeOf(items, statements, options.lists),
    toldOf,
    weightOf,
    timesOf,
    saidIn,
    isLong: (source) => (writtenIn.get(source) ?? 0) >= LONG_PROMPT,
    isEnd: (one) =>
      one.by === "assistant" &&
      (one.places.has("last-answer") || one.places.has("session-end")) &&
      timesOf(one.text) === 1 &&
      (one.salience >= END_SALIENCE || !LABEL.test(one.text)),
    joinedOf: createJoinedOf(statements),
    longest: (perToken) => Math.max(STATEMENT_CHARACTERS, Math.round(perToken * options.budget)),
    ofItem: (item) => ({
      tells: String(line.ofItem(item).fields.quote),
      salience: Math.max(item.score, weightOf(item.evidence) ?? 0),
      when: whenOf(ordinals.get(item.evidence.source) ?? 0),
      fact: true,
      place: item.evidence,
      ...(toldOf(item.kind, item.text) !== undefined && { must: true }),
    }),
    ofStatement: (one) => ({
      tells: `${one.under ?? ""} ${one.text.replace(LABEL, "")} ${one.answers ?? ""}`.trim(),
      // What is said again and again, such as "Go on.", tells nothing and has no claim to a line of its own.
      salience: one.salience / timesOf(one.text),
      ...(timesOf(one.text) > 1 && { share: "none" }),
      when: whenOf(one.ordinal),
      place: one,
    }),
  };
}

function activeOf(items: readonly Item[], statements: readonly Statement[], lists: ReadonlySet<ListName>): readonly Item[] {
  // A goal is dropped if another wish in the same sentence was superseded. A superseded finding does not affect it.
  const gaveWay = ({ kind, status }: Item) => status !== "active" && WANTED.has(kind);
  const superseded = new Set(items.filter(gaveWay).map(({ evidence }) => placeKey(evidence)));
  // The newest task has a line of its own, so it is not the goal as well. A first request may be both.
  const lastTasks = new Set(
    statements.flatMap(({ source, places }) => (isOnlyLast(places) && lists.has("requests") ? [source] : [])),
  );
  return items.filter(
    ({ kind, status, evidence }) =>
      status === "active" && (kind !== "goal" || !(superseded.has(placeKey(evidence)) || lastTasks.has(evidence.source))),
  );
}
