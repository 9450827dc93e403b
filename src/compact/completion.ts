// Reads the text from an OpenAI-compatible endpoint's answer, streamed or not. An answer that was cut off is an error.
import { createParser } from "eventsource-parser";
import { ANSWER_BYTES, QUOTED_CODE_POINTS, REFUSAL_BYTES } from "../limits.js";
import { asFields, isFields, type JsonFields, parseJson, textBlocks } from "../text/json.js";
import { ModelError } from "./ask-model.js";

type Mask = (text: string) => string;

const DONE = "[DONE]";

type TextStream = AsyncGenerator<string>;

export async function* readCompletion(response: Response, alive: () => void, mask: Mask, signal: AbortSignal): TextStream {
  const type = response.headers.get("content-type") ?? "";
  const finish = createFinish(mask);
  // Some endpoints never stream, even if asked to.
  if (/\bjson\b/.test(type)) {
    let whole = "";
    for await (const text of texts(response, alive, signal)) whole += text;
    yield finish.read(whole, true);
  } else yield* readEvents(response, alive, finish, signal);
  finish.check();
}

async function* readEvents(response: Response, alive: () => void, finish: Finish, signal: AbortSignal): TextStream {
  const events: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => events.push(data) });
  for await (const text of texts(response, alive, signal)) {
    parser.feed(text);
    for (const data of events.splice(0)) yield finish.read(data, false);
    // Some endpoints leave the connection open.
    if (finish.done()) return;
  }
  // The rest lacks the empty line that ends an event: a last event from some endpoints, a cut answer from others.
  parser.feed("\n\n");
  for (const data of events) yield finish.read(data, true);
}

async function* texts({ body }: Response, alive: () => void, signal: AbortSignal): TextStream {
  const decoder = new TextDecoder();
  let size = 0;
  const reader = body?.getReader();
  // Once the answer has begun, Node may ignore the abort signal and wait for ever.
  signal.addEventListener("abort", () => void reader?.cancel().catch(() => undefined), { once: true });
  if (signal.aborted) await reader?.cancel();
  for (;;) {
    // The connection may be lost in the middle of an answer.
    const next = await reader?.read().catch(() => Promise.reject(brokenOff()));
    const value = next?.value;
    if (!value) break;
    alive();
    size += value.length;
    if (size > ANSWER_BYTES) throw new ModelError("garbled", `the answer does not end: more than ${ANSWER_BYTES} bytes`);
    yield decoder.decode(value, { stream: true });
  }
  yield decoder.decode();
}

interface AnswerChoice {
  readonly delta?: { readonly content?: unknown };
  readonly message?: { readonly content?: unknown };
  readonly finish_reason?: unknown;
}

/** The finish reasons for a complete answer. With any other reason, the end of the answer may be missing. */
const WHOLE = /^(?:stop|stop_sequence|end_turn|eos|eos_token|completed?)$/i;

/** Some models answer in blocks. Only text blocks count. */
const textIn = (content: unknown, between: string): string => textBlocks(content).join(between);

type Finish = ReturnType<typeof createFinish>;

function createFinish(mask: Mask) {
  let reason: string | undefined;
  let done = false;
  let seen = false;
  return {
    read(data: string, last: boolean): string {
      if (data.trim() === DONE) {
        done = true;
        return "";
      }
      const value = parse(data, last);
      const { error, choices } = value;
      if (error) throw new ModelError("refused", `the endpoint breaks off: ${quoteAnswer(errorIn({ error }) ?? "", mask)}`);
      if (!Array.isArray(choices)) return "";
      seen = true;
      const [choice] = choices as readonly (AnswerChoice | undefined)[];
      // Some endpoints send an empty reason in every event.
      if (typeof choice?.finish_reason === "string" && choice.finish_reason !== "") reason = choice.finish_reason;
      // An unstreamed answer that can be parsed is complete.
      if (last && choice?.message) done = true;
      return textIn(choice?.delta?.content, "") || textIn(choice?.message?.content, "\n");
    },
    /** Did the endpoint say that nothing more comes? */
    done: () => done,
    check() {
      if (!seen) throw noCompletion();
      if (reason === undefined && !done) throw brokenOff();
      if (reason === undefined || WHOLE.test(reason)) return;
      if (/length|max_tokens/i.test(reason)) throw new ModelError("cut", "the answer was cut off at the model's limit");
      if (/filter|safety/i.test(reason)) throw new ModelError("cut", "the answer was cut off by a filter of the endpoint's");
      throw new ModelError("cut", `the answer did not come to its end: the endpoint says "${quoteAnswer(reason, mask)}"`);
    },
  };
}

function parse(data: string, last: boolean): JsonFields {
  const value = parseJson(data);
  if (isFields(value)) return value;
  throw value === undefined && last ? brokenOff() : noCompletion();
}

const brokenOff = () => new ModelError("cut", "the answer broke off before its end");
const noCompletion = () => new ModelError("garbled", "the endpoint answers something that is no completion");

// Reads error responses: the status, the message in a body of any form, and when to retry.

/** Worth a retry: too many requests, or a server error. */
export const isBusy = (status: number) => status === 429 || status >= 500;

/** Milliseconds until the retry that the endpoint asks for, given in seconds or as a date. */
export function waitOf({ headers }: Response, now: number): number | undefined {
  const given = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+(?:\.\d+)?$/.test(given)) return Number(given) * 1000;
  const date = Date.parse(given);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

export async function refusal(response: Response, mask: Mask): Promise<ModelError> {
  const body = await firstBytes(response);
  const said = quoteAnswer(errorIn(parseJson(body)) ?? body, mask);
  return new ModelError("refused", `the endpoint answers ${response.status}${said && `: ${said}`}`, response.status);
}

async function firstBytes({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= REFUSAL_BYTES) break;
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, REFUSAL_BYTES));
}

/** The error message. Most endpoints send {error: {message}}; any other body is quoted unchanged. */
function errorIn(value: unknown): string | undefined {
  const { error, message, detail } = asFields(value);
  if (typeof error === "object" && error !== null) return errorIn(error) ?? JSON.stringify(error);
  return [error, message, detail].find((one): one is string => typeof one === "string" && one !== "");
}

/** Another program's output on one line, without control characters and without the key. */
function quoteAnswer(text: string, mask: Mask): string {
  const line = mask(text).replace(/[\s\p{Cc}]+/gu, " ");
  const points = [...line.trim()];
  return points.length > QUOTED_CODE_POINTS ? `${points.slice(0, QUOTED_CODE_POINTS).join("")}…` : points.join("");
}
