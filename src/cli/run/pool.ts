// A pool of worker threads that process units in parallel.
import { Worker } from "node:worker_threads";

/** @param lost the outcome of a unit that crashed its worker, for example because it needs too much memory */
export function createPool<Unit, Outcome>(
  file: URL,
  data: unknown,
  size: number,
  lost: (unit: Unit, error: Error | undefined) => Outcome,
) {
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  const waiting: (() => void)[] = [];

  async function take(): Promise<Worker> {
    while (idle.length === 0 && all.size >= size) await new Promise<void>((resolve) => waiting.push(resolve));
    const worker = idle.pop() ?? new Worker(file, { workerData: data });
    all.add(worker);
    return worker;
  }

  return {
    async submit(unit: Unit): Promise<Outcome> {
      const worker = await take();
      const outcome = await new Promise<Outcome>((resolve) => {
        let failure: Error | undefined;
        worker.once("message", resolve);
        worker.once("error", (error) => {
          failure = error;
        });
        worker.once("exit", () => {
          all.delete(worker);
          resolve(lost(unit, failure));
        });
        worker.postMessage(unit);
      });
      worker.removeAllListeners();
      if (all.has(worker)) idle.push(worker);
      waiting.shift()?.();
      return outcome;
    },
    async close(): Promise<void> {
      await Promise.all([...all].map((worker) => worker.terminate()));
    },
  };
}

/** Yields outcomes in the order of the units, with at most `most` in progress. */
export async function* inOrder<Unit, Outcome>(
  units: AsyncIterable<Unit>,
  most: number,
  submit: (unit: Unit) => Promise<Outcome>,
): AsyncIterable<Outcome> {
  const pending: Promise<Outcome>[] = [];
  const source = units[Symbol.asyncIterator]();
  let next: Promise<IteratorResult<Unit>> | undefined = source.next();
  while (next || pending.length > 0) {
    const [oldest] = pending;
    const wanted: Promise<IteratorResult<Unit>> | undefined = pending.length < most ? next : undefined;
    // Yield a finished outcome even while the next unit is slow to arrive.
    const first = [...(wanted ? [wanted.then(() => "unit")] : []), ...(oldest ? [oldest.then(() => "outcome")] : [])];
    if (wanted === undefined || (await Promise.race(first)) === "outcome") {
      pending.shift();
      yield await (oldest as Promise<Outcome>);
      continue;
    }
    const result: IteratorResult<Unit> = await wanted;
    next = result.done ? undefined : source.next();
    if (!result.done) pending.push(submit(result.value));
  }
}
