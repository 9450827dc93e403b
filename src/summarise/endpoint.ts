// A model behind an OpenAI-compatible endpoint. The built-in fetch asks, eventsource-parser reads the stream: it has no
// dependencies and belongs to no vendor. The larger client libraries need Node 22, or bring ten packages for one request.
import { setTimeout as pause } from "node:timers/promises";
import {
  MODEL_IDLE_MILLISECONDS,
  MODEL_MILLISECONDS,
  MODEL_PAUSE_MILLISECONDS,
  MODEL_TRIES,
  MODEL_WAIT_MILLISECONDS,
  TIMER_MILLISECONDS,
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
  /** Milliseconds that an answer may take in all, and without a sign of life; Infinity for as long as it likes. */
  readonly total?: number;
  readonly idle?: number;
  /** Told when it is busy, with the milliseconds until it is asked again. */
  readonly waiting?: (status: number, milliseconds: number) => void;
}

/** Throws a TypeError for what cannot be used; neither address nor key stands in its message. */
export function createEndpoint(options: EndpointOptions): Model {
  const { model, total = MODEL_MILLISECONDS, idle = MODEL_IDLE_MILLISECONDS } = options;
  if (typeof model !== "string" || model.trim() === "") throw new TypeError("no model is named");
  forbidNoTime({ total, idle });
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
        // Whoever stops listening hangs up.
        stop.abort();
      }
    },
  };
}

function forbidNoTime(times: Readonly<Record<string, number>>): void {
  for (const [name, milliseconds] of Object.entries(times))
    if (typeof milliseconds !== "number" || !(milliseconds > 0))
      throw new TypeError(`${name} is no number of milliseconds above 0`);
}

/** More than the runtime can count, weeks, is no limit: its timer would ring at once. */
const timer = (ring: () => void, milliseconds: number) =>
  milliseconds > TIMER_MILLISECONDS ? undefined : setTimeout(ring, milliseconds);

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
