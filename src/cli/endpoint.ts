// The model of a command: its address from the arguments, its key from the environment, and what its faults mean to a user.
import type { CompactOptions } from "../hosts/compact.js";
import { REFRESH_MILLISECONDS } from "../limits.js";
import type { ModelError, ModelFault } from "../summarise/model.js";
import { Failure } from "./failure.js";
import { warn } from "./print.js";
import { OTHER_FOLDER } from "./state-folder.js";
import type { Progress } from "./terminal.js";

export interface Endpoint {
  readonly model: string;
  readonly baseUrl: string;
  /** Seconds. */
  readonly timeout: number | undefined;
}

const KEY = "COMPACTION_API_KEY";

type Connection = Pick<CompactOptions, "model" | "signal" | "heard">;
type Listen = (
  model: string,
) => Required<Pick<Connection, "signal" | "heard">> & { readonly waiting: (status: number, ms: number) => void };

/** The client is loaded here and nowhere else: no other command needs a network. */
export async function connect({ model, baseUrl, timeout }: Endpoint, listen: Listen): Promise<Connection> {
  const { createEndpoint } = await import("../summarise/endpoint.js");
  const { signal, heard, waiting } = listen(model);
  const total = timeout === undefined ? undefined : timeout * 1000;
  const key = process.env[KEY];
  try {
    const endpoint = createEndpoint({
      baseUrl,
      model,
      waiting,
      ...(key !== undefined && { key }),
      // Who gives it more time has a model that reads for long before its first word.
      ...(total !== undefined && { total, idle: total }),
    });
    if (key && isOpen(new URL(baseUrl))) warn("note: the key goes unencrypted to another machine (http)\n");
    return { model: endpoint, signal, heard };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Failure(error.message, `look at --base-url and ${KEY}`);
  }
}

const isOpen = ({ protocol, hostname }: URL) =>
  protocol === "http:" && !/^(?:localhost|127\.[\d.]+|\[::1\]|.*\.localhost)$/.test(hostname);

/** Shows how far the model is, and ends it on Ctrl-C; a second one ends the program as ever. */
export async function listening<T>(progress: Progress, work: (listen: Listen) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const abort = () => stop.abort();
  const begun = Date.now();
  let state = "";
  let name = "";
  const show = () => progress.step(`${name}: ${Math.round((Date.now() - begun) / 1000)} s, ${state || "no answer yet"}`);
  const timer = setInterval(show, REFRESH_MILLISECONDS);
  const listen: Listen = (model) => {
    name = model;
    process.once("SIGINT", abort);
    process.once("SIGTERM", abort);
    return {
      signal: stop.signal,
      heard: (characters) => {
        state = `${characters} characters`;
      },
      waiting: (status, milliseconds) => {
        state = `busy (${status}), asked again in ${Math.ceil(milliseconds / 1000)} s`;
      },
    };
  };
  try {
    return await work(listen);
  } finally {
    clearInterval(timer);
    process.off("SIGINT", abort);
    process.off("SIGTERM", abort);
  }
}

/** Told by its code: the class is in a file that is loaded only for a model. */
const isModelError = (error: unknown): error is ModelError => error instanceof Error && error.name === "ModelError";

export const isAborted = (error: unknown) => isModelError(error) && error.code === "aborted";

const HINTS: Readonly<Record<ModelFault, string>> = {
  aborted: "",
  timeout: "--timeout gives it more time; budget: { summary-request: N } in .compactionrc gives it less to read",
  unreachable: "is it running, and is --base-url right?",
  refused: "what it says is above; --base-url and --model name what is asked",
  empty: "ask again, or another model",
  cut: "ask again, or a model with a longer answer",
  garbled: "is --base-url right? For most servers it ends in /v1",
};

export const notStored = (why: string) => new Failure(`what the next round needs cannot be kept: ${why}`, OTHER_FOLDER);

export function failureOf(error: unknown): unknown {
  if (error instanceof Error && error.name === "NotStoredError") return notStored(error.message);
  if (!isModelError(error)) return error;
  const { code, message, status } = error;
  const hint =
    status === 401 || status === 403
      ? `the key is read from ${KEY}`
      : status === 400 || status === 413
        ? `if it is too much for the model, let budget: { summary-request: N } in .compactionrc say how many tokens fit`
        : HINTS[code];
  return new Failure(`the model wrote no summary: ${message}; what was kept of this session is as it was`, hint, code);
}
