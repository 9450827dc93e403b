// A model on 127.0.0.1 that speaks Anthropic's messages, OpenAI's responses and chat completions, and Gemini's contents: a script
// answers, and every request is kept.
import { createServer } from "node:http";

/**
 * @param script what is answered to a request's body: { text, tokens, tool }. `tokens` is how full the context is said to be;
 *   `tool` is a call of one, { name, input }.
 */
export async function startModel(script) {
  const requests = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const [path] = request.url.split("?");
    if (request.method !== "POST" || !/\/(?:messages|responses|completions)$|enerateContent$/.test(path)) {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ input_tokens: 100, models: [], data: [] }));
      return;
    }
    const body = JSON.parse(text);
    requests.push(body);
    const reply = { tokens: 1_000, number: requests.length, ...script(body) };
    if (path.endsWith("/messages")) answerMessages(response, body, reply);
    else if (path.endsWith("/responses")) answerResponses(response, reply);
    else if (path.endsWith("enerateContent")) answerContents(response, path.includes(":stream"), reply);
    else answerCompletions(response, body, reply);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    requests,
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

const events = (response, list) => {
  response.setHeader("content-type", "text/event-stream");
  response.end(list.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
};

function answerMessages(response, { model, stream }, { text, tokens, number, tool }) {
  const usage = { input_tokens: tokens, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 20 };
  const message = { id: `msg_${number}`, type: "message", role: "assistant", model, stop_sequence: null, usage };
  const call = tool && { type: "tool_use", id: `toolu_${number}`, name: tool.name, input: tool.input };
  const reason = call ? "tool_use" : "end_turn";
  if (!stream) {
    response.setHeader("content-type", "application/json");
    const content = [{ type: "text", text }, ...(call ? [call] : [])];
    response.end(JSON.stringify({ ...message, content, stop_reason: reason }));
    return;
  }
  const block = (index, empty, delta) => [
    { type: "content_block_start", index, content_block: empty },
    { type: "content_block_delta", index, delta },
    { type: "content_block_stop", index },
  ];
  events(response, [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
    ...block(0, { type: "text", text: "" }, { type: "text_delta", text }),
    ...(call ? block(1, { ...call, input: {} }, { type: "input_json_delta", partial_json: JSON.stringify(call.input) }) : []),
    { type: "message_delta", delta: { stop_reason: reason, stop_sequence: null }, usage },
    { type: "message_stop" },
  ]);
}

function answerResponses(response, { text, tokens, number, tool }) {
  const id = `resp_${number}`;
  const said = { type: "message", role: "assistant", id: `msg_${number}`, content: [{ type: "output_text", text }] };
  const call = tool && { type: "function_call", id: `fc_${number}`, call_id: `call_${number}`, name: tool.name };
  const items = [said, ...(call ? [{ ...call, arguments: JSON.stringify(tool.input) }] : [])];
  const usage = {
    input_tokens: tokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: tokens + 20,
  };
  events(response, [
    { type: "response.created", response: { id } },
    ...items.map((item, output_index) => ({ type: "response.output_item.done", output_index, item })),
    { type: "response.completed", response: { id, status: "completed", output: items, usage } },
  ]);
}

function answerCompletions(response, { model }, { text, tokens, number, tool }) {
  const chunk = (delta, reason, more) => ({
    id: `chat_${number}`,
    object: "chat.completion.chunk",
    created: 0,
    model,
    choices: [{ index: 0, delta, finish_reason: reason }],
    ...more,
  });
  const usage = { prompt_tokens: tokens, completion_tokens: 20, total_tokens: tokens + 20 };
  const call = tool && { name: tool.name, arguments: JSON.stringify(tool.input) };
  const calls = call && { tool_calls: [{ index: 0, id: `call_${number}`, type: "function", function: call }] };
  response.setHeader("content-type", "text/event-stream");
  const said = chunk({ role: "assistant", content: text, ...calls }, null);
  for (const one of [said, chunk({}, call ? "tool_calls" : "stop", { usage })])
    response.write(`data: ${JSON.stringify(one)}\n\n`);
  response.end("data: [DONE]\n\n");
}

function answerContents(response, isStream, { text, tokens, tool }) {
  const parts = [{ text }, ...(tool ? [{ functionCall: { name: tool.name, args: tool.input } }] : [])];
  const usageMetadata = { promptTokenCount: tokens, candidatesTokenCount: 20, totalTokenCount: tokens + 20 };
  const answer = JSON.stringify({ candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }], usageMetadata });
  response.setHeader("content-type", isStream ? "text/event-stream" : "application/json");
  response.end(isStream ? `data: ${answer}\n\n` : answer);
}

/** The facts of a session of five rounds. */
export const PLANTED = [
  "Never touch the legacy folder.",
  "The port must be 4317.",
  "Always run the linter before a commit.",
  "Never log a password.",
  "The export must never block the UI.",
];
