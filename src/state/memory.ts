// The memory of a session between compactions. Facts stay known when the host no longer has the messages that they were found in.
import { applyByHand, type ByHand, PINS } from "../extract/settle/by-hand.js";
import { mergeItems } from "../extract/settle/reduce-items.js";
import { type Judged, withJudged } from "../judge/judged.js";
import type { Offer } from "../judge/offer.js";
import type { Continuation, Extraction, FileLists, Item, Place, Statement, WorkingSet } from "../model.js";
import { defined } from "../text/json.js";
import { sameForm } from "../text/paths.js";
import { sameText } from "../text/words.js";
import { isItem } from "./choices.js";
import { changeState, fileNameOf, listState, readState } from "./state.js";

/** Statements stored with a session: more than any block can hold. */
const STORED_STATEMENTS = 400;

/** Entries of each list of the working set that are kept over compactions. */
const STORED_NAMES = 60;

type StoredStatement = Omit<Statement, "places"> & { readonly places: readonly Place[] };

export interface Memory {
  readonly version: 1;
  readonly session: string;
  readonly round: number;
  readonly continuation: Continuation;
  readonly statements: readonly StoredStatement[];
  /** Days to keep the file after its last change, if the project sets it. */
  readonly keepDays?: number;
  /** A digest of the last note of the session, without the note's number. */
  readonly noted?: string;
  /** The number of facts per verdict in the last audit. */
  readonly verdicts?: Readonly<Record<string, number>>;
  /** The block added to the last summary, and the summary as stored. */
  readonly block?: string;
  readonly summary?: string;
  /** The last summary that `compact` got from a model, and the mark of the last message that it covers. */
  readonly told?: { readonly summary: string; readonly through?: string };
  readonly judged?: Judged;
  /** What the model that writes the summary was asked to judge. Another process reads its answer. */
  readonly offered?: Pick<Offer, "round" | "candidates">;
  /** A program supplied some of the content, and it was never said in this session. */
  readonly given?: true;
}

const PREFIX = "session-";

export function findRemembered(matches: (item: Item) => boolean, folder?: string): Item | undefined {
  for (const { name } of listState(folder).filter((stored) => stored.name.startsWith(PREFIX))) {
    const memory = asMemory(readState(name, folder).value);
    const known = memory && [memory, withJudged({ ...memory, statements: [] }, memory.judged, { messages: [] })];
    const found = known?.flatMap(({ continuation }) => continuation.items).find(matches);
    if (found) return found;
  }
  return undefined;
}

export const memoryName = (session: string) => `${PREFIX}${fileNameOf(session)}`;

export function readMemory(session: string, folder?: string): { readonly memory?: Memory; readonly broken?: string } {
  const { value, broken } = readState(memoryName(session), folder);
  return defined({ memory: asMemory(value), broken });
}

function asMemory(value: unknown): Memory | undefined {
  const { continuation, statements } = (value ?? {}) as Partial<Memory>;
  const fits = Array.isArray(continuation?.items) && continuation.items.every(isItem) && Array.isArray(statements);
  return fits ? (value as Memory) : undefined;
}

/** Changes the stored memory under a lock, because another process may have added to it since the last read. */
export const changeMemory = (session: string, change: (before?: Memory) => Memory | undefined, folder?: string) =>
  changeState(memoryName(session), (value) => change(asMemory(value)), folder);

export function toMemory(session: string, round: number, found: Extraction, more: Partial<Memory> = {}): Memory {
  const { continuation, statements } = found;
  const heaviest = [...statements].sort((a, b) => b.salience - a.salience || a.ordinal - b.ordinal).slice(0, STORED_STATEMENTS);
  const stored = heaviest.sort((a, b) => a.ordinal - b.ordinal).map((one) => ({ ...one, places: [...one.places] }));
  const { sections: _, gaps: __, rendered: ___, ...facts } = continuation;
  return { version: 1, session, round, continuation: facts, statements: stored, ...more };
}

export interface MessageIds extends Pick<ByHand, "isDropped"> {
  readonly messages: readonly { readonly id: string }[];
  /** The project's, if the host reports it. */
  readonly folder?: string | undefined;
  /** No other messages ever existed, except those that were undone. */
  readonly whole?: boolean;
}

/** In a whole session, missing messages were undone, so memory counts only if a program supplied some of it. */
export const stillKnown = (memory: Memory | undefined, { whole }: MessageIds): Memory | undefined =>
  whole && !memory?.given ? undefined : memory;

