// A model behind an OpenAI-compatible endpoint. It uses the built-in fetch and eventsource-parser, which has no dependencies and
// no vendor. The larger client libraries need Node 22, or bring ten packages for one request.
import { setTimeout as pause } from "node:timers/promises";
import { MODEL_IDLE_MILLISECONDS, MODEL_MILLISECONDS } from "../limits.js";
import { MASK } from "../rules/redact/redact.js";
import { type Model, ModelError, type ModelMessage } from "./ask-model.js";
import { isBusy, readCompletion, refusal, waitOf } from "./completion.js";

/** The longest time for a timer; a longer one fires at once. */
const TIMER_MILLISECONDS = 2_147_483_647;

const MODEL_TRIES = 4;

/** Milliseconds before the second request. The pause doubles each time. */
const MODEL_PAUSE_MILLISECONDS = 1_000;

const MODEL_WAIT_MILLISECONDS = 60_000;

/** How to reach an OpenAI-compatible endpoint. */
export interface EndpointOptions {
  /** The address, up to /chat/completions. */
  readonly baseUrl: string;
  readonly model: string;
  /** Sent as a bearer token to the endpoint only. */
  readonly key?: string;
  /** Milliseconds for the whole answer, and without receiving anything; Infinity for no limit. */
  readonly total?: number;
  readonly idle?: number;
  /** Called if the endpoint is busy, with the milliseconds until the retry. */
  readonly waiting?: (status: number, milliseconds: number) => void;
}

/** Creates a model. Throws a TypeError for invalid options; its message contains neither address nor key. */
export function createEndpoint(options: EndpointOptions): Model {
  const { model, total = MODEL_MILLISECONDS, idle = MODEL_IDLE_MILLISECONDS } = options;
  if (typeof model !== "string" || model.trim() === "") throw new TypeError("no model is named");
  for (const [name, milliseconds] of Object.entries({ total, idle }))
    if (typeof milliseconds !== "number" || !(milliseconds > 0))
      throw new TypeError(`${name} is no number of milliseconds above 0`);
  const url = toAddress(options.baseUrl);
  const shown = `${url.origin}${url.pathname}`;
  const secret = createSecret(options.key);
  const headers = { "content-type": "application/json", accept: "text/event-stream", ...secret.headers };

  async function ask(messages: readonly ModelMessage[], signal: AbortSignal, alive: (on: boolean) => void): Promise<Response> {
    const body = JSON.stringify({ model, messages, stream: true });
    for (let tries = 1; ; tries++) {
      alive(true);
      // A redirect would send the conversation to a server that the user did not name.
      const response = await fetch(url, { method: "POST", headers, body, signal, redirect: "error" });
      if (response.ok) return response;
      const refused = await refusal(response, secret.mask);
      const { status } = response;
      const wait = waitOf(response, Date.now()) ?? MODEL_PAUSE_MILLISECONDS * 2 ** (tries - 1);
      if (!isBusy(status) || tries >= MODEL_TRIES) throw refused;
      const message = `${refused.message}; it wants to be asked again in ${Math.ceil(wait / 1000)} s`;
      if (wait > MODEL_WAIT_MILLISECONDS) throw new ModelError("refused", message, status);
      alive(false);
      options.waiting?.(status, wait);
      await pause(wait, undefined, { signal });
    }
  }

  return {
    name: model,
    async *write(messages, signal) {
      const stop = new AbortController();
      let ended: ModelError | undefined;
      const end = (error: ModelError) => {
        ended ??= error;
        stop.abort();
      };
      const abort = () => end(new ModelError("aborted", "it was given up"));
      const late = (what: string, milliseconds: number) => () =>
        end(new ModelError("timeout", `${what} after ${milliseconds / 1000} s`));
      const whole = timer(late("the answer was not complete", total), total);
      let quiet: ReturnType<typeof setTimeout> | undefined;
      const alive = (on = true) => {
        clearTimeout(quiet);
        quiet = on ? timer(late("no sign of life", idle), idle) : undefined;
      };
      if (signal?.aborted) abort();
      signal?.addEventListener("abort", abort, { once: true });
      try {
        const response = await ask(messages, stop.signal, alive);
        for await (const text of secret.maskAll(readCompletion(response, alive, secret.mask, stop.signal))) {
          if (ended) break;
          yield text;
        }
        if (ended) throw ended;
      } catch (error) {
        throw ended ?? (error instanceof ModelError ? error : unreachable(error, shown));
      } finally {
        clearTimeout(whole);
        clearTimeout(quiet);
        signal?.removeEventListener("abort", abort);
        // Close the connection if the caller stops reading.
        stop.abort();
      }
    },
  };
}

/** No timer above the longest time, which is about 25 days. */
const timer = (ring: () => void, milliseconds: number) =>
  milliseconds > TIMER_MILLISECONDS ? undefined : setTimeout(ring, milliseconds);

function toAddress(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new TypeError("the address is no http or https URL");
  if (url.username !== "" || url.password !== "") throw new TypeError("the address holds a name or a password");
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/chat/completions`;
  return url;
}

/** Reports only the error code: messages of lower layers may contain anything. */
function unreachable(error: unknown, shown: string): ModelError {
  const { cause } = error as { cause?: { code?: unknown; message?: unknown } };
  if (typeof cause?.message === "string" && /redirect/.test(cause.message))
    return new ModelError("unreachable", `${shown} sends us elsewhere, which is not followed`);
  // The runtime has its own limit.
  if (cause?.code === "UND_ERR_HEADERS_TIMEOUT") return new ModelError("timeout", `${shown} gave no sign of life for too long`);
  const code = typeof cause?.code === "string" ? ` (${cause.code})` : "";
  return new ModelError("unreachable", `${shown} cannot be reached, or hung up${code}`);
}

// Keeps the API key: it goes into one header and nowhere else.

/** Shorter keys are placeholders, as used for local servers. */
const LEAST = 8;

function createSecret(given: string | undefined) {
  if (given !== undefined && typeof given !== "string") throw new TypeError("the key is no text");
  const key = given?.trim() ?? "";
  // The error of fetch would contain the whole key.
  if (!/^[\x21-\x7E]*$/.test(key)) throw new TypeError("the key has characters that are not allowed in an HTTP header");
  const mask = (text: string) => (key.length < LEAST ? text : text.replaceAll(key, MASK.repeat(LEAST)));
  /** Masks the key in a text that comes in pieces, even if it is split between two of them. */
  async function* maskAll(pieces: AsyncIterable<string>): AsyncGenerator<string> {
    let held = "";
    for await (const piece of pieces) {
      held = mask(held + piece);
      const sure = Math.max(0, held.length - Math.max(0, key.length - 1));
      yield held.slice(0, sure);
      held = held.slice(sure);
    }
    yield held;
  }
  const headers: Record<string, string> = key === "" ? {} : { authorization: `Bearer ${key}` };
  return { headers, mask, maskAll };
}
