import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AuditFact, type AuditVerdict, audit, builtInRules, type Continuation, extract } from "../../src/index.js";
import { sized } from "../runs.js";
import { sampleSession } from "../sample.js";
import { TOLD } from "./judged.js";

const { rules } = builtInRules();
const verdictOf = (fact: AuditFact, summary: string) => audit([fact], summary, { rules }).verdicts[0];
const judged = (text: string, summary: string, kind = "decision") => verdictOf({ kind, text }, summary)?.verdict;

/** Lines that speak of other things, around the line in question. */
const amid = (line: string) =>
  `## Goal\nBring the shop back online.\n\n## State\n- The pipeline is green since Monday.\n- ${line}\n- Nadia reads the logs.\n\n## Files\n- \`ops/notes.md\`\n`;

type Row = readonly [verdict: AuditVerdict, fact: string, line: string, kind?: string];

const rows: readonly Row[] = [
  // kept: the same words, other marks
  ["kept", "Use PostgreSQL 16 for the event store", "Use PostgreSQL 16 for the event store."],
  ["kept", "Use PostgreSQL 16 for the event store", "**Use** PostgreSQL 16 for the *event store*"],
  ["kept", "Never push to main without a review", "Never push to `main` without a review!"],
  ["kept", "Timeouts are 30 s for uploads and 5 s for the rest", "Timeouts are 30s for uploads and 5s for the rest."],
  ["kept", "The importer reads src/import/csv.ts first", "The importer reads `src/import/csv.ts` first."],
  ["unsure", "Retry the payment call 3 times with backoff", "Retry the payment call three times with backoff."],
  ["kept", "The cache holds 10,000 entries per tenant", "The cache holds 10000 entries per tenant."],
  ["kept", "Dates are stored in UTC, not in local time", "Dates are stored in UTC, not in local time (Tom asked)."],
  ["kept", "Pin eslint to v9.2.0 in the workspace root", "Pin eslint to 9.2.0 in the workspace root."],
  ["kept", "The parser drops comments before line 40", "Nadia confirmed: the parser drops comments before line 40."],
  ["kept", "No jQuery in the admin pages", "The wish of marketing was not granted: no jQuery in the admin pages."],
  ["kept", "We may need a second queue for refunds", "We may need a second queue for refunds."],
  ["kept", "设置超时为 30 秒", "设置超时为 30 秒。"],
  ["kept", "Используем SQLite для кэша", "Используем SQLite для кэша."],
  ["kept", "Der Export läuft nachts um 02:00", "Der Export läuft nachts um 02:00."],
  ["kept", "Should the export run at night?", "Should the export run at night?", "question"],
  ["kept", "Omar must renew the licence before 12 May", "**Omar** must renew the licence before _12 May_."],
  ["unsure", "Attachments must be at most 8 MB", "Attachments must not exceed 8 MB."],
  // altered: another number, name, path or version at the same place
  ["altered", "Call __init__ before _private in setup_all", "Call `__init__` before `private` in `setup_all`."],
  ["altered", "Use PostgreSQL 16 for the event store", "Use PostgreSQL 15 for the event store."],
  ["altered", "Timeouts are 30 s for uploads and 5 s for the rest", "Timeouts are 30 s for uploads and 50 s for the rest."],
  ["unsure", "Timeouts are 30 s for uploads and 5 s for the rest", "Timeouts are 5 s for uploads and 30 s for the rest."],
  ["altered", "The importer reads src/import/csv.ts first", "The importer reads `src/import/tsv.ts` first."],
  ["altered", "Pin eslint to v9.2.0 in the workspace root", "Pin eslint to v9.0.2 in the workspace root."],
  ["altered", "Ship the beta behind the flag new_checkout", "Ship the beta behind the flag old_checkout."],
  ["altered", "The nightly job deletes drafts after 90 days", "The nightly job deletes drafts after 9 days."],
  ["unsure", "Staging uses Redis 6 and production uses Redis 7", "Staging uses Redis 7 and production uses Redis 6."],
  ["altered", "Build with cargo build --release --target wasm32", "Build with cargo build --release --target x86_64."],
  ["altered", "设置超时为 30 秒", "设置超时为 60 秒。"],
  ["unsure", "Either maintainer can cut a release", "Either maintainer must cut a release."],
  // a sentence behind it that names something else takes nothing back; one that names nothing does
  [
    "kept",
    "Two jobs hang: build_arm and build_musl",
    "Two jobs hang: `build_arm` and `build_musl`. `sign_dmg` hung too but is fixed.",
  ],
  ["unsure", "Two jobs hang: build_arm and build_musl", "Two jobs hang: `build_arm` and `build_musl`. That is fixed."],
  // contradicted: the same sentence, denied on one side only or with an opposite
  ["contradicted", "Use PostgreSQL 16 for the event store", "Do not use PostgreSQL 16 for the event store."],
  ["contradicted", "Use PostgreSQL 16 for the event store", "PostgreSQL 16 for the event store was ruled out."],
  ["contradicted", "We will not support Internet Explorer 11", "We will support Internet Explorer 11."],
  ["contradicted", "The API must not change, and do not add a dependency", "The API must change, and add a dependency."],
  ["contradicted", "Never push to main without a review", "Push to main without a review; that is allowed now."],
  ["contradicted", "The feature flag service stays enabled in tests", "The feature flag service stays disabled in tests."],
  ["contradicted", "Run the migration before the deploy", "Run the migration after the deploy."],
  ["contradicted", "Removed the unused polyfill bundle", "Still to do: remove the unused polyfill bundle.", "done"],
  ["contradicted", "The lights stay on in the lab overnight", "The lights stay off in the lab overnight."],
  ["contradicted", "No jQuery in the admin pages", "jQuery in the admin pages may be used."],
  // missing: none of its telling words; unsure: some of them, perhaps on another matter
  ["missing", "Use PostgreSQL 16 for the event store", "The gateway was restarted."],
  ["missing", "Answer the customer in Polish", "The gateway was restarted."],
  ["unsure", "Use PostgreSQL 16 for the event store", "The store page shows each event; PostgreSQL training on the 16th."],
  ["unsure", "Removed the unused polyfill bundle", "Bundle size printed; polyfill list of the vendor read."],
  ["unsure", "The importer reads src/import/csv.ts first", "`src/import/csv.ts` has new comments."],
  ["unsure", "Answer the customer in Polish", "The customer list has a new column."],
  ["missing", "设置超时为 30 秒", "数据库已经迁移。"],
  ["missing", "???", "Nothing of the sort."],
  // unsure: the words are there, the proof is not
  ["unsure", "Use SQLite", "SQLite rows are counted"],
  ["unsure", "The importer gets its own queue", "The importer loses its own queue"],
  ["unsure", "Replace the cron job with a queue worker", "The cron job takes the place of a queue worker."],
  ["unsure", "Format the code with prettier instead of dprint", "Format the code with dprint instead of prettier."],
  ["unsure", "Deploy with helm, not with kustomize overlays", "Deploy with kustomize overlays, not with helm."],
  ["unsure", "Keep the audit trail for tax reports", "Originally: keep the audit trail for tax reports; superseded."],
  ["unsure", "Retry the payment call 3 times with backoff", "Retry the payment call five times with backoff."],
  ["unsure", "The limit is 250 ms per request in production", "The limit is 250 s per request in production."],
  ["unsure", "Only the release manager tags versions", "The release manager tags versions."],
  ["unsure", "Never push to main without a review", "Try to never push to main without a review."],
  ["unsure", "Ship the beta behind the flag new_checkout", "Perhaps ship the beta behind the flag new_checkout."],
  ["unsure", "Every worker writes its own log file", "Usually every worker writes its own log file."],
  ["unsure", "Answer the customer in Polish", "Answer the customer in Polish?"],
  ["unsure", "Move the invoices table to the archive schema", "Move the payments table to the archive schema."],
  [
    "unsure",
    "Ship the beta behind the flag new_checkout",
    "Ship the beta behind the flag new_checkout; that was reverted on Friday.",
  ],
  ["unsure", "Ship the beta behind the flag new_checkout", "It is not true that we ship the beta behind the flag new_checkout."],
];

