// What stays in view: everything since the last finished compaction, and the turns that it left as they were.
import type { Lifecycle } from "../rules/lifecycle-set.js";
import { compactionPart, type HostMessage, isSummary } from "./host.js";

type Stream<M> = AsyncIterable<M> | Iterable<M>;

/** Reads newest first, only as far as it has to; gives the messages oldest first. */
export async function filterCompacted<M extends HostMessage>(stream: Stream<M>, rules: Lifecycle): Promise<readonly M[]> {
  const view = createView<M>(rules);
  for await (const message of stream) if (view.take(message)) break;
  return view.messages();
}

/** The same of a list that is there, oldest first. */
export function messagesInView<M extends HostMessage>(messages: readonly M[], rules: Lifecycle): readonly M[] {
  const view = createView<M>(rules);
  for (const message of messages.toReversed()) if (view.take(message)) break;
  return view.messages();
}

function createView<M extends HostMessage>(rules: Lifecycle) {
  const answered = new Set<string>();
  const recent: M[] = [];
  const older: M[] = [];
  let request: M | undefined;
  let tailStart: string | undefined;
  let whole = false;

  /** Newest first; true when no more are needed. */
  function take(message: M): boolean {
    if (isFinishedSummary(message, rules)) answered.add(message.info.parentID ?? "");
    if (request) {
      older.push(message);
      whole = message.info.id === tailStart;
      return whole;
    }
    const part = compactionPart(message);
    if (!part || !answered.has(message.info.id)) {
      recent.push(message);
      return false;
    }
    request = message;
    tailStart = rules.tail && part.tail_start_id;
    return tailStart === undefined;
  }

  function messages(): readonly M[] {
    const rest = recent.toReversed();
    if (!request) return rest;
    // A tail whose beginning is gone is no tail.
    if (!whole) return [request, ...rest];
    const ends = (message: M) => isFinishedSummary(message, rules);
    // Earlier compactions are part of the summary by now, and would end the view where they stand.
    const tail = older
      .toReversed()
      .filter((message) => !ends(message) && !(compactionPart(message) && answered.has(message.info.id)));
    const own = (message: M) => ends(message) && message.info.parentID === request?.info.id;
    return [request, ...rest.filter(own), ...tail, ...rest.filter((message) => !own(message))];
  }

  return { take, messages };
}

const isFinishedSummary = (message: HostMessage, { faultless }: Lifecycle) =>
  isSummary(message) && Boolean(message.info.finish) && !(faultless && message.info.error);
