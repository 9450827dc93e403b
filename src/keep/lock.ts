// One process at a time. The lock is a file with a word of its holder's own: who finds the same word for too long takes
// it over, so that a holder that died or sleeps stops nobody, and a holder looks for its word before it writes.
import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { LOCK_MILLISECONDS, LOCK_PAUSE_MILLISECONDS, LOCK_WAIT_MILLISECONDS } from "../limits.js";

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
      seen = other;
      since = now;
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
  try {
    writeFileSync(file, word, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** Two may find the lock dead at once: the second would take the first one's away, sees it, and puts it back. */
function takeAway(file: string, dead: string, word: string): void {
  const aside = `${file}.${word}`;
  try {
    renameSync(file, aside);
    if (read(aside) !== dead) linkSync(aside, file);
  } catch {
    // Somebody else was faster.
  }
  rmSync(aside, { force: true });
}

const sleeper = new Int32Array(new SharedArrayBuffer(4));
const pause = () => Atomics.wait(sleeper, 0, 0, LOCK_PAUSE_MILLISECONDS * (0.5 + Math.random()));
