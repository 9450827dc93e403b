// What a text says by itself: the signals that hold and the rules that match, but for what they ask of the texts around it.
// A host that runs on compacts the same session again and again, so it is worked out once for a text and its place.
import type { Source } from "../model.js";
import type { Cues, Rule, Selector } from "../rules/rule-set.js";
import type { Verdict } from "./condition.js";
import type { Subject } from "./subject.js";

export interface Local {
  /** Signals that hold, by their numbers. */
  readonly held: readonly number[];
  /** Signals that hold if what stands around the text agrees. */
  readonly open: readonly number[];
  /** Rules that match or are guarded, in their order. */
  readonly verdicts: readonly { readonly rule: Rule; readonly verdict: Verdict }[];
  /** Cues that may add up to something. */
  readonly cues: readonly Cues[];
}

export function rememberLocal(work: (subject: Subject) => Local): (subject: Subject) => Local {
  // Not the work itself: what is remembered of texts would hold every rule set that was ever used.
  const own = {};
  return (subject) => {
    const { memo, source } = subject;
    const place = placeOf(source);
    const known = memo.local;
    // The same text in another place is rare: the last one is remembered.
    if (known && known.of === own && known.place === place) return known.local;
    const local = work(subject);
    memo.local = { of: own, place, local };
    return local;
  };
}

/** Does a selector ask for texts around? */
export const isOpen = ({ opening, after, reply }: Selector) =>
  opening !== undefined || after !== undefined || reply !== undefined;

const places = new WeakMap<Source, string>();
let lastSource: Source | undefined;
let lastPlace = "";

/** Everything that a selector may ask of a source beside its text. */
export function placeOf(source: Source): string {
  if (source === lastSource) return lastPlace;
  let place = places.get(source);
  if (place === undefined) {
    const { role, file, text } = source;
    place = `${role} ${file ?? ""} ${text.length}`;
    for (const one of source.places) place += ` ${one}`;
    places.set(source, place);
  }
  lastSource = source;
  lastPlace = place;
  return place;
}
