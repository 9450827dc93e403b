// A connection to the server of a team's store. It fails within seconds and says why, without the password.
import { Client } from "pg";
import { StoreError, storeName } from "./store.js";

const CONNECT_MILLISECONDS = 5_000;
/** For one statement. The server stops it then; if the server does not answer at all, the second limit ends the wait. */
const STATEMENT_MILLISECONDS = 10_000;
const ANSWER_MILLISECONDS = 12_000;

type Row = Readonly<Record<string, unknown>>;

export type Query = (sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

export async function connect(url: string) {
  const fail = (error: unknown): never => {
    throw asStoreError(error, storeName(url));
  };
  const client = clientFor(url);
  // The statement that runs at that time fails as well, and that is reported.
  client.on("error", () => {});
  const query: Query = async (sql, values) => (await client.query(sql, values === undefined ? undefined : [...values])).rows;
  let isBroken = false;
  const connection = {
    /** Runs the work in one transaction: all of it happens, or nothing. */
    inTransaction: async <T>(work: (query: Query) => Promise<T>): Promise<T> => {
      try {
        await query(BEGIN);
        const result = await work(query);
        await query("commit");
        return result;
      } catch (error) {
        // A server that is gone has rolled back already, and one that does not answer must not be asked again.
        if (isOfServer(error)) await query("rollback").catch(() => {});
        else isBroken = true;
        return fail(error);
      }
    },
    close: async (): Promise<void> => {
      if (isBroken)
        (client as unknown as { readonly connection: { readonly stream: { destroy(): void } } }).connection.stream.destroy();
      else await client.end().catch(() => {});
    },
  };
  try {
    await client.connect().catch(fail);
    await connection.inTransaction(migrate);
    return connection;
  } catch (error) {
    isBroken = true;
    await connection.close();
    throw error;
  }
}

/** In each transaction, not for the connection: a pooler would refuse the settings, or lend them to others. */
const BEGIN = `begin; set local statement_timeout = ${STATEMENT_MILLISECONDS}; set local idle_in_transaction_session_timeout = ${2 * STATEMENT_MILLISECONDS}`;

function clientFor(url: string): Client {
  try {
    return new Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_MILLISECONDS,
      query_timeout: ANSWER_MILLISECONDS,
      application_name: "compaction-rules",
    });
  } catch {
    throw new StoreError("the address of the store cannot be read", HINT_ADDRESS);
  }
}

const HINT_ADDRESS = "write postgres://USER@HOST/DATABASE, with special characters of a password as %40";

/** An arbitrary number that nobody else uses for a lock of this kind. */
const LOCK = 7_205_759_403;

/** Brings the tables to this program's version. Of several programs, one does it and the others wait. */
async function migrate(query: Query): Promise<void> {
  if ((await versionIn(query)) < STEPS.length) {
    await query("select pg_advisory_xact_lock($1)", [LOCK]);
    await query("create table if not exists compaction_version (version integer not null)");
    const done = await versionIn(query);
    for (const step of STEPS.slice(done)) await query(step);
    if (done < STEPS.length) {
      await query("delete from compaction_version");
      await query("insert into compaction_version values ($1)", [STEPS.length]);
    }
  }
}

async function versionIn(query: Query): Promise<number> {
  const [known] = await query("select to_regclass('compaction_version') is not null as here");
  if (known?.here !== true) return 0;
  const [row] = await query("select version from compaction_version");
  const version = Number(row?.version ?? 0);
  if (version > STEPS.length)
    throw new StoreError(`the store has format ${version}; this version knows ${STEPS.length}`, "update compaction-rules");
  return version;
}

/** Did the server itself report it? Then the connection works. Errors of the system have no severity. */
const isOfServer = (error: unknown) =>
  error instanceof StoreError || typeof (error as { readonly severity?: unknown })?.severity === "string";
const codeOf = (error: unknown) => String((error as { readonly code?: unknown })?.code ?? "");

/** What users can do about it, by the start of the code. */
const HINTS: readonly (readonly [code: RegExp, what: string, hint: string])[] = [
  [/^28/, "refuses the login", "check the user and the password; PGPASSWORD and ~/.pgpass are read, too"],
  [/^3D/, "has no such database", "create it, or name another one"],
  [/^42501/, "refuses the access", "the user must own the tables, or be allowed to create them and to write"],
  [/^53/, "has no room or no free connection", "try again later, or ask who runs it"],
  [/^57014/, "takes too long", "try again later, or narrow the search"],
  [/^57P/, "is being stopped or started", "try again in a moment"],
];

function asStoreError(error: unknown, name: string): StoreError {
  if (error instanceof StoreError) return error;
  const code = codeOf(error);
  const [, what, hint] = HINTS.find(([pattern]) => pattern.test(code)) ?? [];
  if (what !== undefined && hint !== undefined) return new StoreError(`${name} ${what}`, hint);
  if (isOfServer(error))
    return new StoreError(`${name} refuses a statement (${code}: ${(error as Error).message})`, "please report it");
  const why = code || String((error as Error)?.message ?? error).replace(/\s+/g, " ");
  return new StoreError(
    `${name} cannot be reached (${why})`,
    "is the server running, and is the network up? Nothing is lost: the next query goes on",
  );
}

// The tables of a store on a server. Each step is applied once; several programs may start at the same time.

/** As a literal of SQL: the last one is a single quote. */
const ASCII_MARKS = "!\"#$%&()*+,-./:;<=>?@[\\]^_`{|}~''";

/** Its index plus one is the version that a step leads to. Never change a step that was published: add one. */
const STEPS: readonly string[] = [
  `create table compaction_sessions (
    id bigint generated always as identity primary key,
    session text not null,
    name text not null,
    project text not null,
    machine text not null,
    person text not null,
    size bigint not null,
    stored timestamptz not null default now(),
    unique (session, name)
  );
  create table compaction_files (
    machine text not null,
    path text not null,
    size bigint not null,
    time double precision not null,
    session bigint references compaction_sessions on delete cascade,
    -- Without a session: the project that it was looked at for.
    not_of text,
    primary key (machine, path)
  );
  create index compaction_files_session on compaction_files (session);
  create index compaction_sessions_project on compaction_sessions (project);
  create table compaction_passages (
    session bigint not null references compaction_sessions on delete cascade,
    at integer not null,
    message text not null,
    kind text not null,
    by text not null,
    time text not null,
    own text not null,
    near text not null,
    fact text not null,
    status text not null,
    score real not null,
    reason text not null,
    replaced text not null,
    -- Paths and names are searched by their parts.
    words tsvector generated always as (
      to_tsvector('english', translate(own || ' ' || near, '${ASCII_MARKS}', '${" ".repeat(ASCII_MARKS.length - 1)}'))
    ) stored,
    primary key (session, at)
  );
  create index compaction_passages_words on compaction_passages using gin (words);
  create table compaction_plain (word text primary key)`,
];
