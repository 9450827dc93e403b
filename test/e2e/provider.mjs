// A model on 127.0.0.1 that speaks OpenAI's chat completions, plays scripted replies and records every request.
import { createServer } from "node:http";
import { isCompaction, summarise } from "./summariser.mjs";

/**
 * A reply: { text, tools: [{ name, args }], usage: { input, output }, error: { status, code, message } }; with `hang`, none.
 * A request that no reply was scripted for is answered with "OK."
 */
export async function startProvider() {
  const provider = { replies: [], mode: "amnesic", requests: [], url: "", close };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    answer(provider, JSON.parse(body), response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  provider.url = `http://127.0.0.1:${server.address().port}/v1`;
  return provider;

  function close() {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  }
}

function answer(provider, body, response) {
  const kind = isCompaction(body) ? "compaction" : body.tools?.length > 0 ? "chat" : "other";
  const reply =
    kind === "compaction"
      ? summarise(body, provider.mode)
      : ((kind === "chat" ? provider.replies.shift() : undefined) ?? { text: "OK." });
  provider.requests.push({ kind, body, reply });
  if (reply.hang) return;
  if (reply.error) {
    const { status = 400, code, message = "scripted error" } = reply.error;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { type: "invalid_request_error", code, message } }));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const chunk of chunksOf(reply, body, provider.requests.length)) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  response.end("data: [DONE]\n\n");
}

/** Four characters are taken for one token, as OpenCode does where it must guess. */
const guess = (text) => Math.max(1, Math.ceil(text.length / 4));

function chunksOf(reply, body, number) {
  const { text = "", tools = [], usage = {} } = reply;
  const chunk = { id: `reply-${number}`, object: "chat.completion.chunk", created: 0, model: body.model };
  const say = (delta, finish = null) => ({ ...chunk, choices: [{ index: 0, delta, finish_reason: finish }] });
  const calls = tools.map(({ name, args }, index) => ({
    index,
    id: `call-${number}-${index}`,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  }));
  const read = usage.input ?? guess(JSON.stringify(body.messages));
  const written = usage.output ?? guess(text + JSON.stringify(calls));
  return [
    say({ role: "assistant", content: text }),
    ...calls.map((call) => say({ tool_calls: [call] })),
    say({}, calls.length > 0 ? "tool_calls" : "stop"),
    { ...chunk, choices: [], usage: { prompt_tokens: read, completion_tokens: written, total_tokens: read + written } },
  ];
}