describe("a fact and a line among others", () => {
  test("every verdict is tried", () => {
    expect(rows.length).toBeGreaterThanOrEqual(60);
    expect(new Set(rows.map(([verdict]) => verdict)).size).toBe(5);
  });
  test.each(rows.map((row): Required<Row> => [row[0], row[1], row[2], row[3] ?? "decision"]))(
    "%s: %s ← %s",
    (verdict, fact, line, kind) => {
      expect(judged(fact, amid(line), kind)).toBe(verdict);
    },
  );
});

type Pair = readonly [fact: string, line: string, kind?: string];

/** Near misses: whatever they are called, they are not to be certified. */
const lost: readonly Pair[] = [
  ["Use Kafka for order events", "Kafka for order events: a bad fit"],
  ["Use Kafka for order events", "Order events leave Kafka"],
  ["Use Kafka for order events", "Order events used Kafka until May"],
  ["The API returns 404 for unknown ids", "The API returns 404 for known ids"],
  ["The API returns 404 for unknown ids", "The API returned 404 for unknown ids before the fix"],
  ["Deploys go out on Tuesday and Thursday", "Deploys go out on Tuesday"],
  ["Deploys go out on Tuesday and Thursday", "Deploys on Tuesday and Thursday are frozen"],
  ["The build needs Node 20", "The build needs Node 22, not Node 20"],
  ["The build needs Node 20", "The build no longer needs Node 20"],
  ["Copy data from bucket alpha to bucket beta", "Copy data from bucket beta to bucket alpha"],
  ["Alice reviews Bob's pull requests", "Bob reviews Alice's pull requests"],
  ["Alice reviews Bob's pull requests", "Bob's pull requests review Alice"],
  ["The parser is faster than the lexer in all benchmarks", "The lexer is faster than the parser in all benchmarks"],
  ["Max upload size is 25 MB", "Max upload size is 25 GB"],
  ["Max upload size is 25 MB", "Min upload size is 25 MB"],
  ["Log level must be WARN in production", "Log level must be WARN in staging"],
  ["Log level must be WARN in production", "Log level in production: WARN is too noisy, so INFO"],
  ["Encrypt backups with age keys", "Backups with age keys: encryption skipped"],
  ["Encrypt backups with age keys", "Encrypt backups without age keys"],
  ["Do not log passwords", "Log passwords"],
  ["Do not log passwords", "Passwords do log, not redacted"],
  ["Tests must pass on Windows and Linux", "Tests must pass on Windows or Linux"],
  ["Tests must pass on Windows and Linux", "Tests pass on Windows, fail on Linux"],
  ["Users can delete their account at any time", "Users can't delete their account at any time"],
  ["Users can delete their account at any time", "Admins can delete user accounts at any time"],
  ["Invoices are sent by e-mail on the first of the month", "Invoices are sent by post on the first of the month"],
  ["Invoices are sent by e-mail on the first of the month", "Invoices are sent by e-mail on the last of the month"],
  ["Keep the old endpoint until version 5", "Remove the old endpoint in version 5"],
  ["Keep the old endpoint until version 5", "The old endpoint was kept until version 4, gone in version 5"],
  ["Bug: negative totals crash the report", "Bug fixed: negative totals crash the report", "finding"],
  ["Bug: negative totals crash the report", "Negative totals do crash the report no more", "finding"],
  ["Write docs for the plugin API", "Docs for the plugin API written", "remaining"],
  ["Write docs for the plugin API", "Wrote docs for the plugin API", "remaining"],
  ["Upgrade React to 19 in apps/web", "Upgrade React to 19 in apps/admin"],
  ["Upgrade React to 19 in apps/web", "Upgrade React to 19 in apps/web was tried and failed"],
  ["Upgrade React to 19 in apps/web", "Upgrade React to 19 in apps/web — rejected"],
  ["Upgrade React to 19 in apps/web", "Someone proposed: upgrade React to 19 in apps/web"],
  ["Upgrade React to 19 in apps/web", "Earlier we wanted to upgrade React to 19 in apps/web"],
  ["Upgrade React to 19 in apps/web", "Avoid the upgrade of React to 19 in apps/web"],
  ["Feature X ships in March without SSO", "Feature X ships in March with SSO"],
  ["Rate limit is 100 requests per minute per user", "Rate limit is 100 requests per second per user"],
  ["Rate limit is 100 requests per minute per user", "Rate limit is 100 requests per minute per IP"],
  ["Never use eval in templates", "Use eval in templates never hurts"],
  ["Never use eval in templates", "Never mind: use eval in templates"],
  ["Python 3.12 is the minimum version", "Python 3.12 is the maximum version"],
  ["Python 3.12 is the minimum version", "Python 3.11 is the minimum version"],
  ["Ask before deleting branches", "Delete branches before asking"],
  ["Ask before deleting branches", "No need to ask before deleting branches"],
  ["Ask before deleting branches", "Ask after deleting branches"],
  ["Prefer tabs over spaces", "Prefer spaces over tabs"],
  ["All services authenticate through the gateway", "Some services authenticate through the gateway"],
  ["All services authenticate through the gateway", "All services but billing authenticate through the gateway"],
  ["All services authenticate through the gateway", "Services authenticate past the gateway"],
  ["The queue is drained before shutdown", "The queue is drained before shutdown in theory"],
  ["The queue is drained before shutdown", "We believed the queue is drained before shutdown"],
  ["Store tokens in the keychain", "Store tokens in the keychain: reverted"],
  ["Store tokens in the keychain", "Tokens in the keychain store leaked"],
  ["Set retries to 5 and timeout to 10", "Set retries to 10 and timeout to 5"],
  ["Set retries to 5 and timeout to 10", "Timeout 5, retries 10"],
  ["Removed the XML exporter and 12 fixtures", "Delete the XML exporter and 12 fixtures", "done"],
  ["Removed the XML exporter and 12 fixtures", "Remove the XML exporter and 12 fixtures", "done"],
  ["Removed the XML exporter and 12 fixtures", "The XML exporter and 12 fixtures: remove", "done"],
];

