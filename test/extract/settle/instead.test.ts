// A later choice with "instead" ends the earlier one if both say the same but for one place. Otherwise, nothing happens.
import { describe, expect, test } from "vitest";
import { builtInRules, extract, type Message } from "../../../src/index.js";

const { rules } = builtInRules();
type Pair = readonly [before: string, after: string];

/** The statuses of the choices that one speaker made first. */
function firstOf([before, after]: Pair, role: "user" | "assistant") {
  const other = role === "user" ? "assistant" : "user";
  const said = (id: string, by: Message["role"], text: string): Message => ({ id, role: by, text, toolCalls: [] });
  const messages = [
    said("u0", "user", "We work on the importer."),
    said("a0", "assistant", "Ok."),
    said("first", role, before),
    said("a1", other, "Ok."),
    said("second", role, after),
    said("a2", other, "Ok."),
  ];
  return extract({ id: "s", format: "neutral", messages }, rules)
    .continuation.items.filter(({ kind }) => ["decision", "constraint", "rejection"].includes(kind))
    .filter(({ evidence }) => evidence.source === "first")
    .map(({ status }) => status);
}

const ENDED: readonly Pair[] = [
  ["We decided to use MySQL for orders.", "We decided to use Postgres for orders instead."],
  ["Let's use Redis as the queue.", "Let's use RabbitMQ as the queue instead of Redis."],
  ["We chose Jest for the unit tests.", "We're going with Vitest for the unit tests instead."],
  ["We decided to store sessions in cookies.", "Actually, store sessions in Redis instead."],
  ["We decided to deploy on Fridays.", "We decided to deploy on Mondays instead."],
  ["We picked webpack to bundle the client.", "We picked esbuild to bundle the client instead."],
  ["We decided to log errors to Sentry.", "We decided to log errors to Datadog instead."],
  ["We are going with REST for the public API.", "We are going with GraphQL for the public API instead of REST."],
  ["Decision: use Terraform for provisioning.", "Decision: use Pulumi for provisioning instead."],
  ["We agreed on weekly releases.", "We agreed on monthly releases instead."],
  ["Use yarn for installing packages.", "Use pnpm for installing packages instead."],
  ["We decided to use Celery for background jobs.", "Instead, we decided to use Dramatiq for background jobs."],
  ["We decided to use a monorepo.", "We decided to use separate repositories instead of a monorepo."],
  ["We settled on S3 for uploads.", "We settled on local disk for uploads instead."],
  ["We decided to write the worker in Go.", "We decided to write the worker in Rust instead."],
  ["We chose tabs for indentation.", "We chose spaces for indentation instead."],
  ["We're using Kafka for the event bus.", "We're using NATS for the event bus instead."],
  ["We decided to cache avatars for an hour.", "We decided to cache avatars for a day instead."],
  ["We decided to use bcrypt for passwords.", "We have now decided to use argon2 for passwords instead."],
  ["Let's go with Tailwind for the styling.", "Let's go with plain CSS for the styling instead, it is smaller."],
  ["We agreed to send alerts to Slack.", "We agreed to send alerts to PagerDuty instead."],
  ["I decided to host the docs on Netlify.", "I decided to host the docs on Cloudflare instead because it is free."],
  ["We chose UUIDs for the primary keys.", "We chose ULIDs for the primary keys instead."],
  ["We decided to use Redis as the queue.", "We decided to use RabbitMQ as the queue instead of Redis."],
  ["We decided to name the branch release-next.", "We decided to name the branch staging instead."],
  ["Let's go with dark mode for the first screen.", "Let's go with light mode for the first screen instead."],
  ["We opted for cursor pagination on the list endpoint.", "We opted for offset pagination on the list endpoint instead."],
  ["We decided to retry with a fixed delay.", "Instead, we decided to retry with an exponential delay."],
  ["I decided to use axios for HTTP calls.", "I've switched to fetch for HTTP calls instead of axios."],
  ["We decided to use Redis as the queue.", "We're using RabbitMQ as the queue instead of Redis."],
  ["We settled on Protobuf for the wire format.", "We settled on JSON for the wire format instead of Protobuf."],
];

