// The client of a model, against a real endpoint on this machine that is scripted.
import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createEndpoint, type EndpointOptions, type ModelFault } from "../../src/index.js";
import { type Answer, begin, event, refuses, type ScriptedEndpoint, says, startEndpoint } from "../cli/scripted-endpoint.js";

const KEY = "sk-test-4f9d2b7c81e6a350";
let endpoint: ScriptedEndpoint;
beforeEach(async () => {
  endpoint = await startEndpoint(says("Hello."));
});
afterEach(() => endpoint.close());

const question = [{ role: "user" as const, content: "Hello?" }];

async function ask(options: Partial<EndpointOptions> = {}, signal?: AbortSignal): Promise<string> {
  const model = createEndpoint({ baseUrl: endpoint.url, model: "tiny", key: KEY, ...options });
  let text = "";
  for await (const piece of model.write(question, signal)) text += piece;
  return text;
}

const open: Answer = (response) => {
  begin(response);
  response.write(event("Hel"));
};
const hangsUp: Answer = (response) => begin(response).write(event("Hel"), () => response.destroy());
const ends =
  (...parts: readonly string[]): Answer =>
  (response) =>
    begin(response).end(parts.join(""));

const blocks = (...content: readonly object[]) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;

test.each([Number.POSITIVE_INFINITY, 1e12])("waits for the answer when the time limit is %d", async (time) => {
  endpoint.answer = (...given) => setTimeout(() => says("Hello.")(...given), 20);
  expect(await ask({ total: time, idle: time })).toBe("Hello.");
});

test.each<readonly [string, object]>([
  ["total is no number of milliseconds above 0", { total: Number.NaN }],
  ["idle is no number of milliseconds above 0", { idle: -1 }],
  ["total is no number of milliseconds above 0", { total: "900" }],
  ["no model is named", { model: undefined }],
  ["no model is named", { model: " " }],
  ["the key is no text", { key: 5 }],
])("%s: %o", (message, options) => {
  const make = () => createEndpoint({ baseUrl: endpoint.url, model: "tiny", ...options } as EndpointOptions);
  expect(make).toThrow(new TypeError(message));
});

describe("an answer", () => {
  const text = "Ein Grüß Gott, 日本語 and 😀.\n\ndata: [DONE]\n";

  test("comes as it was written, wherever its bytes are cut", async () => {
    endpoint.answer = async (response) => {
      begin(response);
      const bytes = Buffer.from(`: a comment\n\n${event(text)}${event("", "stop")}data: [DONE]\n\n`);
      for (let at = 0; at < bytes.length; at += 5) {
        response.write(bytes.subarray(at, at + 5));
        if (at % 50 === 0) await new Promise((done) => setImmediate(done));
      }
      response.end();
    };
    expect(await ask()).toBe(text);
    expect(endpoint.asked).toEqual([
      expect.objectContaining({
        authorization: `Bearer ${KEY}`,
        path: "/v1/chat/completions",
        body: { model: "tiny", stream: true, messages: question },
      }),
    ]);
  });

  test.each<readonly [string, Answer]>([
    ["in one piece", refuses(200, JSON.stringify({ choices: [{ message: { content: "Hello." }, finish_reason: "stop" }] }))],
    ["in one piece, without a finish", refuses(200, JSON.stringify({ choices: [{ message: { content: "Hello." } }] }))],
    ["in blocks", ends(blocks({ type: "thinking", thinking: [] }, { type: "text", text: "Hello." }), event("", "stop"))],
    ["with an end of another name", ends(event("Hello.", "eos_token"))],
    ["that ends, and a connection that stays", (response) => begin(response).write(`${event("Hello.")}data: [DONE]\n\n`)],
    ["without a finish, but with [DONE]", ends(event("Hello."), "data: [DONE]\n\n")],
    ["without [DONE], but with a finish", ends(event("Hello.", "stop"))],
    ["without the last empty line", ends(event("Hello."), "data: [DONE]")],
    ["with lines of Windows", ends(event("Hello.", "stop").replaceAll("\n", "\r\n"))],
    ["with events that say nothing", ends('data: {"choices":[]}\n\n', event("Hello.", "stop"), 'data: {"usage":{}}\n\n')],
  ])("%s", async (_, answer) => {
    endpoint.answer = answer;
    expect(await ask()).toBe("Hello.");
  });

  test("may not tell the key, in pieces or whole", async () => {
    endpoint.answer = says(`Your key is ${KEY}, and again: ${KEY}`);
    expect(await ask()).toBe("Your key is ████████, and again: ████████");
  });

  test("is asked for without a key where there is none, and the query of the address stays", async () => {
    expect(await ask({ key: "", baseUrl: `${endpoint.url}/?version=2` })).toBe("Hello.");
    expect(endpoint.asked[0]).toMatchObject({ authorization: undefined, path: "/v1/chat/completions?version=2" });
  });
});

