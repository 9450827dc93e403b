// Everything that a template may show, line by line, with its worth.
import { estimateTokenCount } from "tokenx";
import { PINS } from "../extract/by-hand.js";
import { stillFailing } from "../extract/failures.js";
import { type Place, placeKey } from "../extract/place.js";
import { COMMAND_CHARACTERS } from "../limits.js";
import type { Continuation, Extraction, Item, Kind, Statement, Todo } from "../model.js";
import { oneLine } from "../one-line.js";
import { type Line, linesBy } from "./fields.js";
import { byMention, commonFolder, topmost } from "./files.js";
import { ITEM_LISTS, type ListName } from "./shape.js";
import { plain, type Shorten, shorten } from "./shorten.js";

/** One line that a template may show; the worthiest stay when room is short. */
export interface Entry extends Line {
  readonly list: ListName;
  readonly worth: number;
  /** It carries a fact that somebody may miss. */
  readonly fact: boolean;
  /** Where it was said, if it was said. */
  readonly place?: Place;
}

/** Above everything else. */
const PIN_WORTH = 3;

/**
 * What is proven stands before what was said, but a long list of it gives way: its first lines are worth more than any
 * statement, the next ones as much as statements that come as late, and less where they are longer than those.
 */
const PROVEN = {
  requests: { worth: 1.5, first: 1 },
  failing: { worth: 1.4, first: 1 },
  doing: { worth: 1.3, first: 1 },
  todos: { worth: 1.3, first: 1 },
  changed: { worth: 1.2, first: 3 },
  mended: { worth: 1.1, first: 1 },
} as const satisfies Partial<Record<ListName, { readonly worth: number; readonly first: number }>>;
/** The worth of the first statement, and by how many lines it falls to a half: said lines, further proven ones. */
const SAID_WORTH = 0.5;
const SAID_PACE = 10;
const PROVEN_PACE = 2;
const saidWorth = (index: number, pace: number) => (SAID_WORTH * pace) / (pace + index);
/** Tokens of a line of middling length. */
const LINE_TOKENS = 12;
function provenWorth(list: keyof typeof PROVEN, index: number, text: string): number {
  const { worth, first } = PROVEN[list];
  if (index < first) return worth - index / 1_000;
  return saidWorth(index - first, PROVEN_PACE) * Math.min(1, LINE_TOKENS / estimateTokenCount(text));
}

/** A session may begin with words that tell no goal, such as a title or "do this:"; then they are worth what they say. */
const GOAL_SALIENCE = 0.25;

/** What the user demands outlasts what the assistant chose. */
const RULE_WORTH = 0.3;

/** Of the continuation's sections, the first lines stay longest, those of the first sections before the others. */
const STATE_WORTH = 100;

/** What is done is worth less than most of what was said; what was only read, less than the last of a long list of changes. */
const TICKED_WORTH = 0.3;
const READ_WORTH = 0;

/** What somebody wants, and not how things are. */
const WANTED: ReadonlySet<Kind> = new Set<Kind>(["goal", "decision", "constraint", "rejection"]);

