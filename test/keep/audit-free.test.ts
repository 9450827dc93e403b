// Facts told freely: names and numbers hold, plain words may be others; and what must not pass for it.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { judged, type Row } from "./judged.js";

const rows: readonly Row[] = [
  [
    "other plain words around the names",
    "Flash boards with `probe-rs run --chip STM32F4`, the old OpenOCD script hangs on USB hubs",
    ["`probe-rs run --chip STM32F4` flashes the boards, since on USB hubs the old OpenOCD script gets stuck."],
    ["`probe-rs run --chip STM32F7` flashes the boards, since on USB hubs the old OpenOCD script gets stuck."],
  ],
  [
    "a choice in other words",
    "Kafka replaces NATS for the order events, because we need replay for 9 days",
    ["Order events go through Kafka instead of NATS; reason: replay for 9 days."],
    ["Order events go through NATS instead of Kafka; reason: replay for 9 days."],
  ],
  [
    "what is left behind",
    "Switched the scheduler from Quartz to JobRunr with 4 workers, since locks plateaued at 300 per second",
    ["The scheduler is now JobRunr (4 workers) in place of Quartz, as locks stalled at 300 per second."],
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

describe("a free telling", () => {
  for (const [mechanism, fact, told, lost, kind] of rows) {
    for (const line of told) test(`${mechanism}: ${line}`, () => expect(judged(fact, line, kind)).toBe("kept"));
    for (const line of lost) test(`${mechanism}, not: ${line}`, () => expect(judged(fact, line, kind)).not.toBe("kept"));
  }

  test("may be spread over the two sentences of an item", () => {
    const fact = "Ship `ledger-sync` with at most 3 replicas and 200 MB of heap; enable `fastPath` there";
    expect(judged(fact, "For `ledger-sync`: at most 3 replicas, heap of 200 MB. `fastPath` is enabled there.")).toBe("kept");
    expect(judged(fact, "For `ledger-sync`: at most 3 replicas, heap of 200 MB. `slowPath` is enabled there.")).not.toBe("kept");
  });

  test("is never certified where something is denied in other words", () => {
    const fact = "No write access for `<role_guest>`, the auditors refused it in 2024";
    const line = "Write access for `<role_guest>` is to be asked for again, even though the auditors refused it in 2024.";
    expect(judged(fact, line)).not.toBe("kept");
    expect(judged("The loop keeps a step of 1/90 s", "The loop gives up the step of 1/90 s.")).not.toBe("kept");
  });

  test("where only the reach of a denial differs, nobody is accused", () => {
    const fact = "`pg_dump` could not read `~/.pgpass` with mode 0644, so the backups of Tuesday are empty";
    const line = "The backups of Tuesday are empty since `pg_dump` was unable to read `~/.pgpass` (mode 0644).";
    expect(judged(fact, line, "finding")).not.toBe("contradicted");
  });
});

const name = fc.stringMatching(/^[a-z]{4,7}_[a-z]{4,7}$/);
const number = fc.integer({ min: 12, max: 990 });

describe("whatever the names", () => {
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
