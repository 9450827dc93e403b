// Lists every line that a template may show, with its worth.
import { PINS } from "../extract/by-hand.js";
import { openFailures } from "../extract/calls/failures.js";
import { type FactPlace, placeKey } from "../extract/place.js";
import type { Continuation, Failure, Item, Kind, Statement, Todo } from "../model.js";
import { OPTIONS_PREFIX } from "../rules/compile/signals.js";
import { oneLine } from "../text/forms.js";
import { createRowOf } from "./compose.js";
import { type Fields, type Line, linesBy } from "./fields.js";
import { byMention, commonFolder, topmost } from "./files.js";
import { ITEM_LISTS, type ListName } from "./shape.js";
import { plain, type Shorten, shorten } from "./shorten.js";
import { estimateOf } from "./tokens.js";
import { chooseWorking } from "./working.js";
import {
  GOAL_SALIENCE,
  INSTRUCTION_WORTH,
  isInstruction,
  itemWorth,
  LIVING_TOKENS,
  LIVING_WORTH,
  LONG_PROMPT,
  MOVED_ON,
  PIN_WORTH,
  provenWorth,
  READ_WORTH,
  RUNNING_WORTH,
  SAID_PACE,
  STATE_WORTH,
  saidWorth,
  TICKED_WORTH,
  TOKENS_PER_CHANGE,
  WORKING_WORTH,
} from "./worth.js";

/** Longest command in a brief: enough to recognise it. */
const COMMAND_CHARACTERS = 82;
const ERROR_CHARACTERS = 100;
/** A shorter error ("1 failed") may be that of another failure. */
const TELLING_CHARACTERS = 30;
/** The folder in which a command runs, and where its output goes, say least. */
const withoutFrame = (command: string) => command.replace(/^cd \/\S+ && /, "").replace(/ (?:2>&1|\| ).*$/, "");
/** Longest line above a list. */
const INTRO_CHARACTERS = 50;

/** One line that a template may show. If room is short, the lines with the highest worth stay. */
export interface Entry extends Line {
  readonly list: ListName;
  readonly worth: number;
  /** It is a fact, so it counts as hidden when it is not shown. */
  readonly fact: boolean;
  /** Where it was said, if it was. */
  readonly place?: FactPlace;
}

/** Kinds that say what somebody wants, not how things are. */
const WANTED: ReadonlySet<Kind> = new Set<Kind>(["goal", "decision", "constraint", "rejection"]);

type Lines = ReturnType<typeof linesBy>;

export interface EntryOptions {
  /** The lists that the template shows. The entries of others are only counted. */
  readonly lists: ReadonlySet<ListName>;
  readonly shorten: Shorten;
  /** For the working set. */
  readonly tokens: number;
  /** There is room for the lines above lists, and for the line where files begin to change. */
  readonly roomy: boolean;
  /** The lowest score of a list: facts below it are only `maybe`. */
  readonly least?: Readonly<Record<string, number>>;
}

/** Adds an entry. What is in it is only asked for if its list is shown. */
type Add = (list: ListName, toEntry: () => Omit<Entry, "list">) => void;

const COUNTED = { worth: 0, fact: false, fields: {} } as const;

