// Claims of hooks: which event of a session was answered, so that two hooks of one agent do not both answer it. A user may
// have the hooks in the settings and in a plugin.

import { digestOf } from "../text/forms.js";
import { changeState, fileNameOf, readState } from "./state.js";

/** Hooks of one event start within this time. Later, the same event is a new one, such as a compaction that is tried again. */
const SAME_EVENT_MILLISECONDS = 20_000;

interface Answered {
  /** The last message when it was answered. */
  readonly mark: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** A hook inside the agent answered, which runs before the commands. */
  readonly inside?: true;
}

type Claims = { readonly version: 1; readonly answered: Readonly<Record<string, Answered>> };

/** An event that a hook is about to answer. */
type Claim = Answered & { readonly session: string; readonly event: string };

const nameOf = (session: string) => `receipt-${fileNameOf(session)}`;
const answeredIn = (value: unknown) => (value as Claims | undefined)?.answered ?? {};
/** A time far ahead is of a clock that was set back since. */
const isFresh = (before: Answered | undefined, now: number) =>
  before !== undefined && Math.abs(now - before.time) < SAME_EVENT_MILLISECONDS;

/** Did a hook inside the agent answer the event just now? */
export function isAnsweredInside(session: string, event: string, now: number, folder?: string): boolean {
  const before = answeredIn(readState(nameOf(session), folder).value)[event];
  return isFresh(before, now) && before?.inside === true;
}

/** Returns false if another hook answers the event. A hook inside the agent always answers. */
export function claimEvent({ session, event, mark, time, inside }: Claim, folder?: string): boolean {
  const isTaken = (before: Answered | undefined) =>
    !inside && isFresh(before, time) && (before?.inside === true || before?.mark === mark);
  return store(session, event, { mark, time, ...(inside && { inside }) }, isTaken, folder);
}

/** Returns false if the session was already told this text. A compaction removes it, so `again` tells it in any case.
 * @param what the sort of text, of which only the last is remembered */
export function claimText(session: string, what: string, text: string, time: number, again = false, folder?: string): boolean {
  const mark = digestOf(text, 16);
  return store(session, what, { mark, time }, (before) => !again && before?.mark === mark, folder);
}

/** If nothing can be stored, the event is answered: twice is better than never. */
function store(session: string, event: string, next: Answered, isTaken: (before?: Answered) => boolean, folder?: string) {
  let taken = false;
  const change = (value: unknown): Claims | undefined => {
    const answered = answeredIn(value);
    taken = isTaken(answered[event]);
    return taken ? undefined : { version: 1, answered: { ...answered, [event]: next } };
  };
  try {
    changeState(nameOf(session), change, folder);
  } catch {
    return true;
  }
  return !taken;
}
