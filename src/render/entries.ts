// Lists every line that a template may show: what was said, and what calls and notes prove.
import { PINS } from "../extract/by-hand.js";
import { type FactPlace, placeKey } from "../extract/place.js";
import type { Continuation, DocumentLine, Item, Kind, LastCall, Statement } from "../model.js";
import { OPTIONS_PREFIX } from "../rules/compile/signals.js";
import { oneLine } from "../text/forms.js";
import { groupBy } from "../text/sorted.js";
import { sameText } from "../text/words.js";
import { type Add, type Entry, PLAIN_ENTRY } from "./entry.js";
import { linesBy, withFields } from "./fields.js";
import { addCalls, addDocuments, addFiles, addLastCalls, addNotes, type ToldOf, toldField } from "./proven-entries.js";
import { ITEM_LISTS, type ListName } from "./shape.js";
import { plain, type Shorten, STATEMENT_CHARACTERS, shorten } from "./shorten.js";
import { createRowOf, isInstruction, isNarration, isOnlyLast, withoutIntros } from "./statements.js";

/** Longest line above a list. */
const INTRO_CHARACTERS = 50;
/** A request among so many of the last ones is marked as interrupted. */
const INTERRUPTED = 3;
/** After so many later requests of the user's, the session has moved on from a goal. A long one is another task by itself. */
const MOVED_ON = 3;
/** In a message with so many statements, each one has little salience. */
const LONG_PROMPT = 20;
/** A sentence below this salience is not what the user asks for. */
const GOAL_SALIENCE = 0.25;

/** Longest goal or last request, and longest other text of the user's, in characters for each token of the budget. */
const REQUEST_PER_TOKEN = 0.4;
const USER_PER_TOKEN = 0.2;

/** Of what was said last, fields of a report have to be worth more than this. */
const END_SALIENCE = 0.2;

/** A label says what sort of line it is, not what it tells. */
const LABEL = /^[\p{L} ]{1,30}: (?=\S)/u;

/** Kinds that say what somebody wants, not how things are. */
const WANTED: ReadonlySet<Kind> = new Set<Kind>(["goal", "decision", "constraint", "rejection"]);

/** A shorter message, such as "Yes, go on.", is no other request. */
const REQUEST_WORDS = 4;

const isRequest = ({ by, tool, text }: Statement) =>
  by === "user" && tool === undefined && text.split(" ", REQUEST_WORDS).length === REQUEST_WORDS;

/** What the entries are made of. */
export interface EntryParts {
  readonly continuation: Continuation;
  readonly statements: readonly Statement[];
  readonly documents: readonly DocumentLine[];
  readonly lastCalls: readonly LastCall[];
}