/** Put another way, and still the same. */
const told: readonly Pair[] = [
  ["Removed the XML exporter and 12 fixtures", "The XML exporter and 12 fixtures were removed.", "done"],
  ["Use Kafka for order events", "Kafka is used for order events."],
  ["Use Kafka for order events", "Decision: use Kafka for order events (Mara, 3 May)."],
  ["Do not log passwords", "Passwords must not be logged."],
  ["Encrypt backups with age keys", "Backups are encrypted with age keys."],
  ["Write docs for the plugin API", "Next: write docs for the plugin API", "remaining"],
  ["Write docs for the plugin API", "Docs for the plugin API still have to be written", "remaining"],
  ["The build needs Node 20", "Node 20 is needed for the build"],
  ["Bug: negative totals crash the report", "Bug: negative totals crash the report", "finding"],
  ["Copy data from bucket alpha to bucket beta", "Data is copied from bucket alpha to bucket beta."],
  ["Store tokens in the keychain", "Tokens are stored in the keychain."],
  ["Invoices are sent by e-mail on the first of the month", "Invoices are sent by email on the first of the month."],
];

describe("what is certified", () => {
  const filled = (pairs: readonly Pair[]) => pairs.map((pair): Required<Pair> => [pair[0], pair[1], pair[2] ?? "decision"]);
  test.each(filled(lost))("not: %s ← %s", (fact, line, kind) => {
    expect(judged(fact, amid(line), kind)).not.toBe("kept");
  });
  test.each(filled(told))("nor called lost: %s ← %s", (fact, line, kind) => {
    expect(TOLD).toContain(judged(fact, amid(line), kind));
  });
});

