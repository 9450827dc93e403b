// The tables of a store on a server. Each step is applied once; several programs may start at the same time.

/** As a literal of SQL: the last one is a single quote. */
const ASCII_MARKS = "!\"#$%&()*+,-./:;<=>?@[\\]^_`{|}~''";

/** Its index plus one is the version that a step leads to. Never change a step that was published: add one. */
export const STEPS: readonly string[] = [
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
