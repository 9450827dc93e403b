// Where passages are kept: an index of this machine, or a server that a team shares. Both know the same few operations.

import type { Message, Role, Session } from "../model.js";
import { groupBy } from "../text/lists.js";
import type { Passage } from "./passages.js";

export const COLUMNS = ["own", "near", "message", "kind", "by", "time", "fact", "status", "score", "reason", "replaced"] as const;

/** A session file as the store knows it. */
export interface IndexedFile {
  readonly path: string;
  readonly size: number;
  readonly time: number;
  readonly session: string;
  readonly project: string;
}

export interface SearchHit extends Passage, Pick<IndexedFile, "path" | "session" | "project"> {
  /** In a store of a team: whose session it is, such as ann@laptop. */
  readonly from?: string;
}

export interface Wanted {
  /** What to search for; undefined finds all. */
  readonly query?: string;
  readonly project?: string;
  readonly kinds?: readonly string[];
  readonly session?: string;
  readonly since?: string;
  readonly most: number;
}

export interface Store {
  readonly isShared?: true;
  /** The files of this machine. */
  readonly listIndexed: () => Promise<readonly IndexedFile[]>;
  /** Stores the words that mean nothing by themselves, so that a query needs no rules. */
  readonly storePlain: (words: readonly string[]) => Promise<void>;
  /** Replaces the passages of a session file, all of them or none. */
  readonly storeSession: (indexed: IndexedFile, passages: readonly Passage[]) => Promise<void>;
  readonly forgetFiles: (paths: readonly string[]) => Promise<void>;
  /**
   * The best passages first; without a query, the newest.
   * @param isCurrent says whether the store has all files as they are now; otherwise nothing is searched
   */
  readonly search: (
    wanted: Wanted,
    isCurrent?: (known: readonly IndexedFile[]) => boolean,
  ) => Promise<readonly SearchHit[] | undefined>;
  readonly close: () => Promise<void>;
}

/** The store cannot be used now. The message is for the user. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  constructor(
    message: string,
    readonly hint: string,
    /** It cannot be written, but what it holds can still be searched. */
    readonly isReadable = false,
  ) {
    super(message);
  }
}

/** Those of the words that mean something; all of them if none does. */
export function meaningIn(words: readonly string[], plain: readonly string[]): readonly string[] {
  const meaning = words.filter((word) => !plain.includes(word));
  return meaning.length > 0 ? meaning : words;
}

export const wordsIn = (query: string): readonly string[] => [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])];

/** Characters that only a password or a parameter can have make it unsafe to show any part. */
const SHOWN_URL = /^(postgres(?:ql)?:\/\/)(?:([\w.~-]+)(?::[^@/?#\s]*)?@)?([\w.-]*(?::\d+)?(?:\/[\w.-]*)?)(?:\?[^@]*)?$/;

/** The address of a server as it may be shown: without password and parameters. */
export function storeName(url: string): string {
  const [, scheme = "", user, place = ""] = SHOWN_URL.exec(url) ?? [];
  return scheme === "" ? "the store" : `${scheme}${user === undefined ? "" : `${user}@`}${place}`;
}

export const SHOWN_CHARACTERS = 300;

/** Leaves out what a better result of the same message already shows: whole results, and the parts of others. */
export function withoutEchoes(found: readonly SearchHit[]): readonly SearchHit[] {
  const kept: SearchHit[] = [];
  for (const one of found) {
    const beside = kept.filter(({ path, message }) => path === one.path && message === one.message);
    const shownBefore = beside.map((other) => bare(shownOf(other)));
    if (shownBefore.some((text) => text.includes(bare(one.own.slice(0, SHOWN_CHARACTERS))))) continue;
    const shown = bare(shownOf(one));
    const isApart =
      one.kind === "run" || shownBefore.every((text) => meet(text, shown) + meet(shown, text) === 0 && !shown.includes(text));
    const own = isApart ? one.own : shownBefore.reduce(without, one.own);
    if (bare(own) !== "") kept.push(isApart ? one : { ...one, own, near: "" });
  }
  return kept;
}

/** Letters and digits: the text around a passage has the marks of Markdown, the passage does not. */
const bare = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, "");

/** Fewer letters at the end of one text and the beginning of another are a coincidence. */
const MEETING = 24;

/** How many letters the first text ends with that the second begins with. */
function meet(first: string, second: string): number {
  for (let most = Math.min(first.length, second.length); most >= MEETING; most--)
    if (first.endsWith(second.slice(0, most))) return most;
  return 0;
}

/** A text without its beginning and end that another shows. @param other the letters of that other text */
function without(text: string, other: string): string {
  const letters = bare(text);
  const from = meet(other, letters);
  const to = letters.length - meet(letters, other);
  if (from === 0 && to === letters.length) return text;
  let count = 0;
  const kept = [...text].filter((character) => {
    if (bare(character) !== "") count += character.length;
    return count > from && count <= to;
  });
  return `${from > 0 ? "… " : ""}${kept.join("").trim()}${to < letters.length ? " …" : ""}`;
}

export const shownOf = ({ kind, own, near }: Pick<SearchHit, "kind" | "own" | "near">): string =>
  (kind === "run" || near === "" ? `${own}${near === "" ? "" : ` → ${near}`}` : near).slice(0, SHOWN_CHARACTERS);

/**
 * A session as far as a store holds it, for those who do not have its file.
 * @param found all passages of the session, newest first
 */
export function storedSession(id: string, found: readonly SearchHit[]): Session {
  const messages = [...groupBy(found.toReversed(), ({ message }) => message)].map(([name, passages]): Message => {
    const said = passages.filter(({ kind }) => kind !== "run");
    const [first] = said;
    return {
      id: name,
      role: (first?.by ?? "assistant") as Role,
      text: said.map(({ own }) => own).join("\n"),
      toolCalls: passages.flatMap(({ kind, own }) =>
        kind === "run" ? [{ name: own.split(" ", 1)[0] ?? "", input: {}, output: "" }] : [],
      ),
      ...(passages[0]?.time && { time: passages[0].time }),
    };
  });
  return { id, format: "stored", messages: messages.sort((a, b) => a.id.localeCompare(b.id, "en", { numeric: true })) };
}
