// What a text says by itself: the signals that hold and the rules that match, but for what they ask of the texts around it.
// A host that runs on compacts the same session again and again, so it is worked out once for a text and its place.
import type { Segment, Source } from "../model.js";
import type { Cues, Rule, Selector, Signal } from "../rules/rule-set.js";
import type { Verdict } from "./matcher.js";
import type { Subject } from "./subject.js";

export interface Local {
  /** Signals that hold. */
  readonly held: ReadonlySet<string>;
  /** Signals that hold if what stands around the text agrees. */
  readonly open: readonly Signal[];
  /** Rules that match or are guarded, in their order. */
  readonly verdicts: readonly { readonly rule: Rule; readonly verdict: Verdict }[];
  /** Cues that may add up to something. */
  readonly cues: readonly Cues[];
}

export function rememberLocal(work: (subject: Subject) => Local): (subject: Subject) => Local {
  // The same text in another place is rare: the last one is remembered.
  const bySegment = new WeakMap<Segment, { readonly place: string; readonly local: Local }>();
  return (subject) => {
    const place = placeOf(subject.source);
    const known = bySegment.get(subject.segment);
    if (known?.place === place) return known.local;
    const local = work(subject);
    bySegment.set(subject.segment, { place, local });
    return local;
  };
}

/** Does a selector ask for texts around? */
export const isOpen = ({ opening, after, reply }: Selector) =>
  opening !== undefined || after !== undefined || reply !== undefined;

const places = new WeakMap<Source, string>();

/** Everything that a selector may ask of a source beside its text. */
function placeOf(source: Source): string {
  const before = places.get(source);
  if (before !== undefined) return before;
  const { role, file, text } = source;
  let place = `${role} ${file ?? ""} ${text.length}`;
  for (const one of source.places) place += ` ${one}`;
  places.set(source, place);
  return place;
}
