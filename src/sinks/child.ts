// A child process with bounds: time, memory, and an end that reaches its own children.
import { type ChildProcess, spawn } from "node:child_process";
import { CHILD_GRACE_MILLISECONDS } from "../limits.js";
import type { FoundProgram } from "./program.js";
import { reasonOf } from "./sink.js";

export interface ChildBounds {
  readonly milliseconds: number;
  /** Of each pipe, this many bytes are kept; the rest is read and dropped, so that the child never waits for a reader. */
  readonly bytes: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export type ChildEnd =
  | { readonly end: "exit"; readonly stdout: string; readonly stderr: string; readonly cut: boolean }
  | { readonly end: "timeout" }
  | { readonly end: "not-started"; readonly reason: string };

/** Never rejects. */
export function runChild({ file, name }: FoundProgram, args: readonly string[], bounds: ChildBounds): Promise<ChildEnd> {
  return new Promise((resolve) => {
    let child: ChildProcess;
    try {
      child = spawn(file, args, {
        argv0: name,
        env: bounds.environment,
        stdio: ["ignore", "pipe", "pipe"],
        // A process group of its own, which can be ended as a whole.
        detached: process.platform !== "win32",
        windowsHide: true,
      });
    } catch (error) {
      return resolve({ end: "not-started", reason: reasonOf(error) });
    }
    const stdout = collect(child, "stdout", bounds.bytes);
    const stderr = collect(child, "stderr", bounds.bytes);
    // Where the host ends first, nobody would be left to end the child.
    const orphan = () => signal(child, "SIGKILL");
    process.once("exit", orphan);
    let grace: NodeJS.Timeout | undefined;
    let over = false;

    const settle = (end: ChildEnd) => {
      if (over) return;
      over = true;
      clearTimeout(deadline);
      clearTimeout(grace);
      process.removeListener("exit", orphan);
      // A child of the child may hold the pipes open for ever.
      child.stdout?.destroy();
      child.stderr?.destroy();
      child.unref();
      resolve(end);
    };
    const ended = () => settle({ end: "exit", stdout: stdout.text(), stderr: stderr.text(), cut: stdout.cut() || stderr.cut() });
    const deadline = setTimeout(() => {
      signal(child, "SIGTERM");
      clearTimeout(grace);
      child.removeAllListeners("exit").removeAllListeners("close");
      grace = setTimeout(() => {
        signal(child, "SIGKILL");
        settle({ end: "timeout" });
      }, CHILD_GRACE_MILLISECONDS);
    }, bounds.milliseconds);

    child.on("error", (error) => settle({ end: "not-started", reason: reasonOf(error) }));
    child.once("close", ended);
    child.once("exit", () => {
      grace = setTimeout(ended, CHILD_GRACE_MILLISECONDS);
    });
  });
}

function collect(child: ChildProcess, pipe: "stdout" | "stderr", bytes: number) {
  const chunks: Buffer[] = [];
  let kept = 0;
  let seen = 0;
  child[pipe]?.on("error", () => {});
  child[pipe]?.on("data", (chunk: Buffer) => {
    seen += chunk.length;
    // Copied: a slice would hold the whole chunk in memory.
    if (kept < bytes) chunks.push(Buffer.from(chunk.subarray(0, bytes - kept)));
    kept = Math.min(bytes, seen);
  });
  return { text: () => Buffer.concat(chunks).toString("utf8"), cut: () => seen > kept };
}

/** To the whole group; a group that is gone already is what was wanted. */
function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(name);
    else process.kill(-child.pid, name);
  } catch {}
}
