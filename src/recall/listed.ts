// The sessions that an agent keeps, each in a file or all in a database, and which of them changed since the index was written.
import { existsSync, statSync } from "node:fs";
import { orUndefined, projectHome } from "../files/folders.js";
import { readRegular } from "../files/regular-file.js";
import { SESSION_BYTES } from "../limits.js";
import { digestOf } from "../text/forms.js";
import { asFields, asText, parseJson } from "../text/json.js";
import { readRows } from "./database.js";
import type { IndexedFile } from "./store.js";

export interface ListedSession {
  /** Of a session in a database: that of the database, "#", and the id of the session. */
  readonly path: string;
  readonly row?: {
    readonly folder: string;
    readonly time: number;
    /** What the agent would export. */
    readonly read: () => Buffer;
  };
  /** A database that cannot be read here. What is known of its sessions stays. */
  readonly isClosed?: true;
}

export interface AgentDatabase {
  readonly name: string;
  /** Gives id, folder and time of each session. */
  readonly list: string;
  /** Gives one session, by its id, as JSON in the column `text`. */
  readonly one: string;
}

export function sessionsIn(file: string, { list, one }: AgentDatabase): readonly ListedSession[] {
  if (!existsSync(file)) return [];
  const rows = readRows(file, list);
  if (!rows) return [{ path: file, isClosed: true }];
  return rows.map(({ id, folder, time }) => {
    const read = () => Buffer.from(String(readRows(file, one, [id ?? null])?.[0]?.text ?? ""));
    return { path: `${file}#${id}`, row: { folder: String(folder), time: Number(time), read } };
  });
}

/** Which sessions an index holds. */
export interface IndexScope {
  /** The project's folder; undefined for the sessions of all projects. */
  readonly project: string | undefined;
  /** Milliseconds since 1970: a session of the project that was not changed since then is not held any more. */
  readonly since?: number;
}

/** The paths that are gone or too old, and what is new or changed. A query asks first, and mostly nothing is. */
export function differences(indexed: readonly IndexedFile[], listed: readonly ListedSession[], scope: IndexScope) {
  const { project, since = 0 } = scope;
  const known = new Map(indexed.map((one) => [one.path, one]));
  const home = project === undefined ? undefined : projectHome(project);
  const isOurs = home === undefined ? () => true : isOfProject(home);
  const changed = listed.filter(({ path, row, isClosed }) => {
    if (isClosed) return false;
    const before = known.get(path);
    if (row) return row.time >= since && before?.time !== row.time && isOurs({ path, row });
    const info = statSync(path, { throwIfNoEntry: false });
    const isSame = before && before.size === info?.size && before.time === info.mtimeMs;
    if (!info || info.mtimeMs < since || info.size > SESSION_BYTES || isSame) return false;
    return before !== undefined || isOurs({ path });
  });
  const there = new Set(listed.map(({ path }) => path));
  const isThere = (path: string) =>
    there.has(path) || there.has(path.replace(/#[^#]*$/, "")) || statSync(path, { throwIfNoEntry: false }) !== undefined;
  const isOld = (one: IndexedFile) => one.time < since && one.project === home;
  return { gone: indexed.filter((one) => !isThere(one.path) || isOld(one)).map(({ path }) => path), changed };
}

/** Was a session begun in this project: in its repository, in another working tree of it, or, without git, in this very folder?
 * What is said in a session does not count: it may name any project. */
export function isOfProject(home: string): (session: ListedSession) => boolean {
  const homes = new Map<string, string>();
  const homeOf = (folder: string) => {
    const known = homes.get(folder) ?? projectHome(folder);
    homes.set(folder, known);
    return known;
  };
  return ({ path, row }) => {
    const { folder, hash }: RecordedPlace = row ?? orUndefined(() => placeOf(path)) ?? {};
    return folder === undefined ? hash === digestOf(home, HASH_CHARACTERS) : homeOf(folder) === home;
  };
}

/** What records a folder: a path, or only the digest of one. */
type RecordedPlace = { readonly folder?: string; readonly hash?: string };

/** Bytes at the start of a file that mostly record its folder. Reading all sessions whole would take too long. */
const HEAD_BYTES = 200_000;
const HASH_CHARACTERS = 64;
const HASH = /"projectHash"\s*:\s*"([0-9a-f]{64})"/;

/** Where a session began, by its first record that says so. */
function placeOf(path: string): RecordedPlace | undefined {
  for (const most of [HEAD_BYTES, SESSION_BYTES]) {
    const bytes = readRegular(path, most);
    const text = bytes.toString("utf8");
    for (const line of text.split("\n")) {
      const record = line.includes('"cwd"') ? asFields(parseJson(line)) : {};
      const folder = [record, asFields(record.payload), asFields(asFields(record.data).context)].map(({ cwd }) => asText(cwd));
      const [first] = folder.filter((one) => one !== undefined);
      if (first !== undefined) return { folder: first };
    }
    const [, hash] = HASH.exec(text) ?? [];
    if (hash !== undefined || bytes.length < most) return hash === undefined ? undefined : { hash };
  }
  return undefined;
}
