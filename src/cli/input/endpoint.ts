// Connects a command to its model: the address comes from the arguments, the key from the environment. Explains its errors.

import type { ModelError, ModelFault } from "../../compact/ask-model.js";
import type { CompactOptions } from "../../hosts/compact-session.js";
import { REFRESH_MILLISECONDS } from "../../limits.js";
import { CommandError, type Progress, warn } from "../output/terminal.js";
import { OTHER_FOLDER } from "./arguments.js";

export interface Endpoint {
  readonly model: string;
  readonly baseUrl: string;
  /** In seconds. */
  readonly timeout: number | undefined;
}

const KEY = "COMPACTION_API_KEY";

type Connection = Pick<CompactOptions, "model" | "signal" | "heard">;

/** Works with a model: shows progress, and aborts the model on Ctrl-C. A second Ctrl-C ends the program as usual. */
export async function withModel<T>(
  given: Endpoint,
  progress: Progress,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const abort = () => stop.abort();
  const begun = Date.now();
  let state = "no answer yet";
  const model = await modelFrom(given, (status, milliseconds) => {
    state = `busy (${status}), asked again in ${Math.ceil(milliseconds / 1000)} s`;
  });
  const show = () => progress.step(`${given.model}: ${Math.round((Date.now() - begun) / 1000)} s, ${state}`);
  const timer = setInterval(show, REFRESH_MILLISECONDS);
  process.once("SIGINT", abort);
  process.once("SIGTERM", abort);
  const heard = (characters: number) => {
    state = `${characters} characters`;
  };
  try {
    return await work({ model, signal: stop.signal, heard });
  } finally {
    clearInterval(timer);
    process.off("SIGINT", abort);
    process.off("SIGTERM", abort);
  }
}

async function modelFrom({ model, baseUrl, timeout }: Endpoint, waiting: (status: number, milliseconds: number) => void) {
  // Only here: no other command needs the network.
  const { createEndpoint } = await import("../../compact/endpoint.js");
  const total = timeout === undefined ? undefined : timeout * 1000;
  const key = process.env[KEY];
  try {
    // A slow model often reads for a long time before its first word.
    const endpoint = createEndpoint({ baseUrl, model, waiting, key, total, idle: total });
    if (key && isOpen(new URL(baseUrl))) warn("note: the key goes unencrypted to another machine (http)\n");
    return endpoint;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CommandError(error.message, `look at --base-url and ${KEY}`);
  }
}

const isOpen = ({ protocol, hostname }: URL) =>
  protocol === "http:" && !/^(?:localhost|127\.[\d.]+|\[::1\]|.*\.localhost)$/.test(hostname);

/** Identified by its name: the class is in a module that is imported only for a model. */
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

export const notStored = (why: string) => new CommandError(`what the next round needs cannot be stored: ${why}`, OTHER_FOLDER);

export function asCommandError(error: unknown): unknown {
  if (error instanceof Error && error.name === "NotStoredError") return notStored(error.message);
  if (!isModelError(error)) return error;
  const { code, message, status } = error;
  const hint =
    status === 401 || status === 403
      ? `the key is read from ${KEY}`
      : status === 400 || status === 413
        ? `if it is too much for the model, let budget: { summary-request: N } in .compactionrc say how many tokens fit`
        : HINTS[code];
  return new CommandError(`the model wrote no summary: ${message}; the stored state of this session is unchanged`, hint, code);
}