/** Merges what was found now with what was found before in messages that no longer exist, or that were not read in time. */
export function withMemory(now: Extraction, memory: Memory | undefined, session: MessageIds): Extraction {
  const before = stillKnown(memory, session);
  if (!before) return now;
  const read = new Set([...session.messages.map(({ id }) => id), ...now.statements.map(({ source }) => source)]);
  for (const source of now.unread ?? []) read.delete(source);
  type Sourced = { readonly source: string };
  const gone = <T extends Sourced>(list: readonly T[], found: readonly Sourced[]) => {
    const again = new Set(found.map(({ source }) => source));
    return list.filter(({ source }) => !read.has(source) && !again.has(source));
  };
  const old = before.continuation;
  const said = before.statements.map((one) => ({ ...one, places: new Set<Place>() }));
  // Facts dropped since then are also removed from memory.
  const kept = applyByHand({ items: old.items, statements: said }, { isDropped: session.isDropped });
  // Pins and project files are read again each time, so remembered ones are outdated.
  const isGone = ({ evidence, by }: Item) => evidence.rule !== PINS && by !== "file" && !read.has(evidence.source);
  const items = mergeMemory(kept.items.filter(isGone), now);
  const statements = gone(
    kept.statements.filter(({ by }) => by !== "file"),
    now.statements,
  );
  const shift = statements.length;
  const { commands, errors, commits: committed = [] } = now.continuation;
  const commits = [...gone(old.commits ?? [], committed), ...committed];
  return {
    continuation: {
      ...now.continuation,
      items,
      concepts: items.filter(({ kind }) => kind === "concept").map(({ text }) => text),
      files: mergeFiles(old.files, now.continuation.files, session.folder),
      commands: [...gone(old.commands, commands), ...commands],
      errors: now.errorsAfter?.(gone(old.errors, errors)) ?? [...gone(old.errors, errors), ...errors],
      todos: now.continuation.todos.length > 0 ? now.continuation.todos : old.todos,
      ...(commits.length > 0 && { commits }),
      ...mergeWorking(old.working, now.continuation.working),
    },
    statements: [
      ...statements.map((one, ordinal) => ({ ...one, ordinal })),
      ...now.statements.map((one) => (shift === 0 ? one : { ...one, ordinal: one.ordinal + shift })),
    ],
  };
}

/** Later messages also supersede remembered facts, and work that is done now is no longer remaining. */
function mergeMemory(old: readonly Item[], { continuation: { items }, after }: Extraction): readonly Item[] {
  if (old.length === 0) return items;
  const order = new Map([...old, ...items].map(({ evidence }, index) => [evidence.source, index]));
  const merged = after?.(old) ?? mergeItems([...old, ...items], (source) => order.get(source) ?? Number.MAX_SAFE_INTEGER);
  const done = new Set(items.filter(({ kind }) => kind === "done").map(({ text }) => sameText(text)));
  return merged.filter(({ kind, text }) => kind !== "remaining" || !done.has(sameText(text)));
}

/** Merges lists of files. A path is in one list only: its last change counts, and reading changes nothing.
 * @param folder the project's: a file in it may be listed by its absolute path */
export function mergeFiles(then: FileLists, given: FileLists, folder?: string): FileLists {
  const nameOf = sameForm(
    [then, given].flatMap((lists) => Object.values<readonly string[]>({ ...lists }).flat()),
    folder,
  );
  const named = (lists: FileLists): FileLists => mapLists(lists, (paths) => [...new Set(paths.map(nameOf))]);
  const [old, now] = [named(then), named(given)];
  const changed = new Set([...now.created, ...now.modified, ...now.deleted]);
  const known = new Set([...changed, ...old.created, ...old.modified, ...old.deleted]);
  const merged = (key: Exclude<keyof FileLists, "read">) =>
    [...new Set([...(old[key] ?? []).filter((path) => !changed.has(path)), ...(now[key] ?? [])])].sort();
  const aside = merged("aside");
  return {
    read: [...new Set([...old.read, ...now.read])].filter((path) => !known.has(path)).sort(),
    created: merged("created"),
    modified: merged("modified"),
    deleted: merged("deleted"),
    ...(aside.length > 0 && { aside }),
  };
}

const mapLists = (lists: FileLists, change: (paths: readonly string[]) => readonly string[]): FileLists => ({
  read: change(lists.read),
  created: change(lists.created),
  modified: change(lists.modified),
  deleted: change(lists.deleted),
  ...(lists.aside && { aside: change(lists.aside) }),
});

/** What is in use now comes first. Of what ran or was asked before, the end is unknown. */
function mergeWorking(old: WorkingSet | undefined, now: WorkingSet | undefined): Pick<Continuation, "working"> {
  if (!old || !now) return now ? { working: now } : {};
  const { homes, ...lists } = now;
  const merged = Object.entries(lists).map(([key, list]) => {
    const both = new Set([...list, ...(old[key as keyof typeof lists] ?? [])]);
    return [key, [...both].slice(0, Math.max(STORED_NAMES, list.length))];
  });
  const { running, asked = [] } = now;
  const all = { ...old.homes, ...homes };
  const working = { ...(Object.fromEntries(merged) as unknown as WorkingSet), running, asked };
  const ofNames = working.names.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]]));
  return { working: { ...working, homes: Object.fromEntries(ofNames) } };
}

// An extraction of a session that nothing is known about.

export function emptyExtraction(id: string): Extraction {
  const files = { read: [], created: [], modified: [], deleted: [] };
  const lists = { items: [], concepts: [], files, commands: [], errors: [], todos: [], diagnostics: [] };
  return { continuation: { version: 1, session: { id, format: "" }, ...lists }, statements: [] };
}
