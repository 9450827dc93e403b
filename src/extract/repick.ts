// A user who takes another option of the same offer later: the last word counts.
import type { Item } from "../model.js";
import { type Options, type RuleSet, TURNS } from "../rules/rule-set.js";
import { toWords } from "../rules/words.js";
import type { Around } from "./around.js";
import type { Tracer } from "./find.js";
import type { Matcher } from "./matcher.js";
import { namedThing } from "./named-thing.js";
import { OFFERS, takenNames } from "./options.js";
import { CHOICES, isFewWords, LABEL, PICKED_SCORE } from "./picked.js";
import { placeKey } from "./place.js";
import type { Rank } from "./reduce.js";
import { evidenceOf, type Subject } from "./subject.js";
import { plainWords, termsOf } from "./topic.js";

/** Sentences at the beginning of a message in which an option is taken. */
const OPENING_SENTENCES = 2;
/** The signal by which packs say that the user comes back to something, as {what}. */
export const RETURNS = "returns";

interface Given {
  readonly rules: RuleSet;
  readonly matcher: Matcher;
  readonly around: Around;
  readonly rank: Rank;
  readonly trace?: Tracer | undefined;
}

/** What was found, and what the user said, in the order of the session. */
export function repickOptions(found: readonly Item[], told: readonly Subject[], given: Given): readonly Item[] {
  const { rules, rank, matcher } = given;
  const isOption = ({ evidence }: Item) => rules.options.some(({ id }) => id === evidence.rule);
  const picks = new Set(found.filter(isOption).flatMap(({ also }) => also.map(({ source }) => source)));
  if (picks.size === 0) return found;
  let items = found;
  let options = items.filter(isOption);
  const places = new Map<string, number>();
  for (const subject of told) {
    const { id } = subject.source;
    if (matcher.holds(subject, RETURNS)) {
      const named = namedOf(
        subject,
        options.filter(({ also }) => also.every(({ source }) => rank(source) < rank(id))),
        rules,
      );
      if (named) {
        const offer = options.filter(({ evidence }) => evidence.source === named.evidence.source);
        items = turnTo([named], offer, items, subject, given);
        options = items.filter(isOption);
        continue;
      }
    }
    const place = places.get(id) ?? 0;
    places.set(id, place + 1);
    if (place >= OPENING_SENTENCES || picks.has(id) || subject.segment.question) continue;
    if (!isFewWords(subject.words) && !matcher.holds(subject, TURNS)) continue;
    if (!rules.options.some((one) => takenNames(subject, one).length > 0)) continue;
    const before = options.filter(({ also }) => also.every(({ source }) => rank(source) < rank(id)));
    const last = before.sort((a, b) => pickedAt(a, rank) - pickedAt(b, rank)).at(-1);
    if (!last) continue;
    const offer = before.filter(({ evidence }) => evidence.source === last.evidence.source);
    const chosen = chosenOf(subject, offer, rules.options);
    if (chosen.length === 0 || !isAbout(subject, last, given)) continue;
    items = turnTo(chosen, offer, items, subject, given);
    options = items.filter(isOption);
  }
  return items;
}

/** The option that was not taken, and that has all the words for what the user comes back to. */
function namedOf(subject: Subject, before: readonly Item[], rules: RuleSet): Item | undefined {
  const isPlain = plainWords(rules);
  const named = [...termsOf(namedThing(subject, RETURNS, rules) ?? "", isPlain).keys()];
  if (named.length === 0) return undefined;
  return before.findLast((item) => {
    const terms = termsOf(item.text, isPlain);
    return item.kind === "rejection" && named.every((term) => terms.has(term));
  });
}

const pickedAt = ({ also }: Item, rank: Rank) => Math.max(...also.map(({ source }) => rank(source)));

function chosenOf(subject: Subject, offer: readonly Item[], all: readonly Options[]): readonly Item[] {
  for (const options of all) {
    const names = takenNames(subject, options);
    const own = offer.filter(({ evidence }) => evidence.rule === options.id);
    const chosen = own.filter(({ fields }) =>
      names.some(({ place, label }) => {
        const name = fields[LABEL] ?? "";
        return options.labels.get(name) === place && (label.length > 1 || label === name);
      }),
    );
    if (chosen.length > 0) return chosen;
  }
  return [];
}

/** Words that turn something, or the next ones after the pick, when nothing else was asked meanwhile. */
function isAbout(subject: Subject, { also }: Item, { matcher, around }: Given): boolean {
  if (matcher.holds(subject, TURNS)) return true;
  const answered = around.before(subject.source);
  const isNext = answered && around.before(answered)?.id === also.at(-1)?.source;
  return isNext === true && !around.subjects(answered).some((one) => one.segment.question || matcher.holds(one, OFFERS));
}

function turnTo(
  chosen: readonly Item[],
  offer: readonly Item[],
  items: readonly Item[],
  subject: Subject,
  { rules, rank, trace }: Given,
): readonly Item[] {
  const at = rank(subject.source.id);
  const dropped = offer.filter((item) => item.kind === "decision" && item.status === "active" && !chosen.includes(item));
  const isPlain = plainWords(rules);
  const terms = (some: readonly Item[]) => new Set(some.flatMap(({ text }) => [...termsOf(text, isPlain).keys()]));
  const old = terms(dropped);
  const now = terms(chosen);
  /** Of the assistant, who only said it again. */
  const isRepeated = (item: Item) => {
    const own = [...terms([item])];
    const source = rank(item.evidence.source);
    const isBetween = source > rank(offer[0]?.evidence.source ?? "") && source < at;
    return (
      item.by === "assistant" &&
      item.kind === "decision" &&
      isBetween &&
      own.every((term) => old.has(term)) &&
      !own.every((term) => now.has(term))
    );
  };
  const here = placeKey({ source: subject.source.id, start: subject.segment.start });
  const why = `${subject.source.id}:${subject.segment.start}`;
  return items.flatMap((item): readonly Item[] => {
    const { evidence } = item;
    const tell = (outcome: "superseded" | "outdone" | "fired") => trace?.({ rule: evidence.rule, outcome, why, evidence });
    // Words that only name an option: the option says what they mean.
    if (placeKey(evidence) === here && isFewWords(toWords(item.text)) && CHOICES.includes(item.kind)) {
      tell("outdone");
      return [];
    }
    if (chosen.includes(item)) {
      tell("fired");
      const also = [evidenceOf(subject, evidence.rule)];
      return [{ ...item, kind: "decision", score: PICKED_SCORE, status: "active", also }];
    }
    if (!dropped.includes(item) && !isRepeated(item)) return [item];
    tell("superseded");
    return [{ ...item, status: "superseded" }];
  });
}
