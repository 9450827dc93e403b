// What was found in the texts of a session when it was last read. A host compacts the same session again and again, and
// what a text gives hangs on little beside it: the messages next to it, what was said before and what the user says next.
// Where all of that is as it was, so is what is found.
import { DEED_MESSAGES, REMEMBERED_SESSIONS, SEEN_MESSAGES } from "../limits.js";
import type { Item, Kind, Message, Session, Source } from "../model.js";
import type { Around } from "./around.js";
import { isHuge } from "./as-before.js";
import { placeOf } from "./local.js";
import type { Near } from "./salience.js";
import { sameMessage } from "./same-message.js";
import type { Retraction } from "./take-back.js";

/** What a text gives. */
export interface FoundText {
  readonly items: readonly Item[];
  readonly kinds: readonly Kind[];
  readonly retraction: Retraction | undefined;
  /** The user takes something back. */
  readonly isTurn: boolean;
  /** Where it was asked for. */
  near?: Near;
}

/** Of each text of a source. */
type Found = readonly FoundText[];

interface Run {
  readonly messages: readonly Message[];
  readonly places: ReadonlyMap<string, number>;
  readonly found: Map<string, { readonly place: string; readonly found: Found }>;
}

export interface Finds {
  readonly of: (source: Source) => Found | undefined;
  readonly keep: (source: Source, found: Found) => void;
}

/** How far calls count for a text, on either side. */
export const REACH = 1 + Math.max(DEED_MESSAGES, SEEN_MESSAGES);

const runs = new WeakMap<object, Run[]>();

/** @param owner whose rules they are; what other rules find is something else */
export function openFinds(owner: object, { messages }: Session, around: Pick<Around, "before" | "reply">): Finds {
  const places = new Map(messages.map(({ id }, place) => [id, place]));
  // Which of two messages of one name is meant cannot be told.
  if (places.size < messages.length || isHuge(messages)) return { of: () => undefined, keep: () => undefined };
  const run: Run = { messages, places, found: new Map() };
  const earlier = runs.get(owner) ?? [];
  const alignments = earlier.map((before) => {
    // Mostly all is found in the last one, and the others need not be compared.
    let isSame: ReturnType<typeof align> | undefined;
    return {
      before,
      isSame(from: number, to: number) {
        isSame ??= align(messages, before);
        return isSame(from, to);
      },
    };
  });
  runs.set(owner, [run, ...earlier].slice(0, REMEMBERED_SESSIONS));
  const last = messages.length - 1;
  const placeIn = (source: Source | undefined, otherwise: number) => places.get(source?.id ?? "") ?? otherwise;

  return {
    of(source) {
      const at = places.get(source.id);
      if (at === undefined) return undefined;
      const from = Math.max(0, Math.min(at - REACH, placeIn(around.before(source), 0)));
      const to = Math.min(last, Math.max(at + REACH, placeIn(around.reply(source), last)));
      for (const { before, isSame } of alignments) {
        const known = before.found.get(keyOf(source));
        if (!known || known.place !== placeOf(source) || !isSame(from, to)) continue;
        run.found.set(keyOf(source), known);
        return known.found;
      }
      return undefined;
    },
    keep: (source, found) => void run.found.set(keyOf(source), { place: placeOf(source), found }),
  };
}

const keyOf = ({ id, tool, turn }: Source) => (tool === undefined ? id : `${tool} ${turn} ${id}`);

/** Tells whether the messages from one to another are those of the earlier run, one behind the other as they were there. */
function align(messages: readonly Message[], before: Run): (from: number, to: number) => boolean {
  /** For each message, how many up to it do not follow the one before it as they did. */
  const breaks = new Int32Array(messages.length);
  const known = new Int32Array(messages.length);
  let count = 0;
  let previous = -1;
  for (const [at, message] of messages.entries()) {
    const place = before.places.get(message.id) ?? -1;
    const same = place >= 0 && sameMessage(message, before.messages[place] as Message);
    if (!same || place !== previous + 1) count++;
    breaks[at] = count;
    previous = same ? place : NEVER;
    known[at] = same ? place : -1;
  }
  const last = messages.length - 1;
  return (from, to) =>
    (known[from] as number) >= 0 &&
    breaks[from] === breaks[to] &&
    // Where there is nothing more on this side, there was nothing more.
    (from > 0 || known[0] === 0) &&
    (to < last || known[last] === before.messages.length - 1);
}

const NEVER = -2;