/** What is told otherwise by a mechanism, and what is only nearly the same. */
const retellings: readonly (readonly [
  mechanism: string,
  fact: string,
  told: readonly string[],
  lost: readonly string[],
  kind?: string,
])[] = [
  [
    "a prohibition",
    "Never commit generated files to the repository",
    [
      "Generated files must not be committed to the repository.",
      "Committing generated files to the repo is forbidden.",
      "Generated files may not be committed to the repo.",
      "Committing generated files to the repository is never allowed.",
    ],
    [
      "Generated files may be committed to the repository.",
      "Committing generated files to the repository is allowed.",
      "Never commit secret files to the repository.",
    ],
  ],
  [
    "first asking",
    "Don't rename public methods without telling Petra first",
    [],
    [
      "Public methods can be renamed without telling Petra first.",
      "Rename public methods, then tell Petra.",
      "Petra must be told after public methods are renamed.",
    ],
  ],
  [
    "an order in time",
    "Run the linter before the unit tests",
    ["The linter runs ahead of the unit tests."],
    ["The linter runs after the unit tests.", "First the unit tests, then the linter."],
  ],
  [
    "not the one but the other",
    "We use Terraform rather than Pulumi for the staging account",
    ["We use Terraform instead of Pulumi for the staging account."],
    [
      "Pulumi is used for the staging account, not Terraform.",
      "For the staging account, Terraform was replaced by Pulumi.",
      "We switched from Terraform to Pulumi for the staging account.",
    ],
  ],
  [
    "a limit",
    "Only the release bot may publish to npm",
    ["Only the release bot may publish to NPM."],
    [
      "The release bot may publish to npm.",
      "The release bot may only publish to npm.",
      "Everyone but the release bot may publish to npm.",
    ],
  ],
  [
    "a switch",
    "CSV export is disabled for guests",
    ["The CSV export is inactive for guests."],
    ["CSV export is enabled for guests.", "CSV export is disabled for admins."],
  ],
  [
    "work to be done",
    "Still to do: write a migration for the tags table",
    ["A migration for the tags table still has to be written.", "The migration of the tags table is not written yet."],
    ["A migration for the tags table has been written.", "The tags table needs no migration."],
    "remaining",
  ],
  [
    "a duty",
    "Every handler must validate its input with zod",
    ["Each handler is required to validate its input using zod.", "All handlers have to validate their input with zod."],
    [
      "Every handler should validate its input with zod.",
      "Public handlers must validate their input with zod.",
      "Every handler must validate its input with zod when debug mode is off.",
    ],
  ],
  [
    "parts of a sentence",
    "The form sends the date in local time, the server expects UTC",
    [],
    ["The form sends the date in UTC, the server expects local time."],
  ],
];