/** All entries, in the order in which each list shows them. */
export function toEntries(
  continuation: Continuation,
  standing: readonly Statement[],
  ranked: readonly Statement[],
  { lists, shorten: shortened, tokens, roomy, least = {} }: EntryOptions,
): readonly Entry[] {
  const entries: Entry[] = [];
  const add: Add = (list, toEntry) => entries.push(lists.has(list) ? { list, ...toEntry() } : { list, ...COUNTED });
  const line = linesBy(shortened);
  const { items } = continuation;
  // A goal is dropped if another wish in the same sentence was superseded. A superseded finding does not affect it.
  const gaveWay = ({ kind, status }: Item) => status !== "active" && WANTED.has(kind);
  const superseded = new Set(items.filter(gaveWay).map(({ evidence }) => placeKey(evidence)));
  const stands = ({ kind, evidence }: Item) => kind !== "goal" || !superseded.has(placeKey(evidence));
  const active = items.filter((item) => item.status === "active" && stands(item));
  const rank = new Map(ranked.map((one, index) => [placeKey(one), { index, one }]));
  const goalWorth = ({ evidence, score }: Item) => {
    const said = rank.get(placeKey(evidence));
    const isLong = ranked.filter(({ source }) => source === evidence.source).length >= LONG_PROMPT;
    return said && !isLong && said.one.salience < GOAL_SALIENCE ? saidWorth(said.index, SAID_PACE) : 1 + score;
  };
  // The last question is where the session stopped.
  const asked = active.filter(({ kind }) => kind === "question").reverse();
  const worthOf = (one: Item) => {
    if (one.kind === "goal") return goalWorth(one);
    if (one.kind === "question") return provenWorth("questions", asked.indexOf(one), one.text);
    return itemWorth(one);
  };
  const carriedOut = standing.filter(({ by, places }) => by === "user" && places.has("carried-out"));
  const movedOn = ({ kind, evidence }: Item) => {
    const said = kind === "goal" ? standing.find(({ source }) => source === evidence.source) : undefined;
    return said && new Set(carriedOut.filter((one) => one.ordinal > said.ordinal).map(({ source }) => source)).size >= MOVED_ON;
  };
  const rowOf = createRowOf(standing);
  for (const [list, kind] of Object.entries(ITEM_LISTS) as [keyof typeof ITEM_LISTS, Kind][]) {
    const rows = new Set<Statement>();
    for (const one of active) {
      const row = one.kind === kind ? rowOf(one) : undefined;
      if (one.kind !== kind || (row && rows.has(row))) continue;
      if (row) rows.add(row);
      add(one.score < (least[list] ?? 0) ? "maybe" : list, () => ({
        worth: worthOf(one),
        fact: true,
        ...withFields(line.ofItem(row ? { ...one, text: row.text, evidence: { ...one.evidence, quote: row.text } } : one), {
          ...(movedOn(one) && { began: "yes" }),
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
  const requests = standing.filter((one) => one.places.has("last-request") && !isGoal(one));
  const heaviest = new Map([...requests].sort((a, b) => b.salience - a.salience).map((one, index) => [one, index]));
  for (const one of requests) {
    const toRequest = () => ({
      worth: provenWorth("requests", heaviest.get(one) ?? 0, plain(oneLine(one.text))),
      fact: true,
      ...line.ofStatement(one),
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
  const inOrder = ranked.filter((one) => !isGoal(one)).sort((a, b) => a.ordinal - b.ordinal || a.start - b.start);
  for (const one of inOrder) {
    const fact = one.kinds.length > 0;
    const around = roomy && {
      ...(one.under !== undefined && { under: plain(shorten(oneLine(one.under), INTRO_CHARACTERS)) }),
      ...(one.afterChange && { changed: "yes" }),
    };
    const shown = withFields(line.ofStatement(one), { ...choices.get(placeKey(one)), ...around });
    add("statements", () => ({ worth: worth.get(one) ?? 0, fact, ...shown, place: one }));
  }
  return entries;
}

/** The files of the session, and the working set. */
function addFiles(add: Add, continuation: Continuation, standing: readonly Statement[], tokens: number): void {
  const { files, working } = continuation;
  const aside = new Set(files.aside);
  const told = (paths: readonly string[]) => paths.filter((path) => !aside.has(path));
  const { read, created, modified, deleted } = files;
  const lists = { read, created: told(created), modified: told(modified), deleted: topmost(told(deleted)) };
  const changed = [...lists.created, ...lists.modified].sort();
  const root = commonFolder(continuation);
  const place = new Map(byMention([...changed, ...lists.deleted], standing).map((path, index) => [path, index]));
  const short = (path: string) => onLine(path.startsWith(root) ? path.slice(root.length) : path);
  const known = new Set(changed);
  // Changed files have a list of their own. Those that were used lately come first there.
  const isUsed = new Set(working?.files.filter((path) => known.has(path)).slice(0, Math.floor(tokens / TOKENS_PER_CHANGE)));
  for (const [list, paths] of Object.entries({ ...lists, changed })) {
    for (const path of paths)
      add(list as ListName, () => ({
        worth:
          list === "read"
            ? READ_WORTH
            : Math.max(
                isUsed.has(path) ? WORKING_WORTH : 0,
                provenWorth("changed", place.get(path) ?? 0, path.slice(path.lastIndexOf("/") + 1)),
              ),
        fact: true,
        fields: { text: harmless(path), short: short(path) },
      }));
  }
  const others = working && { ...working, files: working.files.filter((path) => !known.has(path)) };
  for (const [index, { of, text }] of (others ? chooseWorking(others, tokens, short) : []).entries()) {
    const fields = of === "files" ? { text: harmless(text), short: short(text) } : { text, short: text };
    add(of === "files" ? "used" : of, () => ({ worth: WORKING_WORTH - index / 10_000, fact: false, fields }));
  }
}

/** What the agent's calls prove besides files: what runs, commands, todos and commits. */
function addCalls(add: Add, { working, errors, todos, commits = [] }: Continuation, line: Lines): void {
  for (const text of working?.running ?? []) add("running", () => ({ worth: RUNNING_WORTH, fact: true, ...line.ofText(text) }));
  for (const [index, text] of (working?.asked ?? []).entries()) {
    const shown = line.ofText(text);
    const fields = { ...shown.fields, plain: plain(String(shown.fields.text)) };
    add("questions", () => ({ worth: provenWorth("questions", index, text), fact: true, ...shown, fields }));
  }
  const commands = (list: "failing" | "fixed" | "unrun", given: readonly Pick<Failure, "command" | "error">[]) => {
    const lines = given.map(({ command, error = "" }) => ({ line: oneLine(command.replace(/\\(?=\r?\n)/g, "")), error }));
    // Long commands that differ only after the cut would give the same line twice.
    const once = [...new Map(lines.map((one) => [shorten(one.line, COMMAND_CHARACTERS), one])).values()];
    for (const [index, { line, error }] of once.entries()) {
      const text = shorten(line);
      const bare = text.length > COMMAND_CHARACTERS ? withoutFrame(text) : text;
      const fields = { text, short: shorten(bare, COMMAND_CHARACTERS), error: shorten(oneLine(error), ERROR_CHARACTERS) };
      const full = fields.short === bare ? undefined : { ...fields, short: bare };
      add(list, () => ({ worth: provenWorth(list, index, fields.short), fact: true, fields, ...(full && { full }) }));
    }
  };
  commands(
    "unrun",
    (working?.unrun ?? []).map((command) => ({ command })),
  );
  // Several commands may fail with the same error: the newest one is told.
  const open = openFailures(errors);
  const failing = new Set(open.map(({ command }) => command));
  const keyOf = ({ command, error = "" }: Failure) => (error.length < TELLING_CHARACTERS ? command : error);
  commands("failing", [...new Map(open.map((one) => [keyOf(one), one])).values()].reverse());
  commands("fixed", errors.filter(({ resolved, command }) => resolved && !failing.has(command)).reverse());
  const listed = (wanted: Todo["state"]) => todos.filter(({ state }) => state === wanted).map(({ text }) => text);
  for (const [list, state] of [["doing", "doing"] as const, ["todos", "open"] as const])
    for (const [index, text] of listed(state).entries()) {
      const short = shorten(text, COMMAND_CHARACTERS);
      add(list, () => ({ worth: provenWorth(list, index, short), fact: true, ...line.ofText(text) }));
    }
  for (const text of listed("done")) add("ticked", () => ({ worth: TICKED_WORTH, fact: true, ...line.ofText(text) }));
  for (const [index, { id, text }] of [...commits].reverse().entries()) {
    const told = shorten(id === undefined ? text : `${id} ${text}`, COMMAND_CHARACTERS);
    add("commits", () => ({ worth: provenWorth("commits", index, told), fact: true, fields: { text: told } }));
  }
}

/** What the project's notes say. */
function addNotes(add: Add, { sections = [] }: Continuation, line: Lines): void {
  let livingTokens = LIVING_TOKENS;
  for (const [place, { id, of, lines }] of sections.entries()) {
    if (of === "carried") {
      for (const text of lines.map(oneLine)) {
        livingTokens -= estimateOf(text);
        if (livingTokens >= 0) add("living", () => ({ worth: LIVING_WORTH, fact: true, ...line.ofText(text) }));
      }
      continue;
    }
    // A section without lines is dropped first.
    if (lines.length === 0) add("state", () => ({ worth: -place, fact: false, fields: { text: "", section: id } }));
    for (const [index, text] of lines.entries()) {
      const worth = STATE_WORTH - index - place / 100;
      add("state", () => ({ worth, fact: true, fields: { text: oneLine(text), section: id } }));
    }
  }
}

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
  if (replaced && goals.length > 0) return replaced;
  const isFirst = ({ places, by }: Statement) => by === "user" && places.has("first-request") && !places.has("last-request");
  const [heaviest] = standing.filter(isFirst).sort((a, b) => b.salience - a.salience);
  const isTold = !heaviest || heaviest.salience < GOAL_SALIENCE || goals.some(({ source }) => source === heaviest.source);
  return isTold ? undefined : heaviest;
}

/** A path may contain anything. Escapes line breaks, so that it stays on its line. */
const onLine = (text: string) => text.replace(/[\r\n]+/g, "\\n");

/** Also escapes angle brackets, so that a path cannot end a list between tags. */
export const harmless = (text: string) => onLine(text).replaceAll("<", "&lt;").replaceAll(">", "&gt;");
