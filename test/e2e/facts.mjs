// Facts for sessions: more than a block has room for, and a few.

const PLACES =
  "harbour orchard quarry lantern meadow cellar furnace bridge viaduct granary chapel foundry harvester cistern belfry armoury dovecote kiln tannery weir".split(
    " ",
  );
const PARTS = "gateway importer scheduler exporter indexer".split(" ");
const TOOLS = "Postgres Fastify protobuf SQLite Vitest Terraform Caddy Valkey RabbitMQ OpenTelemetry Parquet Pulumi".split(" ");

/** Some hundred facts of about 5,000 tokens together, half said by the user and half by the model. */
export function manyFacts() {
  const facts = [];
  for (const [place, placeName] of PLACES.entries()) {
    for (const [part, partName] of PARTS.entries()) {
      const name = `${placeName} ${partName}`;
      const number = 1_000 + place * 100 + part * 7;
      facts.push({
        by: "user",
        text: `The ${name} must refuse batches of more than ${number} rows, whatever the caller of that job asks for in its headers.`,
        needle: `${name} must refuse batches of more than ${number} rows`,
      });
      const tool = TOOLS[(place + part * 5) % TOOLS.length];
      facts.push({
        by: "assistant",
        text: `We decided to use ${tool} for the ${name} because the alternative lost ${number + 3} records in the load test of that week.`,
        needle: `${tool} for the ${name}`,
      });
    }
  }
  return facts;
}

/** Three facts that a short session says, for scenarios about something else. */
export const FEW = {
  user: "Never touch the folder `legacy/tariffs`. Build the exporter. The exporter must keep the byte order mark of the partner files.",
  reply: "We decided to use Valkey for the session cache because the licence of Redis changed.",
  facts: ["legacy/tariffs", "byte order mark", "Valkey for the session cache"],
};
