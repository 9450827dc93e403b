// Facts in other words: what is certified, and the many changes that must not be.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../runs.js";
import { judged, type Row, TOLD } from "./judged.js";

const rows: readonly Row[] = [
  [
    "each denial has its like",
    "Don't call `purge_all()` from the web workers, the queue on `redis-2` can't take the load",
    [],
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
    [],
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
    [],
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
    [],
    [
      "A run of the pipeline may read more than 50 GB from the lake.",
      "50 GB is the least that a pipeline run may read from the lake.",
    ],
    "constraint",
  ],
  [
    "limits in other words",
    "The crash only happens on Android 12 and below, where `SplashView` has no backport",
    [],
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
    [],
    ["Connect `SmtpClient` to the new `/v4/outbox` endpoint; once that is in, remove `MailQueue`."],
    "remaining",
  ],
  [
    "names that changed places with their small word",
    "The slow query is the lateral join in `vw_parcels`, 8.4 s of the 9.1 s page time",
    [],
    ["The slow query of 9.1 s is the lateral join in `vw_ports`, of the 8.4 s page time."],
    "finding",
  ],
  [
    "what is out and what is in",
    "CI runs on Node 18 and 20, Node 16 was removed from the matrix on Tuesday",
    [],
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
    [],
    ["`invoice` topic: a DLQ (dead letter queue) is needed, 14 partitions, retention of 9 days."],
  ],
  [
    "a phrase is of its own words",
    "Logs of the gateway are kept for 30 days, those of the shop for 90 days",
    [],
    ["Gateway logs are kept for 90 days, those of the shop for 30 days."],
  ],
  [
    "other plain words around the names",
    "Flash boards with `probe-rs run --chip STM32F4`, the old OpenOCD script hangs on USB hubs",
    ["The boards are flashed with `probe-rs run --chip STM32F4`, since the old OpenOCD script hangs on USB hubs."],
    ["`probe-rs run --chip STM32F7` flashes the boards, since on USB hubs the old OpenOCD script gets stuck."],
  ],
  [
    "a choice in other words",
    "Kafka replaces NATS for the order events, because we need replay for 9 days",
    [],
    ["Order events go through NATS instead of Kafka; reason: replay for 9 days."],
  ],
  [
    "what is left behind",
    "Switched the scheduler from Quartz to JobRunr with 4 workers, since locks plateaued at 300 per second",
    [],
    ["The scheduler is now Quartz (4 workers) in place of JobRunr, as locks stalled at 300 per second."],
  ],
  [
    "the time of a prohibition",
    "Heap use is forbidden after boot; take buffers from `src/pool.c`",
    [],
    ["Heap use is forbidden during boot; buffers come from `src/pool.c`."],
    "constraint",
  ],
  [
    "a number in words",
    "The export in `report.py` fails when two users save the same filter",
    [],
    ["`report.py` fails on export when one user saves the same filter twice."],
    "finding",
  ],
  [
    "numbers with their units",
    "Wait 5 minutes, then retry 3 times per host",
    [],
    ["Retry 5 times per host after a wait of 3 minutes."],
  ],
  [
    "names with their company",
    "Use `zod` for input validation in `api/` because `joi` has no types",
    [],
    ["In `api/`, input validation is done by `joi`, as `zod` has no types."],
  ],
];

describe("a retelling", () => {
  for (const [mechanism, fact, told, lost, kind] of rows) {
    for (const line of told) test(`${mechanism}: ${line}`, () => expect(TOLD).toContain(judged(fact, line, kind)));
    for (const line of lost) test(`${mechanism}, not: ${line}`, () => expect(judged(fact, line, kind)).not.toBe("kept"));
  }

  test("is never certified where something is denied in other words", () => {
    const fact = "No write access for `<role_guest>`, the auditors refused it in 2024";
    const line = "Write access for `<role_guest>` is to be asked for again, even though the auditors refused it in 2024.";
    expect(judged(fact, line)).not.toBe("kept");
    expect(judged("The loop keeps a step of 1/90 s", "The loop gives up the step of 1/90 s.")).not.toBe("kept");
  });
});

const name = fc.stringMatching(/^[a-z]{4,7}_[a-z]{4,7}$/);
const number = fc.integer({ min: 12, max: 990 });
const hours = fc.integer({ min: 2, max: 40 });

describe("whatever the names and numbers", () => {
  test("of two denials, one that is lost is never made up for by the other", () => {
    fc.assert(
      fc.property(name, name, hours, (one, other, count) => {
        fc.pre(one !== other);
        const fact = `Don't log \`${one}\`, and \`${other}\` never lives longer than ${count} days`;
        const lost = `\`${one}\` is logged, while \`${other}\` never lives longer than ${count} days.`;
        expect(judged(fact, lost, "constraint")).not.toBe("kept");
      }),
      { numRuns: runs(60) },
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
      { numRuns: runs(60) },
    );
  });

  test("of a choice, exchanging them is never certified", () => {
    fc.assert(
      fc.property(name, name, number, (one, other, days) => {
        fc.pre(one !== other);
        const fact = `${one} replaces ${other} for shipment events, because we need replay for ${days} days`;
        expect(
          judged(fact, `Shipment events go through \`${other}\` instead of \`${one}\`; replay for ${days} days is a must.`),
        ).not.toBe("kept");
      }),
      { numRuns: 60 },
    );
  });

  test("another number or name is never certified", () => {
    fc.assert(
      fc.property(name, name, number, number, (one, other, here, there) => {
        fc.pre(one !== other && here !== there);
        const fact = `Reservations in \`${one}\` lapse after ${here} minutes, checked by an Oban job`;
        const told = (table: string, count: number) =>
          `An Oban job looks after \`${table}\`: reservations expire after ${count} min.`;
        expect(judged(fact, told(other, here))).not.toBe("kept");
        expect(judged(fact, told(one, there))).not.toBe("kept");
      }),
      { numRuns: 60 },
    );
  });
});
