// A pool of worker threads that process units in parallel.
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

/** How a unit ends that crashed its worker, for example because it needs too much memory. */
type Lost<Unit, Outcome> = (unit: Unit, error: Error | undefined) => Outcome;

export interface PoolWork<Unit, Outcome> {
  /** The first argument of a worker: it names the file that works there. */
  readonly worker: `${string}-worker`;
  readonly data: unknown;
  /** Workers that are used from the start. Without it, a little is done in this process. */
  readonly jobs?: number | undefined;
  /** Works in this process. */
  readonly work: (unit: Unit) => Outcome;
  /** Bytes that are read for a unit; undefined if it can only be done in this process. */
  readonly bytesOf: (unit: Unit) => number | undefined;
  readonly lost: Lost<Unit, Outcome>;
}

/** Bytes of sessions to read before workers are started: starting one costs as much as reading a megabyte. */
const ALONE_BYTES = 2_000_000;
/** Sessions in progress per worker: one that is read, one that waits. */
const SESSIONS_AHEAD = 2;

/** Does a little work in this process, and starts workers for more. Yields outcomes in the order of the units. */
export async function* inParallel<Unit, Outcome>(units: AsyncIterable<Unit>, work: PoolWork<Unit, Outcome>) {
  const size = work.jobs ?? availableParallelism();
  let alone = size === 1 ? Number.POSITIVE_INFINITY : work.jobs === undefined ? ALONE_BYTES : 0;
  const pool = createPool(work, size);
  try {
    yield* inOrder(units, size * SESSIONS_AHEAD, async (unit) => {
      const bytes = work.bytesOf(unit);
      const here = alone > 0 || bytes === undefined;
      alone -= bytes ?? 0;
      return here ? work.work(unit) : pool.submit(unit);
    });
  } finally {
    await pool.close();
  }
}

function createPool<Unit, Outcome>({ worker: name, data, lost }: PoolWork<Unit, Outcome>, size: number) {
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  const waiting: ((worker: Worker) => void)[] = [];

  function free(worker: Worker): void {
    const next = waiting.shift();
    if (next) next(worker);
    else idle.push(worker);
  }

  function start(): Worker {
    // The file of the command, beside that of its program.
    const worker = new Worker(new URL("./main.js", import.meta.url), { argv: [name], workerData: data });
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

/** Yields outcomes in the order of the units, with at most `most` in progress. */
async function* inOrder<Unit, Outcome>(
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
