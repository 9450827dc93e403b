import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, expect, test } from "vitest";
import { createEndpoint } from "../../src/compact/endpoint.js";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

let server: Server | undefined;
afterEach(() => server?.closeAllConnections());

test("an answer that begins and does not end is given up in time, however much memory is cleared meanwhile", async () => {
  server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write('data: {"choices":[{"delta":{"content":"a"}}]}\n\n');
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const clearing = setInterval(collect, 250);
  const said: string[] = [];
  const reading = (async () => {
    for await (const text of createEndpoint({ baseUrl, model: "m", total: 3_000 }).write([{ role: "user", content: "x" }]))
      said.push(text);
  })();
  await expect(reading).rejects.toThrow("not complete after 3 s");
  clearInterval(clearing);
  expect(said.join("")).toBe("a");
});
