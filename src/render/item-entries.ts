// The lines about facts: of each kind, pinned ones, those that a model judged, and the rules of the user.
import { PINS } from "../extract/settle/by-hand.js";
import { type Continuation, type Item, type Kind, placeKey, type Statement } from "../model.js";
import { sameText } from "../text/words.js";
import type { Add } from "./entry.js";
import { withFields } from "./fields.js";
import type { Material } from "./material.js";
import { toldField } from "./proven-entries.js";
import { isInstruction } from "./statements.js";
import { ITEM_LISTS } from "./template-names.js";

/** After so many later requests of the user's, the session has moved on from a goal. A long one is another task by itself. */
const MOVED_ON = 3;
/** A sentence below this salience is not what the user asks for. */
export const GOAL_SALIENCE = 0.25;

/** Longest goal or last request, in characters for each token of the budget. */
export const REQUEST_PER_TOKEN = 0.4;

/** A shorter message, such as "Yes, go on.", is no other request. */
const REQUEST_WORDS = 4;

export const isRequest = ({ by, tool, text }: Statement) =>
  by === "user" && tool === undefined && text.split(" ", REQUEST_WORDS).length === REQUEST_WORDS;

/** The facts of each kind, in the order of the template's lists. @param sections of the project's notes */
export function addItems(add: Add, material: Material, sections: Continuation["sections"] = []): void {
  const { active, lists, least = {}, line, timesOf } = material;
  // The project's state tells its own decisions.
  const noted = lists.has("state") ? sections.flatMap((section) => section.lines.map(sameText)) : [];
  const isNoted = (text: string) => noted.some((one) => ` ${one} `.includes(` ${sameText(text)} `));
  const ends = new Set(material.statements.filter(material.isEnd).map(placeKey));
  const movedOn = createMovedOn(material);
  for (const [list, kind] of Object.entries(ITEM_LISTS) as [keyof typeof ITEM_LISTS, Kind][]) {
    const shown = new Set<Statement>();
    for (const one of active) {
      const joined = one.kind === kind ? material.joinedOf(one) : undefined;
      if (one.kind !== kind || (joined && shown.has(joined)) || (kind === "decision" && isNoted(one.text))) continue;
      if (joined) shown.add(joined);
      const moved = movedOn(one);
      // A session may begin with a title or "do this:", which has no claim to a line of its own.
      const salience = (material.weightOf(one.evidence) ?? 1) / timesOf(one.evidence.quote);
      const isVague = kind === "goal" && !material.isLong(one.evidence.source) && salience < GOAL_SALIENCE;
      const { marked } = one.judged ?? {};
      const isLikely = marked || one.score >= (least[list] ?? 0);
      const other = marked === false && lists.has("held") ? "held" : "maybe";
      add(isLikely && marked !== false ? list : other, () => ({
        ...material.ofItem(one),
        ...(marked === false && { of: one.by }),
        ...withFields(line.ofItem(within(one, joined), kind === "goal" ? material.longest(REQUEST_PER_TOKEN) : undefined), {
          ...(moved && { [moved]: "yes" }),
          ...toldField(material.toldOf(one.kind, one.text)),
        }),
        place: joined ?? one.evidence,
        ...(isVague ? { share: "none", salience } : ends.has(placeKey(one.evidence)) && { share: "end" }),
      }));
    }
  }
}

/** Tells the name of a goal's field, if the session has moved on from it. */
function createMovedOn({ statements, saidIn, isLong }: Material): (item: Item) => "began" | "earlier" | undefined {
  const requests = statements.filter(isRequest);
  const longPrompts = requests.flatMap(({ source, ordinal }) => (isLong(source) ? [ordinal] : []));
  const lastOrdinals = [...new Set(requests.map(({ ordinal }) => ordinal))].sort((a, b) => b - a);
  const movedBefore = Math.max(lastOrdinals[MOVED_ON - 1] ?? 0, ...longPrompts.slice(-1));
  return ({ kind, evidence }) => {
    const said = kind === "goal" ? saidIn.get(evidence.source)?.[0] : undefined;
    if (!said || said.ordinal >= movedBefore) return undefined;
    return said.places.has("first-request") ? "began" : "earlier";
  };
}

/** What the user pinned, and what a model found to be over. */
export function addByHand(add: Add, { active, items, line, ofItem }: Material): void {
  for (const one of active.filter(({ evidence }) => evidence.rule === PINS))
    add("pinned", () => ({ ...ofItem(one), ...line.ofItem(one), must: true }));
  for (const one of items.filter(({ status, judged }) => status !== "active" && judged)) {
    const { round = 0, witness } = one.judged ?? {};
    const fields = { ...one.fields, status: one.status, round: String(round), ...(witness !== undefined && { witness }) };
    add("judged", () => ({ ...ofItem(one), fact: false, ...line.ofItem({ ...one, fields }) }));
  }
}

/** What the user ordered in so many words. */
export function addInstructions(add: Add, { active, lists, once, line, joinedOf, toldOf, ofItem }: Material): void {
  for (const one of active.filter(isInstruction)) {
    const joined = joinedOf(one);
    // The line of the last request says it.
    if (joined?.places.has("last-request") && lists.has("requests") && !once) continue;
    add("instructions", () => ({
      ...ofItem(one),
      ...withFields(line.ofItem(within(one, joined)), toldField(toldOf(one.kind, one.text))),
      place: joined ?? one.evidence,
      must: true,
    }));
  }
}

/** A fact in the words of its row or message. */
const within = (item: Item, joined: Statement | undefined): Item =>
  joined
    ? { ...item, text: joined.text, fields: { ...item.fields, before: "" }, evidence: { ...item.evidence, quote: joined.text } }
    : item;
