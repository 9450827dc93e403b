// Standard output, written without Node's stream for it: loading that takes longer than much of what a command does.
import { writeSync } from "node:fs";
import { EXIT } from "./failure.js";
import { printable } from "./terminal.js";

const STANDARD_OUTPUT = 1;

let stream: NodeJS.WriteStream | undefined;

/** Node's stream, for those who need it. A reader that has seen enough closes the pipe: that is no error. */
export function openStream(failed: number = EXIT.couldNotRun): NodeJS.WriteStream {
  stream ??= process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(EXIT.fine);
    // Whoever wrote is not waiting for it any more.
    warn(`compaction: standard output cannot be written (${error.code ?? error.message})\n`);
    process.exit(failed);
  });
  return stream;
}

/** Text for people on standard output; what is data is written as it is. */
export function say(text: string): void {
  openStream().write(printable(text));
}

let errors: NodeJS.WriteStream | undefined;

/** Text for people on standard error: whether it can be written or not, the command goes on. False where it is not read yet. */
export function warn(text: string): boolean {
  // Even naming the stream loads it.
  if (text === "") return true;
  errors ??= process.stderr.on("error", () => undefined);
  return errors.write(printable(text));
}

/** The same, waiting until it is read, or cannot be. */
export async function warnInTurn(text: string): Promise<void> {
  if (warn(text)) return;
  await new Promise<void>((resolve) => {
    for (const event of ["drain", "error"]) errors?.once(event, () => resolve());
  });
}

/** Waits where the reader is slower than we are: what it has not read would be held in memory. */
export async function print(text: string): Promise<void> {
  const left = stream ? Buffer.from(text) : writeNow(Buffer.from(text));
  if (left.length > 0 && !openStream().write(left)) await new Promise<void>((resolve) => stream?.once("drain", resolve));
}

/** What could not be written: of a pipe that does not wait, only the stream can wait. */
function writeNow(bytes: Uint8Array): Uint8Array {
  let done = 0;
  try {
    while (done < bytes.length) done += writeSync(STANDARD_OUTPUT, bytes, done);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EPIPE") process.exit(EXIT.fine);
    // Whatever else is wrong, the stream says it.
  }
  return bytes.subarray(done);
}