describe("told again in other words", () => {
  const each = (which: 2 | 3) =>
    retellings.flatMap((row) => row[which].map((line) => [row[0], row[1], line, row[4] ?? "decision"] as const));
  test.each(each(2))("%s is not called lost: %s ← %s", (_, fact, line, kind) => {
    expect(TOLD).toContain(judged(fact, amid(line), kind));
  });
  test.each(each(3))("not %s: %s ← %s", (_, fact, line, kind) => {
    expect(judged(fact, amid(line), kind)).not.toBe("kept");
  });

  test("a quote behind a doubt is not kept, and a line break ends nothing in it", () => {
    const fact = "loadTheme returns null for guests while readTheme throws ThemeError";
    expect(judged(fact, `While reading the skin module I doubted whether ${fact}.`)).not.toBe("kept");
    expect(judged("Do not log the card number of a guest", "Notes. Do not log\nthe card number\nof a guest.")).toBe("kept");
  });

  const name = fc.constantFrom("the importer", "the mailer", "the indexer", "the billing job", "the thumbnail step");
  test("before is not after", () => {
    fc.assert(
      fc.property(name, name, (one, other) => {
        fc.pre(one !== other);
        const fact = `Restart ${one} before ${other}`;
        expect(judged(fact, amid(`First restart ${other}, then ${one}.`))).not.toBe("kept");
        expect(judged(fact, amid(`Restart ${one} after ${other}.`))).not.toBe("kept");
      }),
    );
  });

  const thing = fc.constantFrom("raw SQL", "inline styles", "default exports", "wildcard imports", "magic numbers");
  const where = fc.constantFrom("the checkout module", "new components", "the public API", "shared packages");
  test("a prohibition is never taken for its opposite, nor a permission for it", () => {
    fc.assert(
      fc.property(thing, where, (what, place) => {
        const fact = `Never use ${what} in ${place}`;
        for (const line of [`${what} must not be used in ${place}`, `Using ${what} in ${place} is never allowed`])
          expect(TOLD).toContain(judged(fact, amid(line), "constraint"));
        for (const line of [`${what} may be used in ${place}`, `Using ${what} in ${place} is allowed`])
          expect(judged(fact, amid(line), "constraint")).toBe("contradicted");
      }),
    );
  });
});

