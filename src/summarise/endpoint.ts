// A model behind an OpenAI-compatible endpoint. The built-in fetch asks, eventsource-parser reads the stream: it has no
// dependencies and belongs to no vendor. The larger client libraries need Node 22, or bring ten packages for one request.
import { setTimeout as pause } from "node:timers/promises";
import {
  MODEL_IDLE_MILLISECONDS,
  MODEL_MILLISECONDS,
  MODEL_PAUSE_MILLISECONDS,
  MODEL_TRIES,
  MODEL_WAIT_MILLISECONDS,
} from "../limits.js";
import { readCompletion } from "./completion.js";
import { type Model, ModelError, type ModelMessage } from "./model.js";
import { isBusy, refusal, waitOf } from "./refusal.js";
import { createSecret } from "./secret.js";

export interface EndpointOptions {
  /** Where it stands: what comes before /chat/completions. */
  readonly baseUrl: string;
  readonly model: string;
  /** Sent as a bearer token, and never told to anybody else. */
  readonly key?: string;
  /** Milliseconds that an answer may take in all, and without a sign of life. */
  readonly total?: number;
  readonly idle?: number;
  /** Told when it is busy, with the milliseconds until it is asked again. */
  readonly waiting?: (status: number, milliseconds: number) => void;
}

/** Throws a TypeError for an address or a key that cannot be used; neither stands in its message. */
export function createEndpoint(options: EndpointOptions): Model {
  const { model, total = MODEL_MILLISECONDS, idle = MODEL_IDLE_MILLISECONDS } = options;
  const url = toAddress(options.baseUrl);
  const shown = `${url.origin}${url.pathname}`;
  const secret = createSecret(options.key);
  const headers = { "content-type": "application/json", accept: "text/event-stream", ...secret.headers };

  async function ask(messages: readonly ModelMessage[], signal: AbortSignal, alive: (on: boolean) => void): Promise<Response> {
    const body = JSON.stringify({ model, messages, stream: true });
    for (let tries = 1; ; tries++) {
      alive(true);
      // A redirect would take the conversation to somebody whom nobody named.
      const response = await fetch(url, { method: "POST", headers, body, signal, redirect: "error" });
      if (response.ok) return response;
      const refused = await refusal(response, secret.mask);
      const wait = waitOf(response, Date.now()) ?? MODEL_PAUSE_MILLISECONDS * 2 ** (tries - 1);
      if (!isBusy(response.status) || tries >= MODEL_TRIES) throw refused;
      if (wait > MODEL_WAIT_MILLISECONDS)
        throw new ModelError(
          "refused",
          `${refused.message}; it wants to be asked again in ${Math.ceil(wait / 1000)} s`,
          response.status,
        );
      alive(false);
      options.waiting?.(response.status, wait);
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
      const whole = setTimeout(late("the answer was not complete", total), total);
      let quiet: ReturnType<typeof setTimeout> | undefined;
      const alive = (on = true) => {
        clearTimeout(quiet);
        quiet = on ? setTimeout(late("no sign of life", idle), idle) : undefined;
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
        // Whoever stops listening hangs up.
        stop.abort();
      }
    },
  };
}

function toAddress(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new TypeError("the address is no http or https URL");
  if (url.username !== "" || url.password !== "") throw new TypeError("the address holds a name or a password");
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/chat/completions`;
  return url;
}

/** What went wrong below is said by its code: messages of other layers may hold anything. */
function unreachable(error: unknown, shown: string): ModelError {
  const { cause } = error as { cause?: { code?: unknown; message?: unknown } };
  if (typeof cause?.message === "string" && /redirect/.test(cause.message))
    return new ModelError("unreachable", `${shown} sends us elsewhere, which is not followed`);
  // The runtime has a limit of its own, beside ours.
  if (cause?.code === "UND_ERR_HEADERS_TIMEOUT") return new ModelError("timeout", `${shown} gave no sign of life for too long`);
  const code = typeof cause?.code === "string" ? ` (${cause.code})` : "";
  return new ModelError("unreachable", `${shown} cannot be reached, or hung up${code}`);
}
