// Lists every line that a template may show, with its worth.
import { PINS } from "../extract/by-hand.js";

import { type FactPlace, placeKey } from "../extract/place.js";
import type { Continuation, Item, Kind, Statement } from "../model.js";
import { OPTIONS_PREFIX } from "../rules/compile/signals.js";
import { oneLine } from "../text/forms.js";
import { createRowOf, isOnlyLast } from "./compose.js";
import { type Fields, type Line, linesBy } from "./fields.js";
import { type Add, addCalls, addFiles, addNotes, type Entry } from "./proven-entries.js";
import { ITEM_LISTS, type ListName } from "./shape.js";
import { plain, type Shorten, shorten } from "./shorten.js";
import {
  GOAL_SALIENCE,
  INSTRUCTION_WORTH,
  isInstruction,
  itemWorth,
  LONG_PROMPT,
  MOVED_ON,
  PIN_WORTH,
  provenWorth,
  READ_WORTH,
  REQUEST_WORDS,
  SAID_PACE,
  saidWorth,
} from "./worth.js";

/** Longest line above a list. */
const INTRO_CHARACTERS = 50;
const SHORT_INTRO_CHARACTERS = 24;

/** Kinds that say what somebody wants, not how things are. */
const WANTED: ReadonlySet<Kind> = new Set<Kind>(["goal", "decision", "constraint", "rejection"]);

export interface EntryOptions {
  /** The lists that the template shows. The entries of others are only counted. */
  readonly lists: ReadonlySet<ListName>;
  readonly shorten: Shorten;
  /** For the working set. */
  readonly tokens: number;
  /** There is room for the lines above lists. */
  readonly roomy: boolean;
  /** There is room for the line where files begin to change. */
  readonly marked: boolean;
  /** The lowest score of a list: facts below it are only `maybe`. */
  readonly least?: Readonly<Record<string, number>>;
}

/** A request among so many of the last ones is marked as interrupted. */
const INTERRUPTED = 3;

const COUNTED = { worth: 0, fact: false, fields: {} } as const;