describe("what stands around the line", () => {
  const fact = "Cache the rates in memory for one hour";
  test.each([
    ["unsure", `## Dropped ideas\n- ${fact}\n`],
    ["unsure", `Options:\n- ${fact}\n- Cache nothing\n`],
    ["kept", `## Decisions\n- ${fact}\n\n## Dropped ideas\n- Cache everything on disk\n`],
    ["unsure", `${fact}. That was reversed by the board last week.`],
    ["kept", `${fact}. The old proxy was removed by the board last week.`],
    ["kept", `The team met.\n${fact.replace("memory", "memory\n")}.\n`],
  ] as readonly (readonly [AuditVerdict, string])[])("%s: %s", (verdict, summary) => expect(judged(fact, summary)).toBe(verdict));

  test("a box proves that work is done or open, a heading raises a doubt", () => {
    const task = "Write the changelog for 2.4";
    expect(judged(task, `- [ ] ${task}`, "remaining")).toBe("kept");
    expect(judged(task, `- [x] ${task}`, "remaining")).toBe("contradicted");
    expect(judged(task, `- [ ] ${task}`, "done")).toBe("contradicted");
    expect(judged(task, `## Completed\n- ${task}`, "remaining")).toBe("unsure");
    expect(judged(task, `## Next steps\n- ${task}`, "done")).toBe("unsure");
    expect(verdictOf({ kind: "todo", text: task, state: "done" }, `- [x] ${task}`)?.verdict).toBe("kept");
  });

  test("a task is told as done when a word beside it says so, in the same sentence", () => {
    const told = (summary: string) =>
      verdictOf({ kind: "todo", text: "TASK-002: Create cache writer", state: "open" }, summary)?.verdict;
    expect(told("Just completed TASK-002 (cache writer) and started TASK-003.")).toBe("contradicted");
    expect(told("TASK-002 (cache writer) is in progress. TASK-001 is completed.")).toBe("unsure");
    expect(told("Completed:\n- TASK-001\n\nThen came TASK-002 (cache writer).")).toBe("unsure");
  });

  test("what was turned down is not kept when it is named without a denial", () => {
    const rejected: AuditFact = { kind: "rejection", text: "Redis", quote: "decided against Redis", denied: true };
    expect(verdictOf(rejected, "We decided against Redis.")?.verdict).toBe("kept");
    expect(verdictOf(rejected, "## Rejected\n- Redis")?.verdict).toBe("kept");
    expect(verdictOf(rejected, "Sessions live in Redis.")?.verdict).toBe("unsure");
    expect(verdictOf(rejected, "Redis was dropped.")?.verdict).toBe("unsure");
  });

  test("what the sentence says behind the fact does not deny it", () => {
    const decision = { kind: "decision", text: "use SQLite", quote: "We decided to use SQLite instead of Redis." };
    expect(verdictOf(decision, "- Decision: use SQLite instead of Redis.")?.verdict).toBe("kept");
    expect(verdictOf(decision, "- Decision: use SQLite instead of Valkey.")?.verdict).not.toBe("kept");
  });

  test("a reason belongs to its decision", () => {
    const decision: AuditFact = { kind: "decision", text: "use SQLite for the index", parts: ["Postgres cannot run offline"] };
    expect(verdictOf(decision, "We use SQLite for the index.")?.verdict).toBe("unsure");
    expect(verdictOf(decision, "We use SQLite for the index because Postgres cannot run offline.")?.verdict).toBe("kept");
  });
});

