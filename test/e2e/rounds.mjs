// What is said in the ten rounds of a session, and what of it must be known for ever after: about 800 tokens.
import { join } from "node:path";

const call = (name, args) => ({ name, args });
const write = (folder, file, content) => call("write", { filePath: join(folder, file), content });
const bash = (command) => call("bash", { command, description: "runs it" });
const todo = (content, status) => ({ content, status, priority: "medium" });

/** Each round: what the user says, how the model replies, and the needles of the facts in it. */
export const rounds = (folder) => [
  {
    user:
      "Build the importer of tariffs for the billing service. " +
      "Never write to the `ledger_entries` table outside of a transaction, since the auditors reconcile it row by row every night. " +
      "The importer must run on Node 18.17 as well as on Node 22, since the servers of the customers cannot be upgraded before the autumn release.",
    replies: [
      "We decided to use Postgres advisory locks for the nightly scheduler because Redis leases were lost twice during the failover of last week. " +
        "We ruled out Kafka Connect for the change stream because its connectors need a cluster of their own that nobody in this team can operate.",
    ],
    facts: ["ledger_entries", "must run on Node 18.17", "advisory locks for the nightly scheduler", "Kafka Connect"],
  },
  {
    user: "All amounts must be stored as integer cents in the column `amount_minor`, never as floats, in every table that the auditors can read. Write the proration.",
    replies: [
      { tools: [write(folder, "src/billing/proration/daily-proration.ts", "export const prorate = 1;\n")] },
      { tools: [write(folder, "src/webhooks/verification/signature.ts", "export const verify = 1;\n")] },
      "We chose to use Fastify for the webhook receiver because Express dropped the raw body of the request, which the signature is computed over.",
    ],
    facts: [
      "amount_minor",
      "src/billing/proration/daily-proration.ts",
      "src/webhooks/verification/signature.ts",
      "Fastify for the webhook receiver",
    ],
  },
  {
    user: "Check the tariffs.",
    replies: [
      { tools: [bash("npm run check:tariffs -- --year 2019 --strict")] },
      "The root cause is that `parseTariff` rounds twice when a discount is applied before the tax, so that the totals of the invoices are off by one cent.",
    ],
    facts: ["npm run check:tariffs -- --year 2019", "rounds twice when a discount is applied"],
  },
  {
    user: "Plan what is left.",
    replies: [
      {
        tools: [
          call("todowrite", {
            todos: [
              todo(
                "Backfill tariff_version for the contracts of 2019 in batches of 500 rows, outside of business hours",
                "in_progress",
              ),
              todo(
                "Write the runbook for the rollback of migration 0042, with the queries that count the orphaned rows",
                "pending",
              ),
            ],
          }),
        ],
      },
      "The plan is written.",
    ],
    facts: ["Backfill tariff_version for the contracts of 2019", "rollback of migration 0042"],
  },
  {
    user: "From now on, every public endpoint has to answer within 300 milliseconds at the 99th percentile, measured at the load balancer and not in the process.",
    replies: [
      "We are using protobuf for the partner exports because the partners refuse JSON files above two gigabytes and cannot read Parquet.",
    ],
    facts: ["within 300 milliseconds", "protobuf for the partner exports"],
  },
  {
    user: "No, don't add a feature flag service for the rollout of the new tariffs, the two environment variables that we have are enough.",
    replies: [
      "The release is blocked by the missing signing certificate of the Windows installer, which only the legal department in Zurich can order.",
    ],
    facts: ["feature flag service", "missing signing certificate"],
  },
  {
    user: "Tests must connect to the staging database on port 6543, and only through the bastion host, because the direct route is closed for audits.",
    replies: [
      "We settled on the name Quittance for the receipts module rather than Receiptor, because a competitor has a trademark on the latter.",
    ],
    facts: ["on port 6543", "Quittance"],
  },
  {
    user: "What else?",
    replies: [
      "We still need to document the retry policy of the SEPA connector for the support team, with the three error codes that must never be retried. " +
        "We decided against sharding by tenant because three of the tenants hold most of the rows and would each fill a shard alone.",
    ],
    facts: ["retry policy of the SEPA connector", "sharding by tenant"],
  },
  {
    user:
      "The nightly export must finish before 04:30 UTC, since the partners fetch their files at five. " +
      "Always run the migrations with `lock_timeout` set to two seconds, since a waiting lock once stopped the whole shop.",
    replies: [
      "We decided to use Parquet for the archive of old invoices because the auditors query it with DuckDB. " +
        "We ruled out a nightly restart of the workers because it hides the memory leak in the renderer. " +
        "We found that the renderer leaks 40 MB for each invoice with an embedded logo.",
    ],
    facts: ["before 04:30 UTC", "lock_timeout", "Parquet for the archive", "nightly restart of the workers", "leaks 40 MB"],
  },
  {
    user:
      "Only use the fonts under `assets/licensed`, since the foundry sues over every other one. " +
      "The audit trail must keep the IP address of the caller for ninety days and not a day longer.",
    replies: [
      "We chose to use Playwright for the tests of the invoice preview because Cypress cannot open a second tab. " +
        "We decided against GraphQL for the partner interface because none of the partners has a client for it. " +
        "The next step is to rename the queue `tariff-import-v1`, which two services still read.",
    ],
    facts: [
      "assets/licensed",
      "IP address of the caller",
      "Playwright for the tests",
      "GraphQL for the partner",
      "tariff-import-v1",
    ],
  },
];
