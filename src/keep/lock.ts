// One process at a time. The lock is a file with a word of its holder's own: who finds the same word for too long takes
// it over, so that a holder that died or sleeps stops nobody, and a holder looks for its word before it writes.
import { randomUUID } from "node:crypto";
import { closeSync, linkSync, openSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { LOCK_MILLISECONDS, LOCK_PAUSE_MILLISECONDS, LOCK_WAIT_MILLISECONDS } from "../limits.js";
import { readRegular } from "../regular-file.js";

export interface Lock {
  /** Whether nobody has taken it over. */
  readonly holds: () => boolean;
  readonly release: () => void;
}

export function takeLock(file: string): Lock {
  const word = randomUUID();
  const began = Date.now();
  let seen = "";
  let since = began;
  while (!create(file, word)) {
    const now = Date.now();
    const other = read(file);
    if (other !== seen) {
      // Its age counts, so that nobody waits for a holder that died long ago.
      since = seen === "" ? Math.min(now, modified(file)) : now;
      seen = other;
    } else if (now - since > LOCK_MILLISECONDS) takeAway(file, seen, word);
    if (now - began > LOCK_WAIT_MILLISECONDS) throw new Error(`${file} is held by other processes`);
    pause();
  }
  const holds = () => read(file) === word;
  return {
    holds,
    release: () => {
      if (holds()) rmSync(file, { force: true });
    },
  };
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
    // Where the disk is full, the next one would wait for a holder that never was.
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
}

/** More than any word has. */
const WORD_BYTES = 100;

function read(file: string): string {
  try {
    return readRegular(file, WORD_BYTES).toString("utf8");
  } catch {
    return "";
  }
}

function modified(file: string): number {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Two may find the lock dead at once: the second would take the first one's away, sees it, and puts it back. */
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
    // There is another one by now, or no links here: its holder finds its word gone, and begins anew.
  }
  rmSync(aside, { force: true, recursive: true });
}

/** Somebody else was faster, or is at it just now; anything else, such as a disk that is not written to, does not pass. */
const FASTER = ["ENOENT", ...(process.platform === "win32" ? ["EPERM", "EACCES", "EBUSY"] : [])];

const sleeper = new Int32Array(new SharedArrayBuffer(4));
const pause = () => Atomics.wait(sleeper, 0, 0, LOCK_PAUSE_MILLISECONDS * (0.5 + Math.random()));