export interface EntryOptions {
  /** The lists that the template shows. The entries of others are only counted. */
  readonly lists: ReadonlySet<ListName>;
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

const COUNTED = { ...PLAIN_ENTRY, tells: "", salience: 0, when: 0, fact: false, fields: {} } as const;

/** All entries, in the order in which each list shows them. */
export function toEntries(
  { continuation, statements, documents, lastCalls }: EntryParts,
  { lists, budget, shorten: shortened, own, denied, once = false, least = {} }: EntryOptions,
) {
  const entries: Entry[] = [];
  const add: Add = (list, toEntry) =>
    entries.push(lists.has(list) ? { list, of: list, ...toEntry() } : { list, of: list, ...COUNTED });
  const line = linesBy(shortened);
  const longest = (perToken: number) => Math.max(STATEMENT_CHARACTERS, Math.round(perToken * budget));
  const mostOf = ({ by, pasted }: Statement) => (by === "user" && !pasted ? longest(USER_PER_TOKEN) : undefined);
  const { items } = continuation;
  /** What the summary says instead of a fact. */
  const toldOf: ToldOf = (kind, text) => denied?.get(`${kind}\n${text}`);
  const last = statements.at(-1)?.ordinal ?? 0;
  const whenOf = (ordinal: number) => (last === 0 ? 1 : Math.max(0, Math.min(1, ordinal / last)));
  const ordinals = new Map(statements.map(({ source, ordinal }) => [source, ordinal]));
  const weights = new Map(statements.map((one) => [placeKey(one), one.salience]));
  const times = new Map<string, number>();
  for (const { text } of statements) times.set(sameText(text), (times.get(sameText(text)) ?? 0) + 1);
  const timesOf = (text: string) => times.get(sameText(text)) ?? 1;
  /** The words of a fact, and when it was said. */
  const ofItem = (item: Item) => ({
    tells: String(line.ofItem(item).fields.quote),
    salience: Math.max(item.score, weights.get(placeKey(item.evidence)) ?? 0),
    when: whenOf(ordinals.get(item.evidence.source) ?? 0),
    fact: true,
    place: item.evidence,
    ...(toldOf(item.kind, item.text) !== undefined && { must: true }),
  });
  const ofStatement = (one: Statement) => ({
    tells: `${one.under ?? ""} ${one.text.replace(LABEL, "")} ${one.answers ?? ""}`.trim(),
    // What is said again and again, such as "Go on.", tells nothing and has no claim to a line of its own.
    salience: one.salience / timesOf(one.text),
    ...(timesOf(one.text) > 1 && { share: "none" }),
    when: whenOf(one.ordinal),
    place: one,
  });

  // A goal is dropped if another wish in the same sentence was superseded. A superseded finding does not affect it.
  const gaveWay = ({ kind, status }: Item) => status !== "active" && WANTED.has(kind);
  const superseded = new Set(items.filter(gaveWay).map(({ evidence }) => placeKey(evidence)));
  const stands = ({ kind, evidence }: Item) => kind !== "goal" || !superseded.has(placeKey(evidence));
  // The newest task has a line of its own, so it is not the goal as well. A first request may be both.
  const lastTasks = new Set(
    statements.flatMap(({ source, places }) => (isOnlyLast(places) && lists.has("requests") ? [source] : [])),
  );
  const isToldAsLast = ({ kind, evidence }: Item) => kind === "goal" && lastTasks.has(evidence.source);
  const active = items.filter((item) => item.status === "active" && stands(item) && !isToldAsLast(item));
  const saidIn = groupBy(statements, ({ source }) => source);
  const isLong = (id: string) => (saidIn.get(id) ?? []).filter(({ pasted }) => !pasted).length >= LONG_PROMPT;
  const ofUser = statements.filter(isRequest);
  const longPrompts = ofUser.flatMap(({ source, ordinal }) => (isLong(source) ? [ordinal] : []));
  const lastOrdinals = [...new Set(ofUser.map(({ ordinal }) => ordinal))].sort((a, b) => b - a);
  const movedBefore = Math.max(lastOrdinals[MOVED_ON - 1] ?? 0, ...longPrompts.slice(-1));
  /** The name of a goal's field, if the session has moved on from it. */
  const movedOn = ({ kind, evidence }: Item): "began" | "earlier" | undefined => {
    const said = kind === "goal" ? saidIn.get(evidence.source)?.[0] : undefined;
    if (!said || said.ordinal >= movedBefore) return undefined;
    return said.places.has("first-request") ? "began" : "earlier";
  };
  const isEnd = (one: Statement) =>
    one.by === "assistant" &&
    timesOf(one.text) === 1 &&
    (one.places.has("last-answer") || one.places.has("session-end")) &&
    (one.salience >= END_SALIENCE || !LABEL.test(one.text));
  const ends = new Set(statements.filter(isEnd).map(placeKey));
  // The project's state tells its own decisions.
  const noted = lists.has("state") ? (continuation.sections ?? []).flatMap((section) => section.lines.map(sameText)) : [];
  const isNoted = (text: string) => noted.some((one) => ` ${one} `.includes(` ${sameText(text)} `));
  const rowOf = createRowOf(statements);
  for (const [list, kind] of Object.entries(ITEM_LISTS) as [keyof typeof ITEM_LISTS, Kind][]) {
    const rows = new Set<Statement>();
    for (const one of active) {
      const row = one.kind === kind ? rowOf(one) : undefined;
      if (one.kind !== kind || (row && rows.has(row)) || (kind === "decision" && isNoted(one.text))) continue;
      if (row) rows.add(row);
      const moved = movedOn(one);
      // A session may begin with a title or "do this:", which has no claim to a line of its own.
      const salience = (weights.get(placeKey(one.evidence)) ?? 1) / timesOf(one.evidence.quote);
      const isVague = kind === "goal" && !isLong(one.evidence.source) && salience < GOAL_SALIENCE;
      const { marked } = one.judged ?? {};
      const isLikely = marked || one.score >= (least[list] ?? 0);
      const other = marked === false && lists.has("held") ? "held" : "maybe";
      add(isLikely && marked !== false ? list : other, () => ({
        ...ofItem(one),
        ...(marked === false && { of: one.by }),
        ...withFields(line.ofItem(within(one, row), kind === "goal" ? longest(REQUEST_PER_TOKEN) : undefined), {
          ...(moved && { [moved]: "yes" }),
          ...toldField(toldOf(one.kind, one.text)),
        }),
        place: row ?? one.evidence,
        ...(isVague ? { share: "none", salience } : ends.has(placeKey(one.evidence)) && { share: "end" }),
      }));
    }
  }
  for (const one of active.filter(({ evidence }) => evidence.rule === PINS))
    add("pinned", () => ({ ...ofItem(one), ...line.ofItem(one), must: true }));
  for (const one of items.filter(({ status, judged }) => status !== "active" && judged)) {
    const { round = 0, witness } = one.judged ?? {};
    const fields = { ...one.fields, status: one.status, round: String(round), ...(witness !== undefined && { witness }) };
    add("judged", () => ({ ...ofItem(one), fact: false, ...line.ofItem({ ...one, fields }) }));
  }
  for (const one of active.filter(isInstruction)) {
    const row = rowOf(one);
    // The line of the last request says it.
    if (row?.places.has("last-request") && lists.has("requests") && !once) continue;
    add("instructions", () => ({
      ...ofItem(one),
      ...withFields(line.ofItem(within(one, row)), toldField(toldOf(one.kind, one.text))),
      place: row ?? one.evidence,
      must: true,
    }));
  }
  addFiles(add, continuation);
  addCalls(add, continuation, line, toldOf);
  addNotes(add, continuation, line);
  addDocuments(add, documents);
  const closing = lastWords(statements);
  if (closing) addLastCalls(add, lastCalls);
  if (closing) add("closing", () => ({ ...ofStatement(closing), share: "end", fact: false, ...line.ofStatement(closing) }));

  // A goal may span several sentences.
  const goals = active.filter(({ kind }) => kind === "goal").map(({ evidence }) => evidence);
  const goalsIn = groupBy(goals, ({ source }) => source);
  const isGoal = ({ source, tool, start }: FactPlace) =>
    goalsIn.get(source)?.some((goal) => goal.tool === tool && goal.start <= start && start < goal.end) === true;
  const first = firstRequest(items, statements, goals);
  if (first)
    add("opening", () =>
      "evidence" in first
        ? { ...ofItem(first), ...line.ofItem(first) }
        : { ...ofStatement(first), fact: true, ...line.ofStatement(first) },
    );
  const lastSaid = statements.filter(({ places }) => places.has("last-request"));
  const lastWritten = lastSaid.some(({ pasted }) => !pasted) ? lastSaid.filter(({ pasted }) => !pasted) : lastSaid;
  // Of a long prompt, the goal or the beginning is what it asks for; any other sentence would be a detail.
  const isDetail = (one: Statement) => isLong(one.source) && (goalsIn.has(one.source) || one !== lastWritten[0]);
  for (const one of lastWritten) {
    if (isGoal(one) || isDetail(one)) continue;
    // The goal's line tells what the message asks for, and this tells more of it.
    const ofGoal = goalsIn.has(one.source) && { ofGoal: "yes" };
    const toRequest = () => ({
      ...ofStatement(one),
      fact: true,
      ...withFields(line.ofStatement(one, one.pasted ? undefined : longest(REQUEST_PER_TOKEN)), { ...ofGoal }),
    });
    add("requests", toRequest);
    if (!one.settled) add("pending", toRequest);
  }
  // Options look different from each other once the user picked one.
  const picked = active.filter(({ evidence }) => evidence.rule.startsWith(OPTIONS_PREFIX));
  const choices = new Map(
    picked.map(({ kind, evidence }) => [placeKey(evidence), { [kind === "decision" ? "chosen" : "declined"]: kind }]),
  );
  // What was interrupted long ago was asked for again, or is no longer wanted.
  const lately = new Set([...new Set(ofUser.map(({ source }) => source))].slice(-INTERRUPTED));
  const ownIn = groupBy(
    active.flatMap(({ evidence }) => (own.has(evidence.rule) ? [evidence] : [])),
    ({ source }) => source,
  );
  const isOwn = ({ source, tool, start, end }: Statement) =>
    ownIn.get(source)?.some((one) => one.tool === tool && start <= one.start && one.start < end) === true;
  const newest = new Map(statements.map((one) => [sameText(one.text), one]));
  // With `once`, a fact replaces its sentence.
  const facts = new Set(once ? entries.flatMap(({ list, place }) => (place && lists.has(list) ? [placeKey(place)] : [])) : []);
  const shown = withoutIntros([...newest.values()]).filter(
    (one) => !isNarration(one) && !isGoal(one) && !facts.has(placeKey(one)) && !(once && one.pasted),
  );
  for (const one of [...shown].sort((a, b) => a.ordinal - b.ordinal || a.start - b.start)) {
    const around = {
      ...(one.under !== undefined &&
        !choices.has(placeKey(one)) && { under: plain(shorten(oneLine(one.under), INTRO_CHARACTERS)) }),
      ...(one.afterChange && { changed: "yes" }),
    };
    const over = one.places.has("interrupted") && !lately.has(one.source) && { interrupted: "" };
    add("statements", () => ({
      ...ofStatement(one),
      of: one.pasted ? "tool" : one.by,
      fact: one.kinds.length > 0,
      ...(isOwn(one) ? { share: "own" } : isEnd(one) && { share: "end" }),
      ...withFields(line.ofStatement(one, mostOf(one)), { ...choices.get(placeKey(one)), ...around, ...over }),
    }));
  }
  return entries;
}

/** The end of what the assistant said last, if it was at work: what it was about to do. */
function lastWords(statements: readonly Statement[]): Statement | undefined {
  const last = statements.findLast(({ by, tool }) => tool === undefined && by !== "file");
  if (last?.by !== "assistant" || !last.places.has("before-tool")) return undefined;
  const before = statements.findLast(
    ({ source, tool, end }) => source === last.source && tool === undefined && end <= last.start,
  );
  const isJoined = before && [before, last].every(({ node }) => node === "sentence");
  return isJoined ? { ...last, text: `${before.text} ${last.text}` } : last;
}

/** A fact in the words of its row or message. */
const within = (item: Item, row: Statement | undefined): Item =>
  row
    ? { ...item, text: row.text, fields: { ...item.fields, before: "" }, evidence: { ...item.evidence, quote: row.text } }
    : item;

/** What the user asked for first, if that is not the goal: a goal that a later one replaced, or the heaviest sentence. */
function firstRequest(
  items: readonly Item[],
  statements: readonly Statement[],
  goals: readonly FactPlace[],
): Item | Statement | undefined {
  const replaced = items.find(({ kind, status }) => kind === "goal" && status === "superseded");
  if (replaced) return replaced;
  const isFirst = ({ places, by }: Statement) => by === "user" && places.has("first-request") && !places.has("last-request");
  const [heaviest] = statements.filter(isFirst).sort((a, b) => b.salience - a.salience);
  const isTold = !heaviest || heaviest.salience < GOAL_SALIENCE || goals.some(({ source }) => source === heaviest.source);
  return isTold ? undefined : heaviest;
}
