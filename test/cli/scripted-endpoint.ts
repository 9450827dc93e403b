// An OpenAI-compatible endpoint on this machine that answers as a test tells it, and what it was asked.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Asked {
  readonly authorization: string | undefined;
  readonly path: string;
  readonly body: { readonly model: string; readonly stream: boolean; readonly messages: readonly { content: string }[] };
  /** All that the model was sent. */
  readonly text: string;
}

export type Answer = (response: ServerResponse, asked: Asked, request: IncomingMessage) => unknown;

export interface ScriptedEndpoint {
  readonly url: string;
  readonly asked: readonly Asked[];
  /** Called when a request has come, and again for each later one. */
  answer: Answer;
  readonly close: () => Promise<void>;
}

export async function startEndpoint(answer: Answer): Promise<ScriptedEndpoint> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    const text = body.messages.map(({ content }: { content: string }) => content).join("\n");
    const one = { authorization: request.headers.authorization, path: request.url ?? "", body, text };
    asked.push(one);
    await endpoint.answer(response, one, request);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const endpoint: ScriptedEndpoint = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    answer,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return endpoint;
}

export const event = (content: string, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`;

export const begin = (response: ServerResponse) => response.writeHead(200, { "content-type": "text/event-stream" });

/** Streams a text in pieces of a few characters, as a model does, and comes to its end. */
export const says =
  (text: string | ((asked: Asked) => string)): Answer =>
  (response, asked) => {
    begin(response);
    const whole = typeof text === "string" ? text : text(asked);
    for (let at = 0; at < whole.length; at += 7) response.write(event(whole.slice(at, at + 7)));
    response.end(`${event("", "stop")}data: [DONE]\n\n`);
  };

export const refuses =
  (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
