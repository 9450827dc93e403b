// A pool of worker threads that process units in parallel.
import { Worker } from "node:worker_threads";

/** How a unit ends that crashed its worker, for example because it needs too much memory. */
type Lost<Unit, Outcome> = (unit: Unit, error: Error | undefined) => Outcome;

/** @param file of the command, which works for a pool if its first argument says so */
export function createPool<Unit, Outcome>(file: URL, data: unknown, size: number, lost: Lost<Unit, Outcome>) {
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  const waiting: ((worker: Worker) => void)[] = [];

  function free(worker: Worker): void {
    const next = waiting.shift();
    if (next) next(worker);
    else idle.push(worker);
  }

  function start(): Worker {
    const worker = new Worker(file, { argv: ["run-worker"], workerData: data });
    all.add(worker);
    return worker;
  }

  return {
    async submit(unit: Unit): Promise<Outcome> {
      const ready = idle.pop() ?? (all.size < size ? start() : undefined);
      const worker = ready ?? (await new Promise<Worker>((resolve) => waiting.push(resolve)));
      return new Promise((resolve) => {
        let failure: Error | undefined;
        const onMessage = (outcome: Outcome) => {
          worker.off("error", onError);
          worker.off("exit", onExit);
          resolve(outcome);
          free(worker);
        };
        const onError = (error: Error) => {
          failure = error;
        };
        const onExit = () => {
          worker.off("message", onMessage);
          all.delete(worker);
          resolve(lost(unit, failure));
          if (waiting.length > 0) free(start());
        };
        worker.once("message", onMessage);
        worker.once("error", onError);
        worker.once("exit", onExit);
        worker.postMessage(unit);
      });
    },
    async close() {
      await Promise.all([...all].map((worker) => worker.terminate()));
    },
  };
}

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