/** Entries in the order in which each list shows them. */
export function toEntries(
  continuation: Continuation,
  standing: readonly Statement[],
  ranked: readonly Statement[],
  shortened: Shorten,
): readonly Entry[] {
  const line = linesBy(shortened);
  const { items, files, errors, todos } = continuation;
  // A goal in words that nobody stands by any more is no goal; what was observed in them may be over.
  const gaveWay = ({ kind, status }: Item) => status === "superseded" && WANTED.has(kind);
  const superseded = new Set(items.filter(gaveWay).map(({ evidence }) => placeKey(evidence)));
  const stands = ({ kind, evidence }: Item) => kind !== "goal" || !superseded.has(placeKey(evidence));
  const active = items.filter((item) => item.status === "active" && stands(item));
  const entries: Entry[] = [];
  const rank = new Map(ranked.map((one, index) => [placeKey(one), { index, one }]));
  const goalWorth = ({ evidence, score }: Item) => {
    const said = rank.get(placeKey(evidence));
    return said && said.one.salience < GOAL_SALIENCE ? saidWorth(said.index, SAID_PACE) : 1 + score;
  };
  for (const [list, kind] of Object.entries(ITEM_LISTS) as [keyof typeof ITEM_LISTS, Kind][]) {
    for (const one of active)
      if (one.kind === kind)
        entries.push({
          list,
          worth: kind === "goal" ? goalWorth(one) : one.score + (kind === "constraint" && one.by === "user" ? RULE_WORTH : 0),
          fact: true,
          ...line.ofItem(one),
          place: one.evidence,
        });
  }
  for (const one of active.filter(({ evidence }) => evidence.rule === PINS))
    entries.push({ list: "pinned", worth: PIN_WORTH, fact: true, ...line.ofItem(one), place: one.evidence });
  const aside = new Set(files.aside);
  const told = (paths: readonly string[]) => paths.filter((path) => !aside.has(path));
  const { read, created, modified, deleted } = files;
  const lists = { read, created: told(created), modified: told(modified), deleted: topmost(told(deleted)) };
  const changed = [...lists.created, ...lists.modified].sort();
  const root = commonFolder(continuation);
  const place = new Map(byMention([...changed, ...lists.deleted], standing).map((path, index) => [path, index]));
  for (const [list, paths] of Object.entries({ ...lists, changed })) {
    for (const path of paths)
      entries.push({
        list: list as ListName,
        worth: list === "read" ? READ_WORTH : provenWorth("changed", place.get(path) ?? 0, path.slice(path.lastIndexOf("/") + 1)),
        fact: true,
        fields: { text: harmless(path), short: onLine(path.startsWith(root) ? path.slice(root.length) : path) },
      });
  }
  const commands = (list: "failing" | "mended", texts: readonly string[]) => {
    for (const [index, text] of texts.entries()) {
      const short = shorten(text, COMMAND_CHARACTERS);
      const full = short === text ? undefined : { text, short: text };
      entries.push({ list, worth: provenWorth(list, index, short), fact: true, fields: { text, short }, ...(full && { full }) });
    }
  };
  // Long commands that differ behind the cut would be the same line twice.
  const commandLines = (given: readonly string[]) => [
    ...new Map(given.map((command) => [shorten(oneLine(command), COMMAND_CHARACTERS), shorten(oneLine(command))])).values(),
  ];
  const failing = new Set(stillFailing(errors));
  const mended = new Set(
    errors.filter(({ resolved, command }) => resolved && !failing.has(command)).map(({ command }) => command),
  );
  commands("failing", commandLines([...failing].reverse()));
  commands("mended", commandLines([...mended].reverse()));
  const listed = (wanted: Todo["state"]) => todos.filter(({ state }) => state === wanted).map(({ text }) => text);
  for (const [list, state] of [["doing", "doing"] as const, ["todos", "open"] as const])
    for (const [index, text] of listed(state).entries()) {
      const short = shorten(text, COMMAND_CHARACTERS);
      entries.push({ list, worth: provenWorth(list, index, short), fact: true, ...line.ofText(text) });
    }
  for (const text of listed("done")) entries.push({ list: "ticked", worth: TICKED_WORTH, fact: true, ...line.ofText(text) });
  for (const [place, { id, lines }] of (continuation.sections ?? []).entries()) {
    // That there is nothing to say gives way first.
    if (lines.length === 0) entries.push({ list: "state", worth: -place, fact: false, fields: { text: "", section: id } });
    for (const [index, text] of lines.entries()) {
      const worth = STATE_WORTH - index - place / 100;
      entries.push({ list: "state", worth, fact: true, fields: { text: oneLine(text), section: id } });
    }
  }

  // A goal may take in several sentences.
  const goals = active.filter(({ kind }) => kind === "goal").map(({ evidence }) => evidence);
  const isGoal = ({ source, tool, start }: Place) =>
    goals.some((goal) => goal.source === source && goal.tool === tool && goal.start <= start && start < goal.end);
  const requests = standing.filter((one) => one.places.has("last-request") && !isGoal(one));
  const heaviest = new Map([...requests].sort((a, b) => b.salience - a.salience).map((one, index) => [one, index]));
  for (const one of requests) {
    const text = plain(oneLine(one.text));
    const worth = provenWorth("requests", heaviest.get(one) ?? 0, text);
    const request = { worth, fact: true, ...line.ofStatement(one), place: one };
    entries.push({ list: "requests", ...request });
    if (!one.settled) entries.push({ list: "pending", ...request });
  }
  const worth = new Map(ranked.map((one, index) => [one, saidWorth(index, SAID_PACE)]));
  const inOrder = ranked.filter((one) => !isGoal(one)).sort((a, b) => a.ordinal - b.ordinal || a.start - b.start);
  for (const one of inOrder) {
    const fact = one.kinds.length > 0;
    entries.push({ list: "statements", worth: worth.get(one) ?? 0, fact, ...line.ofStatement(one), place: one });
  }
  return entries;
}

/** Rules, brackets and quotation marks that were left on a line of their own say nothing. */
const SAYS = /[\p{L}\p{N}\p{Extended_Pictographic}?？]/u;

/** The statements that say something and that nothing later replaced. */
export function standingStatements({ continuation, statements }: Extraction): readonly Statement[] {
  const gone = continuation.items.filter(({ status }) => status === "superseded").flatMap((one) => [one.evidence, ...one.also]);
  const places = new Set(gone.map(placeKey));
  return statements.filter((one) => SAYS.test(one.text) && !places.has(placeKey(one)));
}

/** A path may hold anything; it must not end its line, */
const onLine = (text: string) => text.replace(/[\r\n]+/g, "\\n");

/** nor, in a list between tags, the list. */
export const harmless = (text: string) => onLine(text).replaceAll("<", "&lt;").replaceAll(">", "&gt;");
