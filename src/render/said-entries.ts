// The lines about what was said: the end, the first and the last request, and the statements in their order.
import { type FactPlace, type Item, placeKey, type Statement } from "../model.js";
import { OPTIONS_PREFIX } from "../rules/compile/signals.js";
import { oneLine } from "../text/forms.js";
import { groupBy } from "../text/lists.js";
import { sameText } from "../text/words.js";
import type { Add } from "./entry.js";
import { withFields } from "./fields.js";
import { GOAL_SALIENCE, isRequest, REQUEST_PER_TOKEN } from "./item-entries.js";
import type { Material } from "./material.js";
import { plain, shorten } from "./shorten.js";
import { isNarration, withoutIntros } from "./statements.js";

/** Longest line above a list. */
const INTRO_CHARACTERS = 50;
/** A request among so many of the last ones is marked as interrupted. */
const INTERRUPTED = 3;
/** Longest text of the user's that is no request, in characters for each token of the budget. */
const USER_PER_TOKEN = 0.2;

/** The goals that stand. One may span several sentences. */
type Goals = { readonly in: ReadonlyMap<string, readonly FactPlace[]>; readonly has: (place: FactPlace) => boolean };

export function goalsOf({ active }: Material): Goals {
  const goalsIn = groupBy(
    active.filter(({ kind }) => kind === "goal").map(({ evidence }) => evidence),
    ({ source }) => source,
  );
  return {
    in: goalsIn,
    has: ({ source, tool, start }) =>
      goalsIn.get(source)?.some((goal) => goal.tool === tool && goal.start <= start && start < goal.end) === true,
  };
}

/** The end of what the assistant said last, if it was at work: what it was about to do. */
export function lastWords(statements: readonly Statement[]): Statement | undefined {
  const last = statements.findLast(({ by, tool }) => tool === undefined && by !== "file");
  if (last?.by !== "assistant" || !last.places.has("before-tool")) return undefined;
  const before = statements.findLast(
    ({ source, tool, end }) => source === last.source && tool === undefined && end <= last.start,
  );
  const isJoined = before && [before, last].every(({ node }) => node === "sentence");
  return isJoined ? { ...last, text: `${before.text} ${last.text}` } : last;
}

/** What the user asked for first, if that is not the goal: a goal that a later one replaced, or the heaviest sentence. */
export function addOpening(add: Add, { items, statements, line, ofItem, ofStatement }: Material, goals: Goals): void {
  const replaced = items.find(({ kind, status }) => kind === "goal" && status === "superseded");
  if (replaced) return add("opening", () => ({ ...ofItem(replaced), ...line.ofItem(replaced) }));
  const isFirst = ({ places, by }: Statement) => by === "user" && places.has("first-request") && !places.has("last-request");
  const [heaviest] = statements.filter(isFirst).sort((a, b) => b.salience - a.salience);
  if (!heaviest || heaviest.salience < GOAL_SALIENCE || goals.in.has(heaviest.source)) return;
  add("opening", () => ({ ...ofStatement(heaviest), fact: true, ...line.ofStatement(heaviest) }));
}

export function addRequests(add: Add, { statements, isLong, line, longest, ofStatement }: Material, goals: Goals): void {
  const lastSaid = statements.filter(({ places }) => places.has("last-request"));
  const lastWritten = lastSaid.some(({ pasted }) => !pasted) ? lastSaid.filter(({ pasted }) => !pasted) : lastSaid;
  // Of a long prompt, the goal or the beginning is what it asks for; any other sentence would be a detail.
  const isDetail = (one: Statement) => isLong(one.source) && (goals.in.has(one.source) || one !== lastWritten[0]);
  for (const one of lastWritten) {
    if (goals.has(one) || isDetail(one)) continue;
    // The goal's line tells what the message asks for, and this tells more of it.
    const ofGoal = goals.in.has(one.source) && { ofGoal: "yes" };
    const toRequest = () => ({
      ...ofStatement(one),
      fact: true,
      ...withFields(line.ofStatement(one, one.pasted ? undefined : longest(REQUEST_PER_TOKEN)), { ...ofGoal }),
    });
    add("requests", toRequest);
    if (!one.settled) add("pending", toRequest);
  }
}

/** What was said, in its order. @param facts the places that have a line of their own */
export function addStatements(add: Add, material: Material, goals: Goals, facts: ReadonlySet<string>): void {
  const { active, statements, line, longest, once } = material;
  const mostOf = ({ by, pasted }: Statement) => (by === "user" && !pasted ? longest(USER_PER_TOKEN) : undefined);
  // Options look different from each other once the user picked one.
  const picked = active.filter(({ evidence }) => evidence.rule.startsWith(OPTIONS_PREFIX));
  const choices = new Map(
    picked.map(({ kind, evidence }) => [placeKey(evidence), { [kind === "decision" ? "chosen" : "declined"]: kind }]),
  );
  // What was interrupted long ago was asked for again, or is no longer wanted.
  const requests = new Set(statements.filter(isRequest).map(({ source }) => source));
  const lately = new Set([...requests].slice(-INTERRUPTED));
  const isOwn = createIsOwn(material);
  const newest = new Map(statements.map((one) => [sameText(one.text), one]));
  const shown = withoutIntros([...newest.values()]).filter(
    (one) => !isNarration(one) && !goals.has(one) && !facts.has(placeKey(one)) && !(once && one.pasted),
  );
  for (const one of [...shown].sort((a, b) => a.ordinal - b.ordinal || a.start - b.start)) {
    const choice = choices.get(placeKey(one));
    const around = {
      ...(one.under !== undefined && !choice && { under: plain(shorten(oneLine(one.under), INTRO_CHARACTERS)) }),
      ...(one.afterChange && { changed: "yes" }),
    };
    const over = one.places.has("interrupted") && !lately.has(one.source) && { interrupted: "" };
    add("statements", () => ({
      ...material.ofStatement(one),
      of: one.pasted ? "tool" : one.by,
      fact: one.kinds.length > 0,
      ...(isOwn(one) ? { share: "own" } : material.isEnd(one) && { share: "end" }),
      ...withFields(line.ofStatement(one, mostOf(one)), { ...choice, ...around, ...over }),
    }));
  }
}

/** Says whether a team's own rule found something in a statement. */
function createIsOwn({ active, own }: Material): (one: Statement) => boolean {
  const evidence = active.flatMap((item: Item) => (own.has(item.evidence.rule) ? [item.evidence] : []));
  const ownIn = groupBy(evidence, ({ source }) => source);
  return ({ source, tool, start, end }) =>
    ownIn.get(source)?.some((one) => one.tool === tool && start <= one.start && one.start < end) === true;
}
