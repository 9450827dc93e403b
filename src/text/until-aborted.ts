// Waits for something, but not longer than the user does.

/** The result of the promise, or undefined as soon as somebody aborts. */
export async function untilAborted<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T | undefined> {
  let stop = () => {};
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
  });
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}
