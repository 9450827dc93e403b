// What is remembered of a session from one compaction to the next. Nothing that was found once is lost when the host
// no longer has the messages it was found in.
import { createHash } from "node:crypto";
import { applyByHand, type ByHand, PINS } from "../extract/by-hand.js";
import { mergeItems } from "../extract/reduce.js";
import { STORED_STATEMENTS } from "../limits.js";
import type { Continuation, Extraction, Failure, FileLists, Item, Place, Statement } from "../model.js";
import { sameText } from "../rules/words.js";
import { changeState, listState, readState } from "./state.js";

type StoredStatement = Omit<Statement, "places"> & { readonly places: readonly Place[] };

export interface Memory {
  readonly version: 1;
  readonly session: string;
  /** How many compactions were seen. */
  readonly round: number;
  readonly continuation: Continuation;
  readonly statements: readonly StoredStatement[];
  /** Days that it is kept after it was last written, where its project says so. */
  readonly keepDays?: number;
  /** A digest of the last note that was written of it, without its number. */
  readonly noted?: string;
  /** How many facts of the last summary got which verdict. */
  readonly verdicts?: Readonly<Record<string, number>>;
  /** What was put behind the last summary, and the summary as it is stored. */
  readonly block?: string;
  readonly summary?: string;
  /** The last summary that `compact` had a model write, and the mark of the last message that it covers. */
  readonly told?: { readonly summary: string; readonly through?: string };
  /** Some of it was handed over by a program, and was never said in this session. */
  readonly given?: true;
}

const PREFIX = "session-";

/** A fact that is remembered of any session. */
export function findRemembered(matches: (item: Item) => boolean, folder?: string): Item | undefined {
  for (const { name } of listState(folder).filter((stored) => stored.name.startsWith(PREFIX))) {
    const found = asMemory(readState(name, folder).value)?.continuation.items.find(matches);
    if (found) return found;
  }
  return undefined;
}

/** A name that is no name of a file, or too long for one, is told from its like by a hash. */
export function fileNameOf(session: string): string {
  const plain = session.replace(/[^\w.-]+/g, "-");
  if (plain === session && plain.length <= 80) return plain;
  return `${plain.slice(-71)}-${createHash("sha256").update(session).digest("hex").slice(0, 8)}`;
}

export const memoryName = (session: string) => `${PREFIX}${fileNameOf(session)}`;

export function readMemory(session: string, folder?: string): { readonly memory?: Memory; readonly broken?: string } {
  const { value, broken } = readState(memoryName(session), folder);
  if (broken !== undefined) return { broken };
  const memory = asMemory(value);
  return memory ? { memory } : {};
}

function asMemory(value: unknown): Memory | undefined {
  const stored = value as Partial<Memory> | undefined;
  if (!stored?.continuation || !Array.isArray(stored.continuation.items) || !Array.isArray(stored.statements)) return undefined;
  return stored as Memory;
}

/** Changes what is remembered as it is now: another process may have added to it since it was last read. */
export function changeMemory(
  session: string,
  change: (before: Memory | undefined) => Memory | undefined,
  folder?: string,
): Memory | undefined {
  return changeState(memoryName(session), (value) => change(asMemory(value)), folder);
}

export function toMemory(
  session: string,
  round: number,
  { continuation, statements }: Extraction,
  more: Partial<Memory> = {},
): Memory {
  const heaviest = [...statements].sort((a, b) => b.salience - a.salience || a.ordinal - b.ordinal).slice(0, STORED_STATEMENTS);
  const stored = heaviest.sort((a, b) => a.ordinal - b.ordinal).map((one) => ({ ...one, places: [...one.places] }));
  const { sections: _, gaps: __, rendered: ___, ...facts } = continuation;
  return { version: 1, session, round, continuation: facts, statements: stored, ...more };
}

/** What a session is known by when its messages are no longer needed. */
export interface MessageIds extends Pick<ByHand, "isDropped"> {
  readonly messages: readonly { readonly id: string }[];
  /** These are all there ever were, but for those that were undone. */
  readonly whole?: boolean;
}