/** All entries, in the order in which each list shows them. */
export function toEntries(
  continuation: Continuation,
  standing: readonly Statement[],
  ranked: readonly Statement[],
  { lists, shorten: shortened, tokens, roomy, marked, least = {} }: EntryOptions,
): readonly Entry[] {
  const entries: Entry[] = [];
  const add: Add = (list, toEntry) => entries.push(lists.has(list) ? { list, ...toEntry() } : { list, ...COUNTED });
  const line = linesBy(shortened);
  const { items } = continuation;
  // A goal is dropped if another wish in the same sentence was superseded. A superseded finding does not affect it.
  const gaveWay = ({ kind, status }: Item) => status !== "active" && WANTED.has(kind);
  const superseded = new Set(items.filter(gaveWay).map(({ evidence }) => placeKey(evidence)));
  const stands = ({ kind, evidence }: Item) => kind !== "goal" || !superseded.has(placeKey(evidence));
  // The newest task has a line of its own, so it is not the goal as well. A first request may be both.
  const last = new Set(standing.flatMap(({ source, places }) => (isOnlyLast(places) && lists.has("requests") ? [source] : [])));
  const isToldAsLast = ({ kind, evidence }: Item) => kind === "goal" && last.has(evidence.source);
  const active = items.filter((item) => item.status === "active" && stands(item) && !isToldAsLast(item));
  const rank = new Map(ranked.map((one, index) => [placeKey(one), { index, one }]));
  const isLong = (among: readonly Statement[], id: string) => among.filter(({ source }) => source === id).length >= LONG_PROMPT;
  const goalWorth = ({ evidence, score }: Item) => {
    const said = rank.get(placeKey(evidence));
    return said && !isLong(ranked, evidence.source) && said.one.salience < GOAL_SALIENCE
      ? saidWorth(said.index, SAID_PACE)
      : 1 + score;
  };
  // The last question is where the session stopped.
  const asked = active.filter(({ kind }) => kind === "question").reverse();
  const worthOf = (one: Item) => {
    if (one.kind === "goal") return goalWorth(one);
    if (one.kind === "question") return provenWorth("questions", asked.indexOf(one), one.text);
    return itemWorth(one);
  };
  const ofUser = standing.filter(({ by, tool, text }) => by === "user" && tool === undefined && saysMore(text));
  /** The name of a goal's field, if the session has moved on from it. */
  const movedOn = ({ kind, evidence }: Item): "began" | "earlier" | undefined => {
    const said = kind === "goal" ? standing.find(({ source }) => source === evidence.source) : undefined;
    if (!said || new Set(ofUser.filter((one) => one.ordinal > said.ordinal).map(({ source }) => source)).size < MOVED_ON)
      return undefined;
    return said.places.has("first-request") ? "began" : "earlier";
  };
  const rowOf = createRowOf(standing);
  for (const [list, kind] of Object.entries(ITEM_LISTS) as [keyof typeof ITEM_LISTS, Kind][]) {
    const rows = new Set<Statement>();
    for (const one of active) {
      const row = one.kind === kind ? rowOf(one) : undefined;
      if (one.kind !== kind || (row && rows.has(row))) continue;
      if (row) rows.add(row);
      const moved = movedOn(one);
      add(one.score < (least[list] ?? 0) ? "maybe" : list, () => ({
        worth: worthOf(one),
        fact: true,
        ...withFields(line.ofItem(row ? { ...one, text: row.text, evidence: { ...one.evidence, quote: row.text } } : one), {
          ...(moved && { [moved]: "yes" }),
        }),
        place: row ?? one.evidence,
      }));
    }
  }
  for (const one of active.filter(({ evidence }) => evidence.rule === PINS))
    add("pinned", () => ({ worth: PIN_WORTH, fact: true, ...line.ofItem(one), place: one.evidence }));
  for (const one of items.filter(({ status, judged }) => status !== "active" && judged)) {
    const { round = 0, witness } = one.judged ?? {};
    const fields = { ...one.fields, status: one.status, round: String(round), ...(witness !== undefined && { witness }) };
    add("judged", () => ({ worth: READ_WORTH, fact: false, ...line.ofItem({ ...one, fields }), place: one.evidence }));
  }
  for (const one of active.filter(isInstruction))
    add("instructions", () => ({
      worth: INSTRUCTION_WORTH + one.score / 10,
      fact: true,
      ...line.ofItem(one),
      place: one.evidence,
    }));
  addFiles(add, continuation, standing, tokens);
  addCalls(add, continuation, line);
  addNotes(add, continuation, line);

  // A goal may span several sentences.
  const goals = active.filter(({ kind }) => kind === "goal").map(({ evidence }) => evidence);
  const isGoal = ({ source, tool, start }: FactPlace) =>
    goals.some((goal) => goal.source === source && goal.tool === tool && goal.start <= start && start < goal.end);
  const first = firstRequest(items, standing, goals);
  if (first)
    add("opening", () => ({
      worth: provenWorth("opening", 0, first.text),
      fact: true,
      ...("evidence" in first ? line.ofItem(first) : line.ofStatement(first)),
      place: "evidence" in first ? first.evidence : first,
    }));
  // Of a long prompt, the goal is what it asks for; any other sentence would be a detail.
  const isDetail = (one: Statement) => goals.some(({ source }) => source === one.source) && isLong(standing, one.source);
  const requests = standing.filter((one) => one.places.has("last-request") && !isGoal(one) && !isDetail(one));
  const heaviest = new Map([...requests].sort((a, b) => b.salience - a.salience).map((one, index) => [one, index]));
  for (const one of requests) {
    // The goal's line tells what the message asks for, and this tells more of it.
    const ofGoal = goals.some(({ source }) => source === one.source) && { ofGoal: "yes" };
    const toRequest = () => ({
      worth: provenWorth("requests", heaviest.get(one) ?? 0, plain(oneLine(one.text))),
      fact: true,
      ...withFields(line.ofStatement(one), { ...ofGoal }),
      place: one,
    });
    add("requests", toRequest);
    if (!one.settled) add("pending", toRequest);
  }
  const worth = new Map(ranked.map((one, index) => [one, saidWorth(index, SAID_PACE)]));
  // Options look different from each other once the user picked one.
  const picked = active.filter(({ evidence }) => evidence.rule.startsWith(OPTIONS_PREFIX));
  const choices = new Map(
    picked.map(({ kind, evidence }) => [placeKey(evidence), { [kind === "decision" ? "chosen" : "declined"]: kind }]),
  );
  // What was interrupted long ago was asked for again, or is no longer wanted.
  const lately = new Set([...new Set(ofUser.map(({ source }) => source))].slice(-INTERRUPTED));
  const inOrder = ranked.filter((one) => !isGoal(one)).sort((a, b) => a.ordinal - b.ordinal || a.start - b.start);
  for (const one of inOrder) {
    const fact = one.kinds.length > 0;
    // The items of a plan come from several lists, which would run together. So do those of the last answer.
    const isLast = one.places.has("last-answer");
    const lead = roomy || one.proposed || isLast ? one.under : undefined;
    const most = roomy || isLast ? INTRO_CHARACTERS : SHORT_INTRO_CHARACTERS;
    const around = {
      ...(lead !== undefined && { under: plain(shorten(oneLine(lead), most)) }),
      ...(marked && one.afterChange && { changed: "yes" }),
    };
    const over = one.places.has("interrupted") && !lately.has(one.source) && { interrupted: "" };
    const shown = withFields(line.ofStatement(one), { ...choices.get(placeKey(one)), ...around, ...over });
    add("statements", () => ({ worth: worth.get(one) ?? 0, fact, ...shown, place: one }));
  }
  return entries;
}

/** "Yes, go ahead" is not another request. */
const saysMore = (text: string) => text.split(" ", REQUEST_WORDS).length === REQUEST_WORDS;

/** Adds fields to a line. */
function withFields({ fields, full }: Line, more: Fields): Line {
  return { fields: { ...fields, ...more }, ...(full && { full: { ...full, ...more } }) };
}

/** What the user asked for first, if that is not the goal: a goal that a later one replaced, or the heaviest sentence. */
function firstRequest(
  items: readonly Item[],
  standing: readonly Statement[],
  goals: readonly FactPlace[],
): Item | Statement | undefined {
  const replaced = items.find(({ kind, status }) => kind === "goal" && status === "superseded");
  if (replaced) return replaced;
  const isFirst = ({ places, by }: Statement) => by === "user" && places.has("first-request") && !places.has("last-request");
  const [heaviest] = standing.filter(isFirst).sort((a, b) => b.salience - a.salience);
  const isTold = !heaviest || heaviest.salience < GOAL_SALIENCE || goals.some(({ source }) => source === heaviest.source);
  return isTold ? undefined : heaviest;
}