/** Another thing, an addition, another scope, a condition, a question, a ban. */
const STANDING: readonly Pair[] = [
  ["We decided to use MySQL for orders.", "We decided to use Postgres for invoices instead."],
  ["We decided to use MySQL for orders.", "We decided to use Postgres for the order history instead of flat files."],
  ["Let's use Redis as the queue.", "Let's use Redis as the cache instead of Memcached."],
  ["We chose Jest for the unit tests.", "We chose Playwright for the end-to-end tests instead of Cypress."],
  ["We decided to use Postgres for orders.", "We decided to use Postgres for payments as well."],
  ["We decided to log errors to Sentry.", "We decided to also log errors to the console."],
  ["We decided to deploy on Fridays.", "We decided to freeze merges on Fridays instead of tagging."],
  ["Decision: use Terraform for provisioning.", "Decision: use Ansible for configuration instead."],
  ["We picked esbuild to bundle the client.", "We picked rollup to bundle the library instead."],
  ["We decided to use MySQL for orders in production.", "In the tests, we decided to use SQLite for orders instead."],
  ["We settled on S3 for uploads.", "For local development we settled on the disk for uploads instead."],
  ["We decided to write the worker in Go.", "We decided to write the command line in Rust instead."],
  ["Use pnpm for installing packages.", "Should we use yarn for installing packages instead?"],
  ["We chose argon2 for passwords.", "If argon2 is too slow, we use bcrypt for passwords instead."],
  ["We're using Kafka for the event bus.", "The payments team is using NATS for its event bus instead."],
  ["We decided to cache avatars for an hour.", "We decided to cache thumbnails for a day instead."],
  ["We agreed on weekly releases.", "We agreed on two reviewers instead of one."],
  ["Let's use Redis for the sessions.", "Never use Memcached for the sessions instead of Redis."],
  ["We decided to use MySQL for orders.", "We decided to run Postgres next to it for the order analytics."],
  ["Use tabs for indentation in Go.", "Use spaces for indentation in YAML instead."],
  ["We agreed to send alerts to Slack.", "We agreed to send invoices to Stripe instead."],
  ["We picked Go for the agent.", "We picked Go for the gateway, too."],
  ["We chose UUIDs for the primary keys.", "We chose hashes for the cache keys instead of strings."],
  ["We decided to host the docs on Netlify.", "We decided to host the API on Fly instead."],
  ["We decided to use Redis as the queue.", "We will not use RabbitMQ as the queue instead."],
  ["We decided to retry with a fixed delay.", "When the peer is down, retry with an exponential delay instead."],
  ["We opted for cursor pagination on the list endpoint.", "Could we opt for offset pagination on the list endpoint instead?"],
  ["Let's go with dark mode for the first screen.", "Maybe we go with light mode for the first screen instead."],
  ["We settled on Protobuf for the wire format.", "We settled on Protobuf for the log format instead of text."],
];

describe("said by the user", () => {
  test.each(ENDED)("ends the choice %j when %j follows", (...pair) => {
    expect(new Set(firstOf(pair, "user"))).toEqual(new Set(["superseded"]));
  });
  test.each(STANDING)("keeps the choice %j when %j follows", (...pair) => {
    expect(firstOf(pair, "user")).not.toContain("superseded");
  });
});

describe("said by the assistant", () => {
  // Two sentences of the assistant's are not found as decisions at all.
  test("ends nearly all choices that are replaced", () => {
    const ended = ENDED.filter((pair) => firstOf(pair, "assistant").includes("superseded"));
    expect(ended.length).toBeGreaterThanOrEqual(ENDED.length - 2);
  });
  test.each(STANDING)("keeps the choice %j when %j follows", (...pair) => {
    expect(firstOf(pair, "assistant")).not.toContain("superseded");
  });
});

test("ends nothing when two earlier choices fit", () => {
  const messages = [
    "We decided to send alerts to Slack.",
    "We decided to send alerts to Teams.",
    "We decided to send alerts to Matrix instead.",
  ].map((text, index): Message => ({ id: `u${index}`, role: "user", text, toolCalls: [] }));
  const { items } = extract({ id: "s", format: "neutral", messages }, rules).continuation;
  expect(items.filter(({ kind, status }) => kind === "decision" && status === "active")).toHaveLength(3);
});
