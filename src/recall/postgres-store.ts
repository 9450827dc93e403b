// The store of a team: sessions of several people and machines on one server.
import { basename } from "node:path";
import { type Machine, projectName } from "./machine.js";
import type { Passage } from "./passages.js";
import { connect, type Query } from "./postgres-connection.js";
import { COLUMNS, type IndexedFile, meaningIn, type SearchHit, type Store, type Wanted, wordsIn } from "./store.js";

interface User {
  readonly machine: Machine;
  /** The project's name. Sessions of others are not sent; undefined for all. */
  readonly project: string | undefined;
}

/** @param home the folder that identifies the project; undefined for all projects */
export async function openPostgres(url: string, machine: Machine, home: string | undefined): Promise<Store> {
  const { inTransaction, close } = await connect(url);
  const user = { machine, project: home === undefined ? undefined : projectName(home) };
  return {
    isShared: true,
    listIndexed: () => inTransaction((query) => filesOf(query, user)),
    // In order, so that two programs at once do not wait for each other.
    storePlain: (words) =>
      inTransaction(async (query) => {
        const sorted = "select distinct word from unnest($1::text[]) word order by word";
        await query(`insert into compaction_plain ${sorted} on conflict do nothing`, [words]);
      }),
    storeSession: (indexed, passages) => inTransaction((query) => replaceRows(query, user, indexed, passages)),
    forgetFiles: (paths) => inTransaction((query) => forget(query, machine, paths)),
    search: (wanted, isCurrent) =>
      inTransaction(async (query) => {
        if (isCurrent && !isCurrent(await filesOf(query, user))) return undefined;
        const words = wanted.query === undefined ? undefined : await meaningOf(wanted.query, query);
        return words?.length === 0 ? [] : select(query, words, wanted);
      }),
    close,
  };
}

async function forget(query: Query, { id }: Machine, paths: readonly string[]): Promise<void> {
  const gone = await query("delete from compaction_files where machine = $1 and path = any($2) returning session", [id, paths]);
  await query(
    `delete from compaction_sessions s where id = any($1)
      and not exists (select from compaction_files f where f.session = s.id)`,
    [gone.map(({ session }) => session)],
  );
}

/** The files of this machine whose sessions are there, and those that were looked at and are not of this project. */
async function filesOf(query: Query, { machine, project = "" }: User): Promise<readonly IndexedFile[]> {
  const rows = await query(
    `select f.path, f.size::float, f.time, coalesce(s.session, '') as session, coalesce(s.project, '') as project
      from compaction_files f left join compaction_sessions s on s.id = f.session
      where f.machine = $1 and (f.session is not null or f.not_of = $2)`,
    [machine.id, project],
  );
  return rows as unknown as readonly IndexedFile[];
}

async function meaningOf(text: string, query: Query): Promise<readonly string[]> {
  const words = wordsIn(text);
  const plain = await query("select word from compaction_plain where word = any($1)", [words]);
  const plainWords = plain.map(({ word }) => String(word));
  return meaningIn(words, plainWords);
}

const typeOf = (name: keyof Passage) => (name === "score" ? "real" : "text");

/**
 * A session is known by its id and the name of its file, which are the same on every machine. Files only grow, so a machine
 * with a smaller copy of a session adds nothing.
 */
async function replaceRows(query: Query, user: User, indexed: IndexedFile, passages: readonly Passage[]): Promise<void> {
  const { path, size, time } = indexed;
  const { machine, project } = user;
  const name = indexed.project === "" ? "" : projectName(indexed.project);
  const isOurs = indexed.session !== "" && (project === undefined || project === name);
  const session = isOurs ? await sessionRow(query, machine, { ...indexed, project: name }) : undefined;
  // It may have been a session of this project before.
  if (!session) await forget(query, machine, [path]);
  if (session?.isNewer) {
    await query("delete from compaction_passages where session = $1", [session.id]);
    const lists = COLUMNS.map((name, index) => `$${index + 2}::${typeOf(name)}[]`);
    await query(
      `insert into compaction_passages (session, ${COLUMNS.join()}, at)
        select $1::bigint, rows.* from unnest(${lists.join()}) with ordinality as rows`,
      [session.id, ...COLUMNS.map((name) => passages.map((passage) => storable(passage[name])))],
    );
  }
  await query(
    `insert into compaction_files (machine, path, size, time, session, not_of) values ($1, $2, $3, $4, $5, $6)
      on conflict (machine, path) do update
      set size = excluded.size, time = excluded.time, session = excluded.session, not_of = excluded.not_of`,
    [machine.id, path, size, time, session?.id ?? null, session ? null : (project ?? "")],
  );
}

async function sessionRow(query: Query, { id, name }: Machine, { path, size, session, project }: IndexedFile) {
  const key = [session, basename(path)];
  const [written] = await query(
    `insert into compaction_sessions as s (session, name, project, machine, person, size) values ($1, $2, $3, $4, $5, $6)
      on conflict (session, name) do update
      set project = excluded.project, machine = excluded.machine, person = excluded.person, size = excluded.size, stored = now()
      where s.machine = excluded.machine or s.size <= excluded.size returning id`,
    [...key, project, id, name, size],
  );
  if (written) return { id: written.id, isNewer: true };
  const [known] = await query("select id from compaction_sessions where session = $1 and name = $2", key);
  return { id: known?.id, isNewer: false };
}

/** The server takes no null character in a text. */
const storable = (value: string | number) => (typeof value === "string" ? value.replaceAll("\0", "") : value);

async function select(query: Query, words: readonly string[] | undefined, wanted: Wanted): Promise<readonly SearchHit[]> {
  const { project, kinds, session, since, most } = wanted;
  const values: unknown[] = [];
  const given = (condition: (mark: string) => string, value: unknown) =>
    value === undefined ? [] : [condition(`$${values.push(value)}`)];
  const where = [
    ...given((mark) => `p.words @@ ${asQuery(mark)}`, words),
    ...given((mark) => `s.project = ${mark}`, project === undefined ? undefined : projectName(project)),
    ...given((mark) => `starts_with(s.session, ${mark})`, session),
    ...given((mark) => `p.time >= ${mark}`, since),
    ...given((mark) => `p.kind = any(${mark})`, kinds),
  ];
  const order =
    words === undefined ? "p.time desc, p.session desc, p.at desc" : `ts_rank(p.words, ${asQuery("$1")}) desc, p.session, p.at`;
  const rows = await query(
    `select ${COLUMNS.map((name) => `p.${name}`).join()}, s.session, s.project, s.person as from,
        coalesce((select f.path from compaction_files f where f.session = s.id and f.machine = s.machine limit 1), s.name) as path
      from compaction_passages p join compaction_sessions s on s.id = p.session
      where ${where.join(" and ") || "true"} order by ${order} limit $${values.push(most)}`,
    values,
  );
  return rows as unknown as readonly SearchHit[];
}

/** One word is enough. A name with an underscore is searched by its parts. */
const asQuery = (mark: string) =>
  `(select string_agg(q::text, ' | ')::tsquery from (select phraseto_tsquery('english', translate(word, '_', ' ')) q from unnest(${mark}::text[]) word) all_words where numnode(q) > 0)`;
