// A lock between processes: a file with a random word of its holder. A process that sees the same word for too long takes
// over, so a dead or sleeping holder blocks nobody. A holder checks its word before it writes.
import { randomUUID } from "node:crypto";
import { closeSync, linkSync, openSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { orUndefined } from "../files/folders.js";
import { readRegular } from "../files/regular-file.js";

/** After this time the same holder counts as dead. A change takes a hundredth of it. */
const LOCK_MILLISECONDS = 1_000;
/** How long a process waits for a lock in total: less than a hook's deadline. */
const LOCK_WAIT_MILLISECONDS = 2_500;
/** How long a process blocks: longer, and the user of a host would notice. */
const LOCK_BLOCK_MILLISECONDS = 50;
/** Average pause between two tries. */
const LOCK_PAUSE_MILLISECONDS = 4;

/** Another process holds the lock. Nothing is changed. */
export class LockedError extends Error {
  override readonly name = "LockedError";
}

/** Runs the work, and retries while another process holds the lock. The event loop is free between two tries. The first try
 * happens before this returns. */
export async function whenFree<T>(work: () => T, milliseconds = LOCK_WAIT_MILLISECONDS): Promise<T> {
  const until = performance.now() + milliseconds;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof LockedError) || performance.now() > until) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, LOCK_BLOCK_MILLISECONDS * Math.random()));
  }
}

/** Takes a lock. Blocks only for a moment: a holder is usually done by then.
 * @param patience milliseconds after which the same holder counts as dead, although its process exists */
export function takeLock(file: string, patience = LOCK_MILLISECONDS) {
  const word = `${process.pid} ${randomUUID()}`;
  const began = performance.now();
  let seen: string | undefined;
  let since = began;
  while (!create(file, word)) {
    const now = performance.now();
    const other = read(file);
    if (other !== seen) {
      // Use the age of the file at first, so that nobody waits for a holder that died long ago.
      since = seen === undefined ? now - ageOf(file) : now;
      seen = other;
    } else if (now - since > (isAlive(seen) ? patience : LOCK_MILLISECONDS)) takeAway(file, seen, word);
    if (now - began > LOCK_BLOCK_MILLISECONDS) throw new LockedError(`${file} is held by other processes`);
    pause();
  }
  /** False if another process took the lock over. */
  const holds = () => read(file) === word;
  const release = () => {
    if (holds()) rmSync(file, { force: true });
  };
  return { holds, release };
}

/** Does the process of a holder exist? If that is not known, it may. */
function isAlive(word: string): boolean {
  try {
    return process.kill(Number.parseInt(word, 10), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

function create(file: string, word: string): boolean {
  let handle: number;
  try {
    handle = openSync(file, "wx", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
  try {
    writeFileSync(handle, word);
    return true;
  } catch (error) {
    // If the disk is full, remove the file: the next process would wait for a holder that does not exist.
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
}

/** More bytes than any word has. */
const WORD_BYTES = 100;

const read = (file: string): string => orUndefined(() => readRegular(file, WORD_BYTES).toString("utf8")) ?? "";

/** Milliseconds. A file of the future is old: the clock was set back since. */
const ageOf = (file: string): number => Math.abs(Date.now() - (orUndefined(() => statSync(file).mtimeMs) ?? Date.now()));

/** Two processes may find the same dead lock. The second one then moves the first one's new lock, notices it, and restores it. */
function takeAway(file: string, dead: string, word: string): void {
  const aside = `${file}.${word}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (!FASTER.includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    return;
  }
  try {
    if (read(aside) !== dead) linkSync(aside, file);
  } catch {
    // A new lock exists by now, or links do not work: the holder sees that its word is gone and starts again.
  }
  rmSync(aside, { force: true, recursive: true });
}

/** Another process was faster, or is busy with the file. Any other error, such as a read-only disk, is permanent. */
const FASTER = ["ENOENT", ...(process.platform === "win32" ? ["EPERM", "EACCES", "EBUSY"] : [])];

const sleeper = new Int32Array(new SharedArrayBuffer(4));
const pause = () => Atomics.wait(sleeper, 0, 0, LOCK_PAUSE_MILLISECONDS * (0.5 + Math.random()));
