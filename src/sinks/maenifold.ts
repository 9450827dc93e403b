// Sends a note to maenifold's command line. Success is what its JSON says: the exit code is always 0.
import { type ExecFileException, execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { homeFolder } from "../files/folders.js";
import { MEMORY_MILLISECONDS, MEMORY_OUTPUT_BYTES, MEMORY_PAYLOAD_BYTES, QUOTED_CODE_POINTS } from "../limits.js";
import { parseJson } from "../text/json.js";
import { failed, type Note, reasonOf, type SinkOutcome } from "./notes.js";

/** How maenifold is started. */
export interface MaenifoldSettings {
  /** The program, as an absolute path. Searched for if not given. */
  readonly command?: string;
}

type SendOptions = { readonly environment?: Environment; readonly milliseconds?: number };

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
  const { file, why: missing } = locateProgram(command, environment);
  if (file === undefined) return failed("warn", `nothing is remembered: ${missing}`);

  const args = ["--tool", "WriteMemory", "--payload", payload, "--json"];
  const running = runProgram(file, args, { milliseconds, environment });
  const { stdout, stderr, error: end } = await running.catch((error): Ended => ({ error, stdout: "", stderr: "" }));
  const answer = readAnswer(stdout);
  if (!answer) {
    const isLong = end?.code === TOO_LONG;
    if (end?.killed && !isLong) return failed("error", `${file} was ended: it took more than ${milliseconds} ms`);
    if (typeof end?.code === "string" && !isLong) return failed("warn", `${file} cannot be started (${end.code})`);
    const said = quoted(stdout) || quoted(stderr) || "nothing";
    return failed("error", `${file} did not answer in JSON${isLong ? ", and at great length" : ""}: ${said}`);
  }
  if (answer.success === true) {
    const uri = answer.data?.uri;
    return { ok: true, ...(typeof uri === "string" && { uri }) };
  }
  const { code, message } = answer.error ?? {};
  const why = [code, message].filter(Boolean).map(quoted).join(": ");
  return failed("warn", `${file} refused the note: ${why || "no reason given"}`);
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
    const value = parseJson(text.replace(/^\uFEFF/, "")) as MaenifoldAnswer | null | undefined;
    if (typeof value?.success === "boolean") return value;
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

/** The path of the program, or why there is none. */
type Located = { readonly file?: string; readonly why?: string };

function locateProgram(command: string | undefined, environment: Environment): Located {
  // A configured program is never replaced by another one.
  if (command !== undefined) return examine(command);
  const found = candidates(environment).map(examine);
  return found.find(({ file }) => file !== undefined) ?? { why: `${PROGRAM} is neither in MAENIFOLD_ROOT nor on the PATH` };
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

function examine(file: string): Located {
  try {
    if (!statSync(file).isFile()) return { why: `${file} is not a file` };
    accessSync(file, constants.X_OK);
    return { file };
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === "ENOENT") return { why: `${file} is not there` };
    return { why: reason === "EACCES" ? `${file} may not be executed` : `${file} cannot be looked at (${reason})` };
  }
}

type Ended = { readonly error: ExecFileException | null; readonly stdout: string; readonly stderr: string };

/** The code of the error if a program prints more than is kept. */
const TOO_LONG = "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";

/** Runs the program. One that hangs, or prints without end, is killed, and so is one that outlives the host. */
function runProgram(file: string, args: readonly string[], options: Required<SendOptions>): Promise<Ended> {
  const limits = { timeout: options.milliseconds, killSignal: "SIGKILL", maxBuffer: MEMORY_OUTPUT_BYTES } as const;
  return new Promise((resolve) => {
    const orphan = () => child.kill("SIGKILL");
    const child = execFile(file, args, { ...limits, env: options.environment, windowsHide: true }, (error, stdout, stderr) => {
      process.removeListener("exit", orphan);
      resolve({ error, stdout, stderr });
    });
    process.once("exit", orphan);
  });
}
