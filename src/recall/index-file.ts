// The index of this machine: which session files it holds, and the search in it.
import { join } from "node:path";
import { stateFolder } from "../state/state.js";
import { DamagedError, type Database, inDatabase, removeDatabase, type StoredRow } from "./database.js";
import type { Passage } from "./passages.js";
import { COLUMNS, type IndexedFile, meaningIn, type SearchHit, type Store, StoreError, type Wanted, wordsIn } from "./store.js";

/** Another version is built again. */
const VERSION = 1;

const SCHEMA = `create table if not exists files${VERSION} (id integer primary key, path text unique, size integer, time integer, session text, project text, first integer, last integer);
create table if not exists plain${VERSION} (word text primary key);
create virtual table if not exists entries${VERSION} using fts5(own, near, file unindexed, message unindexed, kind unindexed, by unindexed, time unindexed, fact unindexed, status unindexed, score unindexed, reason unindexed, replaced unindexed, tokenize = 'porter unicode61');
`;

export const indexFile = (): string | undefined => {
  const folder = stateFolder();
  return folder === undefined ? undefined : join(folder, "recall.db");
};

/** Uses the index. If it is damaged, it is removed, and the work starts with an empty one. */
async function use<T>(file: string, work: (database: Database) => T): Promise<T> {
  try {
    return await inDatabase(file, SCHEMA, work);
  } catch (error) {
    if (!(error instanceof DamagedError)) throw asStoreError(error, file);
    removeDatabase(file);
    return inDatabase(file, SCHEMA, work);
  }
}

/** What SQLite and the system say if a disk is full or read-only. What was not finished is rolled back. */
const UNWRITABLE = /disk is full|disk I\/O|readonly|unable to open|\b(?:ENOSPC|EDQUOT|EFBIG|EROFS|EACCES|EPERM)\b/i;

function asStoreError(error: unknown, file: string): unknown {
  const why = String((error as Error)?.message);
  if (!UNWRITABLE.test(why)) return error;
  return new StoreError(`${file} cannot be written (${why})`, "is the disk full? XDG_STATE_HOME names another folder", true);
}

export function openIndex(file: string): Store {
  return {
    listIndexed: () => use(file, filesIn),
    storePlain: (words) =>
      use(file, (database) => {
        for (const word of words) database.run(`insert or ignore into plain${VERSION} values (?)`, [word]);
      }),
    storeSession: (indexed, passages) => use(file, (database) => replaceRows(database, indexed, passages)),
    forgetFiles: (paths) =>
      use(file, (database) => {
        for (const path of paths) removeRows(database, path);
      }),
    search: (wanted, isCurrent = () => true) =>
      use(file, (database) => {
        if (!isCurrent(filesIn(database))) return undefined;
        const { query } = wanted;
        const words = query === undefined ? undefined : meaningOf(query, database);
        return words?.length === 0 ? [] : select(database, words?.map((word) => `"${word}"`).join(" OR "), wanted);
      }),
    close: async () => {},
  };
}

function replaceRows(database: Database, indexed: IndexedFile, passages: readonly Passage[]): void {
  removeRows(database, indexed.path);
  const [{ next = 1 } = {}] = database.all(`select coalesce(max(rowid), 0) + 1 as next from entries${VERSION}`);
  const first = Number(next);
  const marks = ["?", "?", ...COLUMNS.map(() => "?")].join();
  const { path, size, time, session, project } = indexed;
  const place = [path, size, time, session, project, first, first + passages.length - 1];
  const named = "path, size, time, session, project, first, last";
  database.run(`insert into files${VERSION} (${named}) values (?, ?, ?, ?, ?, ?, ?)`, place);
  const [{ id = 0 } = {}] = database.all(`select id from files${VERSION} where path = ?`, [path]);
  const sql = `insert into entries${VERSION} (rowid, file, ${COLUMNS.join()}) values (${marks})`;
  for (const [index, passage] of passages.entries())
    database.run(sql, [first + index, id, ...COLUMNS.map((column) => passage[column])]);
}

function removeRows(database: Database, path: string): void {
  for (const { first = 0, last = 0 } of database.all(`select first, last from files${VERSION} where path = ?`, [path]))
    database.run(`delete from entries${VERSION} where rowid between ? and ?`, [first, last]);
  database.run(`delete from files${VERSION} where path = ?`, [path]);
}

const filesIn = (database: Database) =>
  database.all(`select path, size, time, session, project from files${VERSION}`) as unknown as readonly IndexedFile[];

function meaningOf(query: string, database: Database): readonly string[] {
  const words = wordsIn(query);
  const isPlain = (word: string) => database.all(`select 1 from plain${VERSION} where word = ?`, [word]).length > 0;
  return meaningIn(words, words.filter(isPlain));
}

function select(database: Database, quoted: string | undefined, wanted: Wanted): readonly SearchHit[] {
  const { project, kinds, session, since, most } = wanted;
  const conditions: readonly (readonly [condition: string, value: string | undefined])[] = [
    [`entries${VERSION} match ?`, quoted],
    ["f.project = ?", project],
    ["f.session glob ?", session && `${session.replace(/[[*?]/g, "?")}*`],
    ["e.time >= ?", since],
  ];
  const given = conditions.filter(([, value]) => value !== undefined);
  const ofKind = kinds ? [`e.kind in (${kinds.map(() => "?").join()})`] : [];
  const where = [...given.map(([condition]) => condition), ...ofKind].join(" and ") || "1";
  const order = quoted === undefined ? "e.time desc, e.rowid desc" : "rank";
  const sql = `select e.*, f.path, f.session, f.project from entries${VERSION} e join files${VERSION} f on f.id = e.file
    where ${where} order by ${order} limit ?`;
  const values = [...given.map(([, value]) => value as string), ...(kinds ?? []), most];
  return database.all(sql, values).map((row: StoredRow) => ({ ...row }) as unknown as SearchHit);
}
