// Facts retold: each denial has its like, amounts are the same in other units, and limits, sides and leads in other words.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { judged, type Row } from "./judged.js";

const rows: readonly Row[] = [
  [
    "each denial has its like",
    "Don't call `purge_all()` from the web workers, the queue on `redis-2` can't take the load",
    ["`purge_all()` must not be called from web workers because `redis-2` cannot handle the load on its queue."],
    ["The web workers call `purge_all()`, although the queue on `redis-2` cannot take the load."],
    "constraint",
  ],
  [
    "another thing is denied",
    "Do not enable `strictNullChecks` in `legacy/`, it gives 900 errors that nobody can fix",
    [],
    [
      "`strictNullChecks` gets enabled in `legacy/` despite 900 errors that nobody can fix.",
      "Do not fix the 900 errors in `legacy/`; `strictNullChecks` is enabled there.",
    ],
    "constraint",
  ],
  [
    "the one who is not to blame",
    "The lag comes from `max.poll.records=900` combined with the 7 s lookup, not from the broker",
    ["The broker is not to blame for the lag; it results from `max.poll.records=900` together with a lookup of 7 s."],
    ["The broker is to blame for the lag, not `max.poll.records=900` together with a lookup of 7 s."],
    "finding",
  ],
  ["a denied denial", "Use Valkey instead of Memcached for the session store", [], ["Valkey was not chosen over Memcached."]],
  [
    "a word said twice",
    "All jobs run as the root user with a read-only root filesystem",
    [],
    ["Every job has a readonly root file system and runs under a user that is not root."],
    "constraint",
  ],
  [
    "amounts in other units",
    "Thumbnails of `media-box` are cached for 14 days and then deleted",
    ["`media-box` caches its thumbnails for two weeks and deletes them afterwards."],
    ["`media-box` caches its thumbnails for three weeks and deletes them afterwards."],
  ],
  [
    "the same digits of other units",
    "Thumbnails of `media-box` are cached for 7 hours and then deleted",
    [],
    ["`media-box` caches its thumbnails for one week and deletes them afterwards."],
  ],
  [
    "units that change hands",
    "Type checking takes 480 ms, 70 % of it in `Unify.occurs`",
    [],
    ["`Unify.occurs` is responsible for 480 % of the 70 ms of type checking."],
    "finding",
  ],
  [
    "a denied side of a number",
    "A run of the pipeline may not read more than 50 GB from the lake",
    ["50 GB is the most that a pipeline run is allowed to read from the lake."],
    [
      "A run of the pipeline may read more than 50 GB from the lake.",
      "50 GB is the least that a pipeline run may read from the lake.",
    ],
    "constraint",
  ],
  [
    "limits in other words",
    "The crash only happens on Android 12 and below, where `SplashView` has no backport",
    ["The crash is limited to Android 12 and older, for which `SplashView` has no backport."],
    ["The crash is limited to Android 12 and newer, for which `SplashView` has no backport."],
    "finding",
  ],
  [
    "with what a limit stands",
    "Only the `release` job may write to `s3://dist`",
    [],
    [
      "The `release` job may just write to `s3://dist`.",
      "The `release` job is limited to writing to `s3://dist`.",
      "The `release` job may write only to `s3://dist`.",
    ],
    "constraint",
  ],
  [
    "the lead of open work",
    "Next: wire up `MailQueue` to the new `/v4/outbox` endpoint, then delete `SmtpClient`",
    ["Still to do: connect `MailQueue` to the new `/v4/outbox` endpoint; once that is in, remove `SmtpClient`."],
    ["Connect `SmtpClient` to the new `/v4/outbox` endpoint; once that is in, remove `MailQueue`."],
    "remaining",
  ],
  [
    "names that changed places with their small word",
    "The slow query is the lateral join in `vw_parcels`, 8.4 s of the 9.1 s page time",
    ["Of the 9.1 s page time, 8.4 s go to the slow query, which is the lateral join in `vw_parcels`."],
    ["The slow query of 9.1 s is the lateral join in `vw_ports`, of the 8.4 s page time."],
    "finding",
  ],
  [
    "what is out and what is in",
    "CI runs on Node 18 and 20, Node 16 was removed from the matrix on Tuesday",
    ["Node 16 was taken out of the CI matrix on Tuesday; what CI runs on is 18 and 20."],
    ["Node 18 was taken out of the CI matrix on Tuesday; what CI runs on is 16 and 20."],
    "done",
  ],
  [
    "a change told backwards",
    "Raise the pool of `api-gw` from 20 to 40 connections",
    [],
    ["Connections in the pool of `api-gw`: 20, up from 40.", "The pool of `api-gw` now has 20 connections (previously 40)."],
  ],
  [
    "a short form beside its words",
    "The `invoice` topic needs a dead letter queue with 9 partitions and 14 days of retention",
    ["`invoice` topic: a DLQ (dead letter queue) is needed, 9 partitions, retention of 14 days."],
    ["`invoice` topic: a DLQ (dead letter queue) is needed, 14 partitions, retention of 9 days."],
  ],
  [
    "a phrase is of its own words",
    "Logs of the gateway are kept for 30 days, those of the shop for 90 days",
    ["Gateway logs are retained for 30 days, those of the shop for 90 days."],
    ["Gateway logs are retained for 90 days, those of the shop for 30 days."],
  ],
];

describe("a retelling", () => {
  for (const [mechanism, fact, told, lost, kind] of rows) {
    for (const line of told) test(`${mechanism}: ${line}`, () => expect(judged(fact, line, kind)).toBe("kept"));
    for (const line of lost) test(`${mechanism}, not: ${line}`, () => expect(judged(fact, line, kind)).not.toBe("kept"));
  }
});

const name = fc.stringMatching(/^[a-z]{4,7}_[a-z]{4,7}$/);
const hours = fc.integer({ min: 2, max: 40 });

describe("whatever the names and numbers", () => {
  test("an amount is the same in a smaller unit, and only that one", () => {
    fc.assert(
      fc.property(name, hours, hours, (table, here, there) => {
        const fact = `Rows of \`${table}\` are kept for ${here} hours and then deleted`;
        const told = `\`${table}\` keeps its rows for ${there * 60} minutes and deletes them afterwards.`;
        expect(judged(fact, told) === "kept").toBe(here === there);
      }),
      { numRuns: 60 },
    );
  });

  test("of two denials, one that is lost is never made up for by the other", () => {
    fc.assert(
      fc.property(name, name, hours, (one, other, count) => {
        fc.pre(one !== other);
        const fact = `Don't log \`${one}\`, and \`${other}\` never lives longer than ${count} days`;
        const lost = `\`${one}\` is logged, while \`${other}\` never lives longer than ${count} days.`;
        expect(judged(fact, lost, "constraint")).not.toBe("kept");
      }),
      { numRuns: 60 },
    );
  });

  test("a denied side is the other side", () => {
    fc.assert(
      fc.property(name, hours, fc.boolean(), (job, count, more) => {
        const fact = `A run of \`${job}\` may not take ${more ? "more" : "less"} than ${count} workers`;
        const at = (side: string) => `\`${job}\` takes at ${side} ${count} workers for a run.`;
        expect(judged(fact, at(more ? "least" : "most"), "constraint")).not.toBe("kept");
        expect(judged(fact, at(more ? "most" : "least"), "constraint")).not.toBe("contradicted");
      }),
      { numRuns: 60 },
    );
  });
});
