// Options that the assistant offered, and which of them the user took by its name.
import type { Source } from "../model.js";
import type { Options } from "../rules/rule-set.js";
import { sameText } from "../rules/words.js";
import type { Around } from "./around.js";
import { firstPhrase } from "./matcher.js";
import type { Subject } from "./subject.js";

export interface Picks {
  /** Did the user take this option, or another one of the same message? */
  readonly state: (subject: Subject) => "picked" | "passed-over" | undefined;
  /** The option that these words of the user take. */
  readonly taken: (subject: Subject) => Subject | undefined;
}

type Offer = ReadonlyMap<number, Subject>;

export function createPicks(options: readonly Options[], around: () => Around): Picks {
  const offers = new Map<Source, Offer>();
  const choices = new Map<Source, ReadonlySet<Subject>>();

  /** The last list of options of a message. */
  function offerOf(source: Source): Offer {
    const known = offers.get(source);
    if (known) return known;
    const offer = new Map<number, Subject>();
    for (const subject of around().subjects(source)) {
      const place = offeredPlace(subject, options);
      if (place === 0) offer.clear();
      if (place !== undefined && !offer.has(place)) offer.set(place, subject);
    }
    const whole = offer.size > 1 ? offer : new Map<number, Subject>();
    offers.set(source, whole);
    return whole;
  }

  function taken(subject: Subject): Subject | undefined {
    const { source, words } = subject;
    if (source.role !== "user" || !around().opening(source).includes(subject)) return undefined;
    const before = around().before(source);
    const offer = before && offerOf(before);
    if (!offer || offer.size === 0) return undefined;
    for (const { taken: phrases, labels } of options) {
      const label = firstPhrase(phrases, words)?.slots.find(({ name }) => name === "label");
      const place = label && labels.get(sameText(subject.segment.text.slice(label.start, label.end)));
      if (place !== undefined && offer.has(place)) return offer.get(place);
    }
    return undefined;
  }

  return {
    taken,
    state(subject) {
      const { source } = subject;
      if (source.role !== "assistant" || options.length === 0) return undefined;
      const reply = around().reply(source);
      if (!reply || around().before(reply) !== source) return undefined;
      const chosen =
        choices.get(source) ??
        new Set(
          around()
            .opening(reply)
            .flatMap((one) => taken(one) ?? []),
        );
      choices.set(source, chosen);
      if (chosen.size === 0) return undefined;
      if (chosen.has(subject)) return "picked";
      return [...offerOf(source).values()].includes(subject) ? "passed-over" : undefined;
    },
  };
}

/** The place of an option in its list: by the words that begin it, or by the mark of its list item. */
function offeredPlace({ segment, source, words }: Subject, options: readonly Options[]): number | undefined {
  for (const { offered, labels } of options) {
    const label = firstPhrase(offered, words)?.slots.find(({ name }) => name === "label");
    const named = label && labels.get(sameText(segment.text.slice(label.start, label.end)));
    if (named !== undefined) return named;
    if (segment.node !== "item" && segment.node !== "sentence") continue;
    const near = source.text.slice(Math.max(0, segment.start - MARK_CHARACTERS), segment.start);
    const begins = near.includes("\n") || segment.start <= MARK_CHARACTERS;
    const mark = begins ? /[\p{L}\p{N}]+(?=[.)])/u.exec(near.slice(near.lastIndexOf("\n") + 1))?.[0] : undefined;
    const marked = mark === undefined ? undefined : labels.get(sameText(mark));
    if (marked !== undefined) return marked;
  }
  return undefined;
}

/** A list's mark with what stands before it. */
const MARK_CHARACTERS = 12;
