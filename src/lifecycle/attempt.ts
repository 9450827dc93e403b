// One try at a summary: what comes back is a summary with something in it, or a reason as data.
import type { Host, Summary, SummaryRequest } from "./host.js";

export interface Failed {
  readonly error: {
    readonly name: "SummaryAborted" | "SummaryEmpty" | "SummaryFailed";
    readonly data: { readonly message: string };
  };
}

export async function attempt(host: Host, request: SummaryRequest): Promise<Summary | Failed> {
  const { abort } = request;
  if (abort?.aborted) return failed("SummaryAborted");
  try {
    const summary = await untilAborted(host.summarise(request), abort);
    if (abort?.aborted) return failed("SummaryAborted");
    if (typeof summary?.text !== "string") return failed("SummaryFailed", "summarise answered without a text");
    // An empty summary taken for a good one is the loss of the whole session.
    return summary.text.trim() === "" ? failed("SummaryEmpty") : summary;
  } catch (error) {
    return failed(abort?.aborted ? "SummaryAborted" : "SummaryFailed", error instanceof Error ? error.message : String(error));
  }
}

/** A model that never answers must not hold the session when the user gives up; undefined then. */
async function untilAborted<T>(promise: Promise<T>, abort?: AbortSignal): Promise<T | undefined> {
  if (!abort) return promise;
  let stop = () => {};
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
  });
  abort.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    abort.removeEventListener("abort", stop);
  }
}

const MESSAGES = { SummaryAborted: "it was given up", SummaryEmpty: "the summary is empty", SummaryFailed: "" } as const;

const failed = (name: Failed["error"]["name"], message: string = MESSAGES[name]): Failed => ({
  error: { name, data: { message } },
});