describe("no answer", () => {
  const cases: readonly (readonly [what: string, answer: Answer, code: ModelFault, message: string])[] = [
    ["ends without an end", ends(event("Hel")), "cut", "broke off"],
    ["ends within an event", ends(event("Hel"), 'data: {"choices":[{"del'), "cut", "broke off"],
    ["hangs up", hangsUp, "cut", "broke off"],
    ["in one piece, cut", refuses(200, '{"choices":[{"mess'), "cut", "broke off"],
    ["stops at its limit", ends(event("Hel", "length"), "data: [DONE]\n\n"), "cut", "model's limit"],
    ["stops at another limit", ends(event("Hel", "model_length")), "cut", "model's limit"],
    ["is given up there", ends(event("Hel", "abort"), "data: [DONE]\n\n"), "cut", 'the endpoint says "abort"'],
    ["ends without an end, with an empty finish", ends(event("Hel", "")), "cut", "broke off"],
    ["is other data", refuses(200, '{"object":"list","data":[]}'), "garbled", "no completion"],
    ["is filtered", ends(event("Hel", "content_filter")), "cut", "filter"],
    ["breaks off with an error", ends('data: {"error":{"message":"out\\nof\\u001b memory"}}\n\n'), "refused", "out of memory"],
    ["is no JSON", ends("data: hello\n\n", event("Hello.", "stop")), "garbled", "no completion"],
    ["is a page", (response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>"), "garbled", "no completion"],
    ["leads elsewhere", (response) => response.writeHead(307, { location: "/x" }).end(), "unreachable", "not followed"],
    ["refuses", refuses(400, '{"error":"too long"}'), "refused", "answers 400: too long"],
    ["refuses at length", refuses(404, "x".repeat(1_000_000)), "refused", "answers 404: xxx"],
    ["refuses and tells the key", refuses(401, `bad ${KEY}`), "refused", "answers 401: bad ████████"],
    ["wants to rest for an hour", refuses(429, "{}", { "retry-after": "3600" }), "refused", "in 3600 s"],
  ];

  test.each(cases)("%s", async (_, answer, code, message) => {
    endpoint.answer = answer;
    const error = await ask().then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    expect(error).toMatchObject({ name: "ModelError", code, message: expect.stringContaining(message) });
    expect(error?.message).not.toContain(KEY);
    expect(error?.message.length).toBeLessThan(300);
    expect(endpoint.asked).toHaveLength(1);
  });

  test("where nobody is", async () => {
    await endpoint.close();
    await expect(ask()).rejects.toMatchObject({ code: "unreachable", message: expect.stringContaining("(ECONNREFUSED)") });
  });

  test.each([
    ["in all", { total: 300, idle: 60_000 }, "not complete after 0.3 s"],
    ["without a sign of life", { total: 60_000, idle: 300 }, "no sign of life after 0.3 s"],
  ])("in time, %s", async (_, limits, message) => {
    endpoint.answer = open;
    await expect(ask(limits)).rejects.toMatchObject({ code: "timeout", message: expect.stringContaining(message) });
  });

  test("to a caller who gives up, before or meanwhile; the connection is closed", async () => {
    await expect(ask({}, AbortSignal.abort())).rejects.toMatchObject({ code: "aborted" });
    expect(endpoint.asked).toEqual([]);
    const stop = new AbortController();
    let closed: Promise<unknown> | undefined;
    endpoint.answer = (response, asked, request) => {
      closed = once(request.socket, "close");
      open(response, asked, request);
      stop.abort();
    };
    await expect(ask({}, stop.signal)).rejects.toMatchObject({ code: "aborted" });
    await closed;
  });

  test("to a caller who gives up while the endpoint rests", async () => {
    const stop = new AbortController();
    endpoint.answer = refuses(503, "{}", { "retry-after": "30" });
    await expect(ask({ waiting: () => stop.abort() }, stop.signal)).rejects.toMatchObject({ code: "aborted" });
  });

  test("to a caller who stops listening: the connection is closed", async () => {
    let closed: Promise<unknown> | undefined;
    endpoint.answer = (response, asked, request) => {
      closed = once(request.socket, "close");
      open(response, asked, request);
    };
    // Without a key nothing is held back.
    for await (const piece of createEndpoint({ baseUrl: endpoint.url, model: "tiny" }).write(question)) {
      expect(piece).toBe("Hel");
      break;
    }
    await closed;
  });
});

describe("an endpoint that is busy", () => {
  test.each([
    ["429 with seconds", 429, "0", 0],
    ["503 with a date that is past", 503, "Thu, 01 Jan 1970 00:00:00 GMT", 0],
    ["500 without a word", 500, undefined, 1000],
  ])("%s is asked again", async (_, status, after, wait) => {
    const waits: number[] = [];
    endpoint.answer = (response, one, request) => {
      const busy = refuses(status, "{}", after === undefined ? {} : { "retry-after": after });
      return (endpoint.asked.length === 1 ? busy : says("Hello."))(response, one, request);
    };
    expect(await ask({ waiting: (_status, milliseconds) => waits.push(milliseconds) })).toBe("Hello.");
    expect(waits).toEqual([wait]);
  });

  test("is not retried for ever", async () => {
    endpoint.answer = refuses(502, "{}", { "retry-after": "0" });
    await expect(ask()).rejects.toMatchObject({ code: "refused", status: 502 });
    expect(endpoint.asked).toHaveLength(4);
  });
});

test.each([
  ["an address with a password", { baseUrl: `http://user:${KEY}@127.0.0.1/v1` }],
  ["an address of another kind", { baseUrl: `file:///${KEY}` }],
  ["no address", { baseUrl: KEY }],
  ["a key that cannot stand in a header", { baseUrl: "http://127.0.0.1/v1", key: `${KEY}\nX: y` }],
])("%s is refused, and not told", (_, options) => {
  const make = () => createEndpoint({ model: "tiny", ...options });
  expect(make).toThrow(TypeError);
  expect(make).not.toThrow(KEY);
});