describe("a Continuation", () => {
  const { continuation } = extract(sampleSession(), rules);

  test("gets a verdict for each active item, file, failing command and todo", () => {
    const { verdicts } = audit(continuation, "", { rules });
    expect(verdicts.length).toBeGreaterThanOrEqual(continuation.items.filter(({ status }) => status === "active").length);
    expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(["missing"]));
  });

  test("is kept by a summary that quotes it", () => {
    const active = continuation.items.filter(({ status }) => status === "active");
    const summary = active.map(({ evidence }) => `- ${evidence.quote.replace(/\s+/g, " ")}`).join("\n\n");
    const items: Continuation = {
      ...continuation,
      files: { read: [], created: [], modified: [], deleted: [] },
      errors: [],
      todos: [],
    };
    for (const { verdict, text } of audit(items, summary, { rules }).verdicts) expect(`${verdict} ${text}`).toBe(`kept ${text}`);
  });

  test("names files, and says that a command fails", () => {
    const facts: readonly AuditFact[] = [
      { kind: "file", text: "src/pay/charge.ts" },
      { kind: "file", text: "src/pay/refund.ts" },
      { kind: "failure", text: "npm run e2e -- --shard 2" },
      { kind: "failure", text: "npm run lint" },
    ];
    const summary = "Changed `src/pay/charge.ts` (not tested).\n- `npm run e2e -- --shard 2` fails.\n- `npm run lint` was added.";
    expect(audit(facts, summary, { rules }).verdicts.map(({ verdict }) => verdict)).toEqual([
      "kept",
      "missing",
      "kept",
      "unsure",
    ]);
  });

  test("points at the place that speaks of a fact", () => {
    const summary = amid("Use PostgreSQL 15 for the event store.");
    const where = verdictOf({ kind: "decision", text: "Use PostgreSQL 16 for the event store" }, summary)?.where;
    expect(summary.slice(where?.start, where?.end)).toContain("PostgreSQL 15 for the event store".slice(0, 10));
  });
});

const word = fc.stringMatching(/^[a-z]{2,9}$/);
const token = fc.oneof(
  { weight: 5, arbitrary: word },
  fc.constantFrom(
    "not",
    "never",
    "may",
    "only",
    "reverted",
    "the",
    "use",
    "1.2.3",
    "src/a.ts",
    "`code`",
    "30 s",
    "日本語",
    "Ünïted",
  ),
);
const statement = fc.array(token, { minLength: 1, maxLength: 14 }).map((tokens) => tokens.join(" "));

describe("properties", () => {
  test("an exact quote in a sentence of its own is kept", () => {
    fc.assert(fc.property(statement, (text) => void expect(judged(text, `Some line.\n\n${text}.\n\nAnother one.`)).toBe("kept")));
  });

  test("an exact quote of any text is kept", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 60 }), (text) => {
        fc.pre(text.trim() !== "");
        expect(judged(text, text)).toBe("kept");
      }),
    );
  });

  test("an empty summary keeps nothing", () => {
    fc.assert(fc.property(statement, (text) => void expect(judged(text, "")).toBe("missing")));
  });

  test("lines about other things never make a kept fact missing", () => {
    const noise = fc.array(statement, { maxLength: 6 });
    fc.assert(
      fc.property(statement, noise, noise, (text, before, behind) => {
        const summary = [...before, text, ...behind].map((line) => `- ${line}.`).join("\n");
        expect(judged(text, summary)).not.toBe("missing");
      }),
    );
  });

  test("the same input gives the same verdicts", () => {
    fc.assert(
      fc.property(fc.array(statement, { maxLength: 5 }), fc.string({ unit: "binary" }), (texts, noise) => {
        const facts = texts.map((text) => ({ kind: "note", text }));
        const summary = `${texts.slice(1).join(". ")}\n${noise}`;
        expect(audit(facts, summary, { rules })).toEqual(audit(facts, summary, { rules }));
      }),
    );
  });
});

describe("hostile input", () => {
  const length = sized(2_000, 400);
  const facts = Array.from({ length }, (_, index) => ({
    kind: "decision",
    text: `Service ${index} must not use port ${8_000 + index} in zone ${index % 7}, only the proxy`,
  }));
  const line = (index: number) => `Service ${index} must not use port ${8_000 + index} in zone ${index % 7}, only the proxy.`;
  test.each([
    ["a line of 100 KB", "word not may ".repeat(8_000)],
    ["one word", "a".repeat(100_000)],
    ["only marks", "`*[(-".repeat(20_000)],
    ["only negations", "not ".repeat(25_000)],
    ["lone surrogates", "\ud83d \udc00".repeat(25_000)],
    ["blank lines", "\n".repeat(100_000)],
    ["nested leads", Array.from({ length: 3_000 }, (_, depth) => `${" ".repeat(depth % 40)}- not:`).join("\n")],
    ["a plain summary", Array.from({ length: 1_400 }, (_, index) => `- ${line(index)}`).join("\n")],
    ["the facts' words all over", "service port zone proxy must not use only\n".repeat(2_500)],
  ])("gets a verdict for each of many facts when it is %s", (_, summary) => {
    expect(audit(facts, summary, { rules }).verdicts).toHaveLength(length);
  });
});
