// Proves that a place says something else in place of the fact: another value, that open work is done, or that all may do it.
import { hasContent, listTerms, type Marked, SIGN, type Term } from "../read/terms.js";
import type { Place } from "./overlap.js";
import { isPassive, opens } from "./proof.js";

/** Words of the fact from `own` on, and what is said in their place. */
interface Slot {
  /** Where it begins in the fact and in the summary. */
  readonly own: number;
  readonly at: number;
  readonly meant: readonly Term[];
  readonly said: readonly Term[];
}

/** A longer stretch is another statement, not another value. */
const SLOT_WORDS = 2;

/** Says which value of the fact the place replaces, if everything else is the same. */
export function replacedValue(place: Place): string | undefined {
  if (place.exact || place.attitude.denied || place.attitude.question) return undefined;
  const slots = slotsOf(place).filter(({ meant, said }) => [...meant, ...said].some(({ weight }) => weight === "content"));
  const [slot] = slots;
  if (!slot || slots.some(({ meant, said }) => !isShort(meant) || !isShort(said))) return undefined;
  const isReplaced = slots.length === 1 ? isValue(slot, place) : isSwapped(slots, place);
  return isReplaced ? `another value than ${listTerms(slots.flatMap(({ meant }) => meant))}` : undefined;
}

const isShort = (terms: readonly Term[]) => terms.length <= SLOT_WORDS && terms.some(({ weight }) => weight === "content");

/** Where the fact and the clauses of the place differ, by their longest common sequence of words. */
function slotsOf({ fact, summary: { terms }, match, clauses }: Place): readonly Slot[] {
  const own = fact.prepared.terms;
  let [low, high] = [match.from, match.to];
  while (low > 0 && clauses.has(terms[low - 1]?.clause)) low--;
  while (high < terms.length && clauses.has(terms[high]?.clause)) high++;
  const there = terms.slice(low, high);
  const common = own.map(() => new Uint16Array(there.length + 1));
  common.push(new Uint16Array(there.length + 1));
  const row = (at: number) => common[at] as Uint16Array;
  for (let a = own.length - 1; a >= 0; a--)
    for (let b = there.length - 1; b >= 0; b--)
      row(a)[b] =
        own[a]?.key === there[b]?.key
          ? (row(a + 1)[b + 1] as number) + 1
          : Math.max(row(a + 1)[b] as number, row(a)[b + 1] as number);
  const slots: Slot[] = [];
  for (let [a, b] = [0, 0]; a < own.length || b < there.length; a++, b++) {
    const [from, at] = [a, b];
    while (a < own.length || b < there.length) {
      if (a < own.length && own[a]?.key === there[b]?.key) break;
      if (b >= there.length || (a < own.length && (row(a + 1)[b] as number) >= (row(a)[b + 1] as number))) a++;
      else b++;
    }
    if (a > from || b > at) slots.push({ own: from, at: low + at, meant: own.slice(from, a), said: there.slice(at, b) });
  }
  return slots;
}

const isNumber = (term: Term | undefined) => term !== undefined && (term.sort === "number" || /^\d+$/.test(term.key));
const isName = ({ sort, named, proper }: Term) => sort === "name" || named || proper;

/** Is it a value, and not what the sentence is about: "Step 2 is done", "the staging database"? */
function isValue({ own, at, meant, said }: Slot, { fact, marks, attitude, lexicon }: Place): boolean {
  const [before, first, other] = [fact.prepared.terms[own - 1], meant[0], said[0]] as const;
  if (!before || !first || !other) return false;
  const isBehind = (wanted: Marked["mark"]) =>
    fact.prepared.marks.some(({ mark, to }) => mark === wanted && to === own) &&
    marks.some(({ mark, to }) => mark === wanted && to === at);
  if (meant.length === 1 && said.length === 1 && isNumber(first) && isNumber(other)) {
    const next = fact.prepared.terms[own + 1];
    // "Postgres 14" is a version; "issue 14" is a name.
    return before.weight !== "content" || before.proper || (next?.clause === first.clause && next.weight === "content");
  }
  const isUnit = isNumber(before) && lexicon.isExclusive(first.key) && lexicon.isExclusive(other.key);
  // "Use Redis for …", "we keep Redis for …".
  const isChoice = attitude.settled && before.weight === "light" && !hasContent(fact.prepared.terms, 0, own);
  // "We do not use B" does not contradict "we do not use A".
  const isDenied = fact.prepared.signs.of[own] === SIGN.denied;
  const isTime = isBehind("earlier") || isBehind("later");
  const isMeans = isChoice || isBehind("choice") || (isBehind("relation") && !isTime);
  return isUnit || (isMeans && !isDenied && meant.some(isName));
}

/** Two values that have changed places: "answer in English, comment in German". */
function isSwapped(slots: readonly Slot[], { lexicon }: Place): boolean {
  const keys = (of: (slot: Slot) => readonly Term[]) =>
    slots.map((slot) =>
      of(slot)
        .map(({ key }) => key)
        .join(" "),
    );
  const [meant, said] = [keys((slot) => slot.meant), keys((slot) => slot.said)];
  const isKnown = (term: Term) => isNumber(term) || isName(term) || lexicon.isExclusive(term.key);
  return slots.every((slot) => slot.meant.every(isKnown)) && meant.sort().join() === said.sort().join();
}

const UNDONE: ReadonlySet<Marked["mark"]> = new Set(["pending", "duty", "advice", "hedge", "negation", "denial", "condition"]);

/** "The tests are written" ends "write the tests". */
export function doneAs({ fact, summary, match, lexicon }: Place): string | undefined {
  if (match.missing.length > 0) return undefined;
  const verb = match.hits.find(({ at, key }) => {
    const word = fact.content.get(key);
    return (
      word && opens(fact.prepared, word.at) && isPassive(summary, at) && lexicon.isParticiple(summary.terms[at]?.folded ?? "")
    );
  });
  const said = verb && summary.terms[verb.at];
  const isOpen = ({ mark, from }: Marked) => UNDONE.has(mark) && summary.terms[from]?.clause === said?.clause;
  return said && !summary.marksOf[said.sentence]?.some(isOpen) ? said.folded : undefined;
}

/** "Everyone may merge" ends "only Dana may merge". */
export function openedTo({ fact: { prepared, content }, marks, match }: Place): string | undefined {
  const there = new Set(match.hits.map(({ key }) => key));
  const limit = prepared.marks.find(({ mark, to }) => mark === "limit" && content.has(prepared.terms[to]?.key ?? ""));
  const isAllowed = [prepared.marks, marks].every((all) => all.some(({ mark }) => mark === "permission"));
  if (!limit || !isAllowed || there.has(prepared.terms[limit.to]?.key ?? "")) return undefined;
  return marks.find(({ mark }) => mark === "quantity")?.key;
}