/** What is remembered of a message that a whole session does not have was undone. */
export const stillKnown = (memory: Memory | undefined, { whole }: MessageIds): Memory | undefined =>
  whole && !memory?.given ? undefined : memory;

/** What was found now, and what was found before in messages that are no longer there. */
export function withMemory(now: Extraction, memory: Memory | undefined, session: MessageIds): Extraction {
  const before = stillKnown(memory, session);
  if (!before) return now;
  const there = new Set([...session.messages.map(({ id }) => id), ...now.statements.map(({ source }) => source)]);
  const gone = <T extends { readonly source: string }>(list: readonly T[]) => list.filter(({ source }) => !there.has(source));
  const old = before.continuation;
  const said = before.statements.map((one) => ({ ...one, places: new Set<Place>() }));
  // What was dropped since then is gone from what is remembered, too.
  const kept = applyByHand({ items: old.items, statements: said }, { isDropped: session.isDropped });
  const items = mergeMemory(
    // What is pinned is known from the project; a pin that is only remembered was dropped.
    // The same holds for what stood in its files.
    kept.items.filter(({ evidence, by }) => evidence.rule !== PINS && by !== "file" && !there.has(evidence.source)),
    now,
  );
  const statements = gone(kept.statements.filter(({ by }) => by !== "file"));
  const shift = statements.length;
  return {
    continuation: {
      ...now.continuation,
      items,
      concepts: items.filter(({ kind }) => kind === "concept").map(({ text }) => text),
      files: mergeFiles(old.files, now.continuation.files),
      commands: [...gone(old.commands), ...now.continuation.commands],
      errors: mergeErrors(gone(old.errors), now.continuation),
      todos: now.continuation.todos.length > 0 ? now.continuation.todos : old.todos,
    },
    statements:
      shift === 0
        ? now.statements
        : [
            ...statements.map((one, ordinal) => ({ ...one, ordinal })),
            ...now.statements.map((one) => ({ ...one, ordinal: one.ordinal + shift })),
          ],
  };
}

/** Later words take back or set anew what was said before the gap too, and what is done is no longer left to do. */
function mergeMemory(old: readonly Item[], { continuation: { items }, after }: Extraction): readonly Item[] {
  if (old.length === 0) return items;
  const order = new Map([...old, ...items].map(({ evidence }, index) => [evidence.source, index]));
  const merged = after?.(old) ?? mergeItems([...old, ...items], (source) => order.get(source) ?? Number.MAX_SAFE_INTEGER);
  const done = new Set(items.filter(({ kind }) => kind === "done").map(({ text }) => sameText(text)));
  return merged.filter(({ kind, text }) => kind !== "remaining" || !done.has(sameText(text)));
}

/** A path is in one list only: what was done last to it counts, but reading changes nothing. */
export function mergeFiles(old: FileLists, now: FileLists): FileLists {
  const changed = new Set([...now.created, ...now.modified, ...now.deleted]);
  const known = new Set([...changed, ...old.created, ...old.modified, ...old.deleted]);
  const merged = (key: Exclude<keyof FileLists, "read" | "aside">) =>
    [...new Set([...old[key].filter((path) => !changed.has(path)), ...now[key]])].sort();
  const aside = [...new Set([...(old.aside ?? []).filter((path) => !changed.has(path)), ...(now.aside ?? [])])].sort();
  return {
    read: [...new Set([...old.read, ...now.read])].filter((path) => !known.has(path)).sort(),
    created: merged("created"),
    modified: merged("modified"),
    deleted: merged("deleted"),
    ...(aside.length > 0 && { aside }),
  };
}

function mergeErrors(old: readonly Failure[], { commands, errors }: Continuation): readonly Failure[] {
  const passed = new Set(commands.filter(({ status }) => status === "passed").map(({ command }) => command));
  return [...old.map((failure) => ({ ...failure, resolved: failure.resolved || passed.has(failure.command) })), ...errors];
}
