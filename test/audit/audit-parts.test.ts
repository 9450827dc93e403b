// Facts in another voice or form: what is certified, and what is only nearly the same.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { judged, type Row, TOLD } from "./judged.js";

const rows: readonly Row[] = [
  [
    "a passive",
    "Renamed the parcels table to shipments",
    ["The `parcels` table was renamed to `shipments`."],
    ["The `shipments` table was renamed to `parcels`.", "The table was renamed by `parcels` to `shipments`."],
    "done",
  ],
  [
    "a doer",
    "The scheduler restarts the mailer and Ines reviews its queue",
    [],
    ["The scheduler is restarted by the mailer and Ines reviews its queue."],
  ],
  [
    "parts",
    "Refunds are booked by Lago, chargebacks by our own ledger",
    [],
    ["Lago books chargebacks; our own ledger books refunds.", "Refunds: our own ledger; chargebacks: Lago."],
  ],
  [
    "an and that begins a clause",
    "The user rejected Bootstrap and wants hand-made stylesheets",
    [],
    ["The user rejected hand-made stylesheets and wants Bootstrap.", "The user rejected Bootstrap and hand-made stylesheets."],
  ],
  [
    "a choice over a rival",
    "We chose Biome over ESLint for the mobile packages",
    ["We chose Biome instead of ESLint for the mobile packages."],
    ["We chose ESLint over Biome for the mobile packages."],
  ],
  [
    "what neither of two is",
    "Do not log postal codes or birth dates",
    ["Postal codes and birth dates must not be logged."],
    ["Postal codes must not be logged; birth dates may be.", "Postal codes and birth dates must be logged."],
    "constraint",
  ],
  [
    "nowhere else",
    "Prices are rounded only in the invoice view",
    [],
    ["Prices are rounded in the invoice view.", "Prices are rounded nowhere in the invoice view."],
  ],
  [
    "a limit by number",
    "Thumbnails may be at most 40 KB",
    ["Thumbnails must not exceed 40 KB.", "Thumbnails are limited to 40 KB."],
    ["Thumbnails may exceed 40 KB.", "Thumbnails must be at least 40 KB.", "Thumbnails may be 40 KB."],
    "constraint",
  ],
  [
    "a side behind its number",
    "Ruby 3.2 or newer is required",
    ["At least Ruby 3.2 is required."],
    ["Ruby 3.2 or older is required.", "At most Ruby 3.2 is required."],
    "constraint",
  ],
  [
    "an exception",
    "Every route except /ping requires a signed cookie",
    ["All routes except /ping require a signed cookie."],
    ["A signed cookie is required on all routes apart from `/login`.", "No route except `/ping` requires a signed cookie."],
    "constraint",
  ],
  [
    "what is left as it is",
    "Do not change the column names in reports/monthly.sql",
    [],
    ["Column names in `reports/monthly.sql` must be changed."],
    "constraint",
  ],
  [
    "a sort of thing that goes without saying",
    "Pin the Helm chart to 4.9.1 in the staging cluster of Oslo",
    ["The Helm chart version is pinned to 4.9.1 in the staging cluster of Oslo."],
    ["The Helm image is pinned to 4.9.1 in the staging cluster of Oslo."],
  ],
  [
    "a word as a name",
    "Never use `any` in the shared TypeScript code",
    ["`any` must never be used in the shared TypeScript code."],
    ["Avoid `any` in the exported parts of the shared TypeScript code where you can."],
    "constraint",
  ],
  [
    "where it is denied",
    "Answers must not include stack traces in production",
    ["Answers may not include stack traces in production."],
    ["In production, stack traces may be included in answers."],
    "constraint",
  ],
  [
    "numbers in words",
    "Retry the payout call 8 times with jitter",
    ["The payout call is retried eight times with jitter."],
    ["The payout call is retried eighty times with jitter.", "Retry the payout call 80 times with jitter."],
  ],
  [
    "how much later",
    "The tablet build goes out two weeks after the desktop build",
    [],
    ["Two weeks after the tablet build, the desktop build goes out."],
  ],
  [
    "work that is not done yet",
    "Write the rollback script for migration 0031",
    ["Up next: writing the rollback script for migration 0031."],
    ["The rollback script for migration 0031 was written.", "Migration 0031 was rolled back by a script."],
    "remaining",
  ],
];

describe("told in other parts", () => {
  const each = (which: 2 | 3) =>
    rows.flatMap((row) => row[which].map((line) => [row[0], row[1], line, row[4] ?? "decision"] as const));
  test.each(each(2))("%s is not called lost: %s ← %s", (_, fact, line, kind) => {
    expect(TOLD).toContain(judged(fact, line, kind));
  });
  test.each(each(3))("not %s: %s ← %s", (_, fact, line, kind) => {
    expect(judged(fact, line, kind)).not.toBe("kept");
  });

  const name = fc.constantFrom("the importer", "the mailer", "the indexer", "the gateway", "the ledger");
  const verb = fc.constantFrom(
    ["notifies", "notified"],
    ["restarts", "restarted"],
    ["validates", "validated"],
    ["blocks", "blocked"],
  );
  test("a passive that names its doer is not the active sentence", () => {
    fc.assert(
      fc.property(name, name, verb, (one, other, [active = "", passive = ""]) => {
        fc.pre(one !== other);
        const fact = `In the nightly run ${one} ${active} ${other}`;
        expect(judged(fact, `In the nightly run ${one} is ${passive} by ${other}.`, "decision")).not.toBe("kept");
      }),
    );
  });

  const tool = fc.constantFrom("Redis", "Valkey", "Postgres", "SQLite");
  const place = fc.constantFrom("staging", "production", "the sandbox", "the demo host");
  test("words do not change their part", () => {
    fc.assert(
      fc.property(tool, tool, place, place, (one, other, here, there) => {
        fc.pre(one !== other && here !== there);
        const fact = `Sessions live in ${one} on ${here}, carts live in ${other} on ${there}`;
        expect(judged(fact, `On ${here} carts live in ${other}; on ${there} sessions live in ${one}.`, "decision")).not.toBe(
          "kept",
        );
        expect(judged(fact, `Sessions live in ${other} on ${here}, carts live in ${one} on ${there}.`, "decision")).not.toBe(
          "kept",
        );
      }),
    );
  });

  const count = fc.integer({ min: 2, max: 99 });
  test("a limit by number is kept on its side, with its number", () => {
    fc.assert(
      fc.property(count, count, (most, other) => {
        fc.pre(most !== other);
        const fact = `Each worker may open at most ${most} sockets`;
        expect(TOLD).toContain(judged(fact, `Each worker must open no more than ${most} sockets.`, "constraint"));
        expect(judged(fact, `Each worker must open no more than ${other} sockets.`, "constraint")).not.toBe("kept");
        expect(judged(fact, `Each worker must open at least ${most} sockets.`, "constraint")).not.toBe("kept");
      }),
    );
  });
});
