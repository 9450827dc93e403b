// Sends a note to maenifold's command line. Success is what its JSON says: the exit code is always 0.
import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { Readable } from "node:stream";
import { homeFolder } from "../files/folders.js";
import {
  CHILD_GRACE_MILLISECONDS,
  MEMORY_MILLISECONDS,
  MEMORY_OUTPUT_BYTES,
  MEMORY_PAYLOAD_BYTES,
  QUOTED_CODE_POINTS,
} from "../limits.js";
import { failed, type Note, reasonOf, type SinkOutcome } from "./notes.js";

/** How maenifold is started. */
export interface MaenifoldSettings {
  /** The program, as an absolute path. Searched for if not given. */
  readonly command?: string;
}

interface SendOptions {
  readonly environment?: Environment;
  readonly milliseconds?: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Writes a note to maenifold. Never rejects: errors are in the outcome. */
export async function writeMemory(note: Note, { command }: MaenifoldSettings, options: SendOptions = {}): Promise<SinkOutcome> {
  const { text, store } = note;
  const { environment = process.env, milliseconds = MEMORY_MILLISECONDS } = options;
  if (text.trim() === "") return failed("debug", "there is nothing to remember");
  if (!store?.title) return failed("warn", "nothing is remembered: the template of the note has no title");
  const { title, folder, tags } = store;
  const payload = JSON.stringify({ title, content: text, ...(folder && { folder }), tags });
  const bytes = Buffer.byteLength(payload);
  const excess = `the note has ${bytes} bytes, more than the ${MEMORY_PAYLOAD_BYTES} that are sent`;
  if (bytes > MEMORY_PAYLOAD_BYTES) return failed("warn", `nothing is remembered: ${excess}`);
  const program = locateProgram(command, environment);
  if (typeof program === "string") return failed("warn", `nothing is remembered: ${program}`);

  const args = ["--tool", "WriteMemory", "--payload", payload, "--json"];
  const child = await runChild(program, args, { milliseconds, environment });
  if (child.end === "timeout") return failed("error", `${program.name} was ended: it took more than ${milliseconds} ms`);
  if (child.end === "not-started") return failed("warn", `${program.name} cannot be started (${child.reason})`);
  const answer = readAnswer(child.stdout);
  if (!answer) {
    const said = quoted(child.stdout) || quoted(child.stderr) || "nothing";
    return failed("error", `${program.name} did not answer in JSON${child.cut ? ", and at great length" : ""}: ${said}`);
  }
  if (answer.success === true) {
    const uri = answer.data?.uri;
    return { ok: true, ...(typeof uri === "string" && { uri }) };
  }
  const { code, message } = answer.error ?? {};
  const why = [code, message].filter(Boolean).map(quoted).join(": ");
  return failed("warn", `${program.name} refused the note: ${why || "no reason given"}`);
}

interface MaenifoldAnswer {
  readonly success: boolean;
  readonly data?: { readonly uri?: unknown } | null;
  readonly error?: { readonly code?: unknown; readonly message?: unknown } | null;
}

/** Parses the whole output, or the part from the first line that starts with { to the last }: log lines may surround it. */
function readAnswer(output: string): MaenifoldAnswer | undefined {
  const start = /^\s*\{/m.exec(output)?.index ?? 0;
  for (const text of [output, output.slice(start, output.lastIndexOf("}") + 1)]) {
    try {
      const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
      if (typeof (value as MaenifoldAnswer | null)?.success === "boolean") return value as MaenifoldAnswer;
    } catch {}
  }
  return undefined;
}

/** Another program's output on one line, without characters that a terminal acts on. */
function quoted(words: unknown): string {
  const line = String(words)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  const characters = [...line.slice(0, 4 * QUOTED_CODE_POINTS)];
  return characters.length > QUOTED_CODE_POINTS ? `${characters.slice(0, QUOTED_CODE_POINTS - 1).join("")}…` : line;
}

// Finds the program: as configured, or in MAENIFOLD_ROOT, or on the PATH. No shell is involved.

const PROGRAM = process.platform === "win32" ? "maenifold.exe" : "maenifold";

interface FoundProgram {
  /** The path with links resolved, so that the checked file is the one that runs. */
  readonly file: string;
  /** The path as found: a program with several names behaves according to it. */
  readonly name: string;
}

/** @returns the program, or why it was not found */
function locateProgram(command: string | undefined, environment: Environment): FoundProgram | string {
  // A configured program is never replaced by another one.
  if (command !== undefined) return examine(command);
  for (const candidate of candidates(environment)) {
    const found = examine(candidate);
    if (typeof found !== "string") return found;
  }
  return `${PROGRAM} is neither in MAENIFOLD_ROOT nor on the PATH`;
}

/** Absolute paths only: a relative one would depend on the host's current folder. */
function candidates({ MAENIFOLD_ROOT = "", PATH = "" }: Environment): readonly string[] {
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

type ChildEnd =
  | { readonly end: "exit"; readonly stdout: string; readonly stderr: string; readonly cut: boolean }
  | { readonly end: "timeout" }
  | { readonly end: "not-started"; readonly reason: string };

function runChild({ file, name }: FoundProgram, args: readonly string[], options: Required<SendOptions>): Promise<ChildEnd> {
  return new Promise((resolve) => {
    let child: ChildProcess;
    try {
      child = spawn(file, args, {
        argv0: name,
        env: options.environment,
        stdio: ["ignore", "pipe", "pipe"],
        // Its own process group, which can be ended as a whole.
        detached: process.platform !== "win32",
        windowsHide: true,
      });
    } catch (error) {
      return resolve({ end: "not-started", reason: reasonOf(error) });
    }
    const stdout = collect(child.stdout);
    const stderr = collect(child.stderr);
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
    }, options.milliseconds);

    child.on("error", (error) => settle({ end: "not-started", reason: reasonOf(error) }));
    child.once("close", ended);
    child.once("exit", () => {
      grace = setTimeout(ended, CHILD_GRACE_MILLISECONDS);
    });
  });
}

/** Keeps the start of a pipe. The rest is read and discarded, so that the child never blocks on a full pipe. */
function collect(pipe: Readable | null) {
  const chunks: Buffer[] = [];
  let seen = 0;
  pipe?.on("error", () => {});
  pipe?.on("data", (chunk: Buffer) => {
    // Copy the bytes: a slice would keep the whole chunk in memory.
    if (seen < MEMORY_OUTPUT_BYTES) chunks.push(Buffer.from(chunk.subarray(0, MEMORY_OUTPUT_BYTES - seen)));
    seen += chunk.length;
  });
  return { text: () => Buffer.concat(chunks).toString("utf8"), cut: () => seen > MEMORY_OUTPUT_BYTES };
}

/** Signals the whole group. A group that no longer exists is fine. */
function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(name);
    else process.kill(-child.pid, name);
  } catch {}
}
