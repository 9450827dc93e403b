// Finds and runs the memory program: as configured, or in MAENIFOLD_ROOT, or on the PATH. No shell is involved.

import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { homeFolder } from "../files/folders.js";
import { CHILD_GRACE_MILLISECONDS } from "../limits.js";
import { reasonOf } from "./sink.js";

const PROGRAM = process.platform === "win32" ? "maenifold.exe" : "maenifold";

export interface FoundProgram {
  /** The path with links resolved, so that the checked file is the one that runs. */
  readonly file: string;
  /** The path as found: a program with several names behaves according to it. */
  readonly name: string;
}

/** @returns the program, or why it was not found */
export function locateProgram(
  command: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): FoundProgram | string {
  // A configured program is never replaced by another one.
  if (command !== undefined) return examine(command);
  for (const candidate of candidates(environment)) {
    const found = examine(candidate);
    if (typeof found !== "string") return found;
  }
  return `${PROGRAM} is neither in MAENIFOLD_ROOT nor on the PATH`;
}

/** Absolute paths only: a relative one would depend on the host's current folder. */
function candidates({ MAENIFOLD_ROOT = "", PATH = "" }: Readonly<Record<string, string | undefined>>): readonly string[] {
  const root = MAENIFOLD_ROOT.replace(/^~(?=[/\\]|$)/, homeFolder() ?? "~");
  // The specification uses the variable for the program, the documentation for its data folder.
  const named = [root, join(root, "bin", PROGRAM), join(root, PROGRAM)];
  // An agent that npm started has the project's programs on its PATH.
  const folders = PATH.split(delimiter).filter((folder) => !folder.split(/[/\\]/).includes("node_modules"));
  return [...(root === "" ? [] : named), ...folders.map((folder) => join(folder, PROGRAM))].filter(isAbsolute);
}

function examine(name: string): FoundProgram | string {
  try {
    const file = realpathSync(name);
    if (!statSync(file).isFile()) return `${name} is not a file`;
    accessSync(file, constants.X_OK);
    return { file, name };
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === "ENOENT") return `${name} is not there`;
    return reason === "EACCES" ? `${name} may not be executed` : `${name} cannot be looked at (${reason})`;
  }
}

// Runs a child process with limits on time and memory, and ends its own children too.

export interface ChildBounds {
  readonly milliseconds: number;
  /** Bytes kept of each pipe. The rest is read and discarded, so that the child never blocks on a full pipe. */
  readonly bytes: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export type ChildEnd =
  | { readonly end: "exit"; readonly stdout: string; readonly stderr: string; readonly cut: boolean }
  | { readonly end: "timeout" }
  | { readonly end: "not-started"; readonly reason: string };

/** Runs the program. Never rejects. */
export function runChild({ file, name }: FoundProgram, args: readonly string[], bounds: ChildBounds): Promise<ChildEnd> {
  return new Promise((resolve) => {
    let child: ChildProcess;
    try {
      child = spawn(file, args, {
        argv0: name,
        env: bounds.environment,
        stdio: ["ignore", "pipe", "pipe"],
        // Its own process group, which can be ended as a whole.
        detached: process.platform !== "win32",
        windowsHide: true,
      });
    } catch (error) {
      return resolve({ end: "not-started", reason: reasonOf(error) });
    }
    const stdout = collect(child, "stdout", bounds.bytes);
    const stderr = collect(child, "stderr", bounds.bytes);
    // If the host exits first, nobody else would end the child.
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
      // A grandchild may hold the pipes open for ever.
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
    // Copy the bytes: a slice would keep the whole chunk in memory.
    if (kept < bytes) chunks.push(Buffer.from(chunk.subarray(0, bytes - kept)));
    kept = Math.min(bytes, seen);
  });
  return { text: () => Buffer.concat(chunks).toString("utf8"), cut: () => seen > kept };
}

/** Signals the whole group. A group that no longer exists is fine. */
function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(name);
    else process.kill(-child.pid, name);
  } catch {}
}
