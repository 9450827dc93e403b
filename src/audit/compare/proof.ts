// What proves that the summary says something else: nearly the same sentence, with one difference that counts.
import type { FoundMark } from "../read/lexicon.js";
import { hasContent, listTerms, type Marked, SIGN, type Term } from "../read/terms.js";
import { clausesAround, foreignWords } from "./around.js";
import { DENYING, denialsOf, flips } from "./denials.js";
import type { SummaryPlace } from "./overlap.js";

/** A shorter fact, in content words, is in many sentences that are about something else. */
const FACT_WORDS = 2;
/** Share of the words of a task that a place needs, and may not exceed by others, to be about the same task. */
const SAME_TASK = 0.75;

export function contradiction(place: SummaryPlace): string | undefined {
  if (wordsTold(place) < FACT_WORDS) return undefined;
  return otherState(place) ?? deniedInOne(place) ?? opposite(place);
}

const wordsTold = ({ overlap: { hits } }: SummaryPlace) => new Set(hits.map(({ key }) => key)).size;

/** Open work is called done, or the reverse. */
function otherState(place: SummaryPlace): string | undefined {
  const { summary, overlap, attitude } = place;
  // Another name or number makes it another task.
  const isTask = overlap.coverage >= SAME_TASK && overlap.density >= SAME_TASK && !overlap.missing.some(isValue);
  if (!attitude.state || !isTask) return undefined;
  const isOpen = attitude.state === "open";
  const { task } = summary.sentences[(summary.terms[overlap.from] as Term).sentence]?.block ?? {};
  if (task) return task === attitude.state ? undefined : `its box is ${isOpen ? "ticked" : "open"}`;
  const mark = markBeside(isOpen ? "completion" : "pending", place);
  return mark && `${isOpen ? "done" : "still to do"} by "${mark.key}"`;
}

/** A mark of the sentence that has no other words between itself and the fact. */
function markBeside(wanted: FoundMark, { summary, overlap, marks }: SummaryPlace): Marked | undefined {
  const { terms, signs } = summary;
  return marks.find(({ mark, from, to }) => {
    if (mark !== wanted || signs.of[from] === SIGN.denied) return false;
    return to <= overlap.from ? !hasContent(terms, to, overlap.from) : from >= overlap.to && !hasContent(terms, overlap.to, from);
  });
}

/** The same words in the same order, and only one of the two denies them. Open work that is "not done" is still open. */
function deniedInOne(place: SummaryPlace): string | undefined {
  const { overlap, attitude, fact: own } = place;
  const isSame = wordsTold(place) === own.content.size && overlap.order === 1 && foreignWords(place).length === 0;
  if (attitude.state === "open" || !isSame || hasOtherRelation(place)) return undefined;
  const { fact, there } = denialsOf(place);
  const { flipped, isMoved } = flips(place);
  return flipped.length > 0 && (fact !== there || (isMoved && there > 0))
    ? `denied in one of the two: ${listTerms(flipped)}`
    : undefined;
}

/** "Chose A over B" does not differ from "chose A instead of B": "over" is lost with the denial. */
function hasOtherRelation({ fact: { prepared }, summary: { terms }, overlap }: SummaryPlace): boolean {
  const there = new Set(terms.slice(overlap.from, overlap.to).map(({ key }) => key));
  return prepared.terms.some(({ key }, at) => {
    const marks = prepared.marks.filter(({ from, to }) => from <= at && at < to);
    return marks.some(({ mark }) => mark === "relation") && !marks.some(({ mark }) => DENYING.has(mark)) && !there.has(key);
  });
}

/** The same words but for one, even a small one, whose opposite is said instead. */
function opposite(place: SummaryPlace): string | undefined {
  const { fact, summary, overlap, exact, lexicon } = place;
  if (exact || overlap.order < 1) return undefined;
  const [low, high] = clausesAround(place);
  const there = new Set(summary.terms.slice(low, high).map(({ key }) => key));
  const own = new Set(fact.prepared.terms.map(({ key }) => key));
  for (const { key, folded } of fact.prepared.terms) {
    if (there.has(key)) continue;
    const others = lexicon.opposites(key).filter((other) => there.has(other) && !own.has(other));
    const isAll = overlap.missing.every((one) => one.key === key) && foreignWords(place).every((one) => others.includes(one.key));
    if (others.length > 0 && isAll) return `the opposite of "${folded}" is said`;
  }
  return undefined;
}

/** The same words but for values: another number, name or path is at the place of the fact's. */
export function alteration(place: SummaryPlace): string | undefined {
  const { fact, overlap } = place;
  const { missing } = overlap;
  const foreign = foreignWords(place);
  const values = missing.length;
  if (values === 0 || values !== foreign.length || fact.content.size - values < 2 || overlap.order < 1) return undefined;
  const isReplaced = missing.every((lost, index) => {
    const found = foreign[index] as Term;
    return isValue(lost) && isValue(found) && (lost.sort === "number") === (found.sort === "number");
  });
  return isReplaced ? `${listTerms(foreign)} in place of ${listTerms(missing)}` : undefined;
}

const isValue = ({ sort, quoted }: Term) => sort !== "word" || quoted;
