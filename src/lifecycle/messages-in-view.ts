// What the model sees: everything since the last finished compaction, and the turns that it kept unchanged.
import type { Lifecycle } from "../rules/rule-set.js";
import { jsonText } from "../text/forms.js";
import type { Host, HostMessage, HostModel, HostPart } from "./host.js";
import { estimateTokens, usableTokens } from "./overflow.js";

export const isSummary = ({ info }: HostMessage): boolean => info.role === "assistant" && info.summary === true;

export const compactionPart = ({ info, parts }: HostMessage): HostPart | undefined =>
  info.role === "user" ? parts.find(({ type }) => type === "compaction") : undefined;

/** Filters a stream, newest first, and reads only as far as needed. Returns the messages oldest first. */
export async function filterCompacted<M extends HostMessage>(
  stream: AsyncIterable<M> | Iterable<M>,
  rules: Lifecycle,
): Promise<readonly M[]> {
  const view = createView<M>(rules);
  for await (const message of stream) if (view.add(message)) break;
  return view.messages();
}

/** The same for a list, oldest first. */
export function messagesInView<M extends HostMessage>(messages: readonly M[], rules: Lifecycle): readonly M[] {
  const view = createView<M>(rules);
  for (const message of messages.toReversed()) if (view.add(message)) break;
  return view.messages();
}

function createView<M extends HostMessage>(rules: Lifecycle) {
  const answered = new Set<string>();
  const recent: M[] = [];
  const older: M[] = [];
  let request: M | undefined;
  let tailStart: string | undefined;
  let whole = false;

  /** Adds a message, newest first; true when no more are needed. */
  function add(message: M): boolean {
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
    // A tail whose start is missing does not count.
    if (!whole) return [request, ...rest];
    const ends = (message: M) => isFinishedSummary(message, rules);
    // Earlier compactions are part of the summary now, and would end the view at their place.
    const tail = older
      .toReversed()
      .filter((message) => !ends(message) && !(compactionPart(message) && answered.has(message.info.id)));
    const own = (message: M) => ends(message) && message.info.parentID === request?.info.id;
    return [request, ...rest.filter(own), ...tail, ...rest.filter((message) => !own(message))];
  }

  return { add, messages };
}

const isFinishedSummary = (message: HostMessage, { faultless }: Lifecycle) =>
  isSummary(message) && Boolean(message.info.finish) && !(faultless && message.info.error);

// The newest turns stay unchanged: the model continues from the latest messages themselves, not from a summary of them.

/** Where the tail starts in the messages in view; their length if there is no tail. */
export function findTail(messages: readonly HostMessage[], model: HostModel, rules: Lifecycle): number {
  const { tail } = rules;
  const none = messages.length;
  if (!tail || tail.turns === 0) return none;
  const budget = tail.tokens ?? Math.min(tail.max, Math.max(tail.min, tail.share * usableTokens(model, rules)));
  // The earlier summary and its request come first and are always summarised again.
  const first = messages.findIndex((message) => !compactionPart(message) && !isSummary(message));
  if (first < 0) return none;
  let size = 0;
  let turns = 0;
  let turnStart = none;
  let index = none - 1;
  for (; index >= first && turns !== tail.turns; index--) {
    const message = messages[index] as HostMessage;
    size += messageTokens(message, rules);
    if (size > budget || compactionPart(message) || isSummary(message)) break;
    if (message.info.role !== "user") continue;
    turnStart = index;
    turns++;
  }
  // A turn that is too long on its own is split; otherwise turns stay whole.
  const start = turns > 0 ? turnStart : index + 1;
  // If everything stayed, nothing would be summarised.
  return start > first ? start : none;
}

const messageTokens = ({ parts }: HostMessage, rules: Lifecycle) =>
  parts.reduce((sum, part) => sum + estimateTokens(said(part), rules), 0);

const said = ({ text, state }: HostPart) => `${text ?? ""}${state?.output ?? ""}${jsonText(state?.input)}`;

// Pruning old tool outputs: they are marked, not deleted, and the model reads a note instead.

/** Old tool outputs that can be removed from view. */
export interface Prunable {
  /** Newest first. Empty if too little would be freed. */
  readonly parts: readonly HostPart[];
  /** Estimated tokens beyond the protected ones. */
  readonly pruned: number;
  /** Estimated tokens of all outputs that were considered. */
  readonly total: number;
}

/** Finds old tool outputs that can be removed from view. */
export function findPrunable(messages: readonly HostMessage[], rules: Lifecycle): Prunable {
  const parts: HostPart[] = [];
  let pruned = 0;
  let total = 0;
  for (const part of rules.prune ? oldOutputs(messages, rules) : []) {
    const tokens = estimateTokens(part.state?.output, rules);
    total += tokens;
    // An output that crosses the limit is pruned whole.
    if (total <= rules.protect) continue;
    pruned += tokens;
    parts.push(part);
  }
  return { parts: pruned > rules.minimum ? parts : [], pruned, total };
}

/** Newest first, up to the last summary or the last pruned output: older ones were handled then. */
function* oldOutputs(messages: readonly HostMessage[], rules: Lifecycle): Generator<HostPart> {
  let turns = 0;
  for (const message of messages.toReversed()) {
    if (message.info.role === "user") turns++;
    if (turns < rules.turns) continue;
    if (isSummary(message)) return;
    for (const part of message.parts.toReversed()) {
      if (part.type !== "tool" || part.state?.status !== "completed" || rules.keep.has(part.tool ?? "")) continue;
      if (isPruned(part)) return;
      yield part;
    }
  }
}

/** Marks prunable outputs and has the host store them. */
export async function prune(host: Host, sessionID: string, rules: Lifecycle): Promise<Prunable> {
  if (!rules.prune) return { parts: [], pruned: 0, total: 0 };
  const found = findPrunable(await host.messages(sessionID), rules);
  const now = host.now();
  // Oldest first: if the host fails half-way, unpruned outputs behind a mark would never be considered again.
  for (const part of found.parts.toReversed()) await host.updatePart(marked(part, now));
  return found;
}

/** The messages as the model sees them. */
export function clearPruned<M extends HostMessage>(messages: readonly M[], { cleared }: Lifecycle): readonly M[] {
  return messages.map((message) =>
    message.parts.some(isPruned)
      ? { ...message, parts: message.parts.map((part) => (isPruned(part) ? withState(part, { output: cleared }) : part)) }
      : message,
  );
}

const isPruned = ({ type, state }: HostPart) => type === "tool" && typeof state?.time?.compacted === "number";

const marked = (part: HostPart, now: number) => withState(part, { time: { ...part.state?.time, compacted: now } });

const withState = (part: HostPart, change: object): HostPart => ({
  ...part,
  state: { status: "completed", ...part.state, ...change },
});
