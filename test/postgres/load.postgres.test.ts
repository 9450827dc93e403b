// The store under load: many processes at once, processes that are killed, and a server that goes away.
import { once } from "node:events";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createMachine, type Machine, resultsOf } from "./machine.js";
import { type Server, startServer } from "./server.mjs";

const KILLS = 100;
let server: Server;
let machines: readonly Machine[];
beforeAll(() => {
  server = startServer();
  machines = [1, 2, 3].map(() => createMachine(server.url));
});
afterAll(() => {
  for (const machine of machines) machine.remove();
  server.remove();
});
const machineOf = (number: number) => machines[number % machines.length] as Machine;

test("twenty readers and three writers at once all get their answer", { timeout: 240_000 }, async () => {
  for (let session = 0; session < 30; session++) {
    const machine = machineOf(session);
    machine.write(`s${session}`, machine.record(`s${session}`, `Never rename the kestrel${session} table.`));
  }
  for (const machine of machines) machine.find("kestrel0");
  const writers = machines.map((machine, number) => {
    machine.append(`s${number}`, machine.record(`s${number}`, `The osprey${number} job runs at night.`));
    return resultsOf(machine.start(`osprey${number}`)).then((results) => expect(results[0]?.text).toContain(`osprey${number}`));
  });
  const readers = Array.from({ length: 20 }, async (_, number) => {
    const results = await resultsOf(machineOf(number).start(`kestrel${number + 5}`));
    expect(results[0]?.text).toContain(`kestrel${number + 5} table`);
  });
  await Promise.all([...writers, ...readers]);
});

test("killed while it writes, again and again: the next query has every answer once", { timeout: 180_000 }, async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    const machine = machineOf(kill);
    for (let session = kill % 3; session < 12; session += 3)
      machine.append(`s${session}`, machine.record(`s${session}`, `Round ${kill} of session ${session}.`));
    const child = machine.start("kestrel3");
    // It may be faster.
    const closed = once(child, "close");
    for (const stream of [child.stdout, child.stderr]) stream.resume();
    await new Promise((done) => setTimeout(done, 80 + Math.random() * 500));
    child.kill("SIGKILL");
    await closed;
  }
  for (const machine of machines) machine.find("kestrel3");
  expect(
    machineOf(1)
      .find("kestrel3")
      .map(({ place }) => place),
  ).toEqual(["s3#m1"]);
  for (let kill = KILLS - 3; kill < KILLS; kill++) {
    const [first] = machineOf(0).find(`Round ${kill} of session ${(kill % 3) + 3}`, "--most", "1");
    expect(first?.text).toContain(`Round ${kill} of session ${(kill % 3) + 3}`);
  }
});

test("a server that stops in the middle is told at once; after its return the next query mends all", {
  timeout: 120_000,
}, async () => {
  const [machine] = machines as readonly [Machine];
  for (let session = 100; session < 300; session++)
    machine.write(`s${session}`, machine.record(`s${session}`, `The heron${session} queue is never purged.`));
  // The server waits in the middle of the work, so that it is stopped there on every machine.
  server.query(`create function wait_here() returns trigger language plpgsql as $$ begin
    if new.path like '%/s200.jsonl' then perform pg_sleep(100); end if; return new; end $$`);
  server.query("create trigger wait_here before insert on compaction_files for each row execute function wait_here()");
  const told = expect(resultsOf(machine.start("heron150"))).rejects.toThrow(/cannot be reached|stopped or started/);
  await vi.waitUntil(() => server.query("select count(*) from pg_stat_activity where wait_event = 'PgSleep'") === "1", 60_000);
  const began = Date.now();
  server.stop();
  await told;
  expect(Date.now() - began).toBeLessThan(6_000);
  expect(machine.run(["find", "heron150"])).toMatchObject({ status: 2, stderr: expect.stringContaining("cannot be reached") });
  server.start();
  server.query("drop function wait_here cascade");
  for (const session of [100, 150, 299])
    expect(machine.find(`heron${session}`).map(({ place }) => place)).toEqual([`s${session}#m1`]);
  const places = machine.find("queue purged", "--most", "500").map(({ place }) => place);
  expect([places.length, new Set(places).size]).toEqual([200, 200]);
});
